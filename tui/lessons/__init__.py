"""Lessons and puzzles: where they are found, the table at which they are played, which are solved."""
