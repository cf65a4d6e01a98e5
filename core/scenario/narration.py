"""A scenario told in words, as an example of the clause that it proves: first the situation, then the events."""

from collections.abc import Iterator

from core.engine import Runaway
from core.language.catalog import Catalog
from core.scenario.cast import BYSTANDERS, Cast, NotFound, lay_out, split_nth
from core.scenario.parts import SeatSetup, Step
from core.scenario.schema import Scenario, ScenarioError
from core.scenario.steps import Contradiction, ScenarioGame
from core.state.rng import DiceRanOut, DieTooHigh
from core.text.foes import Foes
from core.text.grammar import listed
from core.text.log import log_line

LINES = 30
"""The most lines of an example."""

_DOES = {
    "done": "be ready", "kick": "open the door", "trouble": "look for trouble", "loot": "loot the room",
    "play": "play {card}", "use": "use {card}", "equip": "equip {card}", "unequip": "put {card} away",
    "discard": "discard {card}", "sell": "sell {cards}", "give": "give {cards} away", "offer": "make an offer",
    "counter": "make another offer", "accept": "accept the offer", "decline": "decline the offer",
    "withdraw": "withdraw the offer", "claim": "claim the kill", "flee": "run away", "roll": "roll the die",
    "answer": "choose that", "pass": "pass", "hold": "stop the clock", "end_turn": "end the turn",
}  # fmt: skip
"""Words for what a seat would do, by the name of its action."""


def narrate(catalog: Catalog, scenario: Scenario) -> tuple[str, ...]:
    """Return the scenario as lines for people; the situation alone if a step cannot be done."""
    cast = Cast(catalog, scenario)
    lines = list(_situation(cast))
    try:
        game = ScenarioGame(cast, lay_out(cast), strict=False)
        before = _strengths(game)
        for step in scenario.steps:
            lines += _happens(game, step)
            if len(lines) > LINES:
                break
        lines += [f"{name} has strength {now} in the end, before {before[name]}."
                  for name, now in _strengths(game).items() if now != before[name]]  # fmt: skip
    except (NotFound, Contradiction, ScenarioError, DiceRanOut, DieTooHigh, Runaway):
        pass  # the checks of the pack report it
    return tuple(lines[:LINES])


def _strengths(game: ScenarioGame) -> dict[str, int]:
    """Return the strength of each seat that a scenario is about, because the log does not show it."""
    seats = zip(game.cast.names, game.snapshot.view().seats, strict=True)
    return {name: view.strength for name, view in seats if name not in BYSTANDERS}


def _situation(cast: Cast) -> Iterator[str]:
    """Yield what each seat has, except seats that only fill the table."""
    for name, setup in cast.scenario.seats.items():
        if name not in BYSTANDERS:
            yield f"{name}: Level {setup.level}{''.join(f'; {words}' for words in _has(cast, setup))}."
    if cast.scenario.doors:
        yield f"Behind the door: {_cards(cast, cast.scenario.doors[:1])}."


def _has(cast: Cast, setup: SeatSetup) -> Iterator[str]:
    places = {"in play": setup.table, "carried": setup.carried, "in hand": setup.hand, "cursed by": setup.curses}
    for place, names in places.items():
        if names:
            yield f"{place} {_cards(cast, names)}"


def _cards(cast: Cast, names: tuple[str, ...]) -> str:
    return listed([" on ".join(_printed(cast, part) for part in name.split(" > ")) for name in names])


def _printed(cast: Cast, name: str) -> str:
    """Return the printed name of a card that a scenario names, perhaps by its id or as a numbered copy."""
    try:
        return cast.defn_name(cast.defn(split_nth(name)[0]))
    except NotFound:
        return name


def _happens(game: ScenarioGame, step: Step) -> Iterator[str]:
    """Do a step and yield what happens."""
    refused = game.do(step)
    if refused is not None:
        if step.by is not None:
            yield f"{step.by} cannot {_act(game.cast, step)}: {game.reason}"
        return
    foes = Foes(game.foes)
    for event in game.events:
        line = log_line(event, game.cast.catalog, game.cast.names, -1, foes)
        foes.follow(event)
        if line:
            yield line if line.endswith((".", "!", "?")) else f"{line}."
    wanted = step.expect
    fight = game.snapshot.view().fight
    if fight is not None and wanted is not None and (wanted.heroes, wanted.foes, wanted.winning) != (None, None, None):
        yield f"The fight stands {fight.heroes} to {fight.foes}."


def _act(cast: Cast, step: Step) -> str:
    words = _DOES.get(step.do or "pass", str(step.do))
    cards = _cards(cast, step.cards) if step.cards else "cards"
    return words.format(card=_printed(cast, step.card) if step.card else "it", cards=cards)
