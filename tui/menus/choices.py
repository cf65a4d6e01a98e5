"""Numbered menus of what a seat may do: verbs first, then cards, each narrowed step by step to one action. Pure.

A menu is rebuilt from every view. The key of an entry stays the same while its meaning does, so that a player who is
choosing keeps their place when somebody else acts (see menu_state.py).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from core.state import actions as a
from core.state.actions import Action, Legal, Pick
from core.state.asks import BY_ACTION
from core.state.model import Ask
from core.state.numbers import seat_fields
from netcode.protocol.limits import KICK_PAUSE_S
from tui.menus.ask_text import answered, ask_title, asking, card_label, how_many, option_labels
from tui.menus.offer_editor import OPENERS, Draft, bargain_entries
from tui.scene.card_text import ability_words, added, sacrifices, shown_bonus
from tui.scene.cells import signed
from tui.scene.scene import FIRST_CARD, Scene


@dataclass(frozen=True)
class Entry:
    """One entry of a menu: its words and where it leads. card: the card it concerns (0: none)."""

    key: str
    label: str
    go: "Go"
    card: int = 0


@dataclass(frozen=True)
class Menu:
    """Numbered entries under a question. auto: the key of an entry that opens by itself when the menu is new."""

    title: str
    entries: tuple[Entry, ...]
    auto: str = ""
    asked: int = 0
    """How many of the first entries answer an ask."""


@dataclass(frozen=True)
class Picker:
    """A set that the player picks: lo to hi members of `pick.among`, with their sum if `pick.worth` is given.

    make: makes an action or the next step from the chosen ones. start: those chosen at first.
    """

    title: str
    pick: Pick
    labels: tuple[str, ...]
    make: Callable[[tuple[int, ...]], "Go"]
    verb: str = "take these"
    start: tuple[int, ...] = ()

    def total(self, chosen: Iterable[int]) -> int:
        """Return what the chosen ones are worth together, in Gold Pieces."""
        worth = dict(zip(self.pick.among, self.pick.worth, strict=False))
        return sum(worth.get(ident, 0) for ident in chosen)

    def ready(self, chosen: Sequence[int]) -> bool:
        """Return whether the chosen ones are enough and not too many."""
        pick = self.pick
        return pick.lo <= len(chosen) <= pick.hi and self.total(chosen) >= pick.sum_at_least


@dataclass(frozen=True)
class Command:
    """A menu entry for the screen or the host, not an action of the game."""


@dataclass(frozen=True)
class Leave(Command):
    """Leave the table. give_up: also give the seat up."""

    give_up: bool = False


@dataclass(frozen=True)
class OwnerRequest(Command):
    """A request of the table's owner; the fields are those of netcode.protocol.wire.Admin."""

    what: str
    seat: int = -1
    value: str = ""
    number: int = 0
    pause_s: int = KICK_PAUSE_S


@dataclass(frozen=True)
class ShowStrings(Command):
    """Show the strings that lead others to the table."""


@dataclass(frozen=True)
class MuteTalk(Command):
    """Do not show the talk of a seat (-1: of the spectators), or show it again; at this screen only."""

    seat: int


@dataclass(frozen=True)
class UndoVote(Command):
    """A request to undo the last action (vote 0), or an answer to such a vote."""

    vote: int
    yes: bool


Go = Action | Menu | Picker | Draft | Command
"""Where an entry leads: an action to send, another menu, a set to pick, an offer to write, or a command."""

_FIELD_ORDER = (
    "ability", "brought", "seat", "side", "target", "deck", "carrier", "both", "to", "doubled", "also", "monster",
)  # fmt: skip
"""Fields of actions in the order in which the player chooses them, if there is more than one possibility."""


# ------------------------------------------------------------------------------------------------------------ root
def root(scene: Scene) -> Menu:
    """Return the menu of everything this seat can do now, most urgent first; empty for a spectator."""
    you = scene.you
    if you is None:
        return Menu("", ())
    entries: list[Entry] = []
    auto = ""
    for ask in you.asks:
        found = _ask_entries(scene, ask)
        if len(found) == 1 and isinstance(found[0].go, Picker):
            auto = auto or found[0].key
        entries += found
    asked = len(entries)
    answers, openers = _bargains(scene)
    losing = scene.fight is not None and not scene.fight.winning and any(ask.kind == "fight" for ask in you.asks)
    verbs = _verbs(scene, you.legal)
    entries += answers + verbs if losing else verbs + answers  # a losing fighter sees offers of help before giving up
    entries += _card_entries(scene, you.legal)
    entries += openers[:1] if scene.fight is not None else []
    entries += _more_entries(scene, you.legal)
    entries += openers[1:] if scene.fight is not None else openers
    return Menu("", tuple(entries), auto, asked)


def _verbs(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for the main verbs of the turn and the fight."""
    entries: list[Entry] = []
    for kind, words_for in _MAIN_VERBS.items():
        words = words_for(scene)
        found = [option for option in legal if type(option.action) is kind]
        if not found:
            continue
        if kind in (a.Trouble, a.Roll):
            entries += _each_card(scene, kind, words, found)
        else:
            entries.append(Entry(_tag(found[0].action), words, narrow(scene, words, found)))
    return entries + _abandon(scene, legal)


_MAIN_VERBS: dict[type, Callable[[Scene], str]] = {
    a.Done: lambda scene: "ready, begin" if scene.view.top == "setup" else "go on without",
    a.Kick: lambda scene: scene.lexicon.phase("kick").lower(),
    a.Claim: lambda scene: "claim the kill",
    a.Roll: lambda scene: "run from",
    a.Flee: lambda scene: "give up and run",
    a.Trouble: lambda scene: f"{scene.lexicon.phase('trouble').lower()} with",
    a.Loot: lambda scene: scene.lexicon.phase("loot").lower(),
    a.EndTurn: lambda scene: "end your turn",
}


def _abandon(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for the slow Vehicles that can be abandoned before the roll."""
    if scene.view.top != "run":
        return []
    cards = [option.action for option in legal if isinstance(option.action, a.Discard)]
    slow = [action for action in cards if scene.definition(action.card).slot == "vehicle"]
    return [Entry(f"abandon:{act.card}", _act_words(scene, act), act, act.card) for act in slow]


def _each_card(scene: Scene, kind: type, words: str, found: list[Legal]) -> list[Entry]:
    entries = []
    for option in found:
        ident = getattr(option.action, "card", 0) or getattr(option.action, "monster", 0)
        name = scene.monster(ident) if kind is a.Roll else f"{scene.title(ident)} (L{scene.card(ident).level})"
        verb = words if kind is a.Roll else "fight"
        entries.append(Entry(f"{_tag(option.action)}:{ident}", f"{verb} {name}", option.action, ident))
    if len(entries) > 4:
        return [Entry(_tag(found[0].action), f"{words}..", Menu(f"{words[:1].upper()}{words[1:]}:", tuple(entries)))]
    return entries


def _tag(action: Action) -> str:
    return str(type(action).__struct_config__.tag)


# ------------------------------------------------------------------------------------------------------------ asks
def _ask_entries(scene: Scene, ask: Ask) -> list[Entry]:
    """Return the answers to an ask with options: one entry for each, or one for a set to pick."""
    if not ask.options or ask.kind in BY_ACTION:
        return []
    labels = option_labels(scene, ask)
    if ask.hi == 1:
        entries = [
            Entry(f"ask{ask.id}:{option}", label, a.Answer(ask.id, (option,)), option if option >= FIRST_CARD else 0)
            for option, label in zip(ask.options, labels, strict=True)
        ]
        return entries + ([Entry(f"ask{ask.id}:none", "none", a.Answer(ask.id, ()))] if ask.lo == 0 else [])
    pick = Pick("picks", tuple(ask.options), ask.lo, ask.hi)
    picker = Picker(ask_title(scene, ask), pick, tuple(labels), lambda chosen: a.Answer(ask.id, chosen))
    return [Entry(f"ask{ask.id}", f"{how_many(ask.lo, ask.hi)}..", picker)]


# ------------------------------------------------------------------------------------------------------- narrowing
def narrow(scene: Scene, title: str, legals: Sequence[Legal]) -> Go:
    """Return menus that lead to one of these actions, which share verb and card, by asking for one field at a time.

    A single action is returned itself. title: the words for the fields chosen so far.
    """
    if len(legals) == 1:
        return _action_or_set(scene, title, legals[0])
    for name in _FIELD_ORDER:
        values = list(dict.fromkeys(getattr(option.action, name, None) for option in legals))
        if len(values) > 1:
            entries = []
            for value in values:
                same = [option for option in legals if getattr(option.action, name, None) == value]
                label = _value(scene, name, value, same[0].action)
                card = value if isinstance(value, int) and value >= FIRST_CARD else 0
                go = narrow(scene, answered(title, name, label), same)
                entries.append(Entry(f"{name}={value}", _noted(label, same), go, card))
            return Menu(asking(title, name), tuple(entries))
    return _action_or_set(scene, title, legals[0])


def _noted(words: str, found: Sequence[Legal]) -> str:
    """Return the words for these actions, with a note if nothing would come of any of them."""
    return f"{words} (nothing comes of it)" if all(option.vain for option in found) else words


def _value(scene: Scene, name: str, value: Any, action: Action) -> str:
    """Return the label of one value of an action's field."""
    if name in seat_fields(type(action)):
        return "nobody" if value < 0 else ("yourself" if value == scene.me else scene.label(value))
    if name == "side":
        return _side(scene, value, action)
    if name == "ability":
        return ability_words(scene.definition(getattr(action, "card", 0)), value)
    if name == "deck":
        return _deck(scene, value)
    if name == "both":
        return "in both hands" if value else "as it is"
    if not value:
        return {"carrier": "yourself", "doubled": "none", "also": "nothing else"}.get(name, "nothing")
    if isinstance(value, tuple):
        return " and ".join(_target(scene, card) for card in value)
    return _target(scene, value)


def _deck(scene: Scene, value: str) -> str:
    """Return what looting draws: a Door, or a Treasure with the option `listen`."""
    listen = "listen" in scene.info.options
    if value == "discard":
        top = scene.view.treasure_top if listen else scene.view.door_top
        return f"the top discard: {scene.printed(top).name}" if top >= 0 else "the top discard"
    return "a face-down Treasure" if listen and not value else "a face-down Door"


def _side(scene: Scene, side: str, action: Action) -> str:
    fight = scene.fight
    card = scene.card(getattr(action, "card", 0))
    if fight is None or not side:
        return side or "neither"
    now = fight.heroes if side == "heroes" else fight.foes
    bonus = card.bonus or added(card)
    if bonus and isinstance(action, a.Play):
        return f"{side} ({now} {scene.glyphs.arrow} {now + bonus})"
    return side


def _target(scene: Scene, value: int) -> str:
    if scene.fight is not None and any(monster.id == value for monster in scene.fight.monsters):
        return scene.monster(value)
    if value < FIRST_CARD:
        seat = value if value < len(scene.view.seats) else -1
        return scene.who(seat) if seat >= 0 else f"number {value}"
    return card_label(scene, value)


def _action_or_set(scene: Scene, title: str, legal: Legal) -> Go:
    """Return the action, or the picker for the set that it still needs."""
    if legal.pick is None:
        return legal.action
    pick, action = legal.pick, legal.action
    labels = tuple(pick_label(scene, pick, ident) for ident in pick.among)
    name = pick.field
    colon = "" if title[-1:] in (".", "?", "!") else ":"
    words = f"{title}: at least {pick.sum_at_least} gold" if pick.sum_at_least else f"{title}{colon}"
    return Picker(words, pick, labels, lambda chosen: msgspec.structs.replace(action, **{name: chosen}), _VERBS[name])


_VERBS = {"pay": "pay these", "cards": "these", "picks": "take these", "gives": "give these", "wants": "want these"}


def pick_label(scene: Scene, pick: Pick, ident: int) -> str:
    """Return the label of a set's member: its name, and its worth in Gold Pieces if that counts."""
    name = card_label(scene, ident) if ident >= FIRST_CARD else str(ident)
    if pick.worth:
        return f"{scene.title(ident)} {pick.worth[pick.among.index(ident)]}"
    return name


# ----------------------------------------------------------------------------------------------------------- cards
def card_menu(scene: Scene, card: int) -> Menu:
    """Return the menu of what can be done with one card, in hand or in play."""
    you = scene.you
    legal = [option for option in you.legal if getattr(option.action, "card", 0) == card] if you else []
    name = scene.title(card)
    entries = []
    groups: dict[tuple[str, int], list[Legal]] = {}
    for option in legal:
        ability = option.action.ability if isinstance(option.action, a.Use) else -1
        groups.setdefault((_tag(option.action), ability), []).append(option)
    for (tag, ability), found in groups.items():
        words = _act_words(scene, found[0].action) + _undone_words(scene, found)
        go = narrow(scene, words, found)
        entries.append(Entry(f"{tag}{ability if ability >= 0 else ''}", _noted(words, found), go, card))
    sales = [option for option in _sales(you.legal) if option.pick and card in option.pick.among] if you else []
    if sales:
        entries.append(Entry("sell", f"sell {name}, with others..", narrow(scene, "Sell", sales), card))
    if len(entries) == 1 and isinstance(entries[0].go, Menu):
        return entries[0].go
    return Menu(f"{name}:", tuple(entries))


def _act_words(scene: Scene, action: Action) -> str:
    """Return the words for an action with its card: `play Duct Tape`."""
    name = scene.title(getattr(action, "card", 0))
    card = scene.card(getattr(action, "card", 0))
    if isinstance(action, a.Play):
        return f"lay {name} out" if card.kind == "item" and not card.one_shot else f"play {name}"
    if isinstance(action, a.Use):
        if sacrifices(scene.definition(action.card), action.ability):
            return f"sacrifice {name} and escape"
        return f"use {name}: {ability_words(scene.definition(action.card), action.ability)}"
    if isinstance(action, a.Discard) and card.slot == "vehicle":
        return f"abandon {name}, run without it"
    off = "get off" if card.slot == "vehicle" else "take off"
    words = {a.Equip: "equip", a.Unequip: off, a.Discard: "discard", a.Trouble: "look for trouble with"}
    return f"{words.get(type(action), _tag(action))} {name}"


def _card_entries(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for cards to play, then for abilities to use; more than FEW of one sort share an entry."""
    plays: dict[int, list[Legal]] = {}
    uses: dict[tuple[int, int], list[Legal]] = {}
    for option in legal:
        action = option.action
        if isinstance(action, a.Play):
            plays.setdefault(action.card, []).append(option)
        elif isinstance(action, a.Use):
            uses.setdefault((action.card, action.ability), []).append(option)
    order = {card: at for at, card in enumerate(scene.hand())}
    cards = sorted(plays, key=lambda card: order.get(card, 99))
    play = [_play_entry(scene, card, plays[card]) for card in cards]
    use = []
    for (card, ability), found in uses.items():
        words = _act_words(scene, found[0].action) + _undone_words(scene, found)
        key = f"use:{card}:{ability}{_undone_key(scene, found)}"
        use.append(Entry(key, _noted(words, found), narrow(scene, words, found), card))
    return _grouped("play", "play a card..", "Play which card?", play) + _grouped("use", "use..", "Use what?", use)


def _grouped(key: str, label: str, title: str, entries: list[Entry]) -> list[Entry]:
    """Return the entries themselves if they are few, else one entry that opens a menu of them."""
    return entries if len(entries) <= FEW else [Entry(key, f"{label} ({len(entries)})", Menu(title, tuple(entries)))]


FEW = 2
"""How many cards to play, or abilities to use, are listed in the first menu."""


def _play_entry(scene: Scene, card: int, found: list[Legal]) -> Entry:
    go = narrow(scene, scene.title(card), found)
    words = _play_words(scene, card, go) + _undone_words(scene, found)
    return Entry(f"card:{card}{_undone_key(scene, found)}", _noted(words, found), go, card)


def _play_words(scene: Scene, card: int, go: Go) -> str:
    bonus = shown_bonus(scene.card(card))
    dots = ".." if isinstance(go, Menu | Picker) else ""
    return f"play {scene.title(card)}{' ' + signed(bonus) if bonus else ''}{dots}"


def _undone(scene: Scene, found: Sequence[Legal]) -> int:
    """Return the card just played that these rows would undo: always one at most; 0 for rows that undo nothing."""
    action = found[0].action
    if not isinstance(action, a.Play | a.Use):
        return 0
    definition = scene.definition(action.card)
    aim = definition.target if isinstance(action, a.Play) else definition.abilities[action.ability].target
    return action.target if aim == "played" else 0


def _undone_words(scene: Scene, found: Sequence[Legal]) -> str:
    card = _undone(scene, found)
    return f" on {scene.title(card)}" if card else ""


def _undone_key(scene: Scene, found: Sequence[Legal]) -> str:
    """Return what tells an entry from the same one a moment later, when it would undo another card."""
    card = _undone(scene, found)
    return f":{card}" if card else ""


# ------------------------------------------------------------------------------------------------- gear, sale, trade
_GEAR = (a.Equip, a.Unequip, a.Discard)


def _more_entries(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for selling, gear and gifts, each of which opens a menu or a set."""
    entries = []
    sales = _sales(legal)
    if sales:
        entries.append(Entry("sell", "sell..", narrow(scene, "Sell", sales)))
    gear = gear_menu(scene)
    if gear.entries:
        entries.append(Entry("gear", "gear..", gear))
    gifts = [option for option in legal if isinstance(option.action, a.Give)]
    if gifts:
        entries.append(Entry("give", "give away..", narrow(scene, "Give", gifts)))
    return entries


def _sales(legal: Sequence[Legal]) -> list[Legal]:
    return [option for option in legal if isinstance(option.action, a.Sell)]


def gear_menu(scene: Scene) -> Menu:
    """Return the menu of what can be done with the player's cards in play; discarding comes last."""
    you = scene.you
    entries = []
    for option in you.legal if you else ():
        if isinstance(option.action, _GEAR):
            carrier = getattr(option.action, "carrier", 0)
            both = getattr(option.action, "both", False)
            words = _act_words(scene, option.action) + (f", carried by {scene.title(carrier)}" if carrier else "")
            words += " in both hands" if both else ""
            card = option.action.card
            entries.append(Entry(f"{_tag(option.action)}:{card}:{carrier}:{both}", words, option.action, card))
    return Menu("Your gear:", tuple(sorted(entries, key=lambda entry: entry.key.startswith("discard"))))


def _bargains(scene: Scene) -> tuple[list[Entry], list[Entry]]:
    """Return entries for offers to answer, and entries for offers to make."""
    rows = [Entry(key, label, go) for key, label, go in bargain_entries(scene)]
    return [e for e in rows if e.key not in OPENERS], [e for e in rows if e.key in OPENERS]


def playable(scene: Scene) -> set[int]:
    """Return the cards in hand that can be used now."""
    you = scene.you
    if you is None:
        return set()
    cards = {getattr(option.action, "card", 0) for option in you.legal}
    cards |= {card for option in _sales(you.legal) if option.pick for card in option.pick.among}
    cards |= {option for ask in you.asks for option in ask.options}
    return {card for card in you.hand if card in cards}

