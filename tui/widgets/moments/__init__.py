"""Moments drawn large: a door that opens, a die with its bill, a fight lost, a death, a victory. Pure."""
