"""The player's place in the menus: the path of keys, what is picked so far, the offer being written. Pure.

The path survives a new view as long as each of its keys still has an entry. Otherwise the player returns to the first
menu, and a remark says so. A dangerous choice is one step longer: a menu that asks once more.
"""

from collections.abc import Callable

from msgspec import Struct, field
from msgspec.structs import replace

from core.state.actions import Action, Pick
from tui.menus.ask_text import card_label
from tui.menus.choices import root
from tui.menus.danger import danger_of
from tui.menus.entries import Command, Entry, Go, Menu, Picker
from tui.menus.narrowing import VERBS, option_place
from tui.menus.offer_editor import Draft, addressed, among, chosen, rows_of, sending_words, sentence
from tui.menus.outlooks import of_entry
from tui.menus.side_menus import vote_menu
from tui.scene.scene import Scene

SURE = "sure"
"""The step after a dangerous choice, which asks once more."""


class MenuState(Struct):
    """The player's place in the menus, from one view to the next."""

    path: list[str] = field(default_factory=list)
    """The keys of the entries followed so far, from the base menu."""
    picked: list[int] = field(default_factory=list)
    shares: dict[int, tuple[int, int]] = field(default_factory=dict)
    """For each member that is picked for one of several players: the player who got it first, and who gets it now."""
    plan: dict[int, int] = field(default_factory=dict)
    """Who gets each member of the set that was handed in last; see tui/screens/parts/sharing.py."""
    draft: Draft | None = None
    page: int = 0
    """The page of the prompt."""
    digits: int = 0
    """The page of digits: there are nine on each."""
    base: Callable[[Scene], Menu] = root
    """Makes the menu at which the path begins."""
    refused_auto: str = ""
    """The set that the player left with ESC: it does not open by itself again."""
    before_votes: bool = False
    """Whether the open menu comes even before a vote: that for leaving the table."""
    automatic: bool = False
    """Whether the open set opened by itself."""
    visit: int = 0
    """Counts how often the player began anew."""
    partner: int = -1
    """The player whom the last offer named: offers begin with them. -1: nobody, or the whole table."""
    hinted: int = -1
    """The player whom a hint has named since the last act; -1: nobody."""

    def reset(self) -> None:
        """Return to the first menu."""
        self.path, self.picked, self.shares, self.draft, self.base = [], [], {}, None, root
        self.page = self.digits = 0
        self.before_votes = self.automatic = False
        self.visit += 1

    @property
    def nested(self) -> bool:
        """Whether ESC leads anywhere."""
        return bool(self.path or self.draft is not None or self.base is not root)

    def here(self, scene: Scene) -> tuple[Menu | Picker, bool]:
        """Return the open menu or set, and whether the player's choice has just become impossible.

        A vote comes before everything else, and so does asking a player for whom a bot plays to press a key. The path
        is kept meanwhile.
        """
        if not self.before_votes:
            vote = vote_menu(scene)
            if vote is not None:
                return vote, False
            if scene.away:
                return Menu("", ()), False
        base = draft_menu(scene, self.draft) if self.draft is not None else self.base(scene)
        self._open_automatically(base)
        open_now, followed = self._follow(scene, base)
        if followed < len(self.path):
            news = self._is_news(followed)
            self.reset()
            return root(scene), news
        if isinstance(open_now, Picker):
            self.picked = [ident for ident in self.picked if ident in open_now.pick.among]
            self.shares = {ident: share for ident, share in self.shares.items() if ident in self.picked}
        elif not open_now.entries and self.base is not root:
            self.reset()
            return root(scene), True
        return open_now, False

    def _open_automatically(self, menu: Menu) -> None:
        """Open the set that a new menu opens by itself, unless the player has left it with ESC."""
        if not self.path and menu.auto and menu.auto != self.refused_auto:
            self.path, self.picked, self.automatic = [menu.auto], [], True
            self.page = self.digits = 0

    def _follow(self, scene: Scene, menu: Menu) -> tuple[Menu | Picker, int]:
        """Follow the path from this menu as far as it exists; return where it leads and how many keys were found."""
        open_now: Menu | Picker = menu
        for followed, key in enumerate(self.path):
            found = self._step(scene, open_now, key)
            if found is None:
                return open_now, followed
            open_now = found
        return open_now, len(self.path)

    def _step(self, scene: Scene, open_now: Menu | Picker, key: str) -> Menu | Picker | None:
        """Return where one key of the path leads from here; None if its entry is gone."""
        if isinstance(open_now, Picker):
            chosen = tuple(self.picked)
            question = open_now.danger(chosen) if key == SURE and open_now.ready(chosen) else ""
            return sure_menu(question, open_now.verb, open_now.make(chosen)) if question else None
        entry = next((entry for entry in open_now.entries if entry.key == key), None)
        if entry is None:
            return None
        question = danger_in(scene, entry)
        if question:
            return sure_menu(question, entry.label, entry.go)
        return entry.go if isinstance(entry.go, Menu | Picker) else None

    def _is_news(self, followed: int) -> bool:
        """Return whether to tell the player that the path broke after this many keys: not if the set had opened by
        itself."""
        if self.automatic and not self.picked:
            return False
        return followed > 0 or self.path[0] != self.refused_auto

    def choose(self, scene: Scene, entry: Entry) -> Action | Command | None:
        """Follow an entry; return the action or command if it leads to one."""
        go = entry.go
        if scene.info.vote is not None and not self.before_votes and isinstance(go, Command):
            return go
        if danger_in(scene, entry):
            self._go_on(entry.key)
        elif isinstance(go, Menu | Picker):
            self._go_on(entry.key)
            self.picked = list(go.start) if isinstance(go, Picker) else []
        elif isinstance(go, Draft):
            self.partner = go.to if entry.editing else self._partner(scene, entry)
            self.draft, self.path, self.base = go if entry.editing else addressed(scene, go, self.partner), [], root
        else:
            self.reset()
            self.hinted = -1
            return go
        return None

    def _partner(self, scene: Scene, entry: Entry) -> int:
        """Return the seat that a new offer is addressed to: the one that a hint has named since the last act, else the
        best helper that its row names, else the receiver of the last offer."""
        forecast = of_entry(scene, entry).forecast
        named = forecast.helper if forecast is not None and forecast.helper != scene.me else -1
        return next((seat for seat in (self.hinted, named, self.partner) if seat >= 0), -1)

    def _go_on(self, key: str) -> None:
        self.path, self.automatic = [*self.path, key], False
        self.page = self.digits = 0

    def turn(self, pages: int, digits: int) -> None:
        """Turn to the next page of the prompt, or after the last one to the next page of digits."""
        self.page = (self.page + 1) % max(1, pages)
        if self.page == 0:
            self.digits = (self.digits + 1) % max(1, digits)

    def toggle(self, picker: Picker, at: int) -> None:
        """Pick a member of the set, or put it back. In a set of one the new member replaces the old one. A member of a
        shared set goes first to whoever has the fewest, with further presses to each of the others, and then back."""
        ident = picker.pick.among[at]
        if picker.holders:
            self._share(picker, ident)
        elif ident in self.picked:
            self.picked.remove(ident)
        elif picker.pick.hi == 1:
            self.picked = [ident]
        elif len(self.picked) < picker.pick.hi:
            self.picked.append(ident)

    def _share(self, picker: Picker, ident: int) -> None:
        holders = picker.holders
        if ident in self.shares:
            first, now = self.shares[ident]
            then = holders[(holders.index(now) + 1) % len(holders)]
            if then == first:
                del self.shares[ident]
                self.picked.remove(ident)
            else:
                self.shares[ident] = first, then
        elif len(self.picked) < picker.pick.hi:
            to = min(holders, key=lambda seat: (self.given(seat), holders.index(seat)))
            self.shares[ident] = to, to
            self.picked.append(ident)

    def given(self, seat: int) -> int:
        """Return how many of the picked members go to a player."""
        return sum(now == seat for _, now in self.shares.values())

    def ready(self, picker: Picker) -> bool:
        """Return whether what is picked can be handed in: enough, not too many, and shared as evenly as possible."""
        counts = [self.given(seat) for seat in picker.holders]
        return picker.ready(self.picked) and (not counts or max(counts) - min(counts) <= 1)

    def toggle_all(self, picker: Picker) -> None:
        """Pick every member of the set, or put all back if every one is picked."""
        members = list(picker.pick.among)
        self.picked = [] if len(self.picked) == len(members) else members

    def confirm(self, picker: Picker) -> Action | None:
        """Confirm the set if it is allowed; return the action, or None if it is asked once more, or belongs to a
        draft."""
        if not self.ready(picker):
            return None
        if picker.danger(tuple(self.picked)):
            self.path = [*self.path, SURE]
            return None
        made = picker.make(tuple(self.picked))
        self.plan = {ident: now for ident, (_, now) in self.shares.items()}
        if isinstance(made, Draft):
            self.draft, self.path, self.picked = made, [], []
            self.page = self.digits = 0
            return None
        self.reset()
        return made if not isinstance(made, Menu | Picker | Command) else None

    def back(self, scene: Scene) -> bool:
        """Go one step back; return whether there was one."""
        if not self.nested:
            return False
        if self.path:
            self.refused_auto = self.path[0] if len(self.path) == 1 else self.refused_auto
            self.picked = self.picked if self.path[-1] == SURE else []
            self.shares = self.shares if self.picked else {}
            self.path = self.path[:-1]
            self.page = self.digits = 0
        else:
            self.reset()
        return True

    def enter(self, menu: Menu, before_votes: bool = False) -> None:
        """Open a fixed menu: a question of the screen itself."""
        self.reset()
        self.before_votes = before_votes
        self.base = lambda scene: menu

    def enter_made(self, make: Callable[[Scene], Menu]) -> None:
        """Open a menu that is made from each view."""
        self.reset()
        self.base = make


def danger_in(scene: Scene, entry: Entry) -> str:
    """Return the question to ask before an entry is taken; empty if it only leads on, or does no harm."""
    return "" if entry.sure else entry.danger or danger_of(scene, entry.go)


def sure_menu(question: str, words: str, go: Go) -> Menu:
    """Return the menu that asks once more: ENTER confirms, ESC goes back."""
    return Menu(question, (Entry("yes", words, go, on="hand.use", sure=True),), grave=True)


def draft_menu(scene: Scene, draft: Draft) -> Menu:
    """Return the offer editor: one entry for each term; the last one sends the offer, as soon as it is not empty."""
    entries = []
    for key, label, go in rows_of(scene, draft):
        made = _picker(scene, draft, go) if isinstance(go, str) else go
        entries.append(Entry(key, label, made, on=_COUNTING.get(key, ""), editing=True))
    if draft.says_something:
        entries.append(Entry("send", sending_words(scene, draft), draft.action(), on="hand.use"))
    warned = danger_of(scene, draft.action()) if draft.kind == "help" and draft.says_something else ""
    return Menu(". ".join(filter(None, (sentence(scene, draft), warned))), tuple(entries))


_COUNTING = {"more": "table.max", "less": "prompt.less"}
"""The bindings of the rows that change how many Treasures are offered."""


def _picker(scene: Scene, draft: Draft, name: str) -> Picker:
    ids = among(scene, draft, name)
    labels = tuple(card_label(scene, card) + option_place(scene, card) for card in ids)
    words = {"gives": "Which Items are given?", "wants": "Which Items do you want?", "cards": "Which hand cards?"}
    pick = Pick("gives", ids, 0, max(1, len(ids)))
    start = chosen(draft, name)
    return Picker(words[name], pick, labels, lambda cards: replace(draft, **{name: cards}), VERBS[name], start=start)
