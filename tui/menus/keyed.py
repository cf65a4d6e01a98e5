"""What every answering key means now: the digits of the hand and of a question, the letters of the verbs. Pure.

A card keeps its digit as long as it is in the hand. While a question with options is open, the digits are those of its
options; options that are cards of the hand keep the digits that they have there. Letters are verbs at any time. Keys
that answer do nothing in the first moment of a question (keys.py); keys that only look always work.
"""

from collections import Counter

from msgspec import Struct

from tui.menus.choices import root
from tui.menus.entries import Entry, Menu, Picker
from tui.menus.keys import KeyRing, digit, page_of
from tui.menus.menu_state import MenuState, danger_in
from tui.menus.outlooks import of_entry
from tui.scene.outlook import NOTHING, Outlook
from tui.scene.scene import FIRST_CARD, Scene

ENTER, SPACE, HOLD = "hand.use", "prompt.pass", "prompt.hold"


class Choice(Struct, frozen=True):
    """What a key does. key: a digit, or the id of a binding; empty: there is none, and ENTER on the card does it.

    at: the place of the entry or the member in the open menu or set. page: the page of the digit, from 0.
    """

    key: str
    words: str
    at: int
    page: int = 0
    entry: Entry | None = None
    picked: bool = False
    asks: bool = False
    """Whether the choice is asked once more before it is done."""
    outlook: Outlook = NOTHING
    seat: int = -1
    card: int = 0
    question: str = ""
    """What is asked once more."""


class Keys:
    """The keys of a seat from one view to the next: `arrange` takes in the hand, then `update` the open menu."""

    def __init__(self) -> None:
        self._hand, self._question, self._ring = KeyRing(), KeyRing(), KeyRing()
        self._own: tuple[object, ...] = ()
        self._rev: object = None
        self.verbs = Menu("", ())
        """The first menu: its letters work at any time."""
        self.choices: tuple[Choice, ...] = ()
        """What can be chosen in the open menu or set, in the order in which it is shown."""
        self.order: dict[int, int] = {}
        """The place of each card in hand, from 1."""
        self.hand: dict[int, str] = {}
        """The digit of each card in hand that a digit uses now, on the page that is shown."""
        self.slot_page = 0
        self.slot_pages = 1
        self.listed = False
        """Whether the digits are those of a question, not of the hand."""

    def set_pause(self, pause_s: float) -> None:
        """Set how long (s) keys do nothing after a question has come."""
        for ring in (self._hand, self._question, self._ring):
            ring.dead_s = pause_s

    def update(self, scene: Scene, menus: MenuState, here: Menu | Picker, now: float, asked: str = "") -> None:
        """Take in what is shown from now on. now: the time in seconds. asked: identifies the question; empty: none is
        in sight."""
        self.verbs = here if isinstance(here, Menu) and not menus.nested else root(scene)
        places = self.order
        voting = scene.info.vote is not None and not menus.before_votes
        self.listed = isinstance(here, Picker) or menus.nested or here.asked > 0 or voting
        if isinstance(here, Picker) or self.listed:
            self.choices = self._question_choices(scene, menus, here, places, now)
        else:
            self.choices = self._first_choices(scene, here, places)
        self.slot_pages = 1 + max((choice.page for choice in self.choices), default=0)
        self.slot_page = menus.digits % self.slot_pages
        self.hand = self._digits_of_hand(places)
        own = (menus.visit, tuple(menus.path), menus.draft, menus.page, menus.digits)
        grave = isinstance(here, Menu) and here.grave
        caused = own != self._own and scene.view.rev == self._rev and not grave
        caused = caused or self._rev is None  # nothing was shown before, so no key had a meaning
        self._own, self._rev = own, scene.view.rev
        self._ring.ask(asked, now)
        self._ring.show(self._meanings(scene, menus, here), now, caused)

    def arrange(self, scene: Scene, now: float) -> None:
        """Give new cards of the hand their places. The others keep theirs, except those behind the first page."""
        held = self._hand.places("hand", [str(card) for card in scene.hand()], now, move_up=self.slot_page == 0)
        self.order = {int(card): place for card, place in held.items()}

    def _first_choices(self, scene: Scene, here: Menu, places: dict[int, int]) -> tuple[Choice, ...]:
        """Return the choices of the first menu: verbs on letters, cards of the hand on their digits."""
        found = []
        for at, entry in enumerate(here.entries):
            place = places.get(entry.card, 0) if not entry.on else 0
            key = entry.on or (digit(place) if place else "")
            found.append(_choice(scene, entry, at, key, page_of(place) if place else 0))
        return tuple(found)

    def _question_choices(
        self, scene: Scene, menus: MenuState, here: Menu | Picker, places: dict[int, int], now: float
    ) -> tuple[Choice, ...]:  # fmt: skip
        """Return the choices of a question, or the members of a set."""
        names, cards = _options(here, menus.nested)
        numbers = Counter(cards.values())
        fixed = {at: places[card] for at, card in cards.items() if card in places and numbers[card] == 1}
        fixed = fixed if len(names) > 1 else {}
        free = [name for at, name in names.items() if at not in fixed]
        vote = scene.info.vote.number if scene.info.vote is not None and not menus.before_votes else 0
        question = f"{vote}:{_question(menus, here)}"
        given = self._question.places(question, free, now, set(fixed.values()))
        found = []
        numbered = {at: fixed[at] if at in fixed else given[name] for at, name in names.items()}
        for at, place in sorted(numbered.items(), key=lambda item: item[1]):  # in the order of the digits
            key, page = digit(place), page_of(place)
            if isinstance(here, Picker):
                ident = here.pick.among[at]
                card = ident if ident >= FIRST_CARD else 0
                _, seat = menus.shares.get(ident, (-1, -1))
                found.append(Choice(key, here.labels[at], at, page, None, ident in menus.picked, seat=seat, card=card))
            else:
                found.append(_choice(scene, here.entries[at], at, key, page))
        if isinstance(here, Menu) and menus.nested:
            on = [(at, entry) for at, entry in enumerate(here.entries) if entry.on]
            found += [_choice(scene, entry, at, entry.on, 0) for at, entry in on]
        elif isinstance(here, Menu):
            others = list(enumerate(here.entries))[here.asked :]
            found += [_choice(scene, entry, at, entry.on, 0) for at, entry in others if entry.on]
        return tuple(found)

    def _digits_of_hand(self, places: dict[int, int]) -> dict[int, str]:
        used = {choice.card: choice for choice in self.choices if choice.key.isdigit()}
        found = {}
        for card, place in places.items():
            fits = card in used and digit(place) == used[card].key if self.listed else True
            if fits and page_of(place) == self.slot_page:
                found[card] = digit(place)
        return found

    def _meanings(self, scene: Scene, menus: MenuState, here: Menu | Picker) -> dict[str, str]:
        """Return what every answering key means, as a text that changes whenever the key would do something else."""
        found = {key: f"card {card}" for card, key in self.hand.items()} if not self.listed else {}
        shown = [choice for choice in self.choices if choice.key and choice.page == self.slot_page]
        for choice in shown:
            name = choice.entry.key if choice.entry is not None else str(choice.at)
            edits = choice.entry is not None and choice.entry.editing  # its words only tell the state of the offer
            found[choice.key] = name if edits else f"{name}: {choice.words} {choice.outlook.sums} {choice.asks}"
        for entry in self.verbs.entries:
            if entry.on:
                found.setdefault(entry.on, f"{entry.key}: {entry.label} {of_entry(scene, entry).sums}")
        if isinstance(here, Picker):
            found[ENTER] = f"hand in {_question(menus, here)}"
        elif ENTER not in found:
            found[ENTER] = f"use {scene.selected()}" if not menus.nested else ""
        if SPACE not in found and scene.you is not None:  # it ends the pause only after the act that is shown
            found[SPACE] = f"go on after {scene.view.rev}"
        if scene.view.window is not None:
            found[HOLD] = f"hold {scene.view.window.id}"
        return found

    def dead(self, key: str, now: float) -> bool:
        """Return whether a key does nothing at this moment. key: a digit, or the id of a binding."""
        return self._ring.dead(key, now)

    def press(self, key: str, at: float) -> bool:
        """Press a key that answers and came at this time; return whether it does something."""
        return self._ring.press(key, at)

    def is_new(self, at: float) -> bool:
        """Return whether the question has just come."""
        return self._ring.is_new(at)

    def wait(self, now: float) -> float:
        """Return after how many seconds all keys work again; 0 if none is dead."""
        return self._ring.wait(now)

    def revive(self) -> None:
        """Let every key work at once."""
        self._ring.revive()

    def of_digit(self, number: int) -> Choice | None:
        """Return what a digit chooses on the page that is shown; None: nothing."""
        found = (one for one in self.choices if one.key == str(number) and one.page == self.slot_page)
        return next(found, None)

    def of_binding(self, ident: str) -> Entry | None:
        """Return the entry that the key of a binding takes now, in the open menu or else in the first one."""
        found = (choice.entry for choice in self.choices if choice.key == ident)
        return next(found, None) or next((entry for entry in self.verbs.entries if entry.on == ident), None)

    def card_of(self, number: int) -> int:
        """Return the card of the hand that has this digit; 0 if none has it."""
        return next((card for card, key in self.hand.items() if key == str(number)), 0)


def _choice(scene: Scene, entry: Entry, at: int, key: str, page: int) -> Choice:
    question = danger_in(scene, entry)
    outlook = of_entry(scene, entry)
    return Choice(key, entry.label, at, page, entry, False, bool(question), outlook, entry.seat, entry.card, question)


def _options(here: Menu | Picker, nested: bool) -> tuple[dict[int, str], dict[int, int]]:
    """Return the options of a question that have digits, by place: the name, and the card if it is about one."""
    if isinstance(here, Picker):
        names = {at: str(ident) for at, ident in enumerate(here.pick.among)}
        return names, {at: ident for at, ident in enumerate(here.pick.among) if ident >= FIRST_CARD}
    entries = here.entries if nested or not here.asked else here.entries[: here.asked]
    found = {at: entry for at, entry in enumerate(entries) if not entry.on}
    return {at: entry.key for at, entry in found.items()}, {at: one.card for at, one in found.items() if one.card}


def _question(menus: MenuState, here: Menu | Picker) -> str:
    """Return what identifies a question. For an ask this is its number, which its answers carry."""
    if menus.nested and not menus.automatic:
        return f"{menus.visit}/{'/'.join(menus.path)}/{menus.draft is not None}"
    if isinstance(here, Menu):
        return here.entries[0].key.partition(":")[0] if here.entries else ""
    return "/".join(menus.path)
