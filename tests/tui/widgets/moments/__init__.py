"""Tests of `tui/widgets/moments`."""
