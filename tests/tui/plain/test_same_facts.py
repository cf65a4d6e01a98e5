"""The screen and the plain mode tell the same facts in the same order: who did what to a fight and what became of the
sums, offers, dice, dealings. Motion, colours and signs have no part in them."""

import asyncio
import re
from itertools import islice

import pytest
from msgspec.structs import replace

from core.state import events as ev
from core.state.model import Bargain
from core.view import view
from netcode.protocol import wire
from tests.patience import PATIENCE_S
from tests.tui import bot_games, samples
from tests.tui.plain.plain_desk import PlainPilot, plain
from tests.tui.widgets.table.stage_rows import text
from tui.plain.words import seat_lines
from tui.render.details import Detail, contents
from tui.scene.acts import act_words
from tui.scene.cells import ASCII, UNICODE
from tui.scene.cells import plain as bare

NAMES = ("Kim", "Bea", "Cyd", "Dot")
ACTS = 6
"""How many acts are compared."""


async def heard(pilot: PlainPilot) -> None:
    """Wait until everything that the host has told has been printed."""
    async with asyncio.timeout(PATIENCE_S):
        while pilot.table.told is not (pilot.session.log[-1] if pilot.session.log else None):
            await asyncio.sleep(0.005)


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", [5, 6])
async def test_acts_are_told_alike_with_their_sums_and_in_the_same_order(seed: int) -> None:
    games = bot_games.moments(seed)
    state, _ = next(games)
    info = samples.info(4)
    info.seats = [replace(seat, name=name) for seat, name in zip(info.seats, NAMES, strict=True)]
    catalog, number, compared = samples.catalog(), 1, 0
    async with plain(view(catalog, state, 0), info, seat=0) as pilot:
        for state, events in islice(games, 4000):
            told = bot_games.events_for(events, 0, number + 1)
            number += len(events)
            now = view(catalog, state, 0)
            known = pilot.session.acts.now
            pilot.client.tell(wire.Update(0, now.rev, now, told))
            acts = pilot.session.acts.now
            if acts == known or not acts or acts[-1].before == acts[-1].after or now.fight is None:
                continue
            printed = len(pilot.lines)
            await heard(pilot)
            spoken = pilot.lines[max(0, printed - 1) :]
            act, scene = acts[-1], pilot.session.scene()
            at = next(at for at, line in enumerate(spoken) if line.removesuffix(".") == act.said.removesuffix("."))
            assert act_words(act) in spoken[at:], "the sums follow the act"
            for glyphs in (UNICODE, ASCII):
                shown = text(replace(scene, glyphs=glyphs), 54, 12)
                if now.fight.stage == "fight" and "COMBAT" in shown:
                    who = NAMES[act.seat] if act.seat > 0 else ""
                    assert f"{act.after[0]}:{act.after[1]}" in shown and who in shown
                    compared += 1
            if compared >= 2 * ACTS:
                return
    assert compared


async def test_offers_dice_and_dealings_are_told_alike() -> None:
    mine = Bargain(7, samples.ME, 2, "help", 2, 1, False, [], [], [], 5)
    before, after = samples.own_combat(), samples.own_combat()
    before.offers, after.offers = [mine], []
    curse = samples.public("Bad Hat Day")
    events: list[ev.AnyEvent] = [
        ev.OfferClosed(7, "declined", 2), ev.Moved(curse, curse, "hand", samples.BO, "limbo", -1, "played", samples.BO,
                                                   on_seat=samples.ME),
        ev.Rolled(samples.BO, 3, "Bad Hat Day", [("Elf", 1)], 5),
    ]  # fmt: skip
    async with plain(before) as pilot:
        told = [wire.NumberedEvent(at, event) for at, event in enumerate(events, 2)]
        pilot.client.tell(wire.Update(0, 2, after, told))
        await heard(pilot)
        await pilot.until("Cid: no.")
        scene, said = pilot.session.scene(), [line.rstrip(".") for line in pilot.lines]
        logged = [entry.text for entry in scene.log if entry.kind == "event"]
        assert len(logged) == 3 and [line for line in said if line in logged] == logged, "each once, in the same order"
        assert re.search(r"Bo rolls? 3 \+ 1 \(Elf\) = 4.*5 needed", logged[2])
        detail = " ".join(bare(line).strip() for line in contents(scene, Detail("seat", samples.BO), 100)[1])
        assert "In this game: cursed you once." in detail
        assert "In this game: cursed you once." in seat_lines(scene, samples.BO)
        since = await pilot.type("since")
        assert since.splitlines() == [f"{entry.text}." for entry in scene.since] and len(scene.since) == 3
