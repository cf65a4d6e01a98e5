"""Tests of `tui/widgets/table`."""
