"""The head: it says whose act it is, leaves out needless words, and is always one line."""


import pytest
from rich.cells import cell_len

from netcode.protocol.wire import TableInfo, VoteInfo
from tests.tui import samples, set_samples
from tui.scene.cells import ASCII, plain
from tui.scene.scene import Scene
from tui.widgets.table import head

WIDTHS = (60, 80, 93, 100, 120, 150, 200)


def text(scene: Scene, width: int = 120) -> str:
    """Return the head as text."""
    lines = head.draw(scene, width, 1)
    assert len(lines) == 1 and cell_len(plain(lines[0])) == width
    return plain(lines[0])


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", samples.SITUATIONS)
def test_decks_and_names_are_never_cut(name: str, width: int) -> None:
    scene = samples.scene(samples.SITUATIONS[name](), me=-1 if name == "watching" else samples.ME)
    line = text(scene, width)
    assert "41" in line and "30" in line and "…" not in line
    assert "PUB" not in line and "ms" not in line.split(), "neither table nor lag"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("idle", "■ Bo's turn"), ("your-turn", "● Your turn"), ("interrupt", "■ Bo fights"),
        ("own-combat", "● You fight"), ("running", "run"), ("over", "★ Eve wins the game"),
        ("first-cards", "First cards"),
    ],
)  # fmt: skip
def test_whose_act_it_is(name: str, words: str) -> None:
    assert words in text(samples.scene(samples.SITUATIONS[name]()))


def test_a_fight_for_the_game_is_called_so() -> None:
    view = samples.interrupt()
    view.fight.match_point = True
    assert "■ Bo fights for the game" in text(samples.scene(view), 80)


def test_whom_the_table_waits_for_is_said_if_it_is_not_who_acts() -> None:
    view = samples.idle()
    assert "waits" not in text(samples.scene(view))
    view.deciding[0].seat = 2
    assert "■ Bo's turn  waits for ◆ Cid" in text(samples.scene(view))


def test_a_window_does_not_reveal_who_has_passed() -> None:
    scene = samples.scene(samples.interrupt())
    assert "wait" not in text(scene) and "pass" not in text(scene)


@pytest.mark.parametrize("width", [80, 120])
def test_it_says_who_has_an_extra_turn(width: int) -> None:
    coming = text(samples.scene(samples.view(extra_turn=samples.ME)), width)
    assert "■ Bo's turn  then ● you again" in coming
    extra = text(samples.scene(samples.view(turn_after=samples.ME)), width)
    assert "■ Bo's turn, an extra one" in extra


def test_two_winners_are_both_named() -> None:
    assert "◆ Cid and ★ Eve win the game" in text(set_samples.scene("apo-over"))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_lost_connection_a_pause_a_vote_and_passing_by_itself_are_said(width: int) -> None:
    view = samples.idle()
    assert "no connection: trying again" in text(samples.scene(view, offline="gone"), width)
    paused: TableInfo = samples.info(stage="paused")
    assert "paused" in text(samples.scene(view, info=paused), width)
    voting = samples.info(vote=VoteInfo(1, 1, 1, "claim"))
    assert "take an act back" in text(samples.scene(view, info=voting), width)
    assert "you pass until the fight changes" in text(samples.scene(view, auto=True), width)


def test_the_discards_have_names_where_there_is_room() -> None:
    scene = samples.scene(samples.idle())
    assert "discards Bad Hat Day · Plot Armor" in text(scene, 200) and "discards" not in text(scene, 120)


def test_seals_are_counted_in_words() -> None:
    scene = set_samples.scene("apo-fight")
    assert "Seals 3 of 7" in text(scene, 80) and "Seals open 3, 4 more end the game" in text(scene, 160)


def test_ascii_stays_ascii_and_a_wide_name_whole() -> None:
    info = samples.info()
    info.seats[1].name = "名前名前"
    assert "名前名前's turn" in text(samples.scene(samples.idle(), info=info), 80)
    assert text(samples.scene(samples.idle(), ASCII), 80).isascii()
