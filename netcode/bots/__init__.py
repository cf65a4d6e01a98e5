"""Bots: what they decide (brain and its parts, on top of core alone), and runner, which plays it as a client."""
