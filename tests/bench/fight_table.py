"""A table without a host, to measure the cost of a sum on the screen: `x` plays a card into its fight, or takes it
away.

Run it in a terminal: `python -m tests.bench.fight_table`.
"""

from typing import Any, ClassVar

import msgspec
from textual.binding import Binding, BindingType

from core.state.views import Term, View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.app.app import KickdoorApp
from tui.config.settings import Settings, load
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen

BY = 5
"""The strength that the card adds to the monster's side."""


class FightApp(KickdoorApp):
    """The app with nothing but this table."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "change", priority=True)]

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.client: Any = FakeClient(samples.own_combat())

    def on_mount(self) -> None:
        """Show the table."""
        super().on_mount()
        self.push_screen(TableScreen(TableSession(self.client, samples.catalog(), self.glyphs)))

    def action_change(self) -> None:
        """Show the card, as a message of the host would."""
        self.client.tell(wire.Update(1, 0, changed(self.client.view), [], self.client.timers))


def changed(view: View) -> View:
    """Return the view with a card on the monster's side, or without it if it is there."""
    replace = msgspec.structs.replace
    fight = view.fight
    assert fight is not None
    terms = fight.foe_terms[:1]
    if len(fight.foe_terms) == 1:
        terms = [*terms, Term("Greater", BY, terms[0].card, 1)]
    return replace(view, fight=replace(fight, foes=sum(term.by for term in terms), foe_terms=terms))


if __name__ == "__main__":
    FightApp(load()).run()
