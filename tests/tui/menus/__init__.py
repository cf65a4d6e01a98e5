"""Tests of `tui/menus`."""
