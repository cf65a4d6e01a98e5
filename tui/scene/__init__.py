"""The data that a screen draws."""
