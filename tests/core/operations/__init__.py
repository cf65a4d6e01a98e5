"""Tests of `core/operations`."""
