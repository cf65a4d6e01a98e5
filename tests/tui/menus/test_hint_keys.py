"""The keys that hints name, pressed one after the other in whole games, do what the hints advise."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Action
from core.state.views import View
from netcode.protocol.wire import SeatInfo, TableInfo
from tests.tui import bot_games, samples
from tests.tui.key_presser import KeyPresser
from tui.lessons.adviser import Adviser
from tui.menus.paths import LATER
from tui.scene.scene import Scene

INFO = TableInfo("", [SeatInfo(name, "here") for name in ("Ada", "Bo", "Cid")], "playing")
NOT_IN_MENUS = (a.Hold,)


def decisions(seed: int, every: int) -> Iterator[tuple[View, int, Action]]:
    """Yield the actions of a good player in a game of bots."""
    adviser = Adviser(samples.catalog())
    for seat, view in bot_games.views(seed, seats=3, every=every):
        if seat >= 0 and view.you is not None and view.you.legal:
            action = adviser.advice(view).action
            if action is not None and not isinstance(action, NOT_IN_MENUS):
                yield view, seat, action


def plain(action: object) -> object:
    """Return an action without the fields that are filled in when it is sent, its picks in the order of their keys."""
    if isinstance(action, a.Answer):
        action = replace(action, picks=tuple(sorted(action.picks)))
    names = getattr(action, "__struct_fields__", ())
    later = {name: None if name == "anyway" else -1 for name in LATER if name in names}
    return replace(action, **later) if later else action  # type: ignore[type-var]


@pytest.mark.parametrize("seed", [3, 11])
def test_the_keys_that_hints_name_do_what_they_advise(seed: int) -> None:
    reached = 0
    for view, seat, action in decisions(seed, every=5):
        player = KeyPresser(Scene(samples.catalog(), INFO, view, seat))
        said = player.follow(action)
        if player.sent is None and said[-1] == "":
            continue  # a card of the hand while the digits are answers: it has no key
        assert plain(player.sent) == plain(action), (said, player.sent, action)
        reached += 1
    assert reached > 50
