"""The rules: pure Python, no I/O, no clock, no network, no screen."""
