"""The Door cards that a seat cannot see: exactly those in the deck, in other hands, and below the discards' top."""

from collections import Counter

import pytest

from core.state.model import State, defn_of
from core.view import view
from tests.tui import bot_games, samples, set_samples
from tui.scene import door
from tui.scene.fight import shares
from tui.scene.scene import Scene

SETS = ((), ("apocalypse",))


def hidden(scene: Scene, state: State, seat: int) -> Counter[str]:
    """Return by kind the Door cards that lie where this seat does not look."""
    cards = [*state.door, *state.door_out[:-1]]
    cards += [card for other, player in enumerate(state.seats) if other != seat for card in player.hand]
    definitions = [scene.catalog.cards[defn_of(card)] for card in cards]
    return Counter(definition.kind for definition in definitions if definition.deck == "door")


@pytest.mark.parametrize("sets", SETS)
def test_the_counts_are_exact_in_every_quiet_moment_of_a_game(sets: tuple[str, ...]) -> None:
    catalog = set_samples.catalog(*sets) if sets else samples.catalog()
    checked = 0
    for state, _ in bot_games.moments(5, 4, "easy", catalog):
        if state.turn.phase != "start" or state.limbo or state.fight is not None or state.turn.no < 1:
            continue
        scene = Scene(catalog, view=view(catalog, state, 1), info=samples.info(4), me=1)
        found, real = door.unseen(scene), hidden(scene, state, 1)
        assert found.monsters == real["monster"] and found.curses == real["curse"]
        assert found.total == real.total()
        checked += 1
    assert checked > 10


@pytest.mark.parametrize("numbers", [(36, 19, 36), (1, 1, 1), (0, 0, 4), (91, 0, 0), (1, 199, 0)])
def test_the_percents_add_up(numbers: tuple[int, ...]) -> None:
    found = [int(share.removesuffix(" %")) for share in shares(numbers)]
    assert sum(found) == 100
    assert all(abs(share - number * 100 / sum(numbers)) < 1 for share, number in zip(found, numbers, strict=True))
