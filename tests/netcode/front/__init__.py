"""Tests of netcode/front."""
