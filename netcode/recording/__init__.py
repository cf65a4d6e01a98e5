"""Recorded games: the file and who writes it, what it proves, and revealed games replayed."""
