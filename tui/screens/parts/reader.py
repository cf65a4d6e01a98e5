"""Reading at the table, each kind with its own key: cards, seats, Seals, the log; and the keys that scroll it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from textual.geometry import Size
from textual.screen import Screen

from core.state.model import defn_of
from tui.config.keymap import HelpRows
from tui.menus.entries import Menu
from tui.render.details import Detail, asking_card, page, scrolled
from tui.scene.scene import FIRST_CARD, Scene
from tui.scene.situation import bots_wait
from tui.screens.parts.model import TableModel
from tui.widgets.bound import own_keys
from tui.widgets.table.details import Details
from tui.widgets.table.stage_cards import effective

if TYPE_CHECKING:
    from tui.screens.history import What

FEW = 4
"""How many lines an arrow scrolls."""
SCROLLED = ("keys", "why", "seat", "seals")
"""Kinds of details that arrows scroll."""


def _lying(there: Sequence[int], card: int) -> int:
    """Return the card of this definition that lies there, 0 if there is none. card: by its id, or the number of its
    definition."""
    wanted = defn_of(card) if card >= FIRST_CARD else card
    found = [one for one in there if (defn_of(one) if one >= FIRST_CARD else one) == wanted]
    return card if card in found else next(iter(found), 0)


class Reader:
    """Opens what the player reads, beside the stage or over the table. Screens over the table are loaded when they
    open."""

    def __init__(
        self, model: TableModel, screen: Screen[Any], helped: Callable[[Mapping[str, str]], HelpRows],
        marked: Callable[[], int] = lambda: 0,
    ) -> None:  # fmt: skip
        """helped: returns the rows of all keys, with the player's own. marked: returns the card under the cursor of an
        open list, 0 without one."""
        self._model, self._screen, self._helped, self._marked = model, screen, helped, marked

    def action_read(self) -> None:
        """Read the first card that there is: the one under the cursor of a list, the one that asks, the first one to
        choose from, the one in effect or for which bots wait (unless the player has moved in the hand since), or the
        selected one. The arrows show the others."""
        from tui.widgets.cards.page import cards_to_read  # only when it is opened

        scene = self._model.now
        there = [shown.card for shown in cards_to_read(scene)]
        read = 0 if self._model.in_hand else _lying(there, self._in_effect(scene))
        found = [self._marked(), asking_card(scene), *self._offered(), read, scene.selected(), *there[:1]]
        card = next(filter(None, found), 0)
        if card:
            self.read_card(card)

    @staticmethod
    def _in_effect(scene: Scene) -> int:
        """Return the card that decides what happens now, else the one for which bots wait, -1 if there is none."""
        card = effective(scene)
        return next(reversed(list(scene.causes)), -1) if card < 0 and bots_wait(scene) else card

    def _offered(self) -> list[int]:
        """Return the cards that the open question is about."""
        model = self._model
        asked = model.menus.nested or (isinstance(model.here, Menu) and model.here.asked > 0)
        return [card for card in model.cards if card] if asked else []

    def read_card(self, card: int) -> None:
        """Show a card large, over the table. Cards to choose from come before all others."""
        from tui.screens.card import CardScreen  # only when it is opened

        model = self._model
        first = (asking_card(model.now), *self._offered())
        self._screen.app.push_screen(CardScreen(model.session, lambda: model.now, card, first))

    def action_others(self) -> None:
        """Show another seat's gear, the next one with each press."""
        reading, scene = self._model.reading, self._model.now
        seats = len(scene.view.seats)
        seat = (reading.arg + 1) % seats if reading.kind == "seat" else (scene.me + 1) % seats
        self._model.read(Detail("seat", seat))

    def action_seals(self) -> None:
        """Show the open Seals in full."""
        self._model.read(Detail("seals"))

    def action_recap(self) -> None:
        """Show what happened since the player's last turn."""
        self._open_history("recap")

    def action_log(self) -> None:
        """Show the whole log."""
        self._open_history("log")

    def _open_history(self, what: "What") -> None:
        from tui.screens.history import HistoryScreen  # only when it is opened

        said = self._model.session.remark  # the key that opens this takes it from the prompt
        self._screen.app.push_screen(HistoryScreen(what, self._newest, partial(self._question, said)))

    def _question(self, said: str, scene: Scene) -> str:
        """Return what the player is asked in this moment, after the remark that the prompt had; empty if nothing."""
        asks = self._model.question(scene)
        answer = f"{asks.text} ({scene.key_names['history.close']} goes back to answer)"
        return f"{said} {answer if asks.urgent and not scene.replay else ''}".strip()

    def _newest(self) -> Scene:
        """Return the newest scene; if the game is over for this screen, the last one shown."""
        session, now = self._model.session, self._model.now
        return replace(session.scene(), replay=now.replay) if session.playing else now

    def action_keys(self) -> None:
        """Show every key."""
        self._model.large = self._model.reading.kind != "keys"
        self._model.read(Detail("keys", keys=self._helped(own_keys(self._screen.app))))

    def action_maximise(self) -> None:
        """Give the open detail more room."""
        model = self._model
        if not model.reading.kind:
            model.read(Detail("why"))
        model.large = not model.large
        model.redraw()

    # --------------------------------------------------------------------------------------------------------- moving
    def action_scroll(self, pages: int) -> None:
        """Scroll what is being read by pages."""
        self._scroll(pages * page(self._size.height))

    @property
    def _size(self) -> Size:
        return self._screen.query_one(Details).size

    def _scroll(self, lines: int) -> None:
        width, height = self._size
        if width and height:
            self._model.reading = scrolled(self._model.now, self._model.reading, lines, width, height)
            self._model.redraw()

    def move(self, across: int, down: int) -> bool:
        """Go to the next seat while seats are read, or scroll; return whether arrows move what is being read."""
        reading = self._model.reading
        if reading.kind == "seat" and across:
            seats = len(self._model.now.view.seats)
            self._model.read(Detail("seat", (reading.arg + across) % seats))
        elif reading.kind in SCROLLED and down:
            self._scroll(down * FEW)
        else:
            return False
        return True
