"""Nothing that can be reached from one seat's player tells what that seat may not know.

Every object is walked, from attribute to attribute and from closure to closure, after a game in one process with the
true state beside it: what players share is the catalog and what was worked out of it.
"""

import gc
import random
from collections.abc import Iterable, Iterator
from types import FrameType, FunctionType, ModuleType
from typing import Any

import pytest

from core.language.catalog import Catalog
from core.seen import Seen
from core.state.kept import Kept
from core.state.model import State, Window, owner_of
from core.veil import Veiled
from core.view import Showing, View
from netcode.bots.card_values import CardValues
from netcode.bots.player import Player
from netcode.simulation.game import SimulatedGame
from tests.blends import catalog_of

CATALOG = catalog_of(("munchkins-and-mazes",))
SHARED = (ModuleType, type, Catalog, CardValues)
"""What all players may share: code, and what is printed on the cards."""
BOTS = ("hard", "normal/ada", "hard/ada", "easy")


def reachable(root: object) -> Iterator[Any]:
    """Yield everything that can be reached from an object, but nothing that is reached through what is SHARED."""
    known, found = {id(root)}, [root]
    while found:
        one = found.pop()
        yield one
        for other in _beside(one):
            if id(other) not in known and not isinstance(other, SHARED):
                known.add(id(other))
                found.append(other)


def _beside(one: object) -> Iterable[object]:
    if isinstance(one, FunctionType):  # its globals are a module
        return [cell.cell_contents for cell in one.__closure__ or ()] + list(one.__defaults__ or ())
    return gc.get_referents(one)


@pytest.mark.parametrize("seed", range(3))
def test_no_player_reaches_the_game_or_what_others_know(seed: int) -> None:
    game = SimulatedGame(CATALOG, BOTS, seed, budget=4)
    for no in range(240):
        if game.state.winners or not game.step():
            break
        if no % 40 == 20:
            for seat, player in enumerate(game.players):
                _check(game, seat, player)


def _check(game: SimulatedGame, seat: int, player: Player) -> None:
    secret = {id(game), id(game.state), id(game.rng), id(game.state.seed), *map(id, game.seen.values())}
    secret |= {id(hand) for no, hand in enumerate(one.hand for one in game.state.seats) if no != seat}
    secret |= {id(pile) for pile in (game.state.door, game.state.treasure, game.state.seals)}
    others = {id(one) for no, one in enumerate(game.players) if no != seat}
    others |= {id(one.rng) for no, one in enumerate(game.players) if no != seat}  # type: ignore[attr-defined]
    for one in reachable(player):
        where = f"seat {seat} ({game.bots[seat]}) reaches {type(one).__name__}"
        assert id(one) not in secret and id(one) not in others, where
        assert not isinstance(one, State | Seen | Showing | Kept | Window | FrameType), where
        if isinstance(one, View):
            assert one.you is None or one.you.seat == seat, f"{where} of another seat"
        if isinstance(one, Veiled):
            assert one.seat == seat, f"{where} of another seat"
        if isinstance(one, int) and one > len(CATALOG.cards) and 0 < owner_of(one) <= len(BOTS):
            _is_own(game, seat, one, where)


def _is_own(game: SimulatedGame, seat: int, card: int, where: str) -> None:
    """A number that is the id of a card in another hand now was shown to this seat, or promised to it."""
    for no, other in enumerate(game.state.seats):
        hidden = no != seat and card in other.hand and not _shown(game, card)
        assert not hidden, f"{where}: card {card} in the hand of seat {no}"


def _shown(game: SimulatedGame, card: int) -> bool:
    return any(card in offer.cards for offer in game.state.offers) or any(
        card in ask.options for frame in game.state.stack for ask in frame.asks
    )


def test_the_walk_finds_what_is_hidden_anywhere() -> None:
    """A player that keeps a state in a closure, in a list, or in an attribute of an attribute is caught."""
    game = SimulatedGame(CATALOG, ["normal"] * 3, 1)

    class Box:
        pass

    def closed() -> object:
        return game.state

    boxed = Box()
    boxed.inside = Box()  # type: ignore[attr-defined]
    boxed.inside.state = [{"a": (game.state,)}]  # type: ignore[attr-defined]
    for holder in (boxed, [closed], random.Random(1)):
        assert any(one is game.state for one in reachable(holder)) == (not isinstance(holder, random.Random))
