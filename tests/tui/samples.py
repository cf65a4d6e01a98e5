"""Hand-made views of a table for tests of the screen: six seats, a fight with three monsters, an open offer, and more.

The cards are those of the built-in pack, so names and figures on the screen are real.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

import cards
from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.model import Ask, Bargain, Bonus, Joined, Lasting, Placed, card_id, defn_of
from core.state.views import Deciding, FightView, MonsterView, SeatView, Term, View, WindowView, You
from netcode.protocol.wire import SeatInfo, TableInfo, Timers, VoteInfo
from tui.scene.cells import UNICODE, Glyphs
from tui.scene.scene import LogLine, Scene

SET = "munchkins-and-mazes"
NAMES = ("Ada", "Bo", "Cid", "Dee", "Eve", "Fox")
ME = 0
BO = 1


@cache
def catalog() -> Catalog:
    """Return the catalog of the first built-in set."""
    return catalogs.load([cards.pack_files(SET)])


def no(name: str) -> int:
    """Return the number of a definition."""
    return catalog().named(name).no


_serial = iter(range(1, 100_000))


def public(name: str) -> int:
    """Return a new card id that everybody may know."""
    return card_id(next(_serial), 0, no(name))


def held(name: str, seat: int = ME) -> int:
    """Return a new card id that only this seat may know."""
    return card_id(next(_serial), seat + 1, no(name))


def placed(*names: str, up: bool = True) -> list[Placed]:
    """Return cards in play. up: equipped, otherwise carried."""
    return [Placed(public(name), up) for name in names]


def term(name: str, by: int, seat: int) -> Term:
    """Return the term that a card in play adds to a sum."""
    return Term(name, by, public(name), seat)


def lasting(name: str) -> Lasting:
    """Return a lasting Curse."""
    return Lasting(public(name), no(name), 0, "forever", True)


def seat_view(seat: int, level: int, hand: int, strength: int, table: list[Placed], **more: Any) -> SeatView:
    """Return the public part of a seat; further fields as given."""
    fields: dict[str, Any] = {"dead": False, "bare": False, "sex": "", "lasting": [], "body": [], "run": 0} | more
    return SeatView(
        seat, level, hand, fields["dead"], fields["bare"], fields["sex"], table, fields["lasting"],
        fields["body"], strength, fields["run"],
    )  # fmt: skip


def six_seats() -> list[SeatView]:
    """Return six seats with gear, and two Curses on the last one."""
    return [
        seat_view(0, 3, 8, 11, placed("Elf", "Wizard", "Pickle Spear", "Helm of Selective Hearing", "Wombat Boots")),
        seat_view(1, 5, 4, 13, placed("Warrior", "Threehander", "Plot Armor") + placed("Cardboard Mail", up=False)),
        seat_view(2, 7, 6, 16,
                  placed("Dwarf", "Hammer of Finger Nailing", "Pop-Up Shield", "Cardboard Mail", "Hireling")),
        seat_view(3, 2, 5, 4, placed("Stilts of the Moral High Ground")),
        seat_view(4, 9, 3, 15, placed("Thief", "Halfling", "Meat Shield", "Cloak of Plausible Deniability"), run=1),
        seat_view(5, 5, 2, 8,
                  placed("Cleric", "Reforged Sword"), lasting=[lasting("Squeaky Shoes"), lasting("Sudden Doubt")]),
    ]


def info(seats: int = 6, **more: Any) -> TableInfo:
    """Return a table in play: Dee is a bot, Fox is offline; further fields as given."""
    people = [SeatInfo(name, "here", True) for name in NAMES[:seats]]
    people[3 % seats] = SeatInfo(NAMES[3 % seats], "bot", True, bot="normal")
    if seats > 5:
        people[5] = SeatInfo("Fox", "lost", True, lost_ms=9000)
    table = TableInfo("PUB", people, "playing", 0)
    for name, value in more.items():
        setattr(table, name, value)
    return table


def voting(by: int = BO, waiting: Sequence[int] = (ME, 2)) -> TableInfo:
    """Return a table that votes on undoing Bo's claim of the kill."""
    return info(vote=VoteInfo(3, by, by, "claim", list(waiting), 17_000))


def away() -> TableInfo:
    """Return a table where bots play for Ada and Bo, and Cid has left."""
    table = info()
    for seat, state in ((ME, "away"), (BO, "away"), (2, "gone")):
        table.seats[seat].state = state
    return table


HAND = (
    "Prismatic Glitter", "Bad Hat Day", "Greater", "Grammar Grue", "Find a Typo in the Rulse", "Turning Keys",
    "Lukewarm Coffee of the Third Watch", "Orc",
)  # fmt: skip


def view(**more: Any) -> View:
    """Return a view of Bo's turn before the door, with `six_seats`; further fields as given."""
    hand = [held(name) for name in HAND]
    fields: dict[str, Any] = {
        "rev": 40, "turn": BO, "turn_no": 7, "phase": "start", "top": "turn", "seats": six_seats(), "fight": None,
        "window": None, "deciding": [Deciding(BO, "kick", -1)], "offers": [], "doors": 41, "doors_out": 12,
        "door_top": no("Bad Hat Day"), "treasures": 30,
        "treasures_out": 9, "treasure_top": no("Plot Armor"),
        "pool": [], "limbo": [], "win_level": 10, "winners": [], "why_won": "", "you": You(ME, hand, [], [], []),
    }  # fmt: skip
    return View(**(fields | more))


def monster(name: str, group: int, strength: int, **more: int) -> MonsterView:
    """A monster in a fight; its id is its card's."""
    card = catalog().named(name).card
    return MonsterView(
        public(name), no(name), group, strength, more.get("treasures", card.treasures), card.levels,
        more.get("run", 0), list(card.tags),
    )  # fmt: skip


def three_monsters() -> FightView:
    """Bo against the Glampire (Greater), its Life Partner, and a Grammar Grue; Cid helps for two Treasures."""
    foes = [monster("Glampire", 1, 24), monster("Glampire", 1, 24), monster("Grammar Grue", 2, 9, run=-1)]
    grue = foes[2].strength
    hero_terms = [
        Term("Level", 5, 0, 1), term("Threehander", 5, 1), term("Plot Armor", 3, 1),
        Term("Level", 7, 0, 2), term("Hammer of Finger Nailing", 4, 2), term("Pop-Up Shield", 2, 2),
        term("Prismatic Glitter", 5, 1),
    ]  # fmt: skip
    foe_terms = [
        Term("Glampire", 14, foes[0].id, -1), term("Greater", 10, 2), Term("Glampire", 14, foes[1].id, -1),
        term("Greater", 10, 2), Term("Grammar Grue", grue, foes[2].id, -1),
    ]  # fmt: skip
    heroes, against = sum(t.by for t in hero_terms), sum(t.by for t in foe_terms)
    deal = Bargain(3, 2, 1, "help", 2, 2, True, [], [], [], 4)
    joined = [Joined(public("Greater"), 1, 2), Joined(public("Life Partner"), 1, 4)]
    return FightView(
        4, BO, 2, False, "fight", foes, joined, [Bonus("heroes", 5, no("Prismatic Glitter"), 1)], heroes, against,
        hero_terms, foe_terms, False, heroes > against, False, 8, 3, 12, 0, True, deal, 39, 4, [],
    )  # fmt: skip


def own_fight() -> FightView:
    """Ada alone against the Bearbug, losing."""
    foe = monster("Bearbug", 1, 12)
    terms = [Term("Level", 3, 0, ME), term("Pickle Spear", 4, ME), term("Helm of Selective Hearing", 1, ME)]
    return FightView(
        5, ME, -1, False, "fight", [foe], [], [], 8, 12, terms, [Term("Bearbug", 12, foe.id, -1)], False, False, False,
        4, 1, 3, 0, True, None, 39, ME, [],
    )  # fmt: skip


LOG = (
    LogLine("Turn 6: Ada", "turn", "", ME, "Ada"),
    LogLine("Eve plays Bad Hat Day on you", "event", "6.1", 4, "Eve", yours=True),
    LogLine("You equip Pickle Spear", "event", "6.2", ME, "You", "+4", "gold"),
    LogLine("Turn 7: Bo", "turn", "", BO, "Bo"),
    LogLine("Bo fights Glampire (Level 14)", "event", "7.1", BO, "Bo", "14", "foe", " (Level 14)"),
    LogLine("Cid plays Greater on Glampire", "event", "7.2", 2, "Cid"),
    LogLine("Fox: dont help him", "talk", "", 5, "Fox:"),
    LogLine("Greater: +10 to Glampire", "event", "7.3", 2, "", "+10", "foe", " +10"),
    LogLine("Eve plays Life Partner on Glampire. That is not nice of Eve at all", "event", "7.4", 4, "Eve"),
)


def sums(view: View, heroes: int, foes: int) -> View:
    """Return a view with other sums in its fight."""
    assert view.fight is not None
    return replace(view, fight=replace(view.fight, heroes=heroes, foes=foes, winning=heroes > foes))


def scene(table: View, glyphs: Glyphs = UNICODE, **more: Any) -> Scene:
    """Return a scene of this view as Ada sees it; further fields as given."""
    fields: dict[str, Any] = {"info": info(len(table.seats)), "me": ME, "log": LOG, "timers": Timers(), "lag_ms": 3}
    fields |= more
    return Scene(catalog(), view=table, glyphs=glyphs, **fields)


# ---------------------------------------------------------------------------------------------------- the situations
def interrupt() -> View:
    """Three monsters, a claim window; Ada may play things."""
    table = view(fight=three_monsters(), deciding=[], top="window", window=WindowView(9, "lost", BO, -1, False, 2))
    hand = table.you.hand if table.you else []
    legal = [Legal(a.Pass(9)), Legal(a.Hold(9))]
    legal += either_side(hand[0])
    legal += [Legal(a.Play(hand[1], seat=seat)) for seat in range(6)]
    foes = table.fight.monsters if table.fight else []
    legal += [Legal(a.Play(hand[2], target=foe.id)) for foe in foes]
    legal += [Legal(a.Play(hand[4], seat=seat)) for seat in range(6) if seat != 4]
    table.you = You(ME, hand, [], [], legal)
    return table


def either_side(card: int) -> list[Legal]:
    """A card that may be played for the heroes and for the monsters."""
    return [Legal(a.Play(card, side="heroes")), Legal(a.Play(card, side="monsters"))]


def items_of(seat: SeatView) -> list[int]:
    """Return the Items a seat has in play."""
    return [spot.card for spot in seat.table if catalog().cards[defn_of(spot.card)].is_item]


def your_turn() -> View:
    """Ada's turn before the door."""
    table = view(turn=ME, deciding=[Deciding(ME, "kick", -1)])
    hand = table.you.hand if table.you else []
    legal = [Legal(a.Kick()), Legal(a.Play(hand[5])), Legal(a.Play(hand[7]))]
    legal += [Legal(a.Play(hand[1], seat=seat)) for seat in range(6)]
    legal += [Legal(a.Play(hand[4], seat=seat)) for seat in range(6) if seat != 4]
    legal += [Legal(a.Unequip(card)) for card in items_of(table.seats[ME])]
    items = [hand[5], hand[0], *items_of(table.seats[ME])]
    worth = [catalog().cards[defn_of(card)].card.value or 0 for card in items]
    legal.append(Legal(a.Sell(()), Pick("cards", tuple(items), 1, len(items), 1000, tuple(worth))))
    legal.append(Legal(a.Offer(1, a.Terms("trade"))))
    table.you = You(ME, hand, [], [Ask(1, ME, "kick", [], 1, 1)], legal)
    return table


def one_item_in_hand(name: str) -> View:
    """Ada's turn before the door, with only this Item in hand, which she may play."""
    table = your_turn()
    assert table.you is not None
    item = held(name)
    table.you.hand[:] = [item]
    table.you.legal = [Legal(a.Play(item))]
    return table


def own_combat() -> View:
    """Ada fights the Bearbug and is losing; Cid offers help for two Treasures."""
    table = view(turn=ME, phase="kick", top="combat", fight=own_fight(), deciding=[Deciding(ME, "fight", -1)])
    hand = table.you.hand if table.you else []
    table.offers = [Bargain(6, 2, ME, "help", 2, 2, True, [], [], [], 5)]
    legal = [Legal(a.Flee()), Legal(a.Offer(-1, a.Terms("help", 1))), Legal(a.Accept(6)), Legal(a.Decline(6))]
    legal += either_side(hand[0])
    table.you = You(ME, hand, [], [Ask(2, ME, "fight", [], 1, 1)], legal)
    return table


def charity() -> View:
    """Ada has eight cards and must give three away."""
    table = view(turn=ME, phase="charity", top="charity", deciding=[Deciding(ME, "charity", -1)])
    hand = table.you.hand if table.you else []
    table.you = You(ME, hand, [], [Ask(3, ME, "charity", sorted(hand), 3, 3)], [], 5)
    return table


def looting() -> View:
    """Dee died; Ada picks from the body."""
    table = view(top="looting", deciding=[Deciding(ME, "loot", -1)])
    table.seats[3].dead = True
    body = [public(name) for name in ("Plot Armor", "Hireling", "Cheat!", "Wombat Boots")]
    table.seats[3].body = body
    hand = table.you.hand if table.you else []
    table.you = You(ME, hand, [], [Ask(4, ME, "loot", body, 1, 1)], [])
    return table


def running() -> View:
    """Ada runs away from three monsters and chooses the order."""
    fight = three_monsters()
    fight.seat, fight.helper, fight.stage, fight.bargain = ME, -1, "lost", None
    fight.hero_terms = own_fight().hero_terms
    fight.heroes = 8
    table = view(turn=ME, top="run", fight=fight, deciding=[Deciding(ME, "roll", -1)])
    hand = table.you.hand if table.you else []
    legal = [Legal(a.Roll(foe.id)) for foe in fight.monsters]
    table.you = You(ME, hand, [], [Ask(5, ME, "roll", [], 1, 1)], legal)
    return table


def first_cards() -> View:
    """Everybody lays out first cards."""
    table = view(top="setup", turn_no=0, deciding=[Deciding(seat, "ready", -1) for seat in range(6)])
    for seat in table.seats:
        seat.level, seat.table, seat.lasting, seat.hand, seat.strength = 1, [], [], 8, 1
    hand = table.you.hand if table.you else []
    legal = [Legal(a.Done()), Legal(a.Play(hand[7])), Legal(a.Play(hand[5]))]
    table.you = You(ME, hand, [], [Ask(6, ME, "ready", [], 1, 1)], legal)
    return table


def over() -> View:
    """Eve has won."""
    table = view(top="over", deciding=[], winners=[4], why_won="level")
    table.seats[4].level = 10
    return table


def offered() -> View:
    """Outside a fight, Cid offers a trade to Ada."""
    table = your_turn()
    mine = items_of(table.seats[ME])[0]
    theirs = table.seats[2].table[1].card
    table.offers = [Bargain(8, 2, ME, "trade", -1, 0, False, [theirs], [mine], [], 0)]
    table.turn, table.deciding = BO, [Deciding(BO, "kick", -1)]
    hand = table.you.hand if table.you else []
    table.you = You(ME, hand, [], [], [Legal(a.Accept(8)), Legal(a.Decline(8))])
    return table


def idle() -> View:
    """Nothing to do but wait for Bo."""
    return view()


def watching() -> View:
    """A spectator's view of the fight."""
    table = interrupt()
    table.you = None
    return table


def crowded() -> View:
    """Everything at once: six seats, three monsters with enhancers, a hand of eight, two curses, an open offer, a
    window."""
    table = interrupt()
    assert table.fight is not None
    table.fight.helper, table.fight.bargain = -1, None
    table.fight.hero_terms = [term for term in table.fight.hero_terms if term.seat == BO]
    table.fight.heroes = sum(term.by for term in table.fight.hero_terms)
    table.offers = [Bargain(7, 2, BO, "help", 2, 2, True, [], [], [], 4)]
    return table


SITUATIONS = {
    "idle": idle, "your-turn": your_turn, "interrupt": interrupt, "crowded": crowded, "own-combat": own_combat,
    "charity": charity, "looting": looting, "running": running, "first-cards": first_cards, "over": over,
    "offered": offered, "watching": watching,
}  # fmt: skip
