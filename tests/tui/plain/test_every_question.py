"""Every question of lines can be answered with its own choices: in the states of the goldens, and in games of all
sets."""

import os
import random

import pytest

from cards import BUILT_IN
from core.moves.legal import check
from core.state import actions as a
from core.state.model import State
from core.view import view
from tests.thorough import TURN
from tests.tui import bot_games, samples, set_samples
from tests.tui.fake_client import FakeClient
from tests.tui.plain.answers import walk
from tui.plain.lines import spoken
from tui.scene.table_session import TableSession

EVERYTHING = os.environ.get("KICKDOOR_PLAIN_QUESTIONS") == "all"
EVERY = 1 if EVERYTHING else 6
"""The questions of all seats are answered in one of this many moments of a game."""
USUAL = ("kick", "fight", "trouble", "end", "ready")
WALKS = 60
SEATS = 4


@pytest.mark.long(3)
@pytest.mark.parametrize("name", [*samples.SITUATIONS, *set_samples.SITUATIONS])
def test_what_a_state_asks_is_answered_in_lines(name: str) -> None:
    if name in set_samples.SITUATIONS:
        box, seen = set_samples.SITUATIONS[name]()
        catalog = box.catalog
    else:
        seen, catalog = samples.SITUATIONS[name](), samples.catalog()
    client = FakeClient(seen, None, -1 if name == "watching" else samples.ME)
    session = TableSession(client, catalog, spoken(True))
    rng = random.Random(name)
    asked: set[str] = set()
    sent: set[str] = set()
    for _ in range(WALKS):
        asked |= {lines[0] for lines in walk(session, client, rng)}
        sent |= {type(act).__name__ for act in client.acts}
    you = seen.you
    if you is not None and (you.asks or you.legal) and not seen.winners:
        assert any(words.startswith("You are asked: ") for words in asked)
        free = (a.Hold, a.Offer, a.Counter, a.Give)  # words of their own, or an offer that is written
        missing = {type(option.action).__name__ for option in you.legal if not isinstance(option.action, free)} - sent
        assert not missing, f"never sent: {missing}"
        assert sent


@pytest.mark.long(0, turns=2)
@pytest.mark.parametrize("packs", [*[(pack,) for pack in BUILT_IN], BUILT_IN], ids="+".join)
def test_every_question_of_a_game_is_answered_by_what_it_offers(packs: tuple[str, ...]) -> None:
    catalog = set_samples.catalog(*packs)
    rng = random.Random(f"{packs} {TURN}")
    clients = [FakeClient(None, samples.info(SEATS), seat) for seat in range(SEATS)]
    sessions = [TableSession(client, catalog, spoken(True)) for client in clients]
    asked = 0
    for step, (state, _) in enumerate(bot_games.moments(len(packs) * 10 + 3 + TURN, SEATS, catalog=catalog)):
        if step % EVERY and not _is_rare(state):
            continue
        for seat, (client, session) in enumerate(zip(clients, sessions, strict=True)):
            client.view = view(catalog, state, seat)
            asked += sum(1 for _ in walk(session, client, rng))
            for act in client.acts:
                refused = check(catalog, state, seat, act)
                assert refused is None or _is_free(act), (step, seat, act, refused)
    assert asked > 50


def _is_rare(state: State) -> bool:
    """Whether this question is none of those that come up in every turn or fight."""
    return bool(state.stack) and any(ask.kind not in USUAL for ask in state.stack[-1].asks)


def _is_free(act: object) -> bool:
    """Whether the terms are the player's own, so that the host may refuse them: bargains, and sales with a card that
    lets one of the Items count twice."""
    return isinstance(act, a.Offer | a.Counter | a.Give) or (isinstance(act, a.Sell) and act.doubled > 0)
