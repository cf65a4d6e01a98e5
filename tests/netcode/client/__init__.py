"""Tests of `netcode/client`."""
