"""The answers that a screen gives by itself betray nobody's hand: whatever the seat holds, the others are sent the same
bytes at the same times, before a door is opened, in a fight and at match point, at every pace."""

import pytest

from core.state.actions import Claim, Flee, Kick, Pass
from netcode.protocol import codec, wire
from netcode.protocol.paces import PACES
from netcode.table.session import Out
from tests.netcode.offline_table import FIGHT, STRONG, OfflineTable, Player, passed, rules
from tests.netcode.table.lone_player import BOTS_TURN
from tui.menus.windows import verdict
from tui.scene.scene import Scene
from tui.screens.parts.auto_pass import AUTO_PASS_S

HELPLESS = ("Advantaged", "Cardsharp Imp")
"""The card held in one world, where the player can play it into a fight, and the card held in the other world, where
the player can only pass."""
CURSE = "Hole in the Pocket"
"""What can be played at any time."""
ALONE = BOTS_TURN.replace("Advantaged", "Wombat Boots")
LONG = 30_000
"""How long the table is watched, ms: longer than a window with a clock."""


class Tapped(OfflineTable):
    """A table that keeps what it sends to each address, and when (ms)."""

    def __init__(self, game: str, **config: object) -> None:
        self.tap: dict[bytes, list[tuple[int, bytes]]] = {}
        super().__init__(game, **config)  # type: ignore[arg-type]

    def sent(self, out: list[Out]) -> None:
        for one in out:
            if not isinstance(one.message, wire.Welcome):  # its token is random
                self.tap.setdefault(one.address, []).append((self.now, codec.pack(one.message)))

    def wait_and_answer(self, person: Player, ms: int) -> list[str]:
        """Let time pass. Where the screen of this person would pass by itself, pass as it does. Return its verdicts on
        the windows that were open."""
        found, passed = [], 0
        for _ in range(ms // 100):
            self.wait(100)
            window, what = person.view.window, judged(self, person)
            found += [what] if what else []
            if what in ("passes", "weighed") and window is not None and window.id != passed:
                passed = window.id
                self.wait(round(1000 * AUTO_PASS_S))
                person.act(Pass(window.id))
        return found


def judged(table: Tapped, person: Player) -> str:
    """Return the verdict of this person's screen on the open window."""
    scene = Scene(rules().catalog, table.table.info(), person.view, person.seat, timers=person.timers)
    return verdict(scene, "useful")


def worlds(game: str, card: str, holds: tuple[str, str], **config: object) -> list[Tapped]:
    """Return two tables: in the scenario, each replaces this card by another one of `holds`."""
    return [Tapped(game.replace(card, held), **config) for held in holds]


def same(tables: list[Tapped], but: bytes) -> int:
    """Check that all addresses but one were sent the same messages at the same times. Return the number of these
    messages."""
    one, two = ({to: sent for to, sent in table.tap.items() if to != but} for table in tables)
    assert one.keys() == two.keys()
    for to, sent in one.items():
        assert sent == two[to], f"{to!r} sees what somebody else holds"
    return sum(map(len, one.values()))


@pytest.mark.long(2)
@pytest.mark.parametrize("pace", PACES)
def test_no_answer_of_a_screen_shows_others_what_its_seat_holds(pace: str) -> None:
    for kind, game, holds in (("kick", FIGHT, (CURSE, "Cardsharp Imp")), ("lost", FIGHT, HELPLESS),
                              ("claim", STRONG, HELPLESS)):  # fmt: skip
        tables, found = worlds(game, "Advantaged", holds, pace=pace), []
        for table in tables:
            table.spectator()
            kim, roger, ross = table.sit("Kim", "Roger", "Ross")
            kim.act(Kick())
            if kind != "kick":
                table.wait(1_600)
                kim.act(Claim() if kind == "claim" else Flee())
            window = kim.view.window
            assert window is not None and window.kind == kind
            ross.act(Pass(window.id))
            found.append(set(table.wait_and_answer(roger, LONG)))
        assert same(tables, b"Roger") > 50
        clocked = kind == "kick" or (kind == "lost" and pace != "relaxed")
        assert found == [{"asked"}, {"left" if clocked else "asked"}], (kind, pace)


@pytest.mark.parametrize("kind", ["kick", "lost"])
def test_no_answer_of_somebody_alone_with_bots_shows_spectators_what_they_hold(kind: str) -> None:
    holds = (CURSE, "Cardsharp Imp") if kind == "kick" else HELPLESS
    tables, found = worlds(ALONE, "Prismatic Glitter", holds, pace="book", bots=2), []
    for table in tables:
        watcher = table.spectator()
        (kim,) = table.sit("Kim")
        roger, ross = table.seat_own_bots()
        assert table.table.info().solo and watcher.present
        roger.act(Kick())
        if kind != "kick":
            passed(kim, [kim, ross])
            table.wait(2_000)
            roger.act(Flee())
        passed(kim, [ross])
        found.append(set(table.wait_and_answer(kim, LONG)))
    assert same(tables, b"Kim") > 30
    assert found == [{"asked"}, {"asked"}]


def test_alone_and_unwatched_it_passes_what_has_no_answer() -> None:
    table = worlds(ALONE, "Prismatic Glitter", (CURSE, "Cardsharp Imp"), pace="book", bots=2)[1]
    (kim,) = table.sit("Kim")
    roger, ross = table.seat_own_bots()
    roger.act(Kick())
    passed(kim, [ross])
    assert "passes" in table.wait_and_answer(kim, 3_000)
    assert kim.view.fight is not None, "the door is open"
