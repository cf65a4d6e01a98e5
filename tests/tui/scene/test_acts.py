"""The acts of players on a fight: in games of every set, each change of the sums has its act."""

import pytest

import cards
from core.language import catalog as catalogs
from core.state import events as ev
from core.state.actions import AnyAction
from core.state.events import AnyEvent, seen_by
from core.state.model import State
from core.state.views import Deciding, View
from core.view import view
from netcode.simulation.game import SimulatedGame
from tests.tui import samples
from tui.scene.acts import KEPT, Act, Acts, is_play

NAMES = ("Kim", "Bea", "Cyd", "Dot")
SETS = ("munchkins-and-mazes", "axe-cop", "apocalypse", "warhammer-40k")


@pytest.mark.long(4)
@pytest.mark.parametrize("set_id", SETS)
def test_each_play_and_each_change_of_the_sums_is_an_act_of_whoever_did_it(set_id: str) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    keeper = Acts(catalog)
    keeper.hear([], view(catalog, SimulatedGame(catalog, ["normal"] * 4, 10).state, 0), NAMES, 0)
    views: list[View] = []
    seen: list[Act] = []

    def heard(state: State, seat: int, action: AnyAction, events: list[AnyEvent]) -> None:
        before, now = views[-1] if views else None, view(catalog, state, 0)
        views.append(now)
        told = [own for event in events if (own := seen_by(event, 0)) is not None]
        keeper.hear(told, now, NAMES, 0)
        if now.fight is None or before is None or before.fight is None or before.fight.no != now.fight.no:
            assert keeper.now == ()
            return
        was, sums = (before.fight.heroes, before.fight.foes), (now.fight.heroes, now.fight.foes)
        plays = [event for event in told if is_play(event)]
        assert not plays or keeper.now[-1].seat in range(4)
        if was != sums:
            last = keeper.now[-1]
            assert last.after == sums and last.said, "a sum changes, and nobody says why"
            assert last.seat == seat or not any(isinstance(event, ev.Moved) for event in plays)
            seen.append(last)

    SimulatedGame(catalog, ["normal"] * 4, 10, watch=heard).play(80)
    assert len(seen) >= 20 and any(act.card >= 0 for act in seen) and any(act.seat for act in seen)


def fight(no: int, heroes: int, foes: int) -> View:
    """Return a view of Bo's fight with these sums."""
    shown = samples.crowded()
    assert shown.fight is not None
    shown.fight.no, shown.fight.heroes, shown.fight.foes = no, heroes, foes
    return shown


def played(name: str, seat: int) -> ev.Moved:
    """Return the event of a card that a seat plays."""
    card = samples.public(name)
    return ev.Moved(card, card, "hand", seat, "limbo", -1, "played", seat)


def test_a_card_that_is_read_first_gets_its_sums_when_it_takes_effect() -> None:
    keeper = Acts(samples.catalog())
    keeper.hear([], fight(3, 18, 30), samples.NAMES, samples.ME)
    keeper.hear([played("Prismatic Glitter", 1)], fight(3, 18, 30), samples.NAMES, samples.ME)
    keeper.hear([], fight(3, 23, 30), samples.NAMES, samples.ME)
    assert [(act.seat, act.said, act.before, act.after) for act in keeper.now] == [
        (1, "Bo plays Prismatic Glitter", (18, 30), (23, 30))
    ]
    assert keeper.now[0].helps_heroes == 5 and keeper.now[0].card == samples.no("Prismatic Glitter")


def test_whoever_is_compelled_to_help_is_told_by_which_card() -> None:
    keeper = Acts(samples.catalog())
    asking = fight(3, 18, 30)
    asking.deciding = [Deciding(1, "seat", samples.no("Prismatic Glitter"))]
    keeper.hear([], asking, samples.NAMES, samples.ME)
    keeper.hear([ev.HelperCame(samples.ME, True)], fight(3, 21, 30), samples.NAMES, samples.ME)
    assert [act.said for act in keeper.now] == ["You have to help (Prismatic Glitter)"]


def test_a_card_that_a_text_asks_for_names_that_text_in_its_act() -> None:
    keeper = Acts(samples.catalog())
    asking = fight(3, 18, 30)
    asking.deciding = [Deciding(1, "cards", samples.no("Glampire"))]
    keeper.hear([], asking, samples.NAMES, samples.ME)
    spear = samples.public("Pickle Spear")
    lost = ev.Moved(spear, spear, "table", 1, "treasure", -1, "lost", 1)
    keeper.hear([lost], fight(3, 18, 25), samples.NAMES, samples.ME)
    (act,) = keeper.now
    assert act.said == "Bo loses Pickle Spear (Glampire)" and (act.before, act.after) == ((18, 30), (18, 25))


def test_acts_end_with_their_fight_and_with_a_step_back() -> None:
    keeper = Acts(samples.catalog())
    keeper.hear([], fight(3, 18, 30), samples.NAMES, samples.ME)
    keeper.hear([played("Prismatic Glitter", 1)], fight(3, 23, 30), samples.NAMES, samples.ME)
    assert keeper.now
    keeper.hear([], fight(4, 23, 30), samples.NAMES, samples.ME)
    assert not keeper.now
    keeper.hear([played("Prismatic Glitter", 1)], fight(4, 28, 30), samples.NAMES, samples.ME)
    keeper.hear([ev.SteppedBack(1, 1, "play", 3)], fight(4, 23, 30), samples.NAMES, samples.ME)
    assert not keeper.now


def test_the_number_of_acts_kept_is_bounded() -> None:
    keeper = Acts(samples.catalog())
    keeper.hear([], fight(3, 0, 30), samples.NAMES, samples.ME)
    for sum_ in range(1, 40):
        keeper.hear([played("Prismatic Glitter", 1)], fight(3, sum_, 30), samples.NAMES, samples.ME)
    assert len(keeper.now) == KEPT and keeper.now[-1].after == (39, 30)
