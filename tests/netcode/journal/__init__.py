"""Tests of netcode/journal."""
