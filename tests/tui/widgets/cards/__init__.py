"""Tests of `tui/widgets/cards`."""
