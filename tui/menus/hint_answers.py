"""Why a good player answers a question as a hint says, in one sentence. Pure."""

from collections.abc import Iterable, Sequence

from core.state import actions as a
from core.state.asks import OF_SEATS, kind_alone
from core.state.model import Ask
from core.text.grammar import listed
from tui.menus.ask_text import option_labels
from tui.scene.arrival import only_carried_words
from tui.scene.cells import count
from tui.scene.scene import FIRST_CARD, Scene

NAMED_MOST = 3
"""So many cards are named; more are counted."""
LOSING = ("lose", "discard", "charity", "turn sideways", "give up", "goes next", "add to sale", "pay roll",
          "give", "give for", "share for")  # fmt: skip
GETTING = ("take", "share", "loot", "recover", "keep big", "count twice")
LOOKED_AT = ("under", "throw away")
"""Questions about cards on top of a deck that only this player has seen."""


def named(scene: Scene, cards: Iterable[int]) -> str:
    """Return the titles of cards, or how many there are if there are too many to name; empty for none."""
    there = list(dict.fromkeys(cards))
    if len(there) <= NAMED_MOST:
        return listed([scene.title(card) for card in there])
    first = listed([scene.title(card) for card in there[: NAMED_MOST - 1]], ",")
    return f"{first.replace(' , ', ', ')} and {len(there) - NAMED_MOST + 1} more"


def answer_reason(scene: Scene, action: a.Answer) -> str:
    """Return the reason for an answer, as a sentence."""
    asks = scene.you.asks if scene.you is not None else []
    ask = next((ask for ask in asks if ask.id == action.ask), None)
    if ask is None:
        return ""
    rest = [option for option in ask.options if option not in action.picks]
    if ask.kind == "sex":
        return "It matters for some cards only."
    if ask.kind in ("shield", "throw again"):
        return _spending(scene, ask, action.picks)
    if ask.texts:
        return _text(scene, ask, rest)
    if ask.kind in OF_SEATS:
        return _seat(scene, action.picks, ask.options)
    kind, others = kind_alone(ask.kind), [option for option in rest if option >= FIRST_CARD]
    if kind in LOOKED_AT:
        return _looked_at(scene, action.picks, others)
    mine = {*scene.hand(), *(placed.card for placed in scene.seat(scene.me).table)}
    if kind in LOSING and mine.issuperset(action.picks):
        return _losing(scene, action.picks, others)
    if kind in GETTING or action.picks:
        return _getting(scene, ask, action.picks, others)
    return f"You do without {named(scene, others)}." if others else "You can do without it."


def _spending(scene: Scene, ask: Ask, picks: Sequence[int]) -> str:
    """Return the reason for using a card against what happens just now, or for not using it."""
    cards = [option for option in ask.options if option >= FIRST_CARD]
    if not any(picks):
        return f"You keep {named(scene, cards)}, which {'is' if len(cards) == 1 else 'are'} worth more to you."
    if ask.kind == "shield":
        return f"{scene.printed(ask.card).name} would cost you more." if ask.card >= 0 else "It would cost you more."
    thrown = scene.view.throw
    return f"A new roll brings you more on average than the {thrown.number}." if thrown is not None else ""


def _text(scene: Scene, ask: Ask, rest: Sequence[int]) -> str:
    labels = dict(zip(ask.options, option_labels(scene, ask), strict=False))
    others = [f'"{labels[option]}"' for option in rest if option in labels]
    return f"For you it is better than {listed(others, 'or')}." if others else "Nothing else is on offer."


def _seat(scene: Scene, picks: Sequence[int], options: Sequence[int]) -> str:
    """Return where the chosen player stands among those who could be chosen."""
    if not picks:
        return "Nobody need be chosen."
    one, seat = picks[0], scene.seat(picks[0])
    others = [scene.seat(option).level for option in options if option != one]
    you = one == scene.me
    who, verb = ("You", "are") if you else (scene.name(one), "is")
    if others and seat.level > max(others):
        return f"{who} {verb} furthest ahead, at Level {seat.level}."
    if others and seat.level < min(others):
        return f"{who} {verb} furthest behind, at Level {seat.level}."
    strongest = all(scene.seat(option).strength < seat.strength for option in options if option != one)
    strength = f"the greatest strength of them, {seat.strength}" if strongest else f"strength {seat.strength}"
    return f"{who} {verb} at Level {seat.level} and {'have' if you else 'has'} {strength}."


def _looked_at(scene: Scene, picks: Sequence[int], others: Sequence[int]) -> str:
    """Return the reason for what becomes of cards on top of a deck."""
    mine = scene.view.turn == scene.me
    who = "you" if mine else "others"
    if picks:
        why = "it serves you less than an unknown card" if mine else "it would help them"
        several = "one of them " if len(picks) > 1 else ""
        return f"Otherwise {who} would draw {several or named(scene, picks) + ' '}next, and {why}."
    return f"What {who} draw next may be {named(scene, others)}." if others else "You leave the deck as it is."


def _losing(scene: Scene, picks: Sequence[int], others: Sequence[int]) -> str:
    """Return the reason for giving these cards up and keeping the others."""
    if not picks:
        return f"You need not part with anything, and keep {named(scene, others)}." if others else (
            "You need not part with anything.")  # fmt: skip
    useless = [card for card in picks if card >= FIRST_CARD and _is_useless(scene, card)]
    if useless and len(useless) == len(picks):
        what = "It does" if len(picks) == 1 else "They do"
        kept = f", and you keep {named(scene, others)}" if others else ""
        return f"{what} nothing for your strength now{kept}."
    if others:
        return f"You keep {named(scene, others)}, which {'is' if len(others) == 1 else 'are'} worth more to you."
    return f"There {'is' if len(picks) == 1 else 'are'} {count(len(picks), 'card')} to give up, and no other."


def _is_useless(scene: Scene, card: int) -> bool:
    """Return whether a card is a monster, or an Item of the hand that this player could only carry."""
    kind = scene.card(card).kind
    held = card in scene.hand()
    return kind == "monster" or (kind == "item" and held and bool(only_carried_words(scene, card)))


def _getting(scene: Scene, ask: Ask, picks: Sequence[int], others: Sequence[int]) -> str:
    """Return the reason for getting or keeping these cards."""
    if not picks:
        return f"{named(scene, others)} would bring you nothing." if others else "There is nothing to get."
    if not others or ask.kind == "recover":
        return _worth(scene, ask, picks)
    best = min(_bonus(scene, card) for card in picks)
    second = max(_bonus(scene, card) for card in others)
    if best > max(second, 0):
        less = f"{second:+d} at most" if second > 0 else "nothing"
        adds = "It adds" if len(picks) == 1 else "One of them adds"
        return f"{adds} {best:+d} to a strength, {named(scene, others)} {less}."
    return f"To you {'it is' if len(picks) == 1 else 'they are'} worth more than {named(scene, others)}."


def _worth(scene: Scene, ask: Ask, picks: Sequence[int]) -> str:
    labels = dict(zip(ask.options, option_labels(scene, ask), strict=False))
    others = [label for option, label in labels.items() if option not in picks][:NAMED_MOST]
    if not others:
        return f"There {'is' if len(picks) == 1 else 'are'} {count(len(picks), 'card')} to choose, and no other."
    return f"To you it is worth more than {listed(others, 'or')}."


def _bonus(scene: Scene, card: int) -> int:
    found = scene.card(card)
    return found.bonus if found.kind == "item" and not found.one_shot else 0
