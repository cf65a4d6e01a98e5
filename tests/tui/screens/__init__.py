"""Tests of `tui/screens`."""
