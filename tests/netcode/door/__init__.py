"""Tests of netcode/door."""
