"""Tests of `tui/scene`."""
