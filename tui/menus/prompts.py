"""The prompt: a question and its reason for every moment of the game, and the keys besides the choices. Pure."""

import re
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from core.language.schema import Forbid
from core.state import actions as a
from core.state.model import Ask
from core.state.views import Deciding
from core.text.grammar import capital, listed
from netcode.client.absence import UNKEPT
from tui.menus.ask_text import ask_title, how_many
from tui.menus.danger import could_act, left_undone, winner_now
from tui.menus.entries import Menu, Picker
from tui.menus.excess import going_words
from tui.menus.menu_state import MenuState
from tui.menus.offer_editor import can_offer, concerns
from tui.menus.offer_text import offer_words
from tui.menus.side_menus import vote_words
from tui.menus.windows import why_unasked
from tui.scene.cells import count
from tui.scene.clock import can_resume
from tui.scene.ending import consent_words
from tui.scene.fight import run_sentence
from tui.scene.outlook import of_action
from tui.scene.scene import FIRST_CARD, Scene
from tui.scene.situation import bots_wait

Bound = tuple[tuple[str, str], ...]
"""Ids of bindings, and what their keys do now."""
Words = tuple[str, str]
"""A question, and its reason or help with the answer."""


class Prompt(Struct, frozen=True):
    """A question with its reason, whether this player must act, and the keys besides those of the choices.

    ident: changes with the question, so that the screen can ring for a new one. said: whether the reason is a remark.
    brief: the reason without what the player knows anyway, where something else needs the room; "" if there is no such.
    """

    question: str
    reason: str
    urgent: bool
    keys: Bound
    ident: str
    said: bool = False
    brief: str = ""

    @property
    def text(self) -> str:
        """The question and the reason as one text."""
        return f"{self.question} {self.reason}".strip()


NOTHING = Prompt("", "", False, (), "")
PASSED = "You have passed. "
PASS, ENTER, BACK, HOLD, ALL = "prompt.pass", "hand.use", "prompt.back", "prompt.hold", "prompt.all"


def prompt_for(scene: Scene, menus: MenuState, here: Menu | Picker) -> Prompt:
    """Return the prompt of this moment, with the answers to offers since the player's last act, and with whom an offer
    of the player's still waits for. here: the open menu or set."""
    prompt = _prompt(scene, menus, here)
    elsewhere = menus.nested and menus.path[:1] != ["deal"]
    if elsewhere or scene.offline or scene.view.winners or scene.info.stage == "paused" or scene.info.vote is not None:
        return prompt
    waits = "" if menus.nested else _unanswered(scene)
    offered = any(concerns(scene, deal) for deal in scene.view.offers)
    reason, brief = (
        " ".join(filter(None, (*scene.answers, told, waits) if offered else (*scene.answers, waits, told)))
        for told in (prompt.reason, prompt.brief)
    )
    return replace(prompt, reason=reason, brief=brief if prompt.brief else "")


def _unanswered(scene: Scene) -> str:
    """Return who has not answered an offer of this player, and whether bots wait because the player must answer another
    one first; "" if none is open."""
    mine = [deal for deal in scene.view.offers if deal.frm == scene.me >= 0]
    names = list(dict.fromkeys(scene.name(deal.to) for deal in mine if deal.to >= 0))
    first = next((deal for deal in scene.view.offers if deal.frm != scene.me and concerns(scene, deal)), None)
    if names and first is not None and scene.solo:
        return f"{listed(names)} will answer once you have answered {scene.name(first.frm)}."
    if names:
        return f"{listed(names)} {'have' if len(names) > 1 else 'has'} not answered your offer yet."
    return "Nobody has taken your offer yet." if mine else ""


def _prompt(scene: Scene, menus: MenuState, here: Menu | Picker) -> Prompt:
    if scene.info.vote is not None and not menus.before_votes and not scene.offline:
        mine = isinstance(here, Menu) and here.asked > 0
        return Prompt("Undo?", vote_words(scene), mine, (), f"vote:{scene.info.vote.number}:{mine}")
    if scene.away and not menus.before_votes and not scene.offline:
        return Prompt("A bot plays for you.", "Press any key to take your seat back.", True, (), "away")
    if isinstance(here, Picker):
        return _picking(scene, menus, here)
    if menus.nested:
        keys = ((BACK, "no, go back" if here.grave else "back"),)
        question, reason = parted(here.title)
        return Prompt(question, reason, here.grave, keys, f"menu:{'/'.join(menus.path)}:{here.title[:12]}")
    if scene.offline:
        end = "" if scene.offline.endswith(("?", ".")) else "."
        mine = scene.me >= 0 and UNKEPT not in scene.offline
        again = "Trying again; your seat is kept." if mine else "Trying again."
        return Prompt("No connection.", f"{capital(scene.offline)}{end} {again}", True, (), "offline")
    if scene.info.stage == "paused":
        able = scene.me == scene.info.owner or scene.timers.pause == 0
        resume: Bound = (("table.owner", "resume.."),) if able else ()
        return Prompt("The table is paused.", can_resume(scene), False, resume, "paused")
    (question, reason), urgent, ident = _moment(scene)
    brief = reason.removeprefix(PASSED) if reason.startswith(PASSED) else ""
    return Prompt(question, reason, urgent, _beside(scene), ident, brief=brief)


def question_now(scene: Scene) -> str:
    """Return what identifies the question to this player, or a stop that waits for their key; empty where nothing is
    asked."""
    if scene.offline or scene.info.stage == "paused":
        return ""
    if scene.info.vote is not None:
        return f"vote:{scene.info.vote.number}" if scene.me in scene.info.vote.waiting else ""
    if scene.away:
        return "away"
    _, urgent, ident = _moment(scene)
    return ident if urgent or bots_wait(scene) else ""


def _paid_for(scene: Scene, picker: Picker, chosen: tuple[int, ...]) -> str:
    """Return the outcome of a fight after paying these cards for an ability: `18 : 22, he loses.`; "" if that is not
    known. Before any is chosen, return how the fight stands."""
    fight, action = scene.fight, picker.make(chosen)
    if fight is None or not isinstance(action, a.Use) or picker.pick.field != "pay":
        return ""
    if not chosen:
        return f"Now {fight.heroes} : {fight.foes}." if fight.stage == "fight" else ""
    outlook = of_action(scene, action)
    words = ", ".join(filter(None, (outlook.sums, outlook.words[0] if outlook.words else "")))
    return f"That makes {words}." if outlook.sums else f"{capital(words)}." if words else ""


def _picking(scene: Scene, menus: MenuState, picker: Picker) -> Prompt:
    chosen, pick = len(menus.picked), picker.pick
    reason = f"{capital(how_many(pick.lo, pick.hi))}: {chosen} chosen."
    if pick.worth:
        reason = f"{picker.total(menus.picked)} of {pick.sum_at_least} gold, {count(chosen, 'card')}."
    if picker.holders:
        shares = [f"{menus.given(seat)} to {scene.name(seat)}" for seat in picker.holders]
        reason = f"{chosen} of {pick.hi}: {', '.join(shares)} (again: the next one)."
    ready = menus.ready(picker)
    enter = (picker.verb if chosen else "none of them") if ready else f"not yet: {how_many(pick.lo, pick.hi)}"
    if not ready and picker.ready(menus.picked):
        enter = "not yet: even shares"
    if not ready and pick.sum_at_least:
        enter = f"not yet: {pick.sum_at_least} gold needed"
    reads: Bound = (("table.read", "read one"),) if any(ident >= FIRST_CARD for ident in pick.among) else ()
    all_words = "none" if chosen == len(pick.among) else f"all {len(pick.among)}"
    every: Bound = ((ALL, all_words),) if picker.takes_all else ()
    keys = ((ENTER, enter), *every, *reads, (BACK, "back"))
    question, why = parted(picker.title)
    reason = " ".join(filter(None, (reason, _paid_for(scene, picker, tuple(menus.picked)))))
    return Prompt(question, f"{reason} {why}".strip(), True, keys, f"pick:{picker.title[:20]}")


def _beside(scene: Scene) -> Bound:
    """Return the keys of this moment that are not choices: SPACE where it only goes on, holding the window, reading."""
    view, you = scene.view, scene.you
    if view.winners:
        revealing = _revealing(scene)
        again: Bound = (("table.again", "play again"),) if you is not None else ()
        return (*again, *((("table.open", revealing),) if revealing else ()), ("app.quit", "leave"))
    if you is None:
        return ((PASS, "skip the bots' pause"),) if scene.timers.beat > 0 and not scene.humans() else ()
    if view.window is not None and not view.window.passed:
        return ((HOLD, "answer yourself"),) if scene.unasked == "passes" else ()
    if bots_wait(scene):
        return ((PASS, "the bots go on"),)
    if scene.timers.beat > 0 and not you.asks:
        return ((PASS, "skip the bots' pause"),)
    return ()


# ---------------------------------------------------------------------------------------------------------- questions
def _revealing(scene: Scene) -> str:
    """Return what the key that reveals the hands of a finished game does; empty if it does nothing."""
    info = scene.info
    if scene.me < 0 or info.opened == info.game or (info.deal is None and not info.seed_shown):
        return ""
    agreed = f" ({consent_words(info)} agree)" if info.agreed else ""
    return f"{'waiting to reveal' if scene.me in info.agreed else 'reveal'} all hands{agreed}"


def _moment(scene: Scene) -> tuple[Words, bool, str]:
    """Return the question of this moment with its reason, whether it is for this player, and its identity."""
    view, you = scene.view, scene.you
    if view.winners:
        names = " and ".join(scene.who(seat) for seat in view.winners)
        revealed = " All hands are revealed." if scene.info.game and scene.info.opened == scene.info.game else ""
        return ("The game is over.", f"{capital(names)} won.{revealed}"), True, "over"
    if you is None:
        late = f" with a delay of {scene.info.watch_delay} s" if scene.info.watch_delay else ""
        told = f"You see it{late}. " if late else ""
        return ("You are spectating.", f"{told}{_waiting(scene)}"), False, "watch"
    if you.asks:
        ask = you.asks[0]
        offered = [deal for deal in view.offers if ask.kind == "fight" and concerns(scene, deal)]
        question, reason = _asked(scene, ask)
        if offered:
            words = f"{scene.name(offered[0].frm)} makes an offer."
            return (question, f"{words} {reason}"), True, f"ask:{ask.id}:offer:{offered[0].no}"
        return (question, reason), True, f"ask:{ask.id}:{ask.kind}"
    window = view.window
    if window is not None:
        if not window.passed and scene.unasked:
            passes = " You pass." if scene.unasked == "passes" else ""
            return (_window(scene), f"{why_unasked(scene)}{passes}"), False, f"unasked:{window.id}"
        if not window.passed:
            return (_window_question(scene), _window(scene)), True, f"window:{window.id}"
        if not bots_wait(scene):
            own = "" if window.seat == scene.me else PASSED
            return ("Waiting for the others.", f"{own}{_window(scene)}"), False, f"passed:{window.id}"
    for deal in view.offers:
        if concerns(scene, deal):
            return ("Accept?", f"{capital(offer_words(scene, deal))}."), True, f"offer:{deal.no}"
    if bots_wait(scene):
        return ("The bots wait for you.", _last_touch(scene)), False, "waits"
    return (_waiting(scene), _overtaken(scene)), False, "wait"


def _overtaken(scene: Scene) -> str:
    """Return a sentence that the player's own question will come back, if a card that asks somebody else interrupts it;
    else ""."""
    view, fight = scene.view, scene.fight
    mine = view.turn == scene.me if fight is None else fight.seat == scene.me and fight.stage == "fight"
    first = any(deciding.card >= 0 for deciding in view.deciding)
    return "This card comes first; then it is your move again." if mine and first else ""


def _last_touch(scene: Scene) -> str:
    """Return what has just happened, for which the bots wait until the player has read it. What touches this player
    comes first; "" if it is not known."""
    just = [line for line in scene.since if line.just]
    return f"{just[0].text}." if just else ""


def _window_question(scene: Scene) -> str:
    winner = winner_now(scene)
    if winner:
        return f"Stop {winner}?" if could_act(scene) else f"{winner[:1].upper()}{winner[1:]} wins the game."
    return "Anything to play?"


def _asked(scene: Scene, ask: Ask) -> Words:
    """Return the question of an ask, and its reason or what can be done."""
    if ask.kind in _OWN_ACTION:
        return _OWN_ACTION[ask.kind](scene)
    question, reason = parted(ask_title(scene, ask))
    many = f"{capital(how_many(ask.lo, ask.hi))}." if ask.hi != 1 else ""
    return question, f"{many} {reason}".strip()


def parted(title: str) -> Words:
    """Return the question at the end of a title, and what comes before it as the reason: `Bad Hat Day: What do you
    lose?` asks `What do you lose?` for the reason `Bad Hat Day.`"""
    parts = [part for part in _SENTENCE.split(title) if part]
    asking = next((part for part in reversed(parts) if part.endswith("?")), "")
    if not asking:
        head, _, rest = title.partition(": ")
        name, text, told = rest.partition(": ")  # `Use Red Outrider: Raid: discard a card` and so on
        if text:
            return f"{head}: {name}", capital(told)
        asking = parts[-1] if parts else ""
    if not asking.endswith(("?", ".")):
        return title, ""
    reason = " ".join(part for part in parts if part is not asking)
    return capital(asking), capital(f"{reason[:-1]}." if reason.endswith(":") else reason)


_SENTENCE = re.compile(r"(?<=[.?:]) ")
"""Between two sentences, and after a colon; names of cards have exclamation marks in them."""


def _ready_words(scene: Scene) -> Words:
    kinds = ", ".join(kind.lower() for kind in scene.lexicon.kinds)
    return "Your first cards.", f"Play {kinds} and Items; all begin together."


def _kick_words(scene: Scene) -> Words:
    kick = scene.lexicon.phase("kick").lower()
    if not _can_wear(scene):
        words = f"{capital(kick)} when you are ready."
    elif scene.catalog.switches.equip == "turn-start":
        words = f"Switch Items now (not possible later), then {kick}."
    else:
        words = f"Put your gear in order, then {kick}."
    return "Your turn.", " ".join((*_forbidden(scene), words))


def _forbidden(scene: Scene) -> list[str]:
    """Return which effects take away parts of this seat's turn, and which parts."""
    found = []
    for lasting in scene.seat(scene.me).lasting if scene.me >= 0 else ():
        definition = scene.catalog.cards[lasting.defn]
        mods = definition.linger_types[lasting.code].get(Forbid, ()) if lasting.armed else ()
        taken = [getattr(mod, "what", "") for mod in mods]
        parts = [scene.lexicon.phase(what).lower() for what in ("trouble", "loot") if what in taken]
        if parts:
            found.append(f"{scene.printed(lasting.defn).name}: you cannot {' or '.join(parts)}.")
    return found


def _can_wear(scene: Scene) -> bool:
    """Return whether this seat can put something on or take something off now."""
    acts = [option.action for option in scene.you.legal] if scene.you else []
    return any(
        isinstance(act, a.Equip | a.Unequip) or (isinstance(act, a.Play) and scene.card(act.card).kind == "item")
        for act in acts
    )


def _trouble_words(scene: Scene) -> Words:
    trouble, loot = scene.lexicon.phase("trouble").lower(), scene.lexicon.phase("loot").lower()
    if scene.you and not any(isinstance(option.action, a.Loot) for option in scene.you.legal):
        return "No monster behind the door.", f"Nothing to loot now either: {trouble}, or go on."
    return "No monster behind the door.", f"{capital(trouble)}, or {loot}."


def _roll_words(scene: Scene) -> Words:
    legal = [option.action for option in scene.you.legal] if scene.you else []
    ally = any(isinstance(act, a.Use) and scene.card(act.card).kind == "ally" for act in legal)
    slow = any(isinstance(act, a.Discard) and scene.card(act.card).slot == "vehicle" for act in legal)
    ways = [words for words, there in (("sacrifice an Ally", ally), ("abandon the Vehicle", slow)) if there]
    more = f" You can also {' or '.join(ways)}." if ways else ""
    return "Run!", f"{run_sentence(scene, scene.me)}{more}"


def _fight_words(scene: Scene) -> Words:
    fight = scene.fight
    if fight is None:
        return "Claim the kill or run?", ""
    if not fight.monsters:
        return "No monster is left.", ""
    sums = f"{fight.heroes} to {fight.foes}"
    if fight.winning:
        return "Claim the kill?", f"You win {sums}{', and with it the game' if fight.match_point else ''}."
    need = fight.foes - fight.heroes + (0 if fight.wins_ties else 1)
    ways = "play a card, ask for help" if can_offer(scene, "help") else "play a card"
    return "You are losing.", f"{sums}: find +{need} ({ways}), or run."


def _end_words(scene: Scene) -> Words:
    """Say what the end of the turn takes from the hand, and who gets it. This comes first, since there may be only one
    row. Then say which effects have taken parts of the turn away, and what is left to do, since the key that ends the
    turn always does so at once."""
    left, you = left_undone(scene), scene.you
    words = left or "Play what you like, then end it"
    if you is None or you.keeps < 0:
        return "End of your turn.", f"{words}."
    lost = going_words(scene, you.seat)
    if not lost:
        keeps = f"You may keep {count(you.keeps, 'card')}."
        return "End of your turn.", " ".join((*(_forbidden(scene) or [keeps]), f"{words}."))
    charity = scene.lexicon.phase("charity")
    return "End of your turn.", f"{charity}: {lost}. {left}." if left else f"{charity}: {lost}, you keep {you.keeps}."


_OWN_ACTION: dict[str, Callable[[Scene], Words]] = {
    "ready": _ready_words, "kick": _kick_words, "trouble": _trouble_words, "roll": _roll_words,
    "fight": _fight_words, "end": _end_words,
    "hold": lambda scene: ("You hold the table.", "Play something, or go on."),
}  # fmt: skip
"""Kinds of asks that are answered by a special action, with their question."""


def _window(scene: Scene) -> str:
    view, fight = scene.view, scene.fight
    window = view.window
    if window is None:
        return ""
    mine = window.seat == scene.me
    name = "You" if mine else scene.name(window.seat) if window.seat >= 0 else "The table"
    be = "are" if mine else "is"
    if window.holder >= 0:
        return "You hold the table." if window.holder == scene.me else f"{scene.name(window.holder)} holds the table."
    if window.kind == "kick":
        return f"{name} {be} about to {scene.lexicon.phase('kick').lower()}."
    if window.kind == "lost":
        return f"{name} {'give' if mine else 'gives'} the fight up" + (
            f" ({fight.heroes} to {fight.foes})." if fight else "."
        )
    if window.kind == "claim" and fight is not None:
        game = f" and {'win' if mine else 'wins'} the game" if fight.match_point else ""
        return f"{name} {'claim' if mine else 'claims'} the kill{game} ({fight.heroes} to {fight.foes})."
    if window.kind == "removed":
        return f"{name}: the last monster is gone" + (", and the game ends." if fight and fight.match_point else ".")
    return "The fight is over, and what it pays ends the game."


def not_asked(scene: Scene) -> str:
    """Return who is asked instead of this seat, and what; "" if this seat is asked too."""
    mine = any(deciding.seat == scene.me for deciding in scene.view.deciding)
    return "" if mine or scene.view.winners else _waiting(scene)


def _waiting(scene: Scene) -> str:
    """Return whom the table waits for, and for what."""
    view = scene.view
    if not view.deciding:
        if view.window is not None:
            return _window(scene)
        return f"It is the turn of {scene.name(view.turn)}."
    first = view.deciding[0]
    if len(view.deciding) > 1:
        names = ", ".join(scene.name(deciding.seat) for deciding in view.deciding if deciding.seat != scene.me)
        return f"Waiting for {names} {_for_what(scene, first)}."
    return f"Waiting for {scene.name(first.seat)} {_for_what(scene, first)}."


def _for_the_fight(scene: Scene) -> str:
    """Return what the fighter can do, as the fight stands."""
    fight = scene.fight
    if fight is None or not fight.monsters:
        return "to end the fight"
    return "to claim the kill" if fight.winning else "to run or add to the fight"


def _for_what(scene: Scene, deciding: Deciding) -> str:
    words = {
        "ready": "to play first cards", "sex": "to play first cards", "first": "to say who runs first",
        "kick": f"to {scene.lexicon.phase('kick').lower()}", "fight": _for_the_fight(scene),
        "trouble": "to look for trouble or loot the room", "roll": "to run away", "end": "to end the turn",
        "charity": "to give cards away", "loot": "to loot the body", "hold": "(table is held)",
        "vehicle": "to choose a Vehicle", "loot fight": "to fight the looted monster or not",
        "throw again": "to have the die rolled again or not",
    }.get(deciding.kind, "to choose")  # fmt: skip
    if deciding.card >= 0:
        return f"to choose ({scene.printed(deciding.card).name})"
    return words
