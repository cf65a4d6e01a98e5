"""Tests of `core/authoring`."""
