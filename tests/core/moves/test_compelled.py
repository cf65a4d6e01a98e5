"""Help that cannot be compelled: a card without any other effect is refused, any other card is played. One or two
cards are changed for each test."""

from typing import Any

import pytest

from core.language import schema as v
from core.language.selectors import If
from tests.core.changed_cards import scenario_passes, with_cards

CHOOSE, COMPEL = v.ChooseSeat(), v.Compel()
SEATS = """
[scenario.seats.Ann]
level = 2
hand = ["Level Drain Pipe", "Two Trapdoors", "Lawn Gnome"]
table = ["Horn of Teamwork"]
[scenario.seats.Bo]
[scenario.seats.Cy]
"""
ALONE = """
doors = ["Training Dummy"]
steps = [
  { by = "Ann", do = "kick" },
  { pass = "all" },
"""
ALLOWED = ALONE.replace("Training Dummy", "Bearbug")


def volunteer(*play: v.Op, **fields: object) -> dict[str, Any]:
    """Fields of Involuntary Volunteer with this text."""
    return {"play": play, "if_": None, **fields}


def passes(steps: str, holder: str = "Ann", **fields: object) -> None:
    """Check steps with an Involuntary Volunteer with these fields in a hand, beside two curses that kill."""
    hand = SEATS.replace('hand = ["', 'hand = ["Involuntary Volunteer", "')
    if holder == "Bo":
        hand = SEATS.replace("[scenario.seats.Bo]", '[scenario.seats.Bo]\nhand = ["Involuntary Volunteer"]')
    kills: dict[str, object] = {"play": (v.Kill(),)}
    catalog = with_cards(involuntary_volunteer=fields, level_drain_pipe=kills, two_trapdoors=kills)
    scenario_passes(f"{steps}]\n{hand}", catalog)


@pytest.mark.proves("help.compelled-barred")
def test_nobody_can_be_made_to_help_when_nobody_else_is_alive() -> None:
    ends = """
  { by = "Ann", do = "play", card = "Level Drain Pipe", on = "Bo" },
  { by = "Ann", do = "play", card = "Two Trapdoors", on = "Cy", expect = { dead = ["Bo", "Cy"] } },
  { by = "Ann", do = "play", card = "Involuntary Volunteer", refused = "help.compelled", legal = false },
  { by = "Ann", do = "use", card = "Horn of Teamwork", pay = ["Lawn Gnome"], refused = "help.compelled" },
"""
    passes(ALLOWED + ends)


def test_the_one_player_who_is_left_can_be_made_to_help() -> None:
    passes(
        ALLOWED
        + """
  { by = "Ann", do = "play", card = "Level Drain Pipe", on = "Bo", expect = { dead = ["Bo"] } },
  { by = "Ann", do = "use", card = "Horn of Teamwork", pay = ["Lawn Gnome"], expect = { helper = "Cy" } },
"""
    )


def test_a_helper_keeps_another_from_being_compelled_even_if_the_card_does_not_say_so() -> None:
    passes(
        ALLOWED
        + """
  { by = "Ann", do = "offer", to = "Cy" },
  { by = "Cy", do = "accept" },
  { by = "Ann", do = "play", card = "Involuntary Volunteer", refused = "help.ask", legal = false },
""",
        **volunteer(CHOOSE, COMPEL),
    )


def test_nobody_is_compelled_while_somebody_runs_away() -> None:
    passes(
        ALLOWED.replace("steps", "dice = [5]\nsteps")
        + """
  { by = "Ann", do = "flee" },
  { pass = "all" },
  { by = "Ann", do = "play", card = "Involuntary Volunteer", refused = "help.ask-when", legal = false },
  { by = "Ann", do = "roll" },
""",
        **volunteer(CHOOSE, COMPEL, when="any"),
    )


def test_a_bystander_who_compels_for_the_fighter_cannot_choose_the_fighter() -> None:
    passes(
        ALLOWED
        + """
  { by = "Bo", do = "play", card = "Involuntary Volunteer", expect = { helper = "Cy" } },
""",
        holder="Bo",
        **volunteer(CHOOSE, COMPEL, when="combat"),
    )


def test_a_condition_on_the_choice_may_leave_nobody_to_compel() -> None:
    """Only the fighter can be chosen, and the text after the choice has no effect."""
    passes(
        ALLOWED
        + """
  { by = "Bo", do = "play", card = "Involuntary Volunteer", refused = "help.compelled", legal = false },
""",
        holder="Bo",
        **volunteer(v.ChooseSeat(meets=If(fighting=True)), COMPEL, when="combat"),
    )


def test_a_card_that_does_something_else_too_is_played_and_pays_for_no_help() -> None:
    passes(
        ALONE
        + """
  { by = "Ann", do = "play", card = "Involuntary Volunteer", vain = "in part" },
  { by = "Ann", do = "answer", pick = ["Bo"], expect = { log = "nobody can be made to help" } },
  { expect = { helper = "", hand = { Bo = 0 }, heroes = 5 } },
""",
        **volunteer(CHOOSE, COMPEL, v.Draw(who="chosen", if_=If(alone=False)), v.Bonus(by=3, side="heroes")),
    )


def test_nothing_is_said_of_help_where_somebody_can_be_made_to() -> None:
    passes(
        ALLOWED
        + """
  { by = "Ann", do = "play", card = "Involuntary Volunteer", vain = false },
  { by = "Ann", do = "answer", pick = ["Bo"], expect = { helper = "Bo" } },
""",
        **volunteer(CHOOSE, COMPEL, v.Bonus(by=3, side="heroes")),
    )


def test_an_ability_that_does_something_else_too_is_announced_before_it_is_paid() -> None:
    do = (CHOOSE, COMPEL, v.Draw(who="you"))
    rally = v.Ability(text="Rally.", when="own-combat", cost=v.Cost(), do=do)
    scenario_passes(
        f"""{ALONE}
  {{ by = "Ann", do = "use", card = "Horn of Teamwork", pay = ["Lawn Gnome"], vain = "in part" }},
  {{ by = "Ann", do = "answer", pick = ["Bo"], expect = {{ helper = "", hand = {{ Ann = 3 }} }} }},
]
{SEATS}""",
        with_cards(horn_of_teamwork={"abilities": (rally,)}),
    )


def test_a_card_that_does_something_else_too_is_refused_in_a_fight_for_the_win() -> None:
    scenario_passes(
        ALLOWED
        + """
  { by = "Ann", do = "play", card = "Involuntary Volunteer", refused = "help.compelled", legal = false },
]
[scenario.seats.Ann]
level = 9
hand = ["Involuntary Volunteer"]
[scenario.seats.Bo]
""",
        with_cards(involuntary_volunteer=volunteer(CHOOSE, COMPEL, v.Bonus(by=3, side="heroes"))),
    )


def test_a_choice_that_would_only_compel_leaves_the_card_to_its_other_choice() -> None:
    """One of the choices has an effect, so the card is played."""
    either = v.Option(
        by="you",
        of=(v.Choice(text="call", do=(CHOOSE, COMPEL)), v.Choice(text="draw", do=(v.Draw(who="you"),))),
    )
    passes(
        ALONE
        + """
  { by = "Ann", do = "play", card = "Involuntary Volunteer", vain = "in part" },
  { by = "Ann", do = "answer", pick = ["draw"], expect = { hand = { Ann = 4 } } },
""",
        **volunteer(either),
    )


def test_a_text_with_many_choices_of_players_is_judged_in_no_time() -> None:
    """A choice after a choice is not examined: with six players, twenty such choices would take years."""
    passes(
        ALONE
        + """
  { by = "Ann", do = "play", card = "Involuntary Volunteer", vain = "in part" },
"""
        + '  { by = "Ann", do = "answer", pick = ["Bo"] },\n' * 20,
        **volunteer(*(CHOOSE,) * 20, COMPEL),
    )
