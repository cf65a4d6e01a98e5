"""Tests of `netcode/host`."""
