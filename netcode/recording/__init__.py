"""Replays: recorder, reader, verification."""
