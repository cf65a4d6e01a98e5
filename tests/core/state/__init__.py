"""Tests of `core/state`."""
