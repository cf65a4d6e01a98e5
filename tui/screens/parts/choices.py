"""The choices at the table, as rows of the prompt, or in a list where they do not fit."""

import asyncio
from typing import Any

from textual.geometry import Size
from textual.screen import Screen

from core.state import actions as a
from tui.menus.entries import Menu, Picker
from tui.menus.keyed import Choice
from tui.scene.outlook import ASKED, NOTHING, SAME
from tui.scene.outlook import rank as wanted
from tui.scene.scene import Scene, seat_colour, shape
from tui.screens.parts.model import TableModel
from tui.screens.parts.remarks import Remarks
from tui.widgets.choice_list import ChoiceList, Item
from tui.widgets.table.details import Details
from tui.widgets.table.foot import MORE_ROWS, Asked, Foot, PromptPane
from tui.widgets.table.prompt import Row, fits, pages, room, said_lines
from tui.widgets.table.stage_acts import told_since

PINNED = (
    "prompt.pass", "hand.use", "prompt.back", "table.kick", "table.claim", "table.run", "table.end", "table.again",
)  # fmt: skip
"""Bindings whose choices stand on every page of the prompt."""


class Choices:
    """Arranges the choices of the open menu for the prompt and the list."""

    def __init__(self, model: TableModel, remarks: Remarks, screen: Screen[Any]) -> None:
        """screen: has the prompt, and gets the list when it is first wanted."""
        self._model, self._remarks, self._screen = model, remarks, screen
        self._ordered = ""
        """The question whose choices have been put in order."""
        self._places: dict[str, int] = {}

    # --------------------------------------------------------------------------------------------------------- prompt
    @property
    def _size(self) -> Size:
        return self._screen.query_one(PromptPane).size

    @property
    def listing(self) -> bool:
        """Whether the choices stand in a list, since they do not fit in the prompt."""
        model = self._model
        if not model.keyed.listed:
            return False
        size = self._size
        if not size.width:  # the window is too small for the table: the gate lists everything
            return False
        if isinstance(model.here, Picker) or model.keyed.slot_pages > 1:
            return True
        return not fits(self._remarks.prompt, self.all_rows(), *size, model.now.glyphs)

    @property
    def in_list(self) -> bool:
        """Whether the cursor is in the list, and not in the hand."""
        return self.listing and not self._model.in_hand

    def all_rows(self) -> list[Row]:
        """Return a row for every choice on this page of digits, and for the keys beside them."""
        model = self._model
        now = asyncio.get_running_loop().time()
        here = [one for one in model.keyed.choices if one.key and one.page == model.keyed.slot_page]
        lettered = [one.entry.go for one in here if one.entry is not None and one.entry.on]
        here = [one for one in here if one.entry is None or one.entry.on or one.entry.go not in lettered]
        here = [one for one in here if one.entry is None or not sold_with_others(one.entry.key)]
        passing = [one for one in here if one.key == "prompt.pass"]
        beside = [Row(model.names[ident], words, pinned=ident in PINNED) for ident, words in model.current.keys]
        before = self._in_order([one for one in here if one not in passing])
        last = [] if model.coached else passing  # the coach has this key
        return [*(self._row(one, now) for one in before), *beside, *(self._row(one, now) for one in last)]

    def _in_order(self, found: list[Choice]) -> list[Choice]:
        """Return choices in the order in which they are shown: in a fight by what each would change, otherwise those in
        vain near the end, before those that ask once more. The order stays as long as the question does."""
        model = self._model
        fight = model.now.fight
        if model.keyed.listed:
            return sorted(found, key=lambda one: one.asks)
        if fight is None or fight.stage != "fight":
            return sorted(found, key=lambda one: (one.asks, one.key.isdigit() and wanted(one.outlook)[0] == SAME))
        if self._ordered != model.current.ident:
            self._ordered, self._places = model.current.ident, {}
        for one in sorted(found, key=lambda one: (needless(one, model.now), *change(one))):
            self._places.setdefault(named(one), len(self._places))
        return sorted(found, key=lambda one: (one.asks, one.key == "table.run", self._places[named(one)]))

    def _row(self, choice: Choice, now: float) -> Row:
        model = self._model
        key = choice.key if choice.key.isdigit() else model.names[choice.key]
        dead = model.keyed.dead(choice.key, now)
        pinned, order = choice.key in PINNED, rank(choice, model.now)
        spare = not model.keyed.listed and choice.card in model.keyed.hand
        return Row(
            key, choice.words, choice.outlook, choice.asks, dead, pinned, choice.seat, order, spare, choice.question
        )

    def rows(self) -> list[Row]:
        """Return the rows of the prompt on all its pages: every choice, or those beside the list."""
        rows = self.all_rows()
        return [row for row in rows if not row.key.isdigit()] if self.listing else rows

    def asked(self) -> Asked:
        """Return what the prompt shows."""
        model = self._model
        keyed = model.keyed
        after = (keyed.slot_page + 1) % keyed.slot_pages
        later = (one.words for one in keyed.choices if one.page == after and one.key.isdigit())
        rows, further = tuple(self.rows()), next(later, "more") if keyed.slot_pages > 1 else ""
        listing = self.listing
        told = listing and self.panel.tells
        return Asked(
            model.now, self._remarks.telling, rows, model.menus.page, further, model.menus.before_votes, listing, told
        )

    def turn_page(self) -> None:
        """Turn to the next page of choices, after the last one to the next digits."""
        model = self._model
        size = self._size
        rows = self.rows()
        lines = room(self._remarks.telling, rows, *size, model.now.glyphs)
        further = model.keyed.slot_pages > 1
        model.menus.turn(len(pages(rows, lines, size.width, further)), model.keyed.slot_pages)
        model.redraw()

    def make_room(self) -> None:
        """If the foot has few rows, give it one more for each further line of a remark: the choices keep theirs."""
        foot, width = self._screen.query_one(Foot), self._size.width
        more = min(said_lines(self._remarks.telling, width, self._model.now.glyphs) - 1, MORE_ROWS) if width else 0
        if more != foot.more:
            foot.more = more
            self._screen.call_after_refresh(self._model.redraw)

    # ----------------------------------------------------------------------------------------------------------- list
    def show_list(self) -> None:
        """Show the choices of a question in the list, if they do not fit in the prompt."""
        model = self._model
        listing = self.listing
        if listing != self._screen.has_class("listing"):
            model.in_hand = False
        self._screen.set_class(listing, "listing")
        if not listing:
            return
        now = asyncio.get_running_loop().time()
        pick = isinstance(model.here, Picker)
        found = self.listed()
        vain = all(wanted(one.outlook)[0] == SAME for one in found)  # which does not help to choose
        items = [
            Item(
                one.key if one.page == model.keyed.slot_page else "", one.words, model.keyed.dead(one.key, now),
                one.picked if pick else None, one.asks, NOTHING if vain else one.outlook,
                shape(one.seat, model.now.glyphs.ascii) if one.seat >= 0 else "", seat_colour(one.seat),
            )
            for one in found
        ]  # fmt: skip
        first = next((at for at, one in enumerate(found) if one.page == model.keyed.slot_page), 0)
        scene = model.now
        self.panel.show(
            "Pick" if pick else "Choose", items, first, lambda width, rows: told_since(scene, rows, width)
        )

    @property
    def panel(self) -> ChoiceList:
        """The list of choices, which is made when it is first needed."""
        for found in self._screen.query(ChoiceList):
            return found
        made = ChoiceList("choices")
        self._screen.mount(made, before=self._screen.query_one(Details))
        return made

    def listed(self) -> list[Choice]:
        """Return the choices that the list shows, in the order of their digits."""
        found = [one for one in self._model.keyed.choices if one.key.isdigit()]
        return sorted(found, key=lambda one: (one.page, one.key))

    def marked_card(self) -> int:
        """Return the card under the cursor: in the open list, or in the hand if the player has moved there; 0 if there
        is none."""
        if self._model.in_hand:
            return self._model.now.selected()
        at = self.panel.highlighted if self.listing else None
        return self.listed()[at].card if at is not None else 0


def named(choice: Choice) -> str:
    """Return what identifies a choice among those of its question."""
    return choice.entry.key if choice.entry is not None else str(choice.at)


def change(choice: Choice) -> tuple[int, ...]:
    """Return a sort key by what a choice changes: the most wanted first."""
    return tuple(-part for part in wanted(choice.outlook))


def sold_with_others(key: str) -> bool:
    """Return whether an entry is that of a card of the hand which can only be sold: one letter sells all there is."""
    return key.startswith("card:") and key.endswith(":sell")


def answers_offer(choice: Choice) -> bool:
    """Return whether a choice answers an offer to the player."""
    go = choice.entry.go if choice.entry is not None else None
    return isinstance(go, Menu) and any(isinstance(entry.go, a.Accept) for entry in go.entries)


def needless(choice: Choice, scene: Scene) -> bool:
    """Return whether a choice offers help to somebody who wins without it, and so hardly takes it."""
    fight = scene.fight
    helps = choice.key == "table.deal" and fight is not None and scene.me not in (fight.seat, fight.helper)
    return helps and fight is not None and fight.winning and not answers_offer(choice)


def rank(choice: Choice, scene: Scene) -> int:
    """Return the rank of a choice where not all fit on a page."""
    if answers_offer(choice):
        return -1
    if needless(choice, scene):
        return 3
    deciding = wanted(choice.outlook)[0] >= ASKED and choice.outlook.sums
    if deciding and (scene.fight is not None or not choice.key.isdigit()):
        return 0
    vain = wanted(choice.outlook)[0] == SAME
    return (3 if vain else 2) if choice.key.isdigit() else 3 if choice.key == "table.gear" else 1
