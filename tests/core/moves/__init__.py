"""Tests of `core/moves`."""
