"""Tests of `core/knowledge`."""
