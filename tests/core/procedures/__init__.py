"""Tests of `core/procedures`."""
