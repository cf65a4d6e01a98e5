"""Scenario files: their types, and running them through `submit` and `view`."""
