"""Verbs that no table of the program lists, and that say by their struct alone that they give Levels."""

from typing import ClassVar

from core.language import schema as v
from core.language.level_gain import LevelGain


class Rob(v.OpBase, tag="rob", kw_only=True, frozen=True):
    """A verb that no table lists: `to` gains Levels of `who`."""

    gives_levels: ClassVar[tuple[LevelGain, ...]] = (LevelGain(who="to", by="number", may_win="even_win"),)

    number: int | v.Amount = 1
    who: v.Who = "victim"
    to: v.Who = "you"
    even_win: bool = False


class Exchange(v.OpBase, tag="exchange", kw_only=True, frozen=True):
    """Another verb, with no field for the number: two players exchange their Levels."""

    gives_levels: ClassVar[tuple[LevelGain, ...]] = (LevelGain(who="who", by=9), LevelGain(who="to", by=9))

    who: v.Who = "victim"
    to: v.Who = "you"
