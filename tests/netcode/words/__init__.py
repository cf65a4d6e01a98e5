"""Texts of strangers on their way to terminals and logs."""
