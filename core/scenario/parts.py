"""The parts of scenario files: seats, steps, expectations, and what makes a lesson or a puzzle."""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct, field

from core.language.schema import COUNTERS_MOST
from core.state import actions, events
from core.state.model import Options

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Level = Annotated[int, Meta(ge=1, le=20)]
Names = tuple[Name, ...]
Sentence = Annotated[str, Meta(min_length=1, max_length=300)]
"""Words for the player. `{key:kick}` in them stands for the key of that act."""
Number = Annotated[int, Meta(ge=0, le=2**53)]
"""A card id, seat or offer, as actions name it."""
BySeat = dict[str, Names]

TAGS: dict[str, type] = {kind.__struct_config__.tag: kind for kind in get_args(actions.Action)}
"""The actions of players by name."""

EVENTS: dict[str, type] = {name: kind for kind, name in events.NAMES.items()}
"""The events by name: `fight-ended`."""

FIELDS: dict[str, tuple[str, ...]] = {
    "trouble": ("card",),
    "loot": ("deck",),
    "play": ("card", "on", "side", "target", "with_", "seen", "anyway"),
    "use": ("card", "ability", "pay", "on", "side", "target", "with_", "seen", "anyway"),
    "equip": ("card", "carrier", "both"),
    "unequip": ("card",),
    "discard": ("card",),
    "sell": ("cards", "doubled"),
    "give": ("cards", "to"),
    "offer": ("to", "kind", "helper", "treasures", "helper_first", "gives", "wants", "cards"),
    "counter": ("offer", "kind", "helper", "treasures", "helper_first", "gives", "wants", "cards"),
    "accept": ("offer",),
    "decline": ("offer",),
    "withdraw": ("offer",),
    "roll": ("card", "target"),
    "answer": ("pick",),
}
"""Fields that each action may have besides `by` and `do`."""


class Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base of everything in a scenario file."""


class SeatSetup(Part, frozen=True, kw_only=True):
    """A seat at the beginning. In `table` "Cheat! > Item" attaches the first card to the second, "Item > Ally" lets the
    second carry the first. sex: male by default, in sets with the switch `sex`. counters: on cards in play, by name."""

    level: Level = 1
    sex: Literal["", "male", "female"] = ""
    hand: Names = ()
    table: Names = ()
    carried: Names = ()
    curses: Names = ()
    counters: dict[Name, Annotated[int, Meta(ge=1, le=COUNTERS_MOST)]] = {}


class OptionSetup(Options, array_like=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of the game, by name."""


class Expect(Part, frozen=True, kw_only=True):
    """What must hold after a step; a key that is not given is not checked."""

    levels: dict[str, int] | None = None
    heroes: int | None = None
    foes: int | None = None
    hero_terms: dict[str, int] | None = None
    foe_terms: dict[str, int] | None = None
    hand: dict[str, int | Names] | None = None
    equipped: BySeat | None = None
    carried: BySeat | None = None
    identities: BySeat | None = None
    curses: BySeat | None = None
    monsters: Names | None = None
    helper: str | None = None
    asks: dict[str, str] | None = None
    options: dict[str, tuple[str | int, ...]] | None = None
    window: str | None = None
    match_point: bool | None = None
    winning: bool | None = None
    run: dict[str, int] | None = None
    due: dict[Literal["levels", "treasures"], int] | None = None
    winners: Names | None = None
    dead: Names | None = None
    turn: str | None = None
    phase: str | None = None
    door_top: str | None = None
    treasure_top: str | None = None
    doors: int | None = None
    treasures: int | None = None
    strength: dict[str, int] | None = None
    log: str | None = None
    offers: int | None = None
    allies: BySeat | None = None
    vehicles: BySeat | None = None
    attached: BySeat | None = None
    sex: dict[str, Literal["", "male", "female"]] | None = None
    seals: int | None = None
    seals_open: Names | None = None
    counters: dict[str, dict[str, int]] | None = None


class Step(Part, frozen=True, kw_only=True):
    """One action, pass, close or default; whether it must be refused, and what must hold after it."""

    by: str | None = None
    do: str | None = None
    card: Name | None = None
    on: str | None = None
    side: Literal["heroes", "monsters"] | None = None
    target: Name | None = None
    with_: Name | None = field(default=None, name="with")
    pay: Names | None = None
    cards: Names | None = None
    pick: tuple[Name | Number, ...] | None = None
    gives: Names | None = None
    wants: Names | None = None
    ability: Annotated[int, Meta(ge=0, le=9)] | None = None
    doubled: Name | Names | None = None
    carrier: Name | None = None
    both: Literal[True] | None = None
    deck: Literal["discard", "door"] | None = None
    to: str | None = None
    kind: Literal["help", "trade", "gift"] | None = None
    helper: str | None = None
    treasures: Annotated[int, Meta(ge=0, le=40)] | None = None
    helper_first: bool | None = None
    offer: Number | None = None
    seen: Literal["stale"] | None = None
    anyway: bool | None = None
    pass_: Literal["all"] | Names | None = field(default=None, name="pass")
    close: Literal[True] | None = None
    default: str | None = None
    refused: str | None = None
    legal: Literal[False] | None = None
    vain: bool | Literal["in part"] | None = None
    expect: Expect | None = None


class Happening(Part, frozen=True, kw_only=True):
    """A pattern for something that happens in a played scenario; all given keys must fit.

    do: an act of this name, by the seat `by`. event: an event of this name (core/state/events.py, `fight-ended`), of
    the seat `seat`, with `how` as its how, why, stage or kind. card: of the act, else of the event. treasures: the act
    promises at least this many. expect: what must hold afterwards.
    """

    do: str | None = None
    by: Name | None = None
    event: str | None = None
    seat: Name | None = None
    how: Name | None = None
    card: Name | None = None
    treasures: Annotated[int, Meta(ge=0, le=40)] | None = None
    expect: Expect | None = None


class Reaction(Part, frozen=True, kw_only=True):
    """A reaction of the other seats to a happening: `times` times at most. A step that is impossible is left out."""

    when: Happening
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    times: Annotated[int, Meta(ge=1, le=20)] = 1


class Mistake(Part, frozen=True, kw_only=True):
    """A mistake: what ends a puzzle without success or is taken back in a lesson; why, for the player; steps that lead
    there."""

    when: Happening
    say: Sentence
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]


class Task(Part, frozen=True, kw_only=True):
    """One thing that a lesson asks for.

    first: what the others do before. say: the task in words. done: the task is done when any of these has happened.
    why: why it mattered. ways: every sensible way to do it, each as steps of the player; the first leads to the next
    task.
    """

    say: Sentence
    done: Annotated[tuple[Happening, ...], Meta(min_length=1)]
    why: Sentence
    ways: Annotated[tuple[tuple[Step, ...], ...], Meta(min_length=1)]
    first: tuple[Step, ...] = ()
    mistakes: tuple[Mistake, ...] = ()


class Lesson(Part, frozen=True, kw_only=True):
    """A lesson at a laid-out table, for the first seat: tasks, one after the other. after: the words at its end."""

    tasks: Annotated[tuple[Task, ...], Meta(min_length=1, max_length=20)]
    after: Sentence


class Puzzle(Part, frozen=True, kw_only=True):
    """A puzzle for the first seat.

    goal: the sentence above the table. solved: it is solved when any of these has happened. late: the words shown if
    `turns` turns have ended without success. solution: steps of the player; why: the lesson to learn from it.
    """

    goal: Sentence
    hint: Sentence
    solved: Annotated[tuple[Happening, ...], Meta(min_length=1)]
    late: Sentence
    why: Sentence
    solution: Annotated[tuple[Step, ...], Meta(min_length=2)]
    mistakes: tuple[Mistake, ...] = ()
    turns: Annotated[int, Meta(ge=1, le=10)] = 1
