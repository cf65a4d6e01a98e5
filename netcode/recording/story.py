"""The story of a game as data: level curves, turning point, fights, dice, a line for each seat.

`chronicle.py` collects what one client receives, `narrator.py` turns it into a Story. A Story holds only facts that
this client has seen. It is stored in the header of the recording (`pack`, `unpack`).
"""

from itertools import pairwise
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

STORY_BYTES = 24 * 1024
"""Bytes of a packed story; a longer one is not stored and is made again when the recording is opened."""
STEPS_MOST = 2000
"""Changes of Level in the curve of one seat."""
NAMES_MOST = 30
"""Names in a list: the monsters of a fight, what killed a player."""
SWINGS_MOST = 10
SIDES = 6
"""Sides of the die whose rolls are counted; other dice are left out."""

SeatNo = Annotated[int, Meta(ge=0, le=11)]
SeatOrNone = Annotated[int, Meta(ge=-1, le=11)]
Count = Annotated[int, Meta(ge=0, le=10**6)]
Sum = Annotated[int, Meta(ge=-(10**6), le=10**6)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Name = Annotated[str, Meta(max_length=80)]
Names = Annotated[list[Name], Meta(max_length=NAMES_MOST)]
Step = tuple[Count, Count]
"""A turn, and the Level at the end of it."""


class FightTold(Struct, omit_defaults=True):
    """One fight. heroes, foes: the last sums before it was decided. how: killed, removed, fled, died or ended, as in
    events.FightEnded."""

    turn: Count
    seat: SeatNo
    heroes: Sum
    foes: Sum
    monsters: Names
    how: Annotated[str, Meta(max_length=20)]
    helper: SeatOrNone = -1


class Stab(Struct, omit_defaults=True):
    """An act of somebody outside the fight that turned it against its fighter. card: the card that was played or used.
    by: how far it moved the sums. match_point: the fight would have won the game."""

    turn: Count
    seat: SeatNo
    victim: SeatNo
    card: Name
    by: Sum
    match_point: bool = False


class TurningPoint(Struct, omit_defaults=True):
    """The moment that decided the game; `narrator.turning_point` says how it is found.

    kind: "stopped" (seat was winning the fight for the game and lost it; by, card: the seat and the card that stopped
    it, if known) or "lead" (seat, a winner, took the lead for good).
    """

    turn: Count
    kind: Annotated[str, Meta(max_length=20)]
    seat: SeatNo
    by: SeatOrNone = -1
    card: Name = ""


class Swing(Struct, omit_defaults=True):
    """A moment that changed somebody's chance to win (netcode/recording/review.py). turn, rev: of the table at rest
    after it. seat: whose chance; before, after: in percent, by the viewer's knowledge then.

    kind: "fight" (fight: its sums; its turn is this one), "died", "curse" (card), "level" (level: the new one), "card"
    (card: played, spent or discarded); by: the fighter, the dead or cursed player, or the owner of the Level or card.
    """

    turn: Count
    rev: Annotated[int, Meta(ge=0, le=2**53)]
    seat: SeatNo
    before: Percent
    after: Percent
    kind: Annotated[str, Meta(max_length=20)] = ""
    by: SeatOrNone = -1
    card: Name = ""
    level: Count = 0
    fight: FightTold | None = None


class SeatTold(Struct, omit_defaults=True):
    """The acts and the fate of one seat.

    levels: its Level at the end of each turn in which it changed; the first step is where the story begins. kills:
    monsters killed as fighter. helped: fights in which it helped of its own will. cursed: curses that struck it.
    strikes: cards and abilities against the fights of others, and curses on them. betrayals: strikes that hit somebody
    it had fought beside before or was helping. broken: promised cards that it spent instead.
    bought: levels gained by sales. rolls, pips: six-sided dice and their sum. runs, away: dice rolled to run, and how
    often that worked. deaths: the turns in which it died. killers: the causes of its deaths, if known.
    """

    levels: Annotated[list[Step], Meta(max_length=STEPS_MOST)]
    kills: Count = 0
    helped: Count = 0
    cursed: Count = 0
    strikes: Count = 0
    betrayals: Count = 0
    broken: Count = 0
    bought: Count = 0
    rolls: Count = 0
    pips: Count = 0
    runs: Count = 0
    away: Count = 0
    deaths: Annotated[list[Count], Meta(max_length=NAMES_MOST)] = []
    killers: Names = []

    @property
    def level(self) -> int:
        """The last Level that is known."""
        return self.levels[-1][1] if self.levels else 1


class Story(Struct, omit_defaults=True):
    """The story of one game.

    goal: the Level that wins. turns: the last turn. faces: how often a six-sided die showed 1 to 6. first: the first
    turn that was seen (0: the whole game). gap: something in between was not seen. seconds: how long it took. final:
    the fight that won the game. undone: how many times something was taken back. mattered: the moments that mattered
    most, in the order of the game; none in the stories of older versions.
    """

    goal: Count
    turns: Count
    seats: Annotated[list[SeatTold], Meta(max_length=12)]
    faces: Annotated[list[Count], Meta(min_length=SIDES, max_length=SIDES)]
    winners: Annotated[list[SeatNo], Meta(max_length=12)] = []
    why: Annotated[str, Meta(max_length=80)] = ""
    first: Count = 0
    gap: bool = False
    seconds: Count = 0
    final: FightTold | None = None
    turning: TurningPoint | None = None
    biggest: FightTold | None = None
    stab: Stab | None = None
    undone: Count = 0
    mattered: Annotated[list[Swing], Meta(max_length=SWINGS_MOST)] = []

    @property
    def whole(self) -> bool:
        """Whether all of the game was seen."""
        return not self.first and not self.gap


_decoder = msgspec.msgpack.Decoder(Story)


def pack(story: Story | None) -> bytes:
    """Return a story as the header of a recording has it; empty if there is none, or if it is too long."""
    data = b"" if story is None else msgspec.msgpack.encode(story)
    return data if len(data) <= STORY_BYTES else b""


def unpack(data: bytes, seats: int) -> Story | None:
    """Return the story in a header, None if there is none that can be read. seats: how many seats the game had.

    A file may come from anywhere, so a story that does not fit its game is ignored.
    """
    if not data or len(data) > STORY_BYTES:
        return None
    try:
        story = _decoder.decode(data)
    except (msgspec.MsgspecError, ValueError):
        return None
    return story if _fits(story, seats) else None


def _fits(story: Story, seats: int) -> bool:
    named = list(story.winners)
    for fight in (story.final, story.biggest):
        named += [fight.seat, fight.helper] if fight is not None else []
    named += [story.stab.seat, story.stab.victim] if story.stab is not None else []
    named += [story.turning.seat, story.turning.by] if story.turning is not None else []
    for swing in story.mattered:
        named += [swing.seat, swing.by]
        named += [swing.fight.seat, swing.fight.helper] if swing.fight is not None else []
    curves = all(
        seat.levels and all(one[0] < other[0] for one, other in pairwise(seat.levels)) for seat in story.seats
    )
    return len(story.seats) == seats and curves and all(seat < seats for seat in named)
