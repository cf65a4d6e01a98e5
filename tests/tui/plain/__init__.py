"""Tests of the game as lines: tui.plain."""
