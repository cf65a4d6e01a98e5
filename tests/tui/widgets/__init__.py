"""Tests of `tui/widgets`."""
