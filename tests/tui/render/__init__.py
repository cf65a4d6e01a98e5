"""Tests of `tui/render`."""
