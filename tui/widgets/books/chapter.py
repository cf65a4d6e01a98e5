"""A chapter of a book as lines, with the words that were looked for in gold. Pure."""

import re
from collections.abc import Sequence

from tui.scene.book import Chapter
from tui.scene.cells import Glyphs, Line, wrap


def chapter_lines(chapter: Chapter, width: int, glyphs: Glyphs, words: Sequence[str] = ()) -> list[Line]:
    """Return a chapter as lines: its name, then its sections with a blank line before each."""
    lines: list[Line] = [((text, "bold gold"),) for text in wrap(chapter.name, width, glyphs)]
    for section in chapter.sections:
        lines.append(())
        lines += [_marked(text, words, "bold info") for text in wrap(section.name, width, glyphs)]
        for at, paragraph in enumerate(section.texts):
            lines += [()] if at else []
            lines += [_marked(text, words, "") for text in wrap(paragraph, width, glyphs)]
        lines += [((text, "dim"),) for text in wrap(section.note, width, glyphs)]
    return lines


def _marked(text: str, words: Sequence[str], style: str) -> Line:
    """Return a text with every one of the words in gold."""
    if not words:
        return ((text, style),)
    pieces = re.split(f"({'|'.join(re.escape(word) for word in words)})", text, flags=re.IGNORECASE)
    return tuple((piece, "bold gold" if at % 2 else style) for at, piece in enumerate(pieces) if piece)
