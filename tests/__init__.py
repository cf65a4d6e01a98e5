"""Tests of kickdoor, in folders that mirror those of the program (docs/testing.md)."""
