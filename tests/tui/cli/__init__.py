"""Tests of `tui/cli`."""
