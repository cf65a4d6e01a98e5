"""Tests of `core/language`."""
