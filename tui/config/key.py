"""One binding, as data: the rows of the key map are made of it."""

from msgspec import Struct


class Key(Struct, frozen=True):
    """One binding. keys: Textual's names, comma separated; action: the method without `action_`, with its arguments;
    words: for the help; show: the key's name in the help, empty if another key shows the same action. tip: what a
    tooltip says; empty: the words."""

    id: str
    keys: str
    action: str
    words: str
    show: str = ""
    tip: str = ""
