"""Checks of every screen of the program that tests of single screens do not make."""
