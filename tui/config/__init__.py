"""Settings and the key map."""
