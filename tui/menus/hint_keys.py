"""Which key comes next on the way to what a hint advises. Pure."""

from collections.abc import Mapping

from msgspec import Struct

from core.state import actions as a
from core.state.actions import Action
from tui.menus.choices import root
from tui.menus.entries import Entry, Menu, Picker
from tui.menus.keyed import ENTER, SPACE, Choice, Keys
from tui.menus.keys import digit, page_of
from tui.menus.menu_state import SURE, MenuState
from tui.menus.offer_editor import Draft, chosen
from tui.menus.offer_steps import SETS, begins, next_step
from tui.menus.paths import entries_to, picks, through
from tui.scene.scene import Scene
from tui.scene.situation import bots_wait

BACK = "prompt.back"


class HintKeys(Struct, frozen=True):
    """The keys of one moment. here: the open menu or set; keyed: what its keys mean; names: how keys are written."""

    scene: Scene
    menus: MenuState
    here: Menu | Picker
    keyed: Keys
    names: Mapping[str, str]

    def words(self, action: Action | None) -> str:
        """Return the key that comes next, as a sentence: `Key: 3.`; empty if there is none."""
        key = self._next(action)
        return f" Key: {key}." if key else ""

    def _next(self, action: Action | None) -> str:
        if self.scene.info.vote is not None:
            return ""
        if action is None:
            free = bots_wait(self.scene) and not self.menus.nested and self.keyed.of_binding(SPACE) is None
            return self.names[SPACE] if free else ""
        draft = self.menus.draft
        if draft is not None and isinstance(action, a.Offer | a.Counter) and begins(draft, action):
            return self._in_editor(draft, action)
        if isinstance(self.here, Picker) and picks(self.here, action):
            return self._in_set(getattr(action, self.here.pick.field))
        return self._here(action) or self._from_first(action)

    # ------------------------------------------------------------------------------------------------ writing an offer
    def _in_editor(self, draft: Draft, action: a.Offer | a.Counter) -> str:
        """Return the key for the next term of the offer that is being written, or for the open set of one of its
        terms."""
        entry, until = next_step(self.scene, draft, action)
        open_set = self.menus.path[0] if self.menus.path else ""
        if open_set in SETS:
            return self._in_set(chosen(action.terms, open_set))
        if open_set:  # it is asked once more whether to send it
            return self.names[ENTER if entry == "send" else BACK]
        found = next((one for one in self.keyed.choices if one.entry is not None and one.entry.key == entry), None)
        return ", ".join(filter(None, (self._of(found), until))) if found is not None else ""

    def _in_set(self, cards: tuple[int, ...]) -> str:
        """Return the key that brings the open set closer to these cards, ENTER if they are chosen; empty if there is
        none."""
        if not isinstance(self.here, Picker) or self.menus.path[-1] == SURE:
            return ""
        among = self.here.pick.among
        wrong = [card for card in among if (card in cards) != (card in self.menus.picked)]
        if not set(cards) <= set(among):
            return ""
        if self.here.takes_all and len(wrong) == len(among) and len(self.menus.picked) in (0, len(among)):
            return self.names["prompt.all"]
        extra = sorted(wrong, key=lambda card: card not in self.menus.picked)  # cards to put back come first
        found = next((one for one in self.keyed.choices if extra and among[one.at] == extra[0]), None)
        return self._of(found) if found is not None else self.names[ENTER]

    # ----------------------------------------------------------------------------------------------------------- menus
    def _here(self, action: Action) -> str:
        """Return the key in the open question that leads to this action; empty if none does."""
        further = through(self.here.entries, action) if isinstance(self.here, Menu) else ()
        found = next((one for one in self.keyed.choices if one.key and further and one.entry == further[0]), None)
        return self._of(found) if found is not None else ""

    def _of(self, choice: Choice) -> str:
        """Return the key of a choice, with the turns to its page."""
        if not choice.key.isdigit():
            return self.names[choice.key]
        return _turned((choice.page - self.keyed.slot_page) % self.keyed.slot_pages, choice.key)

    def _from_first(self, action: Action) -> str:
        """Return the keys that lead back to the first menu and begin this action there; empty if it has none."""
        first = entries_to(self.scene, action)[:1]
        if not first or not self.menus.nested:
            return ""
        if first[0].on.startswith("table."):  # such a letter works in any menu, unless something must be answered first
            grave = isinstance(self.here, Menu) and self.here.grave
            return self._after(1 if grave or self.menus.picked else 0, self.names[first[0].on])
        key = self.names[first[0].on] if first[0].on else self._digit_in_hand(first[0])
        elsewhere = self.menus.draft is not None or self.menus.base is not root  # the path begins in another menu
        return self._after(len(self.menus.path) + elsewhere, key) if key else ""

    def _digit_in_hand(self, entry: Entry) -> str:
        """Return the digit that a card of the hand has in the first menu; empty if the digits are answers there."""
        place = self.keyed.order.get(entry.card, 0)
        if not place or root(self.scene).asked:
            return ""
        return _turned(page_of(place), digit(place))

    def _after(self, backs: int, key: str) -> str:
        return ", then ".join([self.names[BACK]] * backs + [key])


def _turned(turns: int, key: str) -> str:
    """Return a digit after this many turns of the page: `0, then 3`."""
    return ", then ".join(["0"] * turns + [key])
