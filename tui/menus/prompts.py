"""The prompt: one sentence for every moment of the game, and the keys that answer it. Pure."""

from collections.abc import Callable
from dataclasses import dataclass

from core.state import actions as a
from core.state.model import Ask
from core.view import Deciding
from tui.menus.ask_text import ask_title, how_many
from tui.menus.choices import Menu, Picker
from tui.menus.menu_state import MenuState
from tui.menus.offer_editor import can_offer, concerns
from tui.menus.offer_text import offer_words
from tui.menus.side_menus import vote_words
from tui.scene.cells import count
from tui.scene.scene import FIRST_CARD, Scene

Keys = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Prompt:
    """A sentence, whether this player must act, and the keys besides the digits.

    ident: changes with the question, so that the screen can ignore keys meant for the previous one.
    """

    text: str
    urgent: bool
    keys: Keys
    ident: str


def prompt_for(scene: Scene, menus: MenuState, here: Menu | Picker) -> Prompt:
    """Return the prompt of this moment. here: the open menu or set."""
    if scene.info.vote is not None and not menus.before_votes and not scene.offline:
        mine = isinstance(here, Menu) and here.asked > 0
        return Prompt(vote_words(scene), mine, (), f"vote:{scene.info.vote.number}:{mine}")
    if scene.away and not menus.before_votes and not scene.offline:
        return Prompt("A bot plays for you. Press any key to take your seat back.", True, (), "away")
    if isinstance(here, Picker):
        return _picking(menus, here)
    if menus.nested:
        send: Keys = (("ENTER", "send"),) if menus.draft is not None else ()
        read: Keys = (("v", "read one"),) if any(entry.card for entry in here.entries) else ()
        keys = (*send, *read, ("ESC", "back"))
        return Prompt(here.title, False, keys, f"menu:{'/'.join(menus.path)}:{here.title[:12]}")
    if scene.offline:
        end = "" if scene.offline.endswith(("?", ".")) else "."
        return Prompt(f"No connection: {scene.offline}{end} Trying again; your seat is kept.", True, (), "offline")
    if scene.info.stage == "paused":
        who = "anybody" if scene.timers.pause == 0 else "its owner"
        return Prompt(f"The table is paused; {who} can resume it (a).", False, (), "paused")
    text, urgent, ident = _sentence(scene)
    keys = _space(scene)
    if here.asked > 2 and any(entry.card for entry in here.entries):
        keys = (("v", "read one"), *keys)
    if not here.entries and not keys and not urgent:
        keys = (("v", "read a card"), ("o", "others"), ("r", "recap"), ("?", "keys"))
    return Prompt(text, urgent, keys, ident)


def _picking(menus: MenuState, picker: Picker) -> Prompt:
    chosen = len(menus.picked)
    pick = picker.pick
    if pick.worth:
        text = f"{picker.title} (now {picker.total(menus.picked)} gold, {count(chosen, 'card')})"
    else:
        many = how_many(pick.lo, pick.hi)
        text = f"{picker.title} {many[:1].upper()}{many[1:]} ({chosen} chosen)."
    ready = picker.ready(menus.picked)
    enter = (picker.verb if chosen else "none of them") if ready else f"not yet: {how_many(pick.lo, pick.hi)}"
    if not ready and pick.sum_at_least:
        enter = f"not yet: {pick.sum_at_least} gold needed"
    reads = (("v", "read one"),) if any(ident >= FIRST_CARD for ident in pick.among) else ()
    return Prompt(text, True, (("ENTER", enter), *reads, ("ESC", "back")), f"pick:{picker.title[:20]}")


def _space(scene: Scene) -> Keys:
    """Return what SPACE, z and Z do now."""
    view, you = scene.view, scene.you
    if view.winners:
        return ()
    if you is None:
        return (("SPACE", "skip the pause"),) if scene.timers.beat > 0 and not scene.humans() else ()
    window = view.window
    if window is not None and not window.passed:
        hold = (("z", "hold"),) if window.holds > 0 and window.holder < 0 else ()
        auto: Keys = (("Z", "auto"),) if view.fight is not None else ()
        return (("SPACE", "pass"), *hold, *auto)
    if any(ask.kind == "hold" for ask in you.asks):
        return (("SPACE", "continue"),)
    if scene.timers.waits:
        return (("SPACE", "goes on"),)
    if scene.timers.beat > 0:
        return (("SPACE", "skip the pause"),)
    return ()


# -------------------------------------------------------------------------------------------------------- sentences
def _revealing(scene: Scene) -> str:
    """Return the key that reveals the hands of a finished game, with how many players agree; empty if it cannot."""
    info = scene.info
    if scene.me < 0 or info.opened == info.game or (info.deal is None and not info.seed_shown):
        return ""
    agreed = f" ({len(info.agreed)} of {scene.humans()} agree)" if info.agreed else ""
    return f"O = {'waiting to reveal' if scene.me in info.agreed else 'reveal'} all hands{agreed}"


def _sentence(scene: Scene) -> tuple[str, bool, str]:
    view, you = scene.view, scene.you
    if view.winners:
        names = " and ".join(scene.who(seat) for seat in view.winners)
        keys = ("y = play again" if you is not None else "", _revealing(scene), "Ctrl+Q = leave")
        revealed = " All hands are revealed." if scene.info.game and scene.info.opened == scene.info.game else ""
        return f"The game is over: {names} won.{revealed} {', '.join(filter(None, keys))}.", True, "over"
    if you is None:
        late = f" with a delay of {scene.info.watch_delay} s" if scene.info.watch_delay else ""
        return f"You are spectating{late}. {_waiting(scene)}", False, "watch"
    if you.asks:
        ask = you.asks[0]
        offered = [deal for deal in view.offers if ask.kind == "fight" and concerns(scene, deal)]
        if offered:
            text = f"{offer_words(scene, offered[0])}. Accept? {_asked(scene, ask)}"
            return text, True, f"ask:{ask.id}:offer:{offered[0].no}"
        return _asked(scene, ask), True, f"ask:{ask.id}:{ask.kind}"
    window = view.window
    if window is not None:
        if window.passed:
            own = "" if window.seat == scene.me else "You have passed. "
            return f"{own}Waiting for the others. {_window(scene)}", False, f"passed:{window.id}"
        return f"{_window(scene)} Anything to play?", True, f"window:{window.id}"
    for deal in view.offers:
        if concerns(scene, deal):
            return f"{offer_words(scene, deal)}. Accept?", True, f"offer:{deal.no}"
    return _waiting(scene), False, "wait"


def _asked(scene: Scene, ask: Ask) -> str:
    if ask.kind in _OWN_ACTION:
        return _OWN_ACTION[ask.kind](scene)
    if ask.kind == "fight":
        return _fight_words(scene)
    if ask.kind == "end":
        return _end_words(scene)
    if ask.kind == "hold":
        return "You hold the table: play something, or continue."
    title = ask_title(scene, ask)
    many = how_many(ask.lo, ask.hi)
    return title if ask.hi == 1 else f"{title} {many[:1].upper()}{many[1:]}."


def _ready_words(scene: Scene) -> str:
    kinds = ", ".join(kind.lower() for kind in scene.lexicon.kinds)
    return f"First cards: lay out {kinds} and Items, then be ready."


def _kick_words(scene: Scene) -> str:
    kick = scene.lexicon.phase("kick").lower()
    if scene.catalog.switches.equip == "turn-start":
        return f"Your turn: switch Items now (not possible later), then {kick}."
    return f"Your turn: put your gear in order, then {kick}."


def _trouble_words(scene: Scene) -> str:
    trouble, loot = scene.lexicon.phase("trouble").lower(), scene.lexicon.phase("loot").lower()
    if scene.you and not any(isinstance(option.action, a.Loot) for option in scene.you.legal):
        return f"No monster behind the door, and nothing to loot now: {trouble}, or go on."
    return f"No monster behind the door: {trouble} with your own, or {loot}."


def _roll_words(scene: Scene) -> str:
    legal = [option.action for option in scene.you.legal] if scene.you else []
    ally = any(isinstance(act, a.Use) and scene.card(act.card).kind == "ally" for act in legal)
    slow = any(isinstance(act, a.Discard) and scene.card(act.card).slot == "vehicle" for act in legal)
    if not ally and not slow:
        return "Run! Choose the monster to run from; 5 or 6 with modifiers gets away."
    ways = [words for words, there in (("sacrifice an Ally", ally), ("abandon the Vehicle", slow)) if there]
    return f"Run (5+ gets away): choose a monster, or {', or '.join(ways)}."


_OWN_ACTION: dict[str, Callable[[Scene], str]] = {
    "ready": _ready_words, "kick": _kick_words, "trouble": _trouble_words, "roll": _roll_words,
}  # fmt: skip
"""Kinds of asks that are answered by an action of their own, with their question."""


def _fight_words(scene: Scene) -> str:
    fight = scene.fight
    if fight is None:
        return "Claim the kill or run?"
    if not fight.monsters:
        return "No monster is left."
    if fight.winning:
        end = " and with it the game" if fight.match_point else ""
        return f"You win {fight.heroes} to {fight.foes}: claim the kill{end}."
    need = fight.foes - fight.heroes + (0 if fight.wins_ties else 1)
    ways = "play, h = help" if can_offer(scene, "help") else "play a card"
    return f"You lose {fight.heroes} to {fight.foes}: find +{need} ({ways}), or run."


def _end_words(scene: Scene) -> str:
    cards = len(scene.hand())
    if cards > 5:
        return f"End of your turn: {cards} cards in hand. Charity takes what is above your limit."
    return "End of your turn: play what you like, then end it."


def _window(scene: Scene) -> str:
    view, fight = scene.view, scene.fight
    window = view.window
    if window is None:
        return ""
    name = scene.who(window.seat) if window.seat >= 0 else "The table"
    name = name[:1].upper() + name[1:]
    be = "are" if window.seat == scene.me else "is"
    if window.holder >= 0:
        return f"{scene.who(window.holder)} holds the table."
    if window.kind == "kick":
        return f"{name} {be} about to {scene.lexicon.phase('kick').lower()}."
    if window.kind == "lost":
        return f"{name} {'give' if be == 'are' else 'gives'} the fight up" + (
            f" ({fight.heroes} to {fight.foes})." if fight else "."
        )
    if window.kind == "claim" and fight is not None:
        game = " and WINS THE GAME" if fight.match_point else ""
        return f"{name} {'claim' if be == 'are' else 'claims'} the kill{game} ({fight.heroes} to {fight.foes})."
    if window.kind == "removed":
        return f"{name}: the last monster is gone" + (", and the GAME ENDS." if fight and fight.match_point else ".")
    return "The fight is over, and what it pays ENDS THE GAME."


def _waiting(scene: Scene) -> str:
    """Return who the table waits for, and for what."""
    view = scene.view
    if not view.deciding:
        if view.window is not None:
            return _window(scene)
        return f"It is the turn of {scene.label(view.turn)}."
    first = view.deciding[0]
    if len(view.deciding) > 1:
        names = ", ".join(scene.name(deciding.seat) for deciding in view.deciding if deciding.seat != scene.me)
        return f"Waiting for {names} {_for_what(scene, first)}."
    return f"Waiting for {scene.label(first.seat)} {_for_what(scene, first)}."


def _for_what(scene: Scene, deciding: Deciding) -> str:
    words = {
        "ready": "to lay out first cards", "sex": "to lay out first cards", "first": "to say who runs first",
        "kick": f"to {scene.lexicon.phase('kick').lower()}", "fight": "to claim the kill or run",
        "trouble": "to look for trouble or loot the room", "roll": "to run away", "end": "to end the turn",
        "charity": "to give cards away", "loot": "to loot the body", "hold": "(table is held)",
        "vehicle": "to choose a Vehicle", "loot fight": "to fight the looted monster or not",
        "throw again": "to have the die rolled again or not",
    }.get(deciding.kind, "to choose")  # fmt: skip
    if deciding.card >= 0:
        return f"to choose ({scene.printed(deciding.card).name})"
    return words
