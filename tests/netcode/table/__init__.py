"""Tests of `netcode/table`."""
