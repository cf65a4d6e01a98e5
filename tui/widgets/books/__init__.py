"""What books are composed of: the line to find by, the list of cards, a printed card, the gallery, chapters to read."""
