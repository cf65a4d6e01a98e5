"""What a table's log takes in."""

from msgspec.structs import replace

from core.state import events as ev
from core.state.views import Deciding, View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.scene.cells import UNICODE
from tui.scene.table_session import TableSession


def test_a_choice_that_nobody_was_asked_for_is_not_in_the_log() -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    card = samples.no("Festive Gift Wrap")
    asked = replace(samples.view(), deciding=[Deciding(samples.BO, "option", card)])
    told: tuple[tuple[View, ev.AnyEvent], ...] = (
        (asked, ev.TurnBegan(samples.BO, 8)),
        (samples.view(), ev.Chose(samples.BO, card, "really chosen")),
        (samples.view(), ev.Chose(samples.BO, card, "the only way")),
        (samples.view(), ev.Chose(samples.BO, -1, "stays and helps")),
    )
    for no, (view, event) in enumerate(told, 1):
        client.tell(wire.Update(0, no, view, [wire.NumberedEvent(no, event)]))
    lines = " ".join(line.text for line in session.log)
    assert "really chosen" in lines and "stays and helps" in lines and "the only way" not in lines
