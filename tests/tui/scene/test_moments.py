"""Moments: the events of real games of every set that get a picture, and how they are shown."""

from collections import Counter

import pytest
from msgspec.structs import replace

import cards
from core.language import catalog as catalogs
from core.state import events as ev
from core.state.events import AnyEvent, seen_by
from core.state.model import Joined, Placed, defn_of
from core.state.views import Deciding
from core.view import view
from tests.tui import moment_samples, samples, set_samples
from tests.tui.bot_games import moments as game_moments
from tui.scene.moments import CHANGES, WAITING, Moments, how_to_show

SETS = ("munchkins-and-mazes", "axe-cop", "apocalypse", "warhammer-40k")
USUAL = {"door", "die", "run", "won", "called", "victory"}
"""Kinds that every game has."""


@pytest.mark.long(4)
@pytest.mark.parametrize("set_id", SETS)
def test_games_of_every_set_have_their_moments_and_all_of_them_are_drawn(set_id: str) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    seen: Counter[str] = Counter()
    for found in moment_samples.of_game(catalog, 6):
        seen[found.kind] += 1
        assert found.said and len(found.changes) <= CHANGES
        if seen[found.kind] > 4:
            continue
        for width, height in ((60, 20), (120, 40)):
            lines = moment_samples.drawn(found, width, height, catalog=catalog, seats=4)
            assert len(lines) <= height - 6 and {len(line) for line in lines} == {len(lines[0])}
    assert seen.keys() >= USUAL
    assert seen["victory"] == 1


def test_a_die_tells_its_outcome_only_when_it_is_known() -> None:
    for found in moment_samples.of_game(samples.catalog(), 5):
        if found.kind == "die" and found.roll is not None and found.roll.need:
            total = found.roll.die + sum(by for _, by in found.roll.adds)
            assert found.escaped is not None and (not found.escaped or total >= found.roll.need)


def test_a_roll_to_run_is_shown_where_others_roll_in_the_same_step() -> None:
    """The killed runner's heirs rolled for the order, and the moment said that nobody could roll to escape."""
    foe, fight = samples.public("Bearbug"), samples.own_fight()
    rolled = ev.Rolled(samples.ME, 2, "run away", [("Squeaky Shoes", -1)], 5, foe)
    others = [ev.Rolled(seat, 3, "order of looting", [], 0, 0) for seat in (samples.BO, 2)]
    for before, after in (([], others), (others, [])):
        keeper = Moments(samples.catalog())
        keeper.hear([], samples.view(fight=replace(fight, stage="lost")), samples.NAMES, samples.ME)
        caught = ev.Fled(samples.ME, foe, defn_of(foe), False)
        keeper.hear([*before, rolled, caught, *after], samples.view(), samples.NAMES, samples.ME)
        found = keeper.take()
        assert found is not None and (found.kind, found.roll, found.escaped) == ("die", rolled, False)
        assert not keeper, "the log has the dice of the others"


def test_two_moments_wait_at_most_and_older_ones_are_only_told() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    for level in range(2, 10):
        keeper.hear([ev.LevelChanged(samples.ME, 1, level, "the sale")], samples.view(), samples.NAMES, samples.ME)
    assert len(keeper) == WAITING and len(keeper.overtaken()) == WAITING and keeper.overtaken() == []
    found = keeper.take()
    assert found is not None and found.changes[0].levels == (7, 8)


def test_a_step_back_and_another_game_forget_what_waits() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([ev.LevelChanged(0, 1, 2, "")], samples.view(), samples.NAMES, samples.ME)
    keeper.hear([ev.SteppedBack(0, 0, "play", 3)], samples.view(), samples.NAMES, samples.ME)
    assert not keeper and keeper.overtaken() == []


def test_a_hand_that_one_is_shown_belongs_to_the_moment_and_looks_of_others_do_not() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    lost = ev.LevelChanged(samples.BO, -1, 3, "Grue")
    shown = [ev.Shown(samples.BO, samples.ME, [samples.no("Elf")]), ev.Shown(samples.BO, 4, [])]
    keeper.hear([lost, *shown], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and [change.text for change in found.changes][1:] == ["You see Bo's hand: Elf"]


def test_what_is_hidden_from_a_seat_is_in_none_of_its_moments() -> None:
    catalog = samples.catalog()
    keeper = Moments(catalog)
    for state, events in game_moments(2, 4):
        told = [seen for event in events if (seen := seen_by(event, 0)) is not None]
        keeper.hear(told, view(catalog, state, 0), samples.NAMES, 0)
        hidden = [e for e in events if isinstance(e, ev.Drew) and e.seat != 0 and e.cards and not e.face_up]
        names = {catalog.cards[card & 4095].card.name for event in hidden for card in event.cards}
        while (found := keeper.take()) is not None:
            drew = [change.text for change in found.changes if " draw" in change.text and change.seat != 0]
            assert not [text for text in drew if any(name in text for name in names)]


@pytest.mark.parametrize(
    ("waits", "touches", "how"),
    [("each", False, "stays"), ("each", True, "stays"), ("touching", True, "stays"), ("touching", False, "log"),
     ("never", True, "toast"), ("never", False, "log")],
)  # fmt: skip
def test_alone_a_moment_stays_as_the_setting_says(waits: str, touches: bool, how: str) -> None:
    found = next(one for one in moment_samples.of_game(samples.catalog(), 1) if one.touches == touches)
    assert how_to_show(found, True, waits, True) == how


def test_at_a_table_of_people_nothing_covers_a_question() -> None:
    for kind in moment_samples.KINDS:
        found = moment_samples.moment(kind)
        assert how_to_show(found, False, "each", True) == "toast"
        assert how_to_show(found, False, "each", False) == "passes"


def test_a_card_that_a_player_takes_from_another_one_is_a_moment_unless_it_follows_from_one() -> None:
    card = samples.public("Pickle Spear")
    taken = ev.Moved(card, card, "table", samples.ME, "hand", samples.BO, "taken", samples.BO)
    keeper = Moments(samples.catalog())
    keeper.hear([taken], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and (found.kind, found.touches) == ("taken", True)
    assert (found.seat, found.by) == (samples.ME, samples.BO)
    assert found.said == "Bo takes Pickle Spear from you" and found.card == samples.no("Pickle Spear")
    hidden = ev.Moved(0, 0, "hand", 3, "hand", samples.BO, "taken", samples.BO, hidden=True)
    keeper.hear([hidden], samples.view(), samples.NAMES, samples.ME)
    unseen = keeper.take()
    assert unseen is not None and unseen.card == -1 and not unseen.touches
    keeper.hear([ev.Turned(samples.ME, samples.public("Bearbug")), taken], samples.view(), samples.NAMES, samples.ME)
    door = keeper.take()
    assert door is not None and door.kind == "door" and not keeper
    assert [one.text for one in door.changes] == [found.said]


def test_what_follows_from_a_moment_is_told_once() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    keeper.hear([ev.LevelChanged(samples.ME, 1, 3, "sale")], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.kind == "level" and found.told.count("Level 3") == 1


def test_when_too_many_wait_those_that_touch_the_reader_are_kept() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    for seat in (samples.ME, samples.BO, 3):
        keeper.hear([ev.Died(seat)], samples.view(), samples.NAMES, samples.ME)
    assert [one.seat for one in keeper] == [samples.ME, 3] and [one.seat for one in keeper.overtaken()] == [samples.BO]


def _swap(giver: int, taker: int, *names: str) -> list[AnyEvent]:
    """One gives the first of these cards for the second."""
    mine, other = map(samples.public, names)
    return [
        ev.Moved(other, other, "table", taker, "table", giver, "swapped", giver),
        ev.Moved(mine, mine, "table", giver, "table", taker, "swapped", taker),
    ]


def test_a_swap_by_a_card_is_a_moment_that_says_who_gets_what_and_by_whom() -> None:
    helm = samples.public("Helm of Selective Hearing")
    events = [
        ev.Moved(0, helm, "hand", samples.BO, "limbo", -1, "played", samples.BO),
        *_swap(samples.ME, samples.BO, "Pickle Spear", "Wombat Boots"),
    ]
    keeper = Moments(samples.catalog())
    keeper.hear(events, samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and not keeper and (found.kind, found.touches) == ("swapped", True)
    assert (found.by, found.card) == (samples.BO, samples.no("Wombat Boots")), "the card that the reader gets"
    assert [one.text for one in found.changes] == ["Bo passes Wombat Boots to you", "You pass Pickle Spear to Bo"]
    assert samples.catalog().cards[found.through & 4095].name == "Helm of Selective Hearing"
    assert "A CARD OF YOURS IS SWAPPED" in "\n".join(moment_samples.drawn(found, 80, 24))


def test_ones_own_swap_is_not_called_a_loss() -> None:
    choosing = samples.view(deciding=[Deciding(samples.ME, "take", samples.no("Threehander"))])
    keeper = Moments(samples.catalog())
    keeper.hear([], choosing, samples.NAMES, samples.ME)
    swap = _swap(samples.ME, samples.BO, "Pickle Spear", "Wombat Boots")
    keeper.hear(swap, samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and (found.kind, found.by) == ("swapped", samples.ME)
    shown = "\n".join(moment_samples.drawn(found, 80, 24))
    assert "YOU SWAP CARDS" in shown and "through Threehander" in shown and "You pass Pickle Spear to Bo" in shown
    keeper.hear(_swap(2, samples.BO, "Pickle Spear", "Wombat Boots"), samples.view(), samples.NAMES, samples.ME)
    other = keeper.take()
    assert other is not None and not other.touches
    shown = "\n".join(moment_samples.drawn(other, 80, 24))
    assert "CARDS ARE SWAPPED" in shown and "Cid passes Pickle Spear to Bo" in shown


@pytest.mark.parametrize("asked", [samples.BO, samples.ME])
def test_ones_own_curse_waits_until_it_is_chosen_what_it_costs(asked: int) -> None:
    curse, hat = samples.public("Bad Hat Day"), samples.no("Bad Hat Day")
    played = ev.Moved(curse, curse, "hand", samples.ME, "limbo", -1, "played", samples.ME, on_seat=samples.BO)
    keeper = Moments(samples.catalog())
    keeper.hear([played], samples.view(deciding=[Deciding(asked, "lose", hat)]), samples.NAMES, samples.ME)
    assert not keeper, "it is still chosen what Bo loses"
    lost = ev.Moved(samples.public("Plot Armor"), 0, "table", samples.BO, "treasure", -1, "lost", samples.BO)
    keeper.hear([lost], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.kind == "curse" and not found.escaped
    assert [one.text for one in found.changes] == ["Bo loses Plot Armor"]


def test_a_die_of_a_text_waits_until_somebody_else_has_chosen_what_follows() -> None:
    hat = samples.no("Bad Hat Day")
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    asking = samples.view(top="program", deciding=[Deciding(samples.BO, "lose", hat)])
    keeper.hear([ev.Rolled(samples.BO, 2, "Bad Hat Day")], asking, samples.NAMES, samples.ME)
    assert not keeper, "Bo chooses what the roll costs"
    lost = ev.Moved(samples.public("Plot Armor"), 0, "table", samples.BO, "treasure", -1, "lost", samples.BO)
    keeper.hear([lost], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.kind == "die" and [one.text for one in found.changes] == ["Bo loses Plot Armor"]


def test_a_curse_of_another_player_on_the_reader_comes_before_the_choice_what_it_costs() -> None:
    curse = samples.public("Bad Hat Day")
    played = ev.Moved(curse, curse, "hand", samples.BO, "limbo", -1, "played", samples.BO, on_seat=samples.ME)
    keeper = Moments(samples.catalog())
    asking = samples.view(deciding=[Deciding(samples.ME, "lose", samples.no("Bad Hat Day"))])
    keeper.hear([played], asking, samples.NAMES, samples.ME)
    assert len(keeper) == 1


def test_who_is_caught_by_a_monster_that_takes_nothing_reads_so() -> None:
    monster, defn = samples.public("Bearbug"), samples.no("Bearbug")
    events: list[AnyEvent] = [
        ev.Rolled(samples.ME, 1, "run away", [], 5, monster), ev.Fled(samples.ME, monster, defn, False),
        ev.Fizzled(samples.ME, defn, ev.LOWEST_LEVEL),
    ]
    keeper = Moments(samples.catalog())
    keeper.hear(events, samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and (found.kind, found.escaped) == ("die", False)
    assert "takes no level from you: Level 1 is the lowest" in found.changes[0].text


@pytest.mark.parametrize(("event", "why"), [
    (ev.LevelChanged(samples.BO, -1, 8, "Bad Hat Day"), "Bo loses 1 level (Bad Hat Day): Level 8"),
    (ev.StageSet(samples.BO, "lost", 3), "Bo loses the fight by 3 and must run away"),
    (ev.FightEnded(samples.BO, "removed"), "The fight is over: no monster is left"),
])  # fmt: skip
def test_a_match_point_that_is_averted_says_by_what(event: AnyEvent, why: str) -> None:
    fight = replace(samples.own_fight(), seat=samples.BO, match_point=True)
    hat = samples.public("Bad Hat Day")
    played = ev.Moved(0, hat, "hand", 4, "limbo", -1, "played", 4, on_seat=samples.BO)
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(fight=fight), samples.NAMES, samples.ME)
    keeper.hear([played, event], samples.view(fight=None), samples.NAMES, samples.ME)
    found = [one for one in keeper if one.kind == "averted"]
    assert [[change.text for change in one.changes] for one in found] == [["Eve plays Bad Hat Day on Bo", why]]
    assert why[:20] in "\n".join(moment_samples.drawn(found[0], 80, 24))


def test_whoever_gives_up_a_fight_for_the_game_turns_no_pages_before_they_run() -> None:
    """Formerly, two moments came between giving up and the roll, and repeated the stage and the prompt."""
    lost, fight = ev.StageSet(samples.ME, "lost", 5), replace(samples.own_fight(), match_point=True)
    after = replace(fight, stage="lost", match_point=False)
    for me, shown in ((samples.ME, []), (samples.BO, ["averted"])):
        keeper = Moments(samples.catalog())
        keeper.hear([], samples.view(fight=fight), samples.NAMES, me)
        keeper.hear([lost], samples.view(fight=after), samples.NAMES, me)
        assert [one.kind for one in keeper] == ["run", "averted"], "the log and the waits for each act have them"
        assert [one.kind for one in keeper if how_to_show(one, True, "touching", True) == "stays"] == shown


def test_a_match_point_that_a_card_has_called_says_so() -> None:
    fight = replace(samples.own_fight(), seat=samples.BO)
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(fight=fight), samples.NAMES, samples.ME)
    played = ev.Moved(0, samples.public("Greater"), "hand", 4, "fight", -1, "played", 4)
    keeper.hear([played], samples.view(fight=replace(fight, match_point=True)), samples.NAMES, samples.ME)
    (found,) = [one for one in keeper if one.kind == "called"]
    assert [one.text for one in found.changes] == ["Eve plays Greater"]


def test_a_curse_that_another_seat_may_keep_off_is_told_with_its_outcome() -> None:
    curse = samples.public("Bad Hat Day")
    asking, after = samples.view(), samples.view()
    asking.deciding = [Deciding(samples.BO, "shield", samples.no("Bad Hat Day"))]
    played = ev.Moved(curse, curse, "hand", samples.ME, "limbo", -1, "played", samples.ME, on_seat=samples.BO)
    keeper = Moments(samples.catalog())
    keeper.hear([played], asking, samples.NAMES, samples.ME)
    assert not keeper, "Bo may keep it off"
    stopped = ev.Fizzled(samples.BO, samples.no("Bad Hat Day"), "Helm keeps it off")
    keeper.hear([stopped], after, samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.kind == "curse" and found.escaped is True
    assert "Helm keeps it off" in found.changes[0].text


@pytest.mark.parametrize(("event", "kind"), [
    (ev.StageSet(samples.BO, "won", margin=3), "won"), (ev.FightEnded(samples.BO, "ended"), "over"),
])  # fmt: skip
@pytest.mark.parametrize("plays", [False, True])
def test_the_result_of_a_fight_touches_whoever_played_into_it(event: AnyEvent, kind: str, plays: bool) -> None:
    joined = [Joined(7, 0, samples.ME)] if plays else []
    fight = replace(samples.own_fight(), seat=samples.BO, cards=joined)
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(fight=fight), samples.NAMES, samples.ME)
    keeper.hear([event], samples.view(fight=fight), samples.NAMES, samples.ME)
    found = keeper.take()
    if plays:
        assert found is not None and (found.kind, found.touches) == (kind, True)
    else:
        assert found is None if kind == "over" else found is not None and not found.touches


def test_loot_is_shown_before_what_followed_when_all_had_taken_theirs() -> None:
    """A death opens the last Seal, so the game ends as soon as the body is looted. Formerly, the end was shown
    first."""
    keeper, card = Moments(samples.catalog()), samples.public("Pickle Spear")
    took = [ev.Moved(card, card, "body", 2, "hand", seat, "looted", seat) for seat in (1, 3)]
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    keeper.hear([took[0]], samples.view(top="looting"), samples.NAMES, samples.ME)
    assert not list(keeper), "others still take theirs"
    over = samples.view(winners=[1], top="over")
    keeper.hear([took[1], ev.Won([1], "the seventh Seal")], over, samples.NAMES, samples.ME)
    assert [moment.kind for moment in keeper] == ["looting", "victory"]
    assert next(len(moment.changes) for moment in keeper) == 2


def test_a_seal_that_opens_names_the_card_that_opened_it() -> None:
    """Formerly, the moment named only the player, not the cause: a Bad Stuff, a card of theirs, or an Ally."""
    box, seen = set_samples.apo_idle()
    hiss, shark, inspector = box.held("Sealed With a Hiss", "Puddle Shark", "Inspector of Seals")
    seal = ev.SealOpened(1, seen.seals_open[0], 4)
    by_card: list[AnyEvent] = [ev.Moved(hiss, hiss, "hand", 1, "fight", -1, "played", 1), seal]
    by_bad_stuff: list[AnyEvent] = [ev.Fled(1, inspector, defn_of(inspector), False), seal]
    by_death: list[AnyEvent] = [ev.Moved(shark, shark, "hand", 1, "limbo", -1, "played", 1), ev.Died(1), seal]
    for events, through in ((by_card, defn_of(hiss)), (by_bad_stuff, defn_of(inspector)), (by_death, -1)):
        keeper = Moments(box.catalog)
        keeper.hear([], seen, samples.NAMES, samples.ME)
        keeper.hear(events, seen, samples.NAMES, samples.ME)
        assert [one.through for one in keeper if one.kind == "seal"] == [through]


def test_a_die_that_is_thrown_again_shows_both_numbers_and_who_had_it_thrown() -> None:
    monster, cocked = samples.public("Bearbug"), samples.public("Cocked Die")
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    roll = ev.Rolled(samples.ME, 6, "run away", [("Elf", 1)], 5, monster)
    keeper.hear([
        roll, ev.RolledAgain(samples.BO, cocked, samples.ME, 0, ""),
        ev.Moved(cocked, cocked, "table", samples.BO, "treasure", -1, "spent", samples.BO),
        replace(roll, die=2), ev.Fled(samples.ME, monster, samples.no("Bearbug"), False),
    ], samples.view(), samples.NAMES, samples.ME)  # fmt: skip
    found = keeper.take()
    assert found is not None and not keeper and found.roll is not None
    assert (found.roll.die, [one.die for one in found.earlier]) == (2, [6])
    drawn = "\n".join(moment_samples.drawn(found, 80, 24))
    assert "Bo has your die rolled again (Cocked Die)" in drawn and "to pay" not in drawn
    first, now = (next(line for line in drawn.split("\n") if words in line) for words in ("first, 7", "the die"))
    assert drawn.index(first) < drawn.index(now) and " 2 " in now


def test_two_dice_of_one_card_are_two_moments() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    dice = [ev.Rolled(samples.ME, 2, "Bad Hat Day"), ev.Rolled(samples.ME, 5, "Bad Hat Day")]
    keeper.hear(dice, samples.view(), samples.NAMES, samples.ME)
    shown = [keeper.take(), keeper.take()]
    assert [one.roll.die for one in shown if one is not None and one.roll is not None] == [2, 5]


def test_where_everybody_rolls_for_a_card_the_reader_sees_their_own_die() -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    toddler = [ev.Rolled(seat, 3, "Mandrake Toddler") for seat in range(4)]
    keeper.hear(toddler, samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.seat == samples.ME and not keeper
    keeper.hear([ev.Rolled(seat, 3, "who begins") for seat in range(4)], samples.view(), samples.NAMES, samples.ME)
    assert not keeper, "a die that only decides who is first"


@pytest.mark.parametrize(("name", "words"), [
    ("Thief", "On 4 or more take a Small Item of theirs"), ("Class Dismissed", "on 14 or less lose a Class"),
])  # fmt: skip
def test_a_die_of_a_text_says_what_the_text_makes_of_its_number(name: str, words: str) -> None:
    keeper = Moments(samples.catalog())
    keeper.hear([], samples.view(), samples.NAMES, samples.ME)
    keeper.hear([ev.Rolled(samples.BO, 2, name, sides=20, on=samples.ME)], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.card == samples.no(name)
    for size in ((80, 24), (60, 20)):
        drawn = " ".join(" ".join(moment_samples.drawn(found, *size)).replace("│", " ").split())
        assert words in drawn and "a die of 20" in drawn


def test_a_fight_that_is_over_names_the_last_play_and_how_it_stood() -> None:
    wizard, two = samples.public("Wizard"), samples.own_combat()
    assert two.fight is not None
    two.fight.monsters = [*two.fight.monsters, *two.fight.monsters]
    keeper = Moments(samples.catalog())
    keeper.hear([], two, samples.NAMES, samples.ME)
    keeper.hear([ev.UsedAbility(samples.ME, wizard, 1, -1, 0, "")], two, samples.NAMES, samples.ME)
    keeper.hear([ev.FightEnded(samples.ME, "removed")], samples.view(), samples.NAMES, samples.ME)
    found = keeper.take()
    assert found is not None and found.kind == "over"
    drawn = " ".join(" ".join(moment_samples.drawn(found, 80, 24)).replace("│", " ").split())
    assert "You use Wizard" in drawn and "it stood 8 : 12" in drawn and "against 2 Bearbug" in drawn


def test_who_draws_because_a_seal_opens_says_by_which_card() -> None:
    """Formerly, two rivals drew a Treasure and a Door card, and nothing said why."""
    box, seen = set_samples.apo_idle()
    insured = box.open("Household Insurance")
    seen.seats[1].table.append(Placed(insured))
    keeper = Moments(box.catalog)
    keeper.hear([], seen, samples.NAMES, samples.ME)
    opened = ev.SealOpened(2, seen.seals_open[0], 4)
    keeper.hear([opened, ev.Drew(1, "treasure", 1, []), ev.Drew(2, "treasure", 2, [])], seen, samples.NAMES, samples.ME)
    (seal,) = keeper
    assert [change.text for change in seal.changes] == [
        "Bo draws 1 Treasure (Household Insurance)", "Cid draws 2 Treasures",
    ]  # fmt: skip
