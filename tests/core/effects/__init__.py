"""Tests of `core/effects`."""
