"""Tests of `tui/app`."""
