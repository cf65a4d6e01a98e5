"""Whether the screen shows everything that happens: rivals play, and the terminal is read before each answer of the
reader.

Nothing may happen in silence: what strikes the reader, what others do to a fight, and every die, with the players,
cards and numbers that the reader may know of.
"""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.actions import Action
from core.state.events import AnyEvent, seen_by
from core.state.model import State, defn_of
from core.state.views import View
from core.text.foes import foes_of
from core.text.log import log_line
from core.view import view
from netcode.protocol import wire
from netcode.simulation.game import SimulatedGame
from tests.tui import samples
from tests.tui.emulated import EmulatedPilot, emulated_table
from tui.config.settings import Settings
from tui.scene.acts import is_play
from tui.scene.doers import doer, touches
from tui.screens.card import CardScreen
from tui.screens.moment import MomentScreen
from tui.screens.table import TableScreen

NAMES = ("Kim", "Bea", "Cyd", "Dot")
ME = 0


class Fact(Struct, frozen=True):
    """A fact that must be seen: words that stand together in one region, and the line of the log that says the same.
    frame: the first frame that can show it."""

    words: tuple[str, ...]
    line: str
    frame: int

    def is_in(self, text: str) -> bool:
        """Return whether a region tells it."""
        found = text.casefold()
        return all(word.casefold() in found for word in self.words)


class Step(Struct, frozen=True):
    """A decision of a game. seat, action: who did what; -1, None: the beginning."""

    seat: int
    action: Action | None
    events: list[AnyEvent]
    state: State


def steps(catalog: Catalog, seed: int, level: str = "normal") -> Iterator[Step]:
    """Yield the decisions of a game of four bots, whose first seat is the reader's."""
    found: list[Step] = []

    def watch(state: State, seat: int, action: object, events: list[AnyEvent]) -> None:
        found.append(Step(seat, action if isinstance(action, Action) else None, list(events), state))

    game = SimulatedGame(catalog, [level] * len(NAMES), seed, watch=watch)
    yield Step(-1, None, list(game.opening), game.state)
    while not game.state.winners and game.step():
        yield from found
        found.clear()


def facts(events: Sequence[AnyEvent], before: View, after: View, catalog: Catalog, frame: int) -> list[Fact]:
    """Return what the reader has to see of these events. events: as the reader may know them."""
    found, foes = [], foes_of(before)
    fights = [fight for fight in (before.fight, after.fight) if fight is not None]
    concerned = any(fight.match_point or ME in (fight.seat, fight.helper) for fight in fights)
    fought = before.fight is not None and after.fight is not None
    for event in events:
        line = log_line(event, catalog, NAMES, ME, foes) or ""
        foes.follow(event)
        mine = touches(event, ME)
        others = doer(event) != ME and is_play(event) and bool(fights)
        if line and isinstance(event, ev.Rolled) and (event.seat == ME or event.on == ME or concerned):
            found.append(Fact(_die(event), line, frame))
        elif line and (mine or others):
            words = (*_named(line, event, catalog), *(_sums(before, after) if others and fought else ()))
            found.append(Fact(words, line, frame))
    return found


def _named(line: str, event: AnyEvent, catalog: Catalog) -> tuple[str, ...]:
    """Return the players and cards that a line names, and the numbers in it."""
    numbers = [getattr(event, name, 0) for name in ("card", "new", "defn")]
    titles = {catalog.cards[defn_of(no) if no > 65536 else no].card.name for no in numbers if no > 0}
    words = line.replace(":", " ").split()
    levels = [str(event.level)] if isinstance(event, ev.LevelChanged) else []
    players = [name for name in NAMES if any(word.startswith(name) for word in words)]
    return (*players, *(title for title in titles if title in line), *levels)


def _die(event: ev.Rolled) -> tuple[str, ...]:
    """Return the numbers of a die, and whose modifiers they are."""
    who = () if event.seat == ME else (NAMES[event.seat],)
    adds = [word for label, by in event.adds for word in (label, str(abs(by)))]
    return (*who, str(event.die), *adds, *([str(event.need)] if event.need else []))


def _sums(before: View, after: View) -> tuple[str, ...]:
    """Return the sums of a fight as an act shows them, if they have changed."""
    old, new = before.fight, after.fight
    if old is None or new is None or old.no != new.no or (old.heroes, old.foes) == (new.heroes, new.foes):
        return ()
    return (f"{new.heroes}:{new.foes}",)


class Told(Struct):
    """How much of a game was shown. silent: the facts that were not, with the step at which the reader answered."""

    looked_at: int
    silent: list[str]


async def read_game(
    catalog: Catalog, seed: int, size: tuple[int, int], *, alone: bool = True, most: int = 400
) -> Told:  # fmt: skip
    """Play a game, and read the terminal before each answer of the reader. alone: with bots; else at a table of people,
    where no moment waits for a key. most: decisions."""
    info = samples.info(len(NAMES), solo=alone)
    states = ["here", *(["bot" if alone else "here"] * (len(NAMES) - 1))]
    info.seats = [wire.SeatInfo(name, state, True) for name, state in zip(NAMES, states, strict=True)]
    game = steps(catalog, seed)
    first = next(game)
    told = Told(0, [])
    known = view(catalog, first.state, ME)
    settings = Settings(bell=False, motion="never")
    async with emulated_table(known, size, catalog=catalog, info=info, seat=ME, settings=settings) as pilot:
        number, frames, open_facts = 0, list[list[str]](), list[Fact]()
        for at, step in enumerate(game):
            if at == most:
                break
            if step.seat == ME and step.action is not None:
                _check(open_facts, frames, told, f"{at} {type(step.action).__name__}")
                open_facts.clear()
                frames.clear()
                pilot.app.clear_notifications()  # they disappear by themselves in the time that an answer takes
                pilot.screen.session.act(step.action)
            seen = [one for event in step.events if (one := seen_by(event, ME)) is not None]
            events = [wire.NumberedEvent(number + no, one) for no, one in enumerate(seen, 1)]
            number += len(seen)
            before, known = known, view(catalog, step.state, ME)
            open_facts += facts(seen, before, known, catalog, len(frames))
            pilot.client.tell(wire.Update(0, known.rev, known, events))
            if events:
                await look(pilot, frames)
    return told


def _check(open_facts: Sequence[Fact], frames: Sequence[list[str]], told: Told, when: str) -> None:
    """Note which of these facts no frame has shown."""
    for fact in open_facts:
        told.looked_at += 1
        if not any(fact.is_in(text) for frame in frames[fact.frame :] for text in frame):
            last = "\n    ".join(frames[-1]) if frames else ""
            told.silent.append(f"{when}: {fact.line} {fact.words}\n    {last}")


async def look(pilot: EmulatedPilot, frames: list[list[str]]) -> None:
    """Read the terminal, and go on until the table is in front again: only then does a key answer."""
    await pilot.settle()
    frames.append(pilot.seen())
    for _ in range(20):
        if isinstance(pilot.app.screen, TableScreen):
            return
        if isinstance(pilot.app.screen, MomentScreen):
            pilot.app.screen.dead_until = 0.0
        pilot.app.simulate_key("escape" if isinstance(pilot.app.screen, CardScreen) else "space")
        await pilot.settle()
        frames.append(pilot.seen())
