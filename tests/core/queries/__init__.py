"""Tests of `core/queries`."""
