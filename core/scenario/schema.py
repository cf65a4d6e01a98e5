"""The types of scenario files: what docs/scenarios.md describes, and nothing else. Unknown keys are refused."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta, Struct, field

from core.language.schema import COUNTERS_MOST
from core.language.toml import TomlError, parse
from core.state import actions
from core.state.model import Options

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Level = Annotated[int, Meta(ge=1, le=20)]
Names = tuple[Name, ...]
Number = Annotated[int, Meta(ge=0, le=2**53)]
"""A card id, seat or offer, as actions name it."""
ROWS_LIMIT = 2000
"""Scenarios of one file."""
BySeat = dict[str, Names]

TAGS: dict[str, type] = {kind.__struct_config__.tag: kind for kind in get_args(actions.Action)}
"""The actions of players by name."""

_FIELDS: dict[str, tuple[str, ...]] = {
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


class _Part(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    pass


class SeatSetup(_Part, frozen=True, kw_only=True):
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


class Expect(_Part, frozen=True, kw_only=True):
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


class Step(_Part, frozen=True, kw_only=True):
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
    vain: bool | None = None
    expect: Expect | None = None


class Scenario(_Part, frozen=True, kw_only=True):
    """One scenario: the table at the beginning, the steps, and what it proves.

    rest: where cards are that the scenario does not name: below the named ones in their decks, in the discards, or
    nowhere. seals: the closed Seals, top first; seals_open: the open ones, the one in force last. open: whether asks,
    windows and dice may be left over at the end. where: the name of the file, for messages.
    """

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    text: str = ""
    proves: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    turn: str | None = None
    doors: Names = ()
    treasures: Names = ()
    door_discards: Names = ()
    treasure_discards: Names = ()
    seals: Names = ()
    seals_open: Names = ()
    rest: Literal["deck", "discards", "none"] = "deck"
    dice: tuple[Annotated[int, Meta(ge=1, le=20)], ...] = ()
    options: OptionSetup = OptionSetup()
    seats: dict[Name, SeatSetup]
    steps: tuple[Step, ...]
    open: bool = False
    where: str = ""


class ScenarioError(Exception):
    """A scenario file that cannot be run: which file, which scenario, and why."""

    def __init__(self, where: str, name: str, text: str) -> None:
        super().__init__(f"{where}{f': {name}' if name else ''}: {text}")
        self.where, self.name, self.text = where, name, text


def load(data: bytes, where: str) -> list[Scenario]:
    """Return the scenarios of one file. where: its name, for messages. Raises ScenarioError if one cannot be read."""
    try:
        found = parse(data.decode())
    except UnicodeDecodeError as error:
        raise ScenarioError(where, "", f"not UTF-8 text: {error}") from error
    except TomlError as error:
        raise ScenarioError(where, "", str(error)) from error
    extra = sorted(set(found) - {"scenario"})
    if extra:
        raise ScenarioError(where, "", f"unknown key {extra[0]!r}; a file holds [[scenario]] tables only")
    rows = found.get("scenario", [])
    if not isinstance(rows, list) or not rows:
        raise ScenarioError(where, "", "holds no [[scenario]]")
    if len(rows) > ROWS_LIMIT:
        raise ScenarioError(where, "", f"holds {len(rows)} scenarios: at most {ROWS_LIMIT} in one file")
    return [_one(row, where, number) for number, row in enumerate(rows, 1)]


def _one(row: object, where: str, number: int) -> Scenario:
    if not isinstance(row, dict):
        raise ScenarioError(where, f"scenario {number}", "is not a table: write [[scenario]] above its keys")
    name = str(row.get("name", f"scenario {number}"))
    if "where" in row:
        raise ScenarioError(where, name, "unknown key 'where'")
    try:
        scenario = msgspec.convert(row, Scenario)
    except msgspec.ValidationError as error:
        raise ScenarioError(where, name, str(error)) from error
    for key, problem in mistakes_of(scenario):
        raise ScenarioError(where, name, f"{in_words(key)}: {problem}")
    return msgspec.structs.replace(scenario, where=where)


def in_words(key: str) -> str:
    """Return a key of a scenario with steps counted from 1: `steps[3].expect.foes` becomes `step 4, expect.foes`."""
    return re.sub(r"^steps\[(\d+)\]\.?", lambda at: f"step {int(at.group(1)) + 1}, ", key).removesuffix(", ")


def mistakes_of(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Yield (key, message) for everything in a scenario that its types allow but that makes no sense."""
    if not 1 <= len(scenario.seats) <= 6:
        yield "seats", "a scenario has one to six seats ([scenario.seats.Kim])"
    if scenario.turn is not None and scenario.turn not in scenario.seats:
        yield "turn", f"there is no seat {scenario.turn!r}"
    for at, step in enumerate(scenario.steps):
        problem = _problem(step)
        if problem:
            yield f"steps[{at}]", problem


def _problem(step: Step) -> str | None:
    """Return what is wrong with the form of a step, None if nothing is."""
    acts = [step.do is not None, step.pass_ is not None, step.close is not None, step.default is not None]
    if sum(acts) > 1:
        return "does one thing: an action, a pass, a close or a default"
    if not any(acts):
        return None if step.expect is not None and step.refused is None else "does nothing and expects nothing"
    if (step.do is None) != (step.by is None):
        return "by and do go together"
    if step.legal is False and step.refused is None:
        return "legal = false needs a refused"
    if step.vain is not None and (step.do is None or step.refused is not None):
        return "vain goes with an action that is accepted"
    if step.do is not None and step.do not in TAGS:
        return f"there is no action {step.do!r}; actions are {', '.join(TAGS)}"
    return _surplus(step)


def _surplus(step: Step) -> str | None:
    always = ("by", "do", "pass_", "close", "default", "refused", "legal", "vain", "expect")
    allowed = (*always, *_FIELDS.get(step.do or "", ()))
    for name in step.__struct_fields__:
        if getattr(step, name) is not None and name not in allowed:
            key = name.rstrip("_")
            return f"{key!r} means nothing to {step.do!r}" if step.do else f"{key!r} needs a do"
    return None

