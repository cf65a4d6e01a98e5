"""The events since the reader's last act."""

from tui.scene.scene import LogLine
from tui.scene.since import KEPT, LOOKED_AT, own_last, since

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
    assert [one.text for one in since(log, ME)] == ["Bo is at Level 4 now (+2)", "Cid is at Level 2 now (-2)"]
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
