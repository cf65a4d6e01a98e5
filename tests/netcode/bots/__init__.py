"""Tests of `netcode/bots`."""
