"""The rules adapter: an internal error changes nothing, options are read by name, a sync sends everything."""

import logging

import pytest

from core import engine
from core.state.actions import Done, Kick, Pass, Refusal
from core.state.model import Options, State
from core.view import view
from netcode.protocol import wire
from netcode.protocol.table_options import parse_options
from netcode.table.rules_game import deal
from tests.blends import BLENDS, EXCHANGES, catalog_of
from tests.core.random_table import RandomTable
from tests.netcode.offline_table import OfflineTable, rules


def test_an_error_in_the_rules_changes_nothing_and_is_logged_without_the_state(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game, _ = rules().deal(3, b"seed")
    before = game.save()

    def fail(catalog: object, state: State, seat: int, action: object) -> None:
        state.seats[0].level = 9
        raise KeyError("a fault")

    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(engine, "submit", fail)
        refusal = game.submit(0, Done())
    assert isinstance(refusal, Refusal) and refusal.clause == "internal"
    assert game.save() == before
    assert "seat 0 could not do a Done" in caplog.text and before.hex() not in caplog.text, "a state holds all hands"
    assert not isinstance(game.submit(0, Done()), Refusal)


@pytest.mark.long(3)
@pytest.mark.parametrize("sets", [*BLENDS, EXCHANGES], ids="+".join)
def test_views_are_those_of_the_state_and_a_pass_that_nobody_sees_leaves_those_of_the_others_as_they_are(
    sets: tuple[str, ...],
) -> None:
    catalog = catalog_of(sets)
    table = RandomTable(catalog, 4, 7, interrupts=0.2)
    for _ in range(500):
        if not table.state.winners:
            table.act()
    game, _ = deal(catalog, 4, Options(), table.key)
    before, quiet = game.views(4), 0
    for step in table.log:
        assert isinstance(game.submit(0, Pass(-1)), Refusal)
        events = game.submit(step.seat, step.action)
        public, views = game.views(4)
        assert [public, *views] == [view(catalog, game.state, seat) for seat in range(-1, 4)]
        if isinstance(step.action, Pass) and not events:
            quiet += 1
            same = [old is new for old, new in zip(before[1], views)]
            assert public is before[0] and same == [seat != step.seat for seat in range(4)]
        before = public, views
    assert quiet > 20


def test_a_sync_is_answered_with_the_table_and_the_view() -> None:
    offline = OfflineTable()
    kim, _, _ = offline.sit("Kim", "Roger", "Ross")
    kim.act(Kick())
    offline.clear()
    kim.send(wire.Sync(kim.session.s))
    assert kim.received(wire.Info) and kim.update.whole
    assert [type(told.event).__name__ for told in kim.update.events][-2:] == ["Kicked", "WindowOpened"]


@pytest.mark.parametrize("option", ["listen", "shared-victory", "seal-die", "win-level=20"])
def test_options_have_names(option: str) -> None:
    assert parse_options([option]) != parse_options([])


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(ValueError, match="unknown option 'win-level=3'"):
        parse_options(["win-level=3"])
