"""The log: one line for each event and reader, and no hidden card in it."""

from typing import Any, get_args

import pytest

from core.state import events as ev
from core.state.model import Bargain, Bonus, Lasting, card_id
from core.text.log import SENTENCES, log_line
from tests.scenarios import catalog_for

CATALOG = catalog_for(("munchkins-and-mazes",))
NAMES = ["Kim", "Roger", "Ross"]


def card(name: str, serial: int = 1, owner: int = 0) -> int:
    return card_id(serial, owner, CATALOG.named(name).no)


def defn(name: str) -> int:
    return CATALOG.named(name).no


def told(event: ev.AnyEvent, me: int) -> str | None:
    return log_line(event, CATALOG, NAMES, me)


SPEAR = card("Pickle Spear", 3, 1)
SEAL = defn("Lost Sole")
SOLE = card("Lost Sole", 4)
FEAT_NAME = "Find a Typo in the Rulse"
FEAT = card(FEAT_NAME, 4)
GLAMPIRE = card("Glampire", 9)
PEEKED = [defn("Glampire"), SEAL]
PASSED = ev.HandsPassed("left", [[SPEAR], [], [card("Lost Sole", 4, 3)]])
STOLEN = ev.Moved(SPEAR, card("Pickle Spear", 5, 2), "hand", 0, "hand", 1, "taken", 1, hidden=True)
OFFER = ev.Offered(Bargain(1, 0, 1, "help", 1, 2, True, [card("Plot Armor")], [], [card("Human Error", 4, 1)], 1))


@pytest.mark.parametrize(
    ("event", "me", "words"),
    [
        (ev.Drew(0, "treasure", 1, [SPEAR]), 0, "You draw Pickle Spear"),
        (ev.Drew(0, "treasure", 1, [SPEAR]), 1, "Kim draws 1 Treasure"),
        (ev.Drew(0, "door", 2, [SPEAR, SPEAR]), -1, "Kim draws 2 Door cards"),
        (ev.Drew(0, "treasure", 1, [SPEAR], True), 2, "Kim draws Pickle Spear, face up"),
        (ev.Turned(1, GLAMPIRE), 0, "Roger opens the door: Glampire"),
        (ev.Shuffled("door", [1, 2, 3]), 0, "The Door discards are shuffled into a new deck"),
        (ev.Moved(SPEAR, SPEAR, "hand", 0, "table", 0, "played", 0), 0, "You play Pickle Spear"),
        (ev.Moved(SOLE, SOLE, "hand", 0, "limbo", 0, "played", 0, on_seat=1), 0, "You play Lost Sole on Roger"),
        (ev.Moved(SOLE, SOLE, "hand", 0, "limbo", 0, "played", 0, on_seat=1), 1, "Kim plays Lost Sole on you"),
        (ev.Moved(SOLE, SOLE, "hand", 0, "limbo", 0, "played", 0, on_seat=0), 0, "You play Lost Sole on yourself"),
        (ev.Moved(SOLE, SOLE, "hand", 0, "limbo", 0, "played", 0, on_seat=0), 1, "Kim plays Lost Sole on themselves"),
        (ev.Moved(FEAT, FEAT, "hand", 0, "limbo", 0, "played", 0, on_seat=0), 1, f"Kim plays {FEAT_NAME}"),
        (ev.Moved(FEAT, FEAT, "hand", 0, "limbo", 0, "played", 0, on_seat=1), 1, f"Kim plays {FEAT_NAME} on you"),
        (ev.Moved(SPEAR, SPEAR, "table", 0, "treasure", -1, "sacrificed", 0), 1, "Kim sacrifices Pickle Spear"),
        (ev.Moved(SPEAR, SPEAR, "hand", 0, "treasure", -1, "spent", 0), 1, "Kim discards Pickle Spear to pay"),
        (ev.Moved(SPEAR, SPEAR, "table", 0, "treasure", -1, "lost", 0), 1, "Kim loses Pickle Spear"),
        (ev.Moved(SPEAR, SPEAR, "hand", 0, "treasure", -1, "lost", 0), 1, "Kim loses Pickle Spear from hand"),
        (ev.Moved(SPEAR, SPEAR, "table", 0, "treasure", -1, "discarded", 0), 1, "Kim discards Pickle Spear"),
        (ev.Moved(SPEAR, SPEAR, "hand", 0, "treasure", -1, "discarded", 0), 0, "You discard Pickle Spear from hand"),
        (ev.Moved(SPEAR, SPEAR, "hand", 0, "treasure", -1, "", -1), 1, "Kim loses Pickle Spear from hand"),
        (ev.Moved(SPEAR, SPEAR, "table", 0, "table", 1, "traded"), 1, "Kim trades Pickle Spear to you"),
        (ev.Moved(SPEAR, SPEAR, "body", 2, "hand", 1, "looted", 1), 0, "Roger takes Pickle Spear from Ross' body"),
        (ev.Moved(SPEAR, SPEAR, "hand", 0, "fight", 0, "joins", 0), 0, None),
        (STOLEN, 0, "Roger takes Pickle Spear from you"),
        (STOLEN, 1, "You take Pickle Spear from Kim"),
        (STOLEN, 2, "Roger takes a card from Kim"),
        (ev.Flipped(0, SPEAR, False), 1, "Kim puts Pickle Spear away"),
        (ev.Flipped(0, SPEAR, True), 0, "You equip Pickle Spear"),
        (ev.Flipped(1, SPEAR, True, both=True), 0, "Roger equips Pickle Spear in both hands"),
        (ev.LevelChanged(0, 1, 5, "the kill"), 0, "You gain 1 level (the kill): Level 5"),
        (ev.LevelChanged(0, -2, 3, "Human Error"), 1, "Kim loses 2 levels (Human Error): Level 3"),
        (
            ev.Rolled(0, 4, "run away", [("Elf", 1), ("Threehander", -2)], 5, GLAMPIRE),
            1,
            "Kim rolls 4 + 1 (Elf) - 2 (Threehander) = 3 to run from Glampire; 5 needed",
        ),
        (ev.Rolled(0, 4, "Advantaged"), 0, "You roll 4 (Advantaged)"),
        (ev.Rolled(0, 17, "Advantaged", sides=20), 1, "Kim rolls 17 on a die with 20 sides (Advantaged)"),
        (ev.Rolled(0, 4, "Lottery", on=1), 0, "You roll 4 (Lottery on Roger)"),
        (ev.Rolled(0, 4, "Lottery", on=1), 1, "Kim rolls 4 (Lottery on you)"),
        (ev.RolledAgain(0, SPEAR, 0, -1, "turn"), 0, "You have the die rolled again (Pickle Spear)"),
        (ev.RolledAgain(1, SPEAR, 0, -1, ""), 0, "Roger has your die rolled again (Pickle Spear)"),
        (ev.RolledAgain(1, SPEAR, 0, -1, ""), 1, "You have Kim's die rolled again (Pickle Spear)"),
        (ev.Fled(0, GLAMPIRE, defn("Glampire"), False), 0, "Glampire catches you"),
        (ev.Fled(0, GLAMPIRE, defn("Glampire"), True), 1, "Kim escapes from Glampire"),
        (
            ev.Fled(1, GLAMPIRE, defn("Glampire"), True, ev.NOT_PURSUED),
            0,
            "Roger escapes from Glampire: it does not pursue",
        ),
        (
            ev.Fled(0, GLAMPIRE, defn("Glampire"), False, ev.NO_ESCAPE),
            0,
            "Glampire catches you: no roll escapes from it",
        ),
        (ev.Moved(0, 0, "hand", 0, "hand", 1, "charity", 0), 1, "Kim gives a card to you (charity)"),
        (ev.Moved(0, 0, "hand", 0, "hand", 1, "promised", 0), 2, "Kim gives a card to Roger (as promised)"),
        (ev.Moved(0, 0, "hand", 0, "hand", 1, "given", 0), 2, "Kim gives a card to Roger"),
        (ev.Rides(0, SPEAR), 0, "You run away with Pickle Spear"),
        (ev.Rides(0, SPEAR), 1, "Kim runs away with Pickle Spear"),
        (ev.Safe(1, -1, "Halfling"), 0, "Roger needs no roll against the next monster"),
        (ev.Safe(0, 0, "Bus"), 0, "You need no roll against any monster"),
        (ev.TurnBegan(0, 3), 0, "Your turn"),
        (ev.TurnBegan(2, 3), 0, "Ross' turn"),
        (ev.TurnBegan(2, 3, 1), 0, "Ross' extra turn"),
        (ev.ExtraTurn(1, defn("Advantaged")), 0, "Roger has an extra turn after this one (Advantaged)"),
        (ev.Kicked(1), 0, "Roger is about to open the door"),
        (ev.FightBegan(0, GLAMPIRE, "found"), 1, "Kim fights Glampire (Level 14)"),
        (ev.MonsterCame(0, GLAMPIRE, defn("Glampire"), GLAMPIRE, "found"), 1, None),
        (ev.MonsterCame(1, GLAMPIRE, defn("Glampire"), GLAMPIRE, "joins"), 0, "Roger lets Glampire (Level 14) join"),
        (
            ev.MonsterCame(1, GLAMPIRE, defn("Glampire"), GLAMPIRE, "wanders in"),
            0,
            "Glampire (Level 14) wanders in",
        ),
        (ev.Undone(1, SPEAR), 0, "Roger undoes Pickle Spear"),
        (ev.Undone(1, SPEAR), 1, "You undo Pickle Spear"),
        (ev.MonsterLeft(GLAMPIRE, defn("Glampire"), "undone"), 0, "Glampire leaves again"),
        (ev.Counted(0, SPEAR, 1, 1), 0, "Your Pickle Spear has 1 counter now"),
        (ev.Counted(0, SPEAR, -2, 0), 1, "Kim's Pickle Spear has no counters now"),
        (ev.MonsterLeft(GLAMPIRE, defn("Glampire"), "killed", 4, 1), 0, "Glampire is killed, 4 Treasures due"),
        (
            ev.Strengthened(Bonus("monsters", 6, defn("Advantaged"), 1, GLAMPIRE, 1)),
            0,
            "Advantaged: +6 to Glampire, +1 Treasure",
        ),
        (ev.Strengthened(Bonus("heroes", -2, defn("Thief"), 1)), 0, "Thief: -2 to the heroes"),
        (ev.Strengthened(Bonus("monsters", 3, defn("Glampire"), 1, GLAMPIRE)), 0, "Glampire: +3"),
        (OFFER, 0, "You offer Roger 2 Treasures, first pick, Plot Armor and Human Error played from the hand for help"),
        (OFFER, 1, "Kim offers you 2 Treasures, first pick, Plot Armor and Human Error played from the hand for help"),
        (OFFER, 2, "Kim offers Roger 2 Treasures, first pick, Plot Armor and 1 card played from the hand for help"),
        (
            ev.Offered(Bargain(2, 0, 1, "trade", -1, 0, False, [SPEAR], [card("Plot Armor")], [], 0)),
            1,
            "Kim offers you Pickle Spear for Plot Armor",
        ),
        (ev.OfferClosed(1, "declined", 1), 1, "You say no to an offer"),
        (ev.OfferClosed(1, "lapsed", -1), 1, None),
        (ev.HelperCame(1, False, OFFER.bargain), 2, None),
        (ev.HelperLeft(1, "backs out"), 0, "Roger backs out of the fight"),
        (ev.StageSet(0, "won", 2), 0, "You win the fight by 2"),
        (ev.StageSet(0, "lost", 3), 1, "Kim loses the fight by 3 and must run away"),
        (ev.StageSet(0, "lost"), 0, "You lose the fight on a tie and must run away"),
        (ev.UsedAbility(0, card("Cleric"), 0, -1, 3, "combat"), 1, "Kim uses Cleric, discarding 3 cards"),
        (ev.Died(0), 0, "You die"),
        (ev.Returned(0), 1, "Kim is back from the dead"),
        (
            ev.LastingBegan(0, Lasting(0, defn("Squeaky Shoes"), 0, "forever", True)),
            0,
            "Squeaky Shoes affects you until it is lifted",
        ),
        (
            ev.LastingBegan(0, Lasting(0, defn("Squeaky Shoes"), 0, "next-turn", True)),
            0,
            "Squeaky Shoes affects you in this turn",
        ),
        (ev.WindowOpened("claim", 3, 0), 0, "You claim the kill: does anybody respond?"),
        (ev.WindowOpened("kick", 3, 0), 0, None),
        (ev.Shown(0, 1, [defn("Glampire")]), 0, "Roger sees your hand: Glampire"),
        (ev.Shown(0, 1, [defn("Glampire")]), 2, "Roger looks at Kim's hand"),
        (ev.Peeked(0, "door", 2, PEEKED), 0, "You look at the top 2 Door cards: Glampire and Lost Sole"),
        (ev.Peeked(0, "door", 2, PEEKED), 1, "Kim looks at the top 2 Door cards"),
        (ev.Peeked(0, "treasure", 1, [SEAL]), -1, "Kim looks at the top Treasure"),
        (ev.Reordered(0, "door", 2, [2, 0]), 0, "You put 2 Door cards under the deck"),
        (ev.Reordered(0, "treasure", 1, [2]), 1, "Kim puts 1 Treasure under the deck"),
        (ev.Reordered(0, "door", 1, [2], False), 0, None),
        (ev.Reordered(0, "door", 1, [2], False), 1, None),
        (PASSED, 0, "All hands are passed to the left; you get Pickle Spear"),
        (PASSED, 1, "All hands are passed to the left"),
        (PASSED, -1, "All hands are passed to the left"),
        (ev.Moved(SPEAR, SPEAR, "table", 0, "table", 1, "swapped", 1), 1, "Kim passes Pickle Spear to you"),
        (ev.Chose(2, defn("Glampire"), "Abstain"), 2, "You choose: Abstain"),
        (ev.Fizzled(0, defn("Lost Sole"), "nothing to lose"), 0, "You have nothing that Lost Sole takes"),
        (ev.Fizzled(0, defn("Glampire"), ev.NO_BAD_STUFF), 1, "Glampire takes nothing from Kim: it has no Bad Stuff"),
        (ev.Fizzled(0, defn("Glampire"), ev.BY_ROLL), 1, "Glampire takes nothing from Kim: the roll decided so"),
        (ev.Fizzled(0, defn("Lost Sole"), ev.BY_ROLL), 0, "Lost Sole has no effect on you: the roll decided so"),
        (ev.Fizzled(-1, -1, "both door piles are empty"), 0, "Both door piles are empty"),
        (ev.SealsMade(12, [1, 2]), 0, "12 Seals are shuffled, all of them closed"),
        (ev.SealOpened(0, defn("Lost Sole"), 1), 0, "You open the Seal Lost Sole: 1 Seal is open"),
        (ev.SealOpened(0, defn("Lost Sole"), 3), 1, "Kim opens the Seal Lost Sole: 3 Seals are open"),
        (
            ev.SealClosed(defn("Lost Sole"), 2, "three levels in one turn", 1), 1,
            "The Seal Lost Sole is closed (your three levels in one turn): 2 Seals are open",
        ),
        (ev.SealClosed(SEAL, 0, "Sun"), 0, "The Seal Lost Sole is closed (Sun): no Seal is open"),
        (ev.SexChanged(0, "female"), 0, "You are female"),
        (ev.SexChanged(0, "male"), 1, "Kim is male"),
        (ev.Won([0], "level"), 0, "You win the game"),
        (ev.Won([2], "the seventh Seal"), 0, "Ross wins the game: the seventh Seal is open"),
        (ev.Won([0, 1], "shared"), 1, "Kim and you win the game together, the helper too"),
        (ev.Noted("loot", 0), 0, None),
        (ev.Moves(0), 0, None),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, ev.Event) else None,
)  # fmt: skip
def test_a_line_for_each_reader(event: ev.AnyEvent, me: int, words: str | None) -> None:
    if words is None and not isinstance(event, ev.HelperCame):
        assert told(event, me) is None
    elif isinstance(event, ev.HelperCame):
        assert str(told(event, me)).startswith("Roger helps for 2 Treasures")
    else:
        assert told(event, me) == words


@pytest.mark.parametrize(("how", "by", "me", "words"), [
    ("declined", 1, 0, "Roger says no to your offer"), ("declined", 1, 1, "You say no to Kim's offer to you"),
    ("declined", 1, 2, "Roger says no to Kim's offer to Roger"), ("withdrawn", 0, 0, "You take your offer back"),
    ("withdrawn", 0, 1, "Kim takes the offer back"), ("countered", 1, 0, "Roger wants other terms for your offer"),
    ("accepted", 1, 0, "Roger accepts your offer"), ("lapsed", -1, 0, "Your offer has lapsed"), ("lapsed", -1, 2, None),
])  # fmt: skip
def test_whose_offer_has_ended_is_said_where_it_is_known(how: str, by: int, me: int, words: str | None) -> None:
    offers = {1: OFFER.bargain}
    assert log_line(ev.OfferClosed(OFFER.bargain.no, how, by), CATALOG, NAMES, me, offers=offers) == words


def test_each_kind_of_event_has_a_sentence_or_is_silent() -> None:
    silent = {
        ev.PhaseBegan, ev.SafeUsed, ev.WindowClosed, ev.Noted, ev.Settled, ev.ReceivedOver, ev.Moves,
    }  # fmt: skip
    kinds = set(get_args(ev.AnyEvent))
    assert kinds - silent == set(SENTENCES)


def test_no_line_names_a_card_that_its_reader_may_not_see() -> None:
    events: list[Any] = [ev.Drew(0, "treasure", 1, [SPEAR]), STOLEN, ev.Shown(0, 1, [defn("Pickle Spear")])]
    events += [ev.Peeked(0, "treasure", 1, [defn("Pickle Spear")]), PASSED]
    for event in events:
        for me in (-1, 2):
            assert "Pickle Spear" not in str(told(event, me))
