"""Running scenario files."""
