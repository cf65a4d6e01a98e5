"""Lessons and puzzles at a table of one's own: where they are, the table they are played at, which are solved."""
