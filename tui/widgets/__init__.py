"""Widgets: what screens are composed of, one folder for each area, and what all of them are drawn with."""
