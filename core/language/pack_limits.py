"""How large packs may be."""

FILE_LIMIT = 512 * 1024
FILES_LIMIT = 24
PACK_LIMIT = 2 * 1024 * 1024
"""The most bytes in a file, files in a pack, bytes in a pack. Scenarios are not counted."""
CARDS_LIMIT = 4096
"""Different cards at a table: a card's id has 12 bits for its definition."""
COPIES_LIMIT = 20
"""Copies of one card."""
