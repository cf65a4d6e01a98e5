"""Moments drawn large: a door that opens, a die with its sum, a fight lost, a death, a victory. Pure."""
