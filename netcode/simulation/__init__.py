"""Many games in one process."""
