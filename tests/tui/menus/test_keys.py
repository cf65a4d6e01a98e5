"""A key never changes its meaning under a finger: the ring of keys under random questions, entry by entry."""

import random

import pytest

from core.state.views import View
from netcode.protocol import wire
from tests.tui import samples
from tui.menus.keyed import SPACE, Keys
from tui.menus.keys import HELD_S, KeyRing, digit, page_of
from tui.menus.menu_state import MenuState
from tui.menus.prompts import question_now

PAUSE_S = 0.375
"""How long keys are dead in these tests (s): a number that floating-point sums keep exact."""


def shown(ring: KeyRing, question: str, entries: dict[str, str], now: float) -> dict[str, str]:
    """Show a question with these entries and their words; return what each key means."""
    places = ring.places(question, entries, now)
    meanings = {digit(place): f"{entry}: {entries[entry]}" for entry, place in places.items() if page_of(place) == 0}
    ring.show(meanings, now)
    return meanings


@pytest.mark.parametrize("seed", range(60))
def test_a_key_pressed_at_any_moment_after_a_change_never_means_another_entry_than_before(seed: int) -> None:
    chance, ring, now = random.Random(seed), KeyRing(PAUSE_S), 100.0
    question = "q0"
    entries: dict[str, str] = {}
    history: list[tuple[float, dict[str, str]]] = [(0.0, {})]
    for step in range(80):
        for entry in [entry for entry in entries if chance.random() < 0.25]:
            del entries[entry]
        for _ in range(chance.randrange(3)):
            entries[f"e{chance.randrange(14)}"] = f"{chance.randrange(3)} against {chance.randrange(3)}"
        if chance.random() < 0.15:
            question, entries = f"q{step}", {f"e{number}": "new" for number in range(chance.randrange(6))}
        history.append((now, shown(ring, question, entries, now)))
        for _ in range(4):
            now += chance.random() * PAUSE_S * chance.choice((0.3, 0.8))
            for key in "123456789":
                if ring.dead(key, now) or key not in history[-1][1]:
                    continue
                recent = [means for at, means in history if at > now - PAUSE_S + 1e-9]
                before = [means for at, means in history if at <= now - PAUSE_S + 1e-9][-1:]
                assert {means.get(key) for means in [*before, *recent]} == {history[-1][1][key]}, (step, key)


@pytest.mark.parametrize("seed", range(20))
def test_an_entry_keeps_its_key_until_it_is_gone(seed: int) -> None:
    chance, ring, now = random.Random(seed), KeyRing(PAUSE_S), 0.0
    entries: list[str] = []
    before: dict[str, int] = {}
    for _ in range(60):
        now += chance.random()
        entries = [entry for entry in entries if chance.random() < 0.8]
        entries += [entry for entry in {f"e{chance.randrange(12)}" for _ in range(2)} if entry not in entries]
        chance.shuffle(entries)
        places = ring.places("hand", entries, now)
        assert len(set(places.values())) == len(entries)
        assert all(places[entry] == place for entry, place in before.items() if entry in places)
        before = places


def test_a_new_entry_gets_the_lowest_key_that_has_been_free_for_a_moment() -> None:
    ring = KeyRing(PAUSE_S)
    assert ring.places("hand", ["a", "b", "c"], 0.0) == {"a": 1, "b": 2, "c": 3}
    assert ring.places("hand", ["a", "c"], 1.0) == {"a": 1, "c": 3}
    assert ring.places("hand", ["a", "c", "d"], 1.0 + PAUSE_S / 2) == {"a": 1, "c": 3, "d": 4}
    assert ring.places("hand", ["a", "c", "d", "e"], 1.0 + PAUSE_S) == {"a": 1, "c": 3, "d": 4, "e": 2}


def test_a_tenth_card_moves_to_a_digit_as_soon_as_one_has_been_free_for_a_moment() -> None:
    ring = KeyRing(PAUSE_S)
    cards = list("abcdefghijk")
    assert list(ring.places("hand", cards, 0.0, move_up=True).values()) == list(range(1, 12))
    left = [card for card in cards if card not in "bd"]
    at_once = ring.places("hand", left, 1.0, move_up=True)
    assert (at_once["j"], at_once["k"]) == (10, 11), "nobody's finger is on a card that has just moved"
    later = ring.places("hand", left, 1.0 + PAUSE_S, move_up=True)
    assert (later["j"], later["k"], later["a"], later["c"]) == (2, 4, 1, 3)
    assert ring.places("hand", [*left, "l"], 2.0, move_up=True)["l"] == 10


def test_after_an_undo_every_card_has_the_key_that_it_had() -> None:
    """Formerly, a card that was played and taken back got another digit."""
    ring = KeyRing(PAUSE_S)
    before = ring.places("hand", ["a", "b", "c"], 0.0)
    assert ring.places("hand", ["a", "c"], 1.0) == {"a": 1, "c": 3}
    assert ring.places("hand", ["a", "c", "d"], 2.0) == {"a": 1, "c": 3, "d": 2}
    assert ring.places("hand", ["a", "b", "c"], 3.0) == before
    ring.places("hand", ["a", "c", "d"], 4.0)
    assert ring.places("hand", ["a", "b", "c", "d"], 5.0)["d"] == 2, "nobody who is there gives way"


def test_the_places_of_others_stay_free() -> None:
    ring = KeyRing(PAUSE_S)
    assert ring.places("pay", ["x", "y"], 0.0, taken={1, 3}) == {"x": 2, "y": 4}
    assert ring.places("pay", ["x", "y"], 1.0, taken={2}) == {"x": 1, "y": 4}


def test_what_the_player_opens_works_at_once() -> None:
    ring = KeyRing(PAUSE_S)
    ring.show({"1": "play"}, 0.0)
    ring.show({"1": "on Bo"}, 1.0, own=True)
    assert not ring.dead("1", 1.0)
    ring.show({"1": "on Cid"}, 2.0)
    assert ring.dead("1", 2.0) and ring.wait(2.1) == pytest.approx(PAUSE_S - 0.1)
    assert not ring.dead("1", 2.0 + PAUSE_S)


def test_ten_cards_have_two_pages_of_digits() -> None:
    places = KeyRing(PAUSE_S).places("hand", [str(card) for card in range(11)], 0.0)
    assert [(digit(place), page_of(place)) for place in places.values()][8:] == [("9", 0), ("1", 1), ("2", 1)]


def test_no_key_answers_a_question_that_has_just_come_whatever_it_meant_before() -> None:
    ring = KeyRing(PAUSE_S)
    ring.ask("first", 0.0)
    ring.show({"1": "use Lamp"}, 0.0, own=True)
    assert ring.press("1", 0.0), "before the first question there was nothing to mean"
    ring.ask("", 1.0)
    ring.ask("first", 2.0)
    assert ring.press("1", 2.0), "it is still the same"
    ring.ask("second", 3.0)
    ring.show({"1": "use Lamp"}, 3.0)
    assert not ring.press("1", 2.9), "typed ahead"
    assert not ring.press("2", 3.1) and ring.is_new(3.1) and ring.wait(3.1) == pytest.approx(PAUSE_S - 0.1)
    assert ring.press("1", 3.0 + PAUSE_S) and not ring.is_new(3.0 + PAUSE_S)


def test_a_key_that_is_held_down_stays_refused_until_it_was_released() -> None:
    ring = KeyRing(PAUSE_S)
    ring.ask("first", 0.0)
    ring.ask("second", 1.0)
    at = 1.0
    while at < 3.0:
        assert not ring.press("SPACE", at), at
        at += HELD_S / 2
    assert ring.press("1", at), "another key"
    assert ring.press("SPACE", at + HELD_S)


def test_the_key_that_opened_a_question_does_not_answer_it_at_once() -> None:
    ring = KeyRing(PAUSE_S)
    ring.show({"1": "play Lamp..", "2": "play Orc"}, 0.0)
    assert ring.press("1", 1.0)
    ring.show({"1": "on Bo", "2": "on Cid"}, 1.0, own=True)
    assert not ring.press("1", 1.1) and ring.press("2", 1.1)
    assert ring.press("1", 1.0 + PAUSE_S)


def test_without_a_pause_every_key_works_at_once() -> None:
    ring = KeyRing(0.0)
    ring.ask("first", 0.0)
    ring.ask("second", 1.0)
    ring.show({"1": "new"}, 1.0)
    assert ring.press("1", 1.0) and ring.press("1", 1.0) and ring.wait(1.0) == 0


@pytest.mark.parametrize("timers", [wire.Timers(beat=900), wire.Timers(waits=True)])
def test_a_key_for_one_question_never_hurries_what_came_after_it(timers: wire.Timers) -> None:
    """Formerly, SPACE at a kick-open window that had just closed, or SPACE pressed twice, skipped the next act of a
    bot."""
    keys, menus, now = Keys(), MenuState(), 100.0
    keys.set_pause(PAUSE_S)

    def show(view: View) -> None:
        clocks = timers if view.window is None else wire.Timers()
        scene = samples.scene(view, info=samples.info(solo=True), timers=clocks)
        keys.arrange(scene, now)
        keys.update(scene, menus, menus.here(scene)[0], now, question_now(scene))

    window = samples.interrupt()
    show(window)
    for rev in range(window.rev + 1, window.rev + 4):  # the window has closed; then each further act of a bot
        now += 3.0
        assert not keys.dead(SPACE, now)
        show(samples.view(rev=rev))
        assert keys.dead(SPACE, now) and not keys.press(SPACE, now), rev
