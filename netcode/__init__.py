"""Everything between the rules and the screen: host, wire, clients, bots, recordings, simulation."""

VERSION = "0.1.0"
"""The version of the program; pyproject.toml reads it here."""
