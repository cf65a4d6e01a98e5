"""Where the player is in the menus: a path of keys, the ids picked so far, the offer being written. Pure.

The path survives a new view as long as every key on it still means something; else the player is back at the first menu
and is told so.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from core.state.actions import Action, Pick
from tui.menus.ask_text import card_label
from tui.menus.choices import Command, Entry, Menu, Picker, card_menu, gear_menu, root
from tui.menus.offer_editor import Draft, among, rows_of, sentence
from tui.menus.side_menus import vote_menu
from tui.scene.scene import Scene


@dataclass
class MenuState:
    """The player's place in the menus of one view after the other."""

    path: list[str] = field(default_factory=list)
    picked: list[int] = field(default_factory=list)
    draft: Draft | None = None
    page: int = 0
    base: Callable[[Scene], Menu] = root
    shunned: str = ""
    """The set that the player left with ESC: it is not stepped into by itself again."""
    first: bool = False
    """Whether what is open stands even before a vote: leaving the table."""
    by_itself: bool = False
    """Whether the player stands where the table has put him, not where keys have led."""

    def home(self) -> None:
        """Back to the first menu."""
        self.path, self.picked, self.draft, self.page, self.base = [], [], None, 0, root
        self.first = self.by_itself = False

    @property
    def nested(self) -> bool:
        """Whether ESC would lead anywhere."""
        return bool(self.path or self.draft is not None or self.base is not root)

    def here(self, scene: Scene) -> tuple[Menu | Picker, bool]:
        """The menu or set now open, and whether the player was thrown back because it is gone. While the table votes
        the vote stands before everything; where the player was is kept."""
        vote = vote_menu(scene)
        if vote is not None and not self.first:
            return vote, False
        if scene.sat_in and not self.first:
            return Menu("", ()), False
        menu: Menu | Picker = draft_menu(scene, self.draft) if self.draft is not None else self.base(scene)
        if not self.path and isinstance(menu, Menu) and menu.auto and menu.auto != self.shunned:
            self.path, self.picked, self.page, self.by_itself = [menu.auto], [], 0, True
        for depth, key in enumerate(self.path):
            found = next((e for e in menu.entries if e.key == key), None) if isinstance(menu, Menu) else None
            if found is None or not isinstance(found.go, Menu | Picker):
                put_here = self.by_itself and not self.picked  # by the table, which goes on by itself too
                lost = (depth > 0 or key != self.shunned) and not put_here
                self.home()
                return root(scene), lost
            menu = found.go
        if isinstance(menu, Picker):
            self.picked = [ident for ident in self.picked if ident in menu.pick.among]
        elif not menu.entries and self.base is not root:
            self.home()
            return root(scene), True
        return menu, False

    def choose(self, scene: Scene, entry: Entry) -> Action | Command | None:
        """Follow an entry; returns the action or command if that is what it leads to."""
        go = entry.go
        if scene.info.vote is not None and not self.first and isinstance(go, Command):
            return go
        if isinstance(go, Menu | Picker):
            self.path, self.page, self.by_itself = [*self.path, entry.key], 0, False
            self.picked = list(go.start) if isinstance(go, Picker) else []
        elif isinstance(go, Draft):
            self.draft, self.path, self.page, self.base = go, [], 0, root
        else:
            self.home()
            return go
        return None

    def toggle(self, picker: Picker, at: int) -> None:
        """Pick a member of the set, or put it back. With a limit of one the new one takes the old one's place."""
        ident = picker.pick.among[at]
        if ident in self.picked:
            self.picked.remove(ident)
        elif picker.pick.hi == 1:
            self.picked = [ident]
        elif len(self.picked) < picker.pick.hi:
            self.picked.append(ident)

    def confirm(self, picker: Picker) -> Action | None:
        """Hand the set in, if it may be; returns the action, or goes on with the draft."""
        if not picker.ready(self.picked):
            return None
        made = picker.make(tuple(self.picked))
        if isinstance(made, Draft):
            self.draft, self.path, self.picked, self.page = made, [], [], 0
            return None
        self.home()
        return made if not isinstance(made, Menu | Picker | Command) else None

    def back(self, scene: Scene) -> bool:
        """One step back; says whether there was one."""
        if not self.nested:
            return False
        if self.path:
            self.shunned = self.path[0] if len(self.path) == 1 else self.shunned
            self.path, self.picked, self.page = self.path[:-1], [], 0
        else:
            self.home()
        return True

    def enter_card(self, card: int) -> None:
        """Open the list of what can be done with a card."""
        self.home()
        self.base = lambda scene: card_menu(scene, card)

    def enter_gear(self) -> None:
        """Open the list of own gear."""
        self.home()
        self.base = gear_menu

    def enter(self, menu: Menu, first: bool = False) -> None:
        """Open a menu that does not come from the game (a question of the screen itself)."""
        self.home()
        self.first = first
        self.base = lambda scene: menu

    def enter_made(self, make: Callable[[Scene], Menu]) -> None:
        """Open a menu that is made anew from every view."""
        self.home()
        self.base = make

    def enter_draft(self, draft: Draft) -> None:
        """Open the editor of offers."""
        self.home()
        self.draft = draft


def draft_menu(scene: Scene, draft: Draft) -> Menu:
    """The editor: one entry for each term; the last one sends the offer."""
    entries = []
    for key, label, go in rows_of(scene, draft):
        entries.append(Entry(key, label, _picker(scene, draft, go) if isinstance(go, str) else go))
    entries.append(Entry("send", "send this offer", draft.action()))
    return Menu(sentence(scene, draft), tuple(entries))


def _picker(scene: Scene, draft: Draft, name: str) -> Picker:
    ids = among(scene, draft, name)
    labels = tuple(card_label(scene, card) for card in ids)
    words = {"gives": "Which Items are given?", "wants": "Which Items do you want?", "cards": "Which hand cards?"}
    pick = Pick("gives", ids, 0, max(1, len(ids)))
    return Picker(words[name], pick, labels, lambda chosen: draft.with_set(name, chosen), start=draft.chosen(name))
