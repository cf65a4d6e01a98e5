"""Tests of `core/scenario`."""
