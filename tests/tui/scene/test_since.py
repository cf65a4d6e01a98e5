"""The events since the reader's last act."""

from typing import Any

from msgspec.structs import replace

from core.state import events as ev
from core.state.views import Deciding
from tests.tui import samples
from tui.scene.causes import Causes
from tui.scene.doers import hits, touches
from tui.scene.scene import LogLine
from tui.scene.since import KEPT, LOOKED_AT, own_last, sentence, sentences, since

ME = 2


def line(text: str, about: str = "moved", seat: int = 1, yours: bool = False, kind: str = "event") -> LogLine:
    """Return a line of the log."""
    return LogLine(text, kind, "3.1", seat, "", yours=yours, about=about)


def test_what_touches_the_reader_comes_first_then_levels_deaths_fights_and_the_rest() -> None:
    log = [
        line("Bo sells 3 Items"), line("Bo fights Bearbug", "fight-began"), line("Bo dies", "died"),
        line("Bo gains 1 level", "level-changed"), line("Bo takes Spear from you", yours=True),
        line("Cid draws", seat=3),
    ]  # fmt: skip
    assert [one.text for one in since(log, ME)] == [
        "Bo takes Spear from you", "Bo gains 1 level", "Bo dies", "Bo fights Bearbug", "Bo sells 3 Items", "Cid draws",
    ]  # fmt: skip


def test_what_the_reader_did_talk_and_headings_are_left_out() -> None:
    log = [
        line("You kick open the door", seat=ME), line("Turn 3: Bo", kind="turn"), line("Bo: hello", kind="talk"),
        line("does anybody respond?", "window-opened"), line("The connection is back.", kind="note", seat=-1),
    ]  # fmt: skip
    assert since(log, ME) == () and since([line("Bo dies", "died")], -1) == (), "a spectator does not act"


def test_who_begins_is_told_until_the_first_door_is_open() -> None:
    """Formerly, the own die for the first turn stood on the stage until the player's first act, turns later."""
    dice = [replace(line(f"{who} 4 (who begins)", "rolled", seat), step=f"0.{seat}")
            for seat, who in ((ME, "You roll"), (1, "Bo rolls"))]  # fmt: skip
    played = [*dice, line("Bo kicks open the door", "kicked"), line("Bo fights Bearbug", "fight-began")]
    assert len(since([*dice, line("Bo plays Elf")], ME)) == 3
    assert [one.text for one in since(played, ME)] == ["Bo fights Bearbug"]
    new = [replace(one, just=True) for one in played]
    assert "You roll 4 (who begins)" in [one.text for one in since(new, ME)], "a die is always seen"


def test_it_is_bounded() -> None:
    log = [line(f"line {no}") for no in range(1000)]
    found = since(log, ME)
    assert len(found) == KEPT and found[0].text == f"line {1000 - LOOKED_AT}"


def test_of_the_levels_of_a_seat_the_last_one_is_told() -> None:
    log = [
        LogLine(f"Bo gains 1 level (a card): Level {level}", "event", "3.1", 1, "Bo", "+1", about="level-changed")
        for level in (3, 4)
    ]
    log += [LogLine("Cid loses 2 levels: Level 2", "event", "3.1", 3, "Cid", "-2", about="level-changed")]
    assert [one.text for one in since(log, ME)] == ["Bo is at Level 4 now (+2: a card)", "Cid is at Level 2 now (-2)"]
    text = "You lose 1 level (Nerfed): Level 2"
    own = LogLine(text, "event", "3.1", ME, "You", "-1", yours=True, about="level-changed")
    assert since([*log, own], ME)[0].text == own.text, "with its cause, if it is the reader's"


def test_of_a_game_that_is_resumed_only_what_came_after_the_readers_last_deed_is_told() -> None:
    log = [
        line("Bo dies", "died"), line("You kick open the door", seat=ME), line("You lose Spear", seat=ME, yours=True),
        line("Bo gains a level"),
    ]  # fmt: skip
    assert [one.text for one in own_last(log, ME)] == ["You lose Spear", "Bo gains a level"]
    assert own_last(log[:1], ME) == log[:1]
    rolled = [line("You kick open the door", seat=ME), line("You roll 3", "rolled", seat=ME), line("Ace: +3 to Ace")]
    assert own_last(rolled, ME) == rolled[1:], "a die that was rolled for a card is no deed"


def test_a_player_is_told_that_they_have_got_away() -> None:
    """Formerly, nothing told the player so if a monster did not pursue, because no die was rolled."""
    log = [line("You must run away", "stage-set", seat=ME), line("You escape: it does not pursue", "safe", seat=ME)]
    assert [one.text for one in since(log, ME)] == ["You escape: it does not pursue"]


def test_levels_name_their_causes_and_come_before_what_has_just_happened_besides() -> None:
    """Formerly, Levels came before the cards that had brought them, and a death came after a discarded card."""
    def level(text: str, by: str, **more: Any) -> LogLine:
        return LogLine(text, "event", "3.1", 1, "Bo", by, about="level-changed", **more)

    log = [
        level("Bo gains 2 levels (the kill): Level 5", "+2"), level("Bo loses 1 level (Level Drain): Level 4", "-1"),
        line("Cid dies", "died", 3), replace(line("Hostages Are Exchanged is discarded", seat=-1), just=True),
    ]  # fmt: skip
    assert [one.text for one in since(log, ME)] == [
        "Bo is at Level 4 now (+1: the kill +2, Level Drain -1)", "Cid dies", "Hostages Are Exchanged is discarded",
    ]  # fmt: skip
    up_and_down = [level("Bo gains 1 level (the sale): Level 5", "+1"), level("Bo loses 1 level: Level 4", "-1")]
    assert [one.text for one in since(up_and_down, ME)] == ["Bo is at Level 4 again (the sale +1)"]


def test_what_a_seat_loses_card_by_card_is_one_line() -> None:
    log = [LogLine(f"Bo loses {card}", "event", "3.1", 1, "Bo", about="moved") for card in ("Spear", "Shield", "Hat")]
    log += [LogLine("Cid loses Boots", "event", "3.1", 3, "Cid", about="moved")]
    assert [one.text for one in since(log, ME)] == ["Bo loses Spear, Shield, Hat", "Cid loses Boots"]
    thefts = [("Spear", "Cid"), ("Hat", "Cid"), ("Boots", "Dee")]
    log = [LogLine(f"Bo takes {card} from {whom}", "event", "3.1", 1, "Bo", about="moved") for card, whom in thefts]
    assert [one.text for one in since(log, ME)] == ["Bo takes Spear, Hat from Cid", "Bo takes Boots from Dee"]


def test_cards_out_of_a_hand_are_told_apart_from_those_in_play() -> None:
    """"Bo discards Warrior" was read as the class that Bo had in play."""
    cards = ("Warrior from hand", "Hat from hand", "Spear", "Rope to pay", "Boots to pay")
    log = [LogLine(f"Bo discards {card}", "event", "3.1", 1, "Bo", about="moved") for card in cards]
    assert [one.text for one in since(log, ME)] == [
        "Bo discards Warrior, Hat from hand", "Bo discards Spear", "Bo discards Rope, Boots to pay",
    ]  # fmt: skip


def test_what_is_taken_from_the_reader_names_the_card_that_takes_it() -> None:
    catalog, causes = samples.catalog(), Causes()
    mine, theft = samples.held("Pickle Spear"), samples.public("Glampire")
    taken = ev.Moved(mine, mine, "hand", ME, "hand", 1, "taken", 1)
    said = LogLine("Bo takes Pickle Spear from you", seat=1, who="Bo", yours=True)
    assert causes.named(taken, said, catalog, ME).text == said.text, "no card is known"
    causes.note(ev.Moved(theft, theft, "hand", 1, "door", -1, "played", 1), said)
    assert causes.named(taken, said, catalog, ME).text == "Bo takes Pickle Spear from you (Glampire)"
    assert causes.named(taken, said, catalog, 1).text == said.text, "whoever takes knows it"
    asked = samples.view(deciding=[Deciding(1, "seat", samples.no("Mummy's Boy"))])
    told = causes.named(taken, said, catalog, ME, asked)
    assert told.text == "Bo takes Pickle Spear from you (Mummy's Boy)", "it has asked, and came after the last one"


def test_whoever_sees_the_readers_hand_does_so_by_a_card_that_is_named() -> None:
    catalog, causes = samples.catalog(), Causes()
    shown = ev.Shown(ME, 1, [samples.no("Elf")])
    said = LogLine("Bo sees your hand: Elf", seat=1, who="Bo", yours=True)
    thief = samples.public("Thief")
    causes.note(ev.UsedAbility(1, thief, 0, ME, 0, ""), said)
    assert causes.named(shown, said, catalog, ME).text == "Bo sees your hand: Elf (Thief)"
    assert causes.named(replace(shown, at=3), said, catalog, ME).text == said.text


def test_a_card_that_is_given_up_because_a_text_asks_for_it_names_that_card() -> None:
    """"Cyd loses Scything Cutlery" changed the sum of a monster, and nothing said why."""
    catalog, causes = samples.catalog(), Causes()
    spear = samples.public("Pickle Spear")
    lost = ev.Moved(spear, spear, "table", 1, "treasure", -1, "lost", 1)
    said = LogLine("Bo loses Pickle Spear", seat=1, who="Bo", about="moved")
    asked = samples.view(deciding=[Deciding(1, "cards", samples.no("Glampire"))])
    told = causes.named(lost, said, catalog, ME, asked)
    assert told.text == "Bo loses Pickle Spear (Glampire)"
    assert causes.named(lost, said, catalog, ME, samples.view(deciding=[])).text == said.text
    itself = samples.view(deciding=[Deciding(1, "option", samples.no("Pickle Spear"))])
    assert causes.named(lost, said, catalog, ME, itself).text == said.text
    hat = replace(told, text="Bo loses Hat (Glampire)")
    assert [one.text for one in since([told, hat], ME)] == ["Bo loses Pickle Spear, Hat (Glampire)"]


def test_whoever_has_to_help_reads_the_card_that_compels_them() -> None:
    catalog, causes = samples.catalog(), Causes()
    said = LogLine("You have to help", seat=ME, who="You", yours=True)
    came, chosen = ev.HelperCame(ME, True), ev.HelperCame(ME, False)
    asked = samples.view(deciding=[Deciding(1, "seat", samples.no("Involuntary Volunteer"))])
    assert causes.named(came, said, catalog, ME, asked).text == "You have to help (Involuntary Volunteer)"
    assert causes.named(came, said, catalog, 1, asked).text == "You have to help (Involuntary Volunteer)"
    assert causes.named(chosen, said, catalog, ME, asked).text == said.text


def test_a_card_of_a_fight_that_is_won_takes_nothing_afterwards() -> None:
    catalog, causes = samples.catalog(), Causes()
    mine, played = samples.held("Pickle Spear"), samples.public("Deus Ex Pulley")
    said = LogLine("Bo takes Pickle Spear from you", seat=1, who="Bo", yours=True)
    for event in (ev.Moved(played, played, "hand", 1, "fight", -1, "played", 1), ev.StageSet(1, "won", 5)):
        causes.note(event, said)
    taken = ev.Moved(mine, mine, "hand", ME, "hand", 1, "taken", 1)
    assert causes.named(taken, said, catalog, ME).text == said.text


def test_what_rivals_do_to_each_other_comes_before_their_own_affairs() -> None:
    """Formerly, a curse on a rival came after cards that somebody had drawn, and its cost was told without it."""
    log = [
        line("Cid draws 1 Door card", seat=3), line("Bo begins with Spear"),
        replace(line("Bo plays Bad Hat Day on Cid"), hits=True), replace(line("Cid loses Hat", seat=3), hits=True),
        line("Cid fights Bearbug", "fight-began", 3),
    ]  # fmt: skip
    assert [one.text for one in since(log, ME)] == [
        "Bo plays Bad Hat Day on Cid", "Cid loses Hat", "Cid fights Bearbug", "Cid draws 1 Door card",
        "Bo begins with Spear",
    ]  # fmt: skip


def test_of_what_strikes_the_reader_the_newest_comes_first() -> None:
    """Formerly, the first line in a fight was still the die that had decided who begins the game."""
    log = [
        line("You roll 4 (who begins)", "rolled", ME), replace(line("Bo takes Spear from you", yours=True), just=True),
    ]  # fmt: skip
    assert [one.text for one in since(log, ME)] == ["Bo takes Spear from you", "You roll 4 (who begins)"]


def test_an_older_die_of_the_reader_comes_after_what_else_has_struck_them() -> None:
    """A die of the turn before kept the first line of a fight, and an offer to the reader was behind a key."""
    log = [line("You roll 2 (Feast)", "rolled", ME), line("Cid offers you a Treasure", yours=True)]
    assert [one.text for one in since(log, ME)] == ["Cid offers you a Treasure", "You roll 2 (Feast)"]
    both = [replace(one, just=True) for one in log]
    assert [one.text for one in since(both, ME)] == ["You roll 2 (Feast)", "Cid offers you a Treasure"]


def test_the_dice_of_one_seat_for_one_thing_are_one_line() -> None:
    """Three dice that decide who begins filled the news at the start of a game, since ties roll again."""
    rolls = [("You roll", ME, 4), ("Bo rolls", 1, 4), ("You roll", ME, 6), ("Bo rolls", 1, 2)]
    log = [line(f"{who} {number} (who begins)", "rolled", seat) for who, seat, number in rolls]
    log += [line("You roll 3 (Catapult)", "rolled", ME), line("You roll 2 to run from a Rat; 5 needed", "rolled", ME)]
    assert [one.text for one in since(log, ME)] == [
        "You roll 4, 6 (who begins)", "You roll 3 (Catapult)", "You roll 2 to run from a Rat; 5 needed",
        "Bo rolls 4, 2 (who begins)",
    ]  # fmt: skip


def test_after_coming_back_what_was_played_into_earlier_fights_is_no_news_of_this_one() -> None:
    """A card of the fight before stood first on the stage of the reader's own fight."""
    played = replace(line("Bo plays Glitter"), act=True)
    log = [played, line("Turn 4: Cid", kind="turn"), replace(played, text="Cid plays Potion")]
    assert [(one.text, one.act) for one in own_last(log, ME)] == [
        ("Bo plays Glitter", False), ("Turn 4: Cid", False), ("Cid plays Potion", True),
    ]  # fmt: skip


def test_nothing_is_said_twice() -> None:
    """Formerly, "opens the door" was told after the fight with the monster behind that door."""
    def told(text: str, about: str) -> LogLine:
        return LogLine(text, "event", "3.1", 1, "Bo", about=about)

    log = [
        told("Bo opens the door: Bearbug", "turned"), told("Bo fights Bearbug", "fight-began"),
        told("Bo wins the fight by 2", "stage-set"), line("Bearbug is killed, 1 Treasure due", "monster-left", -1),
        told("Bo draws 1 Treasure", "drew"), told("Bo plays Hat", "moved"), told("Bo equips Hat", "flipped"),
        told("Bo equips Spear", "flipped"),
    ]  # fmt: skip
    assert [one.text for one in since(log, ME)] == [
        "Bo fights Bearbug", "Bo wins the fight by 2", "Bo draws 1 Treasure", "Bo plays Hat", "Bo equips Spear",
    ]  # fmt: skip
    door = [told("Bo opens the door: Dinosaur", "turned"), told("Bo takes Dinosaur into hand", "moved")]
    assert [one.text for one in since(door, ME)] == ["Bo takes Dinosaur into hand"]
    assert since(door[:1], ME) == (door[0],), "a curse that leaves nothing behind"


def test_a_card_that_goes_from_one_seat_to_another_hits_whoever_loses_it_unless_they_give_it() -> None:
    """Formerly, the reader's own charity came first for a whole turn."""
    card = samples.held("Pickle Spear")
    taken = ev.Moved(card, card, "hand", 1, "hand", 3, "taken", 3)
    given = ev.Moved(card, card, "hand", ME, "hand", 3, "charity", 3)
    cursed = ev.Moved(card, card, "hand", 1, "limbo", 1, "played", 1, on_seat=3)
    assert hits(taken) and hits(cursed) and not hits(given) and not touches(given, ME)
    assert touches(replace(taken, at=ME), ME) and not hits(replace(cursed, on_seat=1))
    lost = ev.Moved(card, card, "table", ME, "treasure", -1, "lost", ME)
    assert touches(lost, ME) and not touches(replace(lost, why="sold"), ME), "a card of the reader that breaks"
    assert hits(ev.LevelChanged(1, -1, 2, "")) is False, "Levels have a weight of their own"


def test_of_one_card_of_a_seat_what_was_earlier_is_told_earlier() -> None:
    """Formerly, "Bea loses Umbrella Hat" came before "Bea begins with Umbrella Hat", since a loss weighs more."""
    def told(text: str, hits: bool = False, just: bool = False) -> LogLine:
        return LogLine(text, "event", "3.1", 1, "Bea", about="moved", hits=hits, just=just)

    log = [told("Bea takes Spear"), told("Bea begins with Kid and Umbrella Hat"), told("Bea loses Umbrella Hat", True),
           told("Bea takes Cleaver"), told("Bea plays Cleaver", just=True)]  # fmt: skip
    assert [one.text for one in since(log, ME)] == [
        "Bea begins with Kid and Umbrella Hat", "Bea loses Umbrella Hat", "Bea takes Cleaver", "Bea plays Cleaver",
        "Bea takes Spear",
    ]  # fmt: skip


def told_by(who: str, seat: int, *lines: tuple[str, str]) -> list[LogLine]:
    """Return lines of what a seat does, each with the name of its event."""
    return [LogLine(f"{who} {text}", "event", "3.1", seat, who, about=about) for text, about in lines]


def test_cards_that_one_seat_gives_to_another_are_one_line() -> None:
    """Formerly, "Bo gives a card to Cid (charity)" was told once for each card."""
    given = told_by("Bo", 1, *[("gives a card to Cid (charity)", "moved")] * 3, ("gives Hat to Dee", "moved"))
    assert [one.text for one in since(given, ME)] == ["Bo gives 3 cards to Cid (charity)", "Bo gives Hat to Dee"]
    mine = [replace(one, yours=True) for one in told_by(
        "Bo", 1, ("gives Ode to Joy to you (charity)", "moved"), ("gives Hat to you (charity)", "moved"),
    )]  # fmt: skip
    assert [one.text for one in since(mine, ME)] == ["Bo gives Ode to Joy, Hat to you (charity)"]
    stolen = told_by("Bo", 1, *[("takes a card from Cid", "moved")] * 2)
    assert [one.text for one in since(stolen, ME)] == ["Bo takes 2 cards from Cid"]


def test_what_an_ability_costs_is_told_once() -> None:
    """Formerly, the cards were discarded in one line, and their number was told in the next."""
    log = told_by("Bo", 1, ("discards Hat to pay", "moved"), ("discards Rope to pay", "moved"),
                  ("uses Saddle, discarding 2 cards", "used-ability"))  # fmt: skip
    assert [one.text for one in since(log, ME)] == ["Bo uses Saddle, discarding Hat, Rope"]
    act = [*log[:2], replace(log[2], act=True)]
    assert [one.text for one in since(act, ME)] == ["Bo uses Saddle, discarding 2 cards"], "as its act is told"


def test_a_card_that_brings_its_player_a_level_is_told_with_the_level() -> None:
    log = told_by("Bo", 1, ("plays Medal", "moved"), ("gains 1 level (Medal): Level 3", "level-changed"),
                  ("plays Hat", "moved"))  # fmt: skip
    log[1] = replace(log[1], amount="+1")
    assert [one.text for one in since(log, ME)] == ["Bo is at Level 3 now (+1: Medal)", "Bo plays Hat"]
    for_cid = [log[0], *told_by("Cid", 3, ("gains 1 level (Medal): Level 3", "level-changed"))]
    assert len(since(for_cid, ME)) == 2, "who played it is news"


def test_an_effect_is_told_once_with_how_long_it_lasts() -> None:
    """"Bo plays Doubt on you. Doubt affects you for the next roll." said the same twice."""
    def effect(text: str, about: str = "lasting-began") -> LogLine:
        return LogLine(text, "event", "3.1", -1, "", about=about)

    play = told_by("Bo", 1, ("plays Doubt on you", "moved"))
    log = [*play, effect("Doubt affects you for the next roll"), effect("Rain affects Cid in the next combat"),
           effect("Rain affects Cid from now on", "lasting-armed")]  # fmt: skip
    assert [one.text for one in since(log, ME)] == [
        "Bo plays Doubt on you for the next roll", "Rain affects Cid from now on",
    ]  # fmt: skip
    fought = [replace(play[0], act=True), log[1]]
    assert len(since(fought, ME)) == 2, "the act keeps its words"


def test_a_deal_of_help_is_told_without_the_way_to_it() -> None:
    """Formerly, the stage said that an offer is accepted, and in the next row that its player helps."""
    deal = [
        *told_by("Cid", 3, ("fights Bearbug", "fight-began")),
        *told_by("Bo", 1, ("offers Cid help for 1 Treasure", "offered")),
        *(replace(one, yours=True) for one in told_by("Cid", 3, ("accepts your offer", "offer-closed"))),
    ]  # fmt: skip
    helps = told_by("Bo", 1, ("helps for 1 Treasure", "helper-came"))
    assert [one.text for one in since([*deal, *helps], ME)] == ["Cid fights Bearbug", "Bo helps for 1 Treasure"]
    assert len(since(deal, ME)) == 3


def test_cards_that_one_seat_lays_out_are_one_line() -> None:
    log = told_by("Bo", 1, *[(f"plays {card}", "moved") for card in ("Hat", "Rope", "Rain on Cid", "Spear")])
    log += [replace(log[0], text="Bo plays Potion", act=True)]
    assert [one.text for one in since(log, ME)] == [
        "Bo plays Hat, Rope", "Bo plays Rain on Cid", "Bo plays Spear", "Bo plays Potion",
    ]  # fmt: skip


def leveled(who: str, seat: int, by: int, level: int, why: str, **more: Any) -> LogLine:
    """Return the line of a Level that has changed by a card."""
    begins = f"{who} gain" if who == "You" else f"{who} gains"
    return LogLine(f"{begins} {by} level{'s' * (by > 1)} ({why}): Level {level}", "event", "3.1", seat, who, f"{by:+d}",
                   yours=seat == ME, about="level-changed", **more)  # fmt: skip


def test_a_card_that_changes_the_levels_of_several_is_one_sentence_with_its_player() -> None:
    """"You gain 1 level (Everybody Gets One)" did not say who had played it, and each seat had a sentence."""
    card = "Everybody Gets One"
    play = told_by("Bo", 1, (f"plays {card}", "moved"))[0]
    rose = [leveled("Bo", 1, 2, 3, card), leveled("Cid", 3, 1, 2, card), leveled("You", ME, 1, 2, card),
            leveled("Dee", 4, 1, 5, card)]  # fmt: skip
    (one,) = since([play, *rose], ME)
    assert one.text == f"Bo plays {card}: Bo +2 to Level 3, you +1 to Level 2, Cid and Dee +1"
    assert one.yours and one.seat == 1
    in_fight = since([replace(play, act=True), *rose], ME)
    assert [line.text for line in in_fight] == [
        f"{card}: Bo +2 to Level 3, you +1 to Level 2, Cid and Dee +1", play.text,
    ], "the act keeps its words"  # fmt: skip
    later = leveled("Bo", 1, 1, 4, "the kill")
    assert [line.text for line in since([play, *rose, later], ME)][1:] == ["Bo is at Level 4 now (+1: the kill)"]
    assert len(since([play, rose[1]], ME)) == 2, "one seat alone is told as ever"


def test_who_begins_is_told_with_all_dice_once_it_is_known() -> None:
    """Four sentences told the dice, and none what they had led to."""
    rolls = [("Bo", 1, 2), ("You", ME, 4), ("Cid", 3, 5), ("Dee", 4, 5), ("Cid", 3, 1), ("Dee", 4, 3)]
    dice = [replace(line(f"{who} roll{'s' * (seat != ME)} {die} (who begins)", "rolled", seat), who=who, step="0.7")
            for who, seat, die in rolls]  # fmt: skip
    begun = LogLine("Turn 1: Dee", "turn", seat=4, who="Dee")
    (one,) = since([*dice, begun], ME)
    assert one.text == "Dee begins (rolled 5, 3; Cid 5, 1, you 4, Bo 2)"
    (mine,) = since([*dice, replace(begun, seat=ME, who="Kim")], ME)
    assert mine.text == "You begin (rolled 4; Dee 5, 3, Cid 5, 1, Bo 2)"
    assert len(since(dice, ME)) == 4, "not known yet"


def test_a_monster_that_is_killed_at_a_tie_is_told_once() -> None:
    log = told_by("Bo", 1, ("wins the fight, a tie", "stage-set"))
    log.append(line("Bearbug is killed, 2 Treasures due", "monster-left", -1))
    assert [one.text for one in since(log, ME)] == ["Bo wins the fight, a tie"]


def test_a_die_that_changes_a_level_twice_is_told_with_the_whole_change() -> None:
    """"Dot rolls 6 (You Are Taller Today): gains 1 level: Level 2", though it had brought two."""
    rose = [leveled("Bo", 1, 1, level, "Medal") for level in (2, 3)]
    die = replace(line("Bo rolls 6 (Medal)", "rolled"), who="Bo", then=rose[0].text, just=True)
    found = since([die, *rose], ME)
    assert "Bo rolls 6 (Medal): gains 2 levels: Level 3." in [sentence(one) for one in found]
    assert sentence(since([die, rose[0]], ME)[0]).endswith("gains 1 level: Level 2.")


def test_the_card_that_takes_something_becomes_its_noun_where_there_is_little_room() -> None:
    taken = replace(line("Bo takes Spear from you (Boots of Skipping Ahead)", yours=True), who="Bo")
    assert sentences(taken) == [
        "Bo takes Spear from you (Boots of Skipping Ahead).", "Bo takes Spear from you (Boots).",
    ]  # fmt: skip
