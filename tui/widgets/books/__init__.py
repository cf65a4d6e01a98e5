"""Widgets of the books: the search line, the list of cards, a printed card, the gallery, chapters to read."""
