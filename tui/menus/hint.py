"""Hints in words: what a good player would do, and who gets hints. Pure; the reasons are in hint_reasons.py.

tui/lessons/adviser.py finds what a good player would do, on this seat's own view. A hint changes nothing.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.state import actions as a
from core.state.actions import Action
from core.state.asks import OF_SEATS
from core.state.model import Ask
from core.text.grammar import listed
from tui.menus.ask_text import DEEDS, lying_words, option_labels, struck_by
from tui.menus.entries import Command, Entry, Menu
from tui.menus.hint_reasons import why
from tui.menus.offer_text import terms_of
from tui.menus.paths import entries_to
from tui.scene.foreseen import wish
from tui.scene.outlook import of_action
from tui.scene.scene import FIRST_CARD, Scene

if TYPE_CHECKING:
    from tui.lessons.adviser import Advice

ROUNDED = 5
"""Chances are told in steps of this many percent, the smallest one first: when counted, they were right within ten."""
MOST = 95
"""A chance of this many percent or more is told in words, because fewer games are won than the imagined ones say."""
BEGUN = (a.Offer, a.Play, a.Use)
"""Actions that only begin what a good player plans in a fight."""
GROUPS = ("use", "gear", "run", "deal", "trouble")
"""Entries that only open a list."""


# ----------------------------------------------------------------------------------------------------- who gets hints
class AgreeToHints(Command, frozen=True):
    """The command to agree to hints for everybody, or to take that back."""

    yes: bool


def undecided(scene: Scene) -> list[int]:
    """Return the people who have not agreed to hints; none at a table of one person."""
    alone = scene.info.solo or scene.people() == [scene.me]
    return [] if alone else [seat for seat in scene.people() if seat not in scene.info.hints]


def gets_hints(scene: Scene) -> bool:
    """Return whether this player can have a hint now."""
    return scene.me >= 0 and not scene.view.winners and not scene.replay and not undecided(scene)


def hints_menu(scene: Scene) -> Menu:
    """Return the question of whether there are to be hints at a table of several people."""
    wanting = undecided(scene)
    if scene.me not in wanting:
        names = listed([scene.name(seat) for seat in wanting])
        title = f"You agree to hints for everybody. Waiting for {names}." if names else "Stop hints for everybody?"
        return Menu(title, (Entry("no", "no hints here", AgreeToHints(False)),))
    agreed = [scene.name(seat) for seat in scene.people() if seat in scene.info.hints]
    so_far = f" {listed(agreed)} {'agrees' if len(agreed) == 1 else 'agree'} already." if agreed else ""
    title = f"Hints for everybody, what a good player would do? All people here must agree.{so_far} Agree?"
    return Menu(title, (Entry("yes", "agree to hints", AgreeToHints(True)),))


# ---------------------------------------------------------------------------------------------------------- in words
def hint_words(scene: Scene, advice: "Advice") -> str:
    """Return what a good player would do, and why, each in one sentence; of a plan also its next act, and the risk of
    dying."""
    done = deed(scene, advice.action).removesuffix(".")
    reason = _tried_out(scene, advice) if advice.chances is not None else _reason(scene, advice)
    return " ".join(filter(None, (f"A good player would {done}.", reason, _next(scene, advice), _risk(advice))))


def _reason(scene: Scene, advice: "Advice") -> str:
    return why(scene, advice.action, advice.then, advice.plan)


def _tried_out(scene: Scene, advice: "Advice") -> str:
    """Return how an action and its alternative fared in imagined games. Nothing is said to be certain: they are few,
    and their ends are judged, not played."""
    chances = [100 * chance for chance in advice.chances or (0, 0)]
    taken, instead = (max(ROUNDED, ROUNDED * round(chance / ROUNDED)) for chance in chances)
    wins = f"about {taken} of 100" if taken < MOST else "most of them"
    against = f"against {instead}{'' if taken < MOST else ' of 100'}"
    if chances[0] - chances[1] < ROUNDED or instead >= taken:
        against = "a little more than"
    return f"In games that fit what you know, this wins {wins}, {against} if you {deed(scene, advice.instead)}."


def _next(scene: Scene, advice: "Advice") -> str:
    """Return the words for the next step after an action that only begins something."""
    begins = isinstance(advice.action, a.Trouble) or (scene.fight is not None and isinstance(advice.action, BEGUN))
    if advice.action is None or advice.plan is None or not begins:
        return ""
    judged = of_action(scene, advice.action).forecast
    if judged is not None and judged.fate == "sums" and judged.wins == (wish(scene, judged) >= 0):
        return ""  # the fight ends as the player wants
    return f"After that, {deed(scene, advice.plan).removesuffix('.')}."


def _risk(advice: "Advice") -> str:
    died, games = advice.dies
    return f"In {died} of {games} of these games you die in this turn." if died else ""


def deed(scene: Scene, action: Action | None) -> str:
    """Return what to do, in the words of the menus: `play Greater on Bearbug`."""
    if action is None:
        return "wait"
    found = _DEEDS.get(type(action))
    return found(scene, action) if found is not None else _by_menu(scene, action)


def _by_menu(scene: Scene, action: Action) -> str:
    """Return the words of the entry that leads to an action; its name and card if none does."""
    entries = [entry for entry in entries_to(scene, action) if entry.key not in GROUPS]
    card = getattr(action, "card", 0)
    name = str(type(action).__struct_config__.tag).replace("_", " ") + (f" {scene.title(card)}" if card else "")
    words = entries[0].label.replace("..", "") if entries else name
    return ": ".join(words.split(": ")[:2])  # an ability goes by its name, without its text


def _aimed(scene: Scene, action: a.Play | a.Use) -> str:
    """Return the words for playing a card or using an ability, with every target and price that it names."""
    words = _by_menu(scene, action)
    words = f"play {words}" if words == scene.title(action.card) else words  # a menu of several ways
    targets = [f"on {scene.monster(action.target)}"] if action.target and _in_fight(scene, action.target) else []
    if action.target >= FIRST_CARD and not targets:
        verb = "to end" if struck_by(scene, action.target) >= 0 else "on"
        targets = [f"{verb} {lying_words(scene, action.target)}"]
    if action.seat >= 0 and not targets:
        targets = ["on yourself" if action.seat == scene.me else f"on {scene.name(action.seat)}"]
    targets += [f"for the {action.side}"] if action.side else []
    targets += [f"with {scene.title(action.brought)}"] if action.brought else []
    if isinstance(action, a.Use) and action.pay:
        targets.append(f"and pay with {listed([scene.title(card) for card in action.pay])}")
    return " ".join([words, *(text for text in targets if text not in words)])


def _in_fight(scene: Scene, target: int) -> bool:
    return scene.fight is not None and any(monster.id == target for monster in scene.fight.monsters)


def _answer(scene: Scene, action: a.Answer) -> str:
    asks = scene.you.asks if scene.you is not None else []
    ask = next((ask for ask in asks if ask.id == action.ask), None)
    if ask is None:
        return "answer"
    labels = dict(zip(ask.options, option_labels(scene, ask), strict=False))
    if ask.kind in DEEDS and len(action.picks) == 1 and action.picks[0] in labels:
        return " to ".join(labels[action.picks[0]].rsplit(": ", 1))
    said = [f'"{labels[pick]}"' if _is_saying(ask, pick) else labels[pick] for pick in action.picks if pick in labels]
    return f"choose {listed(said) or 'none of them'}"


def _bargain(scene: Scene, action: a.Offer | a.Counter) -> str:
    terms = action.terms
    whom = "the table"
    if isinstance(action, a.Offer):
        whom = scene.name(action.to) if action.to >= 0 else whom
    else:
        whom = next((scene.name(deal.frm) for deal in scene.view.offers if deal.no == action.offer), whom)
    if terms.kind == "help" and terms.helper == scene.me:
        return f"offer {whom} your help for {terms_of(scene, terms)}"
    if terms.kind == "help":
        return f"ask {whom} for help, for {terms_of(scene, terms)}"
    return f"offer {whom} a {'gift' if terms.kind == 'gift' else 'trade'}: {terms_of(scene, terms)}"


def _is_saying(ask: Ask, pick: int) -> bool:
    """Return whether an option is a text, not a card, a player or a number."""
    return bool(ask.texts) or (pick == 0 and ask.kind not in OF_SEATS)


def _accepting(scene: Scene, action: a.Accept) -> str:
    deal = scene.offer(action.offer)
    if deal is None:
        return "accept the offer"
    name, terms = scene.name(deal.frm), terms_of(scene, deal)
    if deal.kind != "help":
        return f"accept the {deal.kind} that {name} offers, {terms}"
    helps_me = scene.fight is not None and scene.fight.seat == scene.me
    return f"accept the help of {name} for {terms}" if helps_me else f"help {name} for {terms}"


def _declining(scene: Scene, action: a.Decline) -> str:
    names = [scene.name(deal.frm) for deal in scene.view.offers if deal.no == action.offer]
    return f"decline the offer of {names[0]}" if names else "decline the offer"


def _done(scene: Scene, action: a.Done) -> str:
    return "begin the game" if scene.view.top == "setup" else "go on to the end of the turn"


def _goods(verb: str) -> Callable[[Scene, Any], str]:
    return lambda scene, action: f"{verb} {listed([scene.title(card) for card in action.cards])}"


_DEEDS: dict[type, Callable[[Scene, Any], str]] = {
    a.Pass: lambda scene, action: "let this pass", a.Play: _aimed, a.Use: _aimed, a.Answer: _answer,
    a.Offer: _bargain, a.Counter: _bargain, a.Accept: _accepting, a.Decline: _declining, a.Done: _done,
    a.Sell: _goods("sell"), a.Give: _goods("give away"),
    a.Trouble: lambda scene, action: f"look for trouble with {scene.title(action.card)}",
}  # fmt: skip
"""The words for actions that the menus spread over several questions."""
