"""Widgets that screens are composed of, one folder for each area, and the drawing tools that they share."""
