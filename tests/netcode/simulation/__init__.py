"""Tests of `netcode/simulation`."""
