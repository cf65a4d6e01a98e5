"""The SSH door: guests play at a host's tables with nothing installed.

It knows no screen; the program that it starts for a guest is handed to it."""
