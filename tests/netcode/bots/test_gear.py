"""The Items that a bot equips when places, limits and conditions differ from those printed on the Item."""

import random

from core.language.schema import Capacity
from core.scenario.cast import Cast, begin
from core.scenario.schema import load
from core.state.actions import Equip, Kick, Play
from core.state.model import defn_of
from core.view import view
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.memory import Memory
from netcode.bots.own_turn import OwnTurn
from netcode.bots.player import Observation
from netcode.bots.points import mod_points
from netcode.bots.reading import Reading
from netcode.bots.tuning import TUNING
from tests.blends import catalog_of

MAZES, WARHAMMER = "munchkins-and-mazes", "warhammer-40k"


def decided(pack: str, seat: str) -> tuple[type, str]:
    """Return the first action of a bot in its turn, and the card of this action ("": none). seat: the bot's seat, as
    TOML."""
    catalog = catalog_of((pack,))
    seats = f"[scenario.seats.Kim]\n{seat}\n[scenario.seats.Bo]\n"
    text = f'[[scenario]]\nname = "it"\nsets = ["{pack}"]\nsteps = []\n{seats}'
    (scenario,) = load(text.encode(), "it.toml")
    state, _ = begin(Cast(catalog, scenario), b"seed")
    bot = Brain(catalog, "normal", random.Random(1), CardValues(catalog))
    action = bot.decide(Observation(view(catalog, state, 0)))
    card = getattr(action, "card", 0)
    return type(action), catalog.cards[defn_of(card)].name if card else ""


def test_a_cheated_item_takes_no_place() -> None:
    there = 'table = ["Plot Armor", "Cheat! > Cardboard Mail"]\ncarried = ["Cardboard Mail"]'
    assert decided(MAZES, there) == (Equip, "Cardboard Mail")


def test_a_vehicle_does_not_count_as_big() -> None:
    seat = 'table = ["Thunder Gavel"]\nhand = ["Heavy Tank With a Name"]'
    assert decided(WARHAMMER, seat) == (Play, "Heavy Tank With a Name")


def test_an_item_for_which_its_owner_is_not_fit_any_more_takes_no_room() -> None:
    there = 'table = ["Hammer of Finger Nailing", "Reforged Sword"]\ncarried = ["Pop-Up Shield"]'
    assert decided(MAZES, there) == (Equip, "Pop-Up Shield")
    assert decided(MAZES, there.replace("table = [", 'table = ["Dwarf", ')) == (Kick, "")


def test_an_ally_for_which_there_is_no_room_counts_little_in_hand() -> None:
    full = ally_points('"Wexter"')
    for room in ("", '"Goose With a Job"', '"Wexter", "Cop"'):
        assert ally_points(room) > 2 * full, room


def ally_points(table: str) -> float:
    """Return what a bot with these cards in play thinks that an Ally in hand is worth."""
    catalog = catalog_of(("axe-cop",))
    seats = f'[scenario.seats.Kim]\ntable = [{table}]\nhand = ["Uni-Baby"]\n[scenario.seats.Bo]\n'
    (scenario,) = load(f'[[scenario]]\nname = "it"\nsets = ["axe-cop"]\nsteps = []\n{seats}'.encode(), "it.toml")
    state, _ = begin(Cast(catalog, scenario), b"seed")
    seen = view(catalog, state, 0)
    assert seen.you is not None
    own = OwnTurn(Reading(seen, seen.you, CardValues(catalog)), TUNING.style["normal"], Memory())
    return own.hand_points(seen.you.hand[0])


def test_room_without_end_counts_as_the_room_that_anybody_fills() -> None:
    much, some, one = (mod_points(Capacity(what="big", by=by)) for by in (99, 2, 1))
    assert much == some > one > 0
