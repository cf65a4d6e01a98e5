"""One key binding, as data: a row of the key map."""

from msgspec import Struct


class Key(Struct, frozen=True):
    """One binding. keys: Textual's names, comma separated; action: the method without `action_`, with its arguments;
    words: for the help; show: the key's name in the help, empty if the row above shows it too. tip: the text of the
    tooltip; empty: the words."""

    id: str
    keys: str
    action: str
    words: str
    show: str = ""
    tip: str = ""
