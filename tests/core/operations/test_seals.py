"""The additions of Apocalypse: sex and Seals at the setup, Item Enhancers on the Items of other sets, effects of
Seals."""

import pytest

from core import engine
from core.authoring.template import new_pack
from core.moves.legal import legal
from core.scenario.runner import load, run
from core.state import actions as a
from core.state.events import Fizzled
from core.state.model import Options, State, card_id
from core.view import view
from tests.scenarios import catalog_for, load_catalog, pack

SET = ("apocalypse",)
BLEND = ("munchkins-and-mazes", "apocalypse")


def dealt(sets: tuple[str, ...], seed: bytes = b"one") -> State:
    return engine.new_game(catalog_for(sets), 3, Options(), seed)[0]


@pytest.mark.proves("setup.seals")
def test_twelve_seals_lie_shuffled_and_hidden_in_a_deck_of_their_own() -> None:
    for sets in (SET, BLEND):
        catalog, state = catalog_for(sets), dealt(sets)
        assert len(state.seals) == len(set(state.seals)) == 12
        assert state.seals != dealt(sets, b"two").seals
        assert state.seals_open == []
        assert not {catalog.cards[no].deck for no in state.door + state.treasure} - {"door", "treasure"}
        for seat in (-1, 0, 1):
            seen = view(catalog, state, seat)
            assert (seen.seals, seen.seals_open) == (12, [])
    assert dealt(("munchkins-and-mazes",)).seals == []


@pytest.mark.proves("setup.sex")
@pytest.mark.parametrize("sets", [SET, BLEND])
def test_each_player_chooses_a_sex_first_and_may_choose_either(sets: tuple[str, ...]) -> None:
    catalog, state = catalog_for(sets), dealt(sets)
    for seat, choice in ((1, 1), (0, 0), (2, 1)):
        (ask,) = [ask for ask in view(catalog, state, seat).you.asks if ask.seat == seat]
        assert (ask.kind, ask.texts) == ("sex", ["male", "female"])
        assert not [row for row in legal(catalog, state, seat) if isinstance(row.action, a.Done)]
        assert isinstance(engine.submit(catalog, state, seat, a.Answer(ask.id, (choice,))), list)
        (ask,) = [ask for ask in view(catalog, state, seat).you.asks if ask.seat == seat]
        assert ask.kind == "ready"
    assert [seat.sex for seat in state.seats] == ["male", "female", "female"]


@pytest.mark.proves("setup.sex")
def test_nobody_is_asked_for_a_sex_if_no_set_uses_it() -> None:
    catalog, state = catalog_for(("munchkins-and-mazes",)), dealt(("munchkins-and-mazes",))
    assert [ask.kind for ask in view(catalog, state, 0).you.asks] == ["ready"]


@pytest.mark.proves("blend.item-enhancer")
def test_a_card_of_another_set_that_is_attached_to_an_item_is_an_item_enhancer() -> None:
    """It improves its Item, is given away with it, and texts that ask for Item Enhancers find it."""
    files = {name: data for name, data in new_pack("Kitchen").items() if "/" not in name}
    head = files["pack.toml"].replace(b"treasure = 24", b"treasure = 25")
    tines = b'[[card]]\nid = "tines"\nname = "Tines"\nkind = "upgrade"\nbonus = 3\nvalue = 300\n'
    catalog = load_catalog([{**files, "pack.toml": head, "tines.toml": tines}, pack("apocalypse")])
    text = """
[[scenario]]
name = "Tines"
steps = [
  { expect = { strength = { Molly = 2 } } },
  { by = "Molly", do = "play", card = "Tines", target = "Improvised Weapon", expect = { strength = { Molly = 7 } } },
  { by = "Molly", do = "give", cards = ["Improvised Weapon"], to = "Nick" },
  { by = "Nick", do = "accept", expect = { attached = { Molly = [], Nick = ["Tines > Improvised Weapon"] } } },
]
[scenario.seats.Molly]
hand = ["Tines"]
table = ["Improvised Weapon"]
[scenario.seats.Nick]
"""
    (scenario,) = load(text.encode(), "tines")
    failure = run(catalog, scenario)
    assert not failure, failure


def test_the_player_with_nothing_to_lose_is_named_and_not_the_one_who_opened_the_seal() -> None:
    catalog, state = catalog_for(SET), dealt(SET)
    for seat in range(3):
        (ask,) = [ask for ask in view(catalog, state, seat).you.asks if ask.seat == seat]
        engine.submit(catalog, state, seat, a.Answer(ask.id, (0,)))
        engine.submit(catalog, state, seat, a.Done())
    opener = state.turn.seat
    poor, other = [seat for seat in range(3) if seat != opener]
    breakout = card_id(4000, opener + 1, catalog.named("Disaster! Zoo Breakout").no)
    spare = [card_id(4001 + seat, seat + 1, catalog.named("Kid").no) for seat in range(3)]
    for seat, hand in ((opener, [breakout, spare[opener]]), (poor, []), (other, [spare[other]])):
        state.seats[seat].hand[:] = hand
    state.seals[:] = [catalog.named("The Great Hand-Wash").no]
    events = engine.submit(catalog, state, opener, a.Play(breakout, opener))
    assert isinstance(events, list)
    assert [event.seat for event in events if isinstance(event, Fizzled)] == [poor]
