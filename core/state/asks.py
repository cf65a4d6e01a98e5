"""Kinds of asks that other modules tell apart: by what their options are, or by how they are answered."""

OF_SEATS = frozenset({"seat", "larger share", "give to", "first"})
"""The options are seats."""
BY_ACTION = frozenset({"ready", "kick", "trouble", "fight", "roll", "end", "hold"})
"""The answer is an action of its own (Done, Kick, ...), never Answer."""
