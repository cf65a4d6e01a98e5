"""Whether the screen shows everything that happens: rivals play, and the terminal is read before each answer of the
reader.

Nothing may happen in silence: what strikes the reader, what others do to a fight, and every die, with the players,
cards and numbers that the reader may know of.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import cycle

from msgspec import Struct
from textual.geometry import Region

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
from tui.screens.history import HistoryScreen
from tui.screens.moment import MomentScreen
from tui.screens.table import TableScreen
from tui.widgets.scroll import LineScroll

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
    """How much of a game was told. silent: the facts that were not, each with the step at which the reader answered;
    opened: how many facts were told only in the list whose key the screen named."""

    looked_at: int
    silent: list[str]
    opened: int = 0


async def read_game(
    catalog: Catalog, seed: int, size: tuple[int, int], *, alone: bool = True, bursts: bool = False, most: int = 400
) -> Told:  # fmt: skip
    """Play a game, and read the terminal before each answer of the reader. alone: with bots; else at a table of people,
    where no moment waits for a key. bursts: everything between two answers comes at once, while the reader has
    something open; the screen is drawn once. most: decisions."""
    info = samples.info(len(NAMES), solo=alone)
    states = ["here", *(["bot" if alone else "here"] * (len(NAMES) - 1))]
    info.seats = [wire.SeatInfo(name, state, True) for name, state in zip(NAMES, states, strict=True)]
    game = steps(catalog, seed)
    first = next(game)
    told = Told(0, [])
    known = view(catalog, first.state, ME)
    settings = Settings(bell=False, motion="never")
    async with emulated_table(known, size, catalog=catalog, info=info, seat=ME, settings=settings) as pilot:
        number, frames, open_facts, reads = 0, list[list[str]](), list[Fact](), cycle(READS if bursts else ("",))
        for at, step in enumerate(game):
            if at == most:
                break
            if step.seat == ME and step.action is not None:
                if bursts and open_facts:
                    await look(pilot, frames)
                await _check(pilot, open_facts, frames, told, f"{at} {type(step.action).__name__}")
                open_facts.clear()
                frames.clear()
                pilot.screen.session.act(step.action)
                await open_one(pilot, next(reads))
            seen = [one for event in step.events if (one := seen_by(event, ME)) is not None]
            events = [wire.NumberedEvent(number + no, one) for no, one in enumerate(seen, 1)]
            number += len(seen)
            before, known = known, view(catalog, step.state, ME)
            open_facts += facts(seen, before, known, catalog, len(frames))
            pilot.client.tell(wire.Update(0, known.rev, known, events))
            if events and not bursts:
                await look(pilot, frames)
    return told


READS = ("", "l", "o", "", "v", "plus")
"""What the reader has open when a burst comes, in turn: nothing, the log, others' cards, a card, the reasons large."""
FURTHER = re.compile(r"\br:? \d+ more\b")
"""The words that say that there is more, and which key opens it."""
AMOUNT = re.compile(r" [+-]?\d+(:\d+)?$")
"""The number on the right of a line of the log."""


async def open_one(pilot: EmulatedPilot, key: str) -> None:
    """Have nothing open but what this key opens; "": nothing."""
    await pilot.settle()
    for _ in range(3):
        if isinstance(pilot.app.screen, TableScreen) and pilot.screen.model.reading.kind:
            pilot.screen.model.stop_reading()
    if key and isinstance(pilot.app.screen, TableScreen):
        pilot.app.simulate_key(key)
        await pilot.settle()


async def _check(
    pilot: EmulatedPilot, open_facts: Sequence[Fact], frames: Sequence[list[str]], told: Told, when: str
) -> None:  # fmt: skip
    """Note which of these facts were shown neither in a frame nor in the list whose key the screen named."""
    told.looked_at += len(open_facts)
    unseen = [fact for fact in open_facts
              if not any(fact.is_in(text) for frame in frames[fact.frame :] for text in frame)]  # fmt: skip
    if unseen and any(FURTHER.search(text) for text in frames[-1]):
        text = await _recap(pilot)
        told.opened += len(unseen)
        unseen = [fact for fact in unseen if not fact.is_in(text)]
    for fact in unseen:
        last = "\n    ".join(frames[-1]) if frames else ""
        told.silent.append(f"{when}: {fact.line} {fact.words}\n    {last}")


async def _recap(pilot: EmulatedPilot) -> str:
    """Open what has happened, and return all of it."""
    pilot.app.simulate_key("r")
    await pilot.settle()
    await pilot.settle()
    lines, pages = pilot.app.screen.query_one(LineScroll), list[str]()
    for top in range(0, lines.max_scroll_y + lines.size.height, max(1, lines.size.height - 3)):
        lines.scroll_to(y=top, animate=False, immediate=True)
        await pilot.settle()
        pages.append(_without_column(pilot, lines.region))
    pilot.app.simulate_key("escape")
    await pilot.settle()
    return " ".join(pages)


def _without_column(pilot: EmulatedPilot, region: Region) -> str:
    """Return the lines of a list, and the amounts of the column on their right after them: a name that is broken
    between two rows has the amount in between."""
    rows = [pilot.within(Region(region.x, y, region.width, 1)) for y in range(region.y, region.bottom)]
    amounts = [found.group() for row in rows if (found := AMOUNT.search(row))]
    return " ".join([*(AMOUNT.sub("", row) for row in rows), *amounts])


async def look(pilot: EmulatedPilot, frames: list[list[str]]) -> None:
    """Read the terminal, and go on until the table is in front again: only then does a key answer."""
    await pilot.settle()
    await pilot.settle()  # the parts of the stage that have moved are painted in a frame of their own
    frames.append(pilot.seen())
    for _ in range(20):
        if isinstance(pilot.app.screen, TableScreen):
            return
        if isinstance(pilot.app.screen, MomentScreen):
            pilot.app.screen.dead_until = 0.0
        closes = isinstance(pilot.app.screen, CardScreen | HistoryScreen)
        pilot.app.simulate_key("escape" if closes else "space")
        await pilot.settle()
        frames.append(pilot.seen())
