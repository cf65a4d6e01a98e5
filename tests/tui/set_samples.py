"""Hand-made states of tables of the other books: Powers and Allies, Seals and Disasters, Vehicles and Armies.

Six people, the cards that the rule books name: their figures will not change.
"""

from functools import cache
from pathlib import Path
from typing import Any

from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.state import actions as a
from core.state.actions import Legal
from core.state.model import Ask, Joined, Lasting, Placed, card_id, defn_of
from core.state.views import Deciding, FightView, MonsterView, SeatView, Term, View, You
from netcode.protocol.pack_files import read_folder
from tests.tui.samples import ME, either_side, info, seat_view
from tui.scene.scene import LogLine, Scene

CARDS = Path(__file__).resolve().parents[2] / "cards"
AXE, APO, W40K, MAZES = "axe-cop", "apocalypse", "warhammer-40k", "munchkins-and-mazes"
BO = 1
_serial = iter(range(1, 100_000))


@cache
def catalog(*sets: str) -> Catalog:
    """Return the catalog of these sets."""
    return catalogs.load([read_folder(CARDS / name) for name in sets])


class Box:
    """The cards of some sets, to lay out a table with."""

    def __init__(self, *sets: str) -> None:
        self.catalog = catalog(*sets)

    def no(self, name: str) -> int:
        """Return the number of a definition."""
        return self.catalog.named(name).no

    def open(self, name: str) -> int:
        """Return a new card id that everybody may know."""
        return card_id(next(_serial), 0, self.no(name))

    def held(self, *names: str) -> list[int]:
        """Return new card ids in Ada's hand."""
        return [card_id(next(_serial), ME + 1, self.no(name)) for name in names]

    def up(self, *names: str) -> list[Placed]:
        """Return equipped cards."""
        return [Placed(self.open(name)) for name in names]

    def with_on(self, host: str, *names: str, both: bool = False) -> list[Placed]:
        """Return a card in play with others attached to it or carried by it."""
        card = self.open(host)
        return [Placed(card, both=both), *(Placed(self.open(name), on=card) for name in names)]

    def term(self, name: str, by: int, seat: int) -> Term:
        """Return the term that a card in play adds to a sum."""
        return Term(name, by, self.open(name), seat)

    def lasting(self, name: str) -> Lasting:
        """Return a lasting Curse."""
        return Lasting(self.open(name), self.no(name), 0, "forever", True)

    def monster(self, name: str, strength: int, *tags: str) -> MonsterView:
        """Return a monster in a fight."""
        card = self.catalog.named(name).card
        return MonsterView(
            self.open(name), self.no(name), 1, strength, card.treasures, card.levels, 0, [*card.tags, *tags]
        )

    def view(self, seats: list[SeatView], hand: list[int], **more: Any) -> View:
        """Return a view of Bo's turn before the door; further fields as given."""
        fields: dict[str, Any] = {
            "rev": 40, "turn": BO, "turn_no": 7, "phase": "start", "top": "turn", "seats": seats, "fight": None,
            "window": None, "deciding": [Deciding(BO, "kick", -1)], "offers": [], "doors": 41, "doors_out": 0,
            "door_top": -1, "treasures": 30, "treasures_out": 0, "treasure_top": -1, "pool": [], "limbo": [],
            "win_level": 10, "winners": [], "why_won": "", "you": You(ME, hand, [], [], []),
        }  # fmt: skip
        return View(**(fields | more))


def fight(
    box: Box, foe: MonsterView, heroes: list[Term], foes: list[Term], seat: int = ME, joined: list[Joined] | None = None
) -> FightView:
    """Return a fight of one seat alone against one monster."""
    ours, theirs = sum(term.by for term in heroes), sum(term.by for term in foes)
    return FightView(
        5, seat, -1, False, "fight", [foe], joined or [], [], ours, theirs, heroes, foes, False, ours > theirs, False,
        box.catalog.cards[foe.defn].card.levels + 4, foe.levels, foe.treasures, 0, True, None, 39, seat, [],
    )  # fmt: skip


# --------------------------------------------------------------------------------------------------------- Axe Cop
def axe_seats(box: Box) -> list[SeatView]:
    """Powers with their Ranks, Allies that carry Items."""
    lion = box.with_on("Super Lion Pig", "Sun Picking Up Gloves")
    return [
        seat_view(0, 5, 4, 14, [*box.up("Cop", "Moon", "Bat Warthog", "Wexter", "Surprise-Proof Armor"), *lion]),
        seat_view(1, 6, 5, 13, box.up("Warrior", "Avocado", "Moon", "Dino Head On a Stick With Bombs In It")),
        seat_view(2, 9, 3, 15, box.up("Dinosaur", "Bat Warthog", "Uni-Baby", "Surprise-Proof Armor")),
        seat_view(3, 1, 5, 1, box.up("Man")),
        seat_view(4, 3, 6, 9, [*box.up("Soldier", "Bat Warthog", "Gray Diamond", "Sun Picking Up Gloves")]),
        seat_view(5, 4, 2, 4, box.up("Avocado"), lasting=[box.lasting("Afraid Of The Dark")]),
    ]


def axe_lost() -> tuple[Box, View]:
    """Ada has lost to the Chainsaw Cop: run, or sacrifice an Ally."""
    box = Box(AXE)
    seats = axe_seats(box)
    foe = box.monster("Chainsaw Cop", 17)
    gear = [box.term("Wexter", 4, ME), box.term("Super Lion Pig", 2, ME), box.term("Surprise-Proof Armor", 3, ME)]
    ours = [Term("Level", 5, 0, ME), *gear]
    theirs = [Term("Chainsaw Cop", 13, foe.id, -1), Term("Chainsaw Cop", 4, foe.id, -1, 0)]
    lost = fight(box, foe, ours, theirs)
    lost.stage = "lost"
    hand = box.held("Avocado Bombs", "Ghost Lobster", "Babyhead Squid", "Man")
    allies = [p.card for p in seats[ME].table if box.catalog.cards[defn_of(p.card)].kind == "ally"]
    legal = [Legal(a.Roll(foe.id)), *(Legal(a.Use(card, 0)) for card in allies)]
    you = You(ME, hand, [], [Ask(2, ME, "roll", [foe.id], 1, 1)], legal)
    view = box.view(seats, hand, turn=ME, phase="kick", top="run", fight=lost, you=you,
                    deciding=[Deciding(ME, "roll", -1)])  # fmt: skip
    return box, view


def axe_ranks() -> tuple[Box, View]:
    """Ada has lost a level: her Powers no longer fit."""
    box = Box(AXE)
    seats = axe_seats(box)
    seats[ME].level, seats[ME].strength = 4, 13
    powers = [p.card for p in seats[ME].table if box.catalog.cards[defn_of(p.card)].card.rank]
    hand = box.held("Avocado Bombs", "Ghost Lobster", "Babyhead Squid", "Man")
    you = You(ME, hand, [], [Ask(3, ME, "give up", powers, 1, 1)], [])
    return box, box.view(seats, hand, turn=ME, top="excess", you=you, deciding=[Deciding(ME, "give up", -1)])


# ------------------------------------------------------------------------------------------------------ Apocalypse
def apo_seats(box: Box) -> list[SeatView]:
    """Classes, Item Enhancers, an Item in both hands, a Disaster, sexes."""
    iron = box.with_on("Tire Iron", "Duct Tape", both=True)
    helmet = box.with_on("Improvised Weapon", "Duct Tape", "Cheat!")
    return [
        seat_view(0, 4, 5, 12, [*box.up("Militia", "Bicycle Helmet"), *iron], sex="female"),
        seat_view(1, 6, 5, 9, box.up("Kid", "Photofloods"), sex="male"),
        seat_view(2, 7, 4, 10, [*box.up("Blogger"), *helmet], sex="male"),
        seat_view(3, 2, 5, 2, [], sex="female"),
        seat_view(4, 9, 3, 13, [*box.up("Scientist", "Super Munchkin", "A Drone of Your Own")], sex="female"),
        seat_view(5, 5, 2, 5, box.up("Kid"), lasting=[box.lasting("Disaster! Curfew")], sex="male"),
    ]


def apo_fight() -> tuple[Box, View]:
    """Three Seals open; Ada the Militia against the Fire Ants, made Undead."""
    box = Box(APO)
    foe = box.monster("Fire Ants", 20, "undead")
    risen = box.open("Freshly Risen")
    ours = [Term("Level", 4, 0, ME), box.term("Tire Iron", 5, ME), box.term("Duct Tape", 2, ME),
            box.term("Bicycle Helmet", 1, ME)]  # fmt: skip
    theirs = [
        Term("Fire Ants", 10, foe.id, -1), Term("Freshly Risen", 4, risen, 2), Term("Open Seals", 3, 0, -1),
        Term("Beer Shortage", 3, box.no("Beer Shortage"), -1),
    ]  # fmt: skip
    battle = fight(box, foe, ours, theirs, joined=[Joined(risen, 1, 2)])
    hand = box.held("Dehydrated Water", "Disaster! Zoo Breakout", "Kid", "Double-Barreled Slingshot", "Great Cthulhu")
    legal = [Legal(a.Flee()), Legal(a.Offer(-1, a.Terms("help", 1)))]
    legal += either_side(hand[0])
    legal += [Legal(a.Play(hand[1], seat=seat)) for seat in range(6)]
    you = You(ME, hand, [], [Ask(2, ME, "fight", [], 0, 0)], legal)
    view = box.view(apo_seats(box), hand, turn=ME, phase="kick", top="combat", fight=battle, you=you, seals=9,
                    seals_open=_seals(box, 3), deciding=[Deciding(ME, "fight", -1)])  # fmt: skip
    return box, view


def _seals(box: Box, number: int) -> list[int]:
    """Return this many open Seals, with Beer Shortage in force."""
    names = [d.name for d in box.catalog.cards if d.kind == "seal" and d.name != "Beer Shortage"]
    return [box.no(name) for name in [*names[: number - 1], "Beer Shortage"]]


def apo_idle() -> tuple[Box, View]:
    """Three Seals open, Bo's turn; Ada may switch to both hands or one."""
    box = Box(APO)
    seats = apo_seats(box)
    hand = box.held("Dehydrated Water", "Disaster! Zoo Breakout", "Kid", "Double-Barreled Slingshot", "Great Cthulhu")
    iron = next(p.card for p in seats[ME].table if p.both)
    legal = [Legal(a.Unequip(iron)), Legal(a.Equip(iron)), *(Legal(a.Play(hand[1], seat=seat)) for seat in range(6))]
    view = box.view(seats, hand, seals=9, seals_open=_seals(box, 3), you=You(ME, hand, [], [], legal))
    return box, view


def apo_over() -> tuple[Box, View]:
    """The seventh Seal is open; Cid and Eve share."""
    box = Box(APO)
    seats = apo_seats(box)
    seats[2].level, seats[2].strength, seats[0].strength = 9, 13, 7
    hand = box.held("Dehydrated Water")
    view = box.view(seats, hand, seals=5, seals_open=_seals(box, 7), winners=[2, 4], why_won="the seventh Seal",
                    top="over", deciding=[])  # fmt: skip
    return box, view


# ----------------------------------------------------------------------------------------------- Warhammer 40,000
def w40k_seats(box: Box) -> list[SeatView]:
    """Armies, one of them in an Alliance, Vehicles."""
    return [
        seat_view(0, 5, 4, 13, box.up("Ultramarines", "Orks", "Alliance", "Power Armor", "Heavy Tank With a Name"),
                  run=-2),
        seat_view(1, 6, 5, 8, box.up("Aeldari", "Misericordia"), run=1),
        seat_view(2, 7, 3, 12, box.up("Necrons", "Lasblaster", "Valhallan Helmet")),
        seat_view(3, 12, 5, 13, box.up("Red Outrider"), run=3),
        seat_view(4, 19, 3, 19, box.up("Tyranids")),
        seat_view(5, 4, 2, 6, box.up("Death Guards"), lasting=[box.lasting("Mud of a Thousand Wars")]),
    ]  # fmt: skip


def w40k_lost() -> tuple[Box, View]:
    """Ada has lost to the Pink Horror and sits in a slow Vehicle; the long game, to Level 20."""
    box = Box(W40K)
    seats = w40k_seats(box)
    foe = box.monster("Pink Horror of Tzeentch", 18)
    grim = box.open("Grimdark")
    ours = [Term("Level", 5, 0, ME), box.term("Power Armor", 4, ME), box.term("Heavy Tank With a Name", 5, ME)]
    theirs = [Term("Pink Horror of Tzeentch", 8, foe.id, -1), Term("Grimdark", 10, grim, 2)]
    lost = fight(box, foe, ours, theirs, joined=[Joined(grim, 1, 2)])
    lost.stage = "lost"
    hand = box.held("Sanctified Grenade", "Proxied", "Aeldari", "Horror of Tzeentch")
    tank = seats[ME].table[-1].card
    legal = [Legal(a.Roll(foe.id)), Legal(a.Discard(tank)), *(Legal(a.Discard(p.card)) for p in seats[ME].table[:2])]
    you = You(ME, hand, [], [Ask(2, ME, "roll", [foe.id], 1, 1)], legal)
    view = box.view(seats, hand, turn=ME, phase="kick", top="run", fight=lost, you=you, win_level=20,
                    deciding=[Deciding(ME, "roll", -1)])  # fmt: skip
    return box, view


def w40k_looted() -> tuple[Box, View]:
    """Eve's Tyranids, as Ada plays them here, have looted a monster."""
    box = Box(W40K)
    seats = w40k_seats(box)
    hand = box.held("Sanctified Grenade", "Proxied", "Aeldari", "Horror of Tzeentch")
    you = You(ME, hand, [], [Ask(4, ME, "loot fight", [0, hand[3]], 1, 1)], [])
    return box, box.view(seats, hand, turn=ME, phase="trouble", you=you, deciding=[Deciding(ME, "loot fight", -1)])


def mixed() -> tuple[Box, View]:
    """A table with all four sets, Munchkins and Mazes first."""
    box = Box(MAZES, AXE, APO, W40K)
    table = box.up(f"{MAZES}:elf", f"{MAZES}:wizard", f"{AXE}:moon", f"{W40K}:orks", "Wexter", "Red Outrider")
    seats = [seat_view(seat, 3 + seat, 4, 9, table, sex="male") for seat in range(6)]
    seats[1].lasting = [box.lasting("Disaster! Curfew"), box.lasting("Mud of a Thousand Wars")]
    hand = box.held("Dehydrated Water", "Disaster! Zoo Breakout", "Pickle Spear")
    return box, box.view(seats, hand, seals=9, seals_open=_seals(box, 3))


SITUATIONS = {
    "axe-lost": axe_lost, "axe-ranks": axe_ranks, "apo-fight": apo_fight, "apo-idle": apo_idle, "apo-over": apo_over,
    "w40k-lost": w40k_lost, "w40k-looted": w40k_looted, "mixed": mixed,
}  # fmt: skip
LOG = (
    LogLine("Turn 7: Bo", "turn", "", BO, "Bo"),
    LogLine("Bo is about to open the door", "event", "7.1", BO, "Bo"),
    LogLine("Fox: what is it this time", "talk", "", 5, "Fox:"),
)


def scene(name: str, **more: Any) -> Scene:
    """Return the scene of one of these situations."""
    box, view = SITUATIONS[name]()
    fields: dict[str, Any] = {"info": info(6), "me": ME} | more
    return Scene(box.catalog, view=view, **fields)
