"""Tests of `netcode/protocol`."""
