"""Tests of `netcode/recording`."""
