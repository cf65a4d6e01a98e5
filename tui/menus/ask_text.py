"""Asks in words: the question, and the labels of its options. Pure."""

from collections.abc import Callable

from core.language.schema import Shield, Swap, Take, ThrowAgain
from core.language.tree import effects_within
from core.state.asks import OF_SEATS, kind_alone, seat_of_kind
from core.state.model import Ask
from core.text.card_text import choice_of_seat
from tui.menus.excess import charity_words, going_words, kept
from tui.scene.cells import count
from tui.scene.deciders import struck_beside
from tui.scene.fight import run_chance
from tui.scene.scene import FIRST_CARD, Scene


def how_many(lo: int, hi: int) -> str:
    """Return how many to choose, in words: `choose 2`, `choose 1 to 3`, `choose up to 3`."""
    if lo == hi:
        return f"choose {lo}"
    return f"choose up to {hi}" if lo == 0 else f"choose {lo} to {hi}"


def asking(title: str, name: str) -> str:
    """Return the question for one field of an action. title: the words for the fields chosen so far."""
    return _joined(title, _FIELDS[name][0])


def answered(title: str, name: str, label: str) -> str:
    """Return the title with the answer for one more field added."""
    return _joined(title, f"{_FIELDS[name][1]}{label}")


def _joined(title: str, words: str) -> str:
    return f"{title} {words[:1].upper()}{words[1:]}" if title.endswith((".", "?", "!")) else f"{title} {words}"


_FIELDS = {
    "ability": ("how?", ""), "brought": ("with which monster?", "with "), "seat": ("on whom?", "on "),
    "side": ("for which side?", "for the "), "target": ("on what?", "on "), "deck": ("from which deck?", "from "),
    "carrier": ("who carries it?", "carried by "), "to": ("to whom?", "to "),
    "doubled": ("which counts twice?", "twice: "), "also": ("what else counts twice?", "and "),
    "monster": ("which monster?", ""), "both": ("how is it held?", ""), "lying": ("ends what?", "ends "),
}  # fmt: skip
"""For each field of an action: the question, and the words before its answer in the title. lying: the words for a
target that lies on a player, as a lasting Curse does."""


def option_labels(scene: Scene, ask: Ask) -> list[str]:
    """Return the labels of an ask's options: its own texts if it has some, each with the neighbour whom it strikes,
    else those of `option_label`."""
    if ask.texts:
        labels = [text + _beside(scene, ask, text) for text in ask.texts[: len(ask.options)]]
        return [*labels, *(f"number {at + 1}" for at in range(len(labels), len(ask.options)))]
    return [option_label(scene, ask, option) for option in ask.options]


def _beside(scene: Scene, ask: Ask, text: str) -> str:
    seat = struck_beside(scene, ask, text)
    return f": {scene.who(seat)}" if seat >= 0 else ""


def cards_of(ask: Ask) -> list[int]:
    """Return the cards among the options of an ask, by their ids, or by the numbers of their definitions where they
    are taken from the discards."""
    return [option for option in ask.options if option >= FIRST_CARD or ask.kind == "recover"]


def option_label(scene: Scene, ask: Ask, option: int) -> str:
    """Return the label of one option; the kind of ask decides whether it is a card, a seat or a position."""
    if ask.kind.endswith("blind"):
        return f"card {option + 1}"
    if ask.kind == "recover":
        return f"{scene.printed(option).name} ({scene.brief(option)})"
    if ask.kind in OF_SEATS and option < len(scene.view.seats):
        seat = scene.seat(option)
        if ask.kind == "first":
            return f"{scene.who(option)}, away {run_chance(scene, option)}"
        return f"{scene.who(option)} (Level {seat.level}, {count(seat.hand, 'card')})"
    if ask.kind == "vehicle":
        by = sum(mod.by for mod in scene.definition(option).flee if isinstance(mod.by, int))
        return f"{scene.title(option)} ({by:+d} to run)"
    if option >= FIRST_CARD:
        if kind_alone(ask.kind) in _WORTH_COUNTS and scene.card(option).value:
            return f"{scene.title(option)} ({scene.brief(option)}, {scene.card(option).value} gold)"
        return _AGAINST[ask.kind](scene, option) if ask.kind in _AGAINST else card_label(scene, option)
    if ask.kind == "throw again" and scene.view.throw is not None:
        return f"leave the {scene.view.throw.number}"
    return _LABELS_OF_ZERO.get(ask.kind, f"number {option}") if option == 0 else f"number {option}"


_WORTH_COUNTS = ("share", "share for", "loot")
"""Kinds of asks that divide cards among players: the label of each card includes its worth."""
_LABELS_OF_ZERO = {"shield": "let it strike", "loot fight": "no fight, continue", "throw again": "leave it"}
"""Labels of the option 0, by the kind of ask, if the other options are cards."""


def _stopping(scene: Scene, card: int) -> str:
    """Return the words for using a card against a curse, and whether that discards it."""
    spent = any(getattr(mod, "spent", False) for mod in scene.definition(card).by_type.get(Shield, ()))
    return f"{'discard' if spent else 'use'} {scene.title(card)}: stop it"


def _rolling_again(scene: Scene, card: int) -> str:
    """Return the words for having a die rolled again, and whether that discards the card."""
    spent = any(getattr(mod, "spent", False) for mod in scene.definition(card).by_type.get(ThrowAgain, ()))
    return f"{'discard' if spent else 'use'} {scene.title(card)}: roll again"


DEEDS = ("shield", "throw again")
"""Kinds of asks whose labels are acts: `use Lucky Charm: roll again`."""
_AGAINST: dict[str, Callable[[Scene, int], str]] = {"shield": _stopping, "throw again": _rolling_again}
"""Kinds of asks that offer cards against what has just happened."""


def ask_title(scene: Scene, ask: Ask) -> str:
    """Return the question of an ask as a short sentence."""
    owners = {owner_of(scene, option) for option in ask.options if option >= FIRST_CARD}
    theirs = len(owners) == 1 and not owners & {-1, ask.seat}
    if ask.kind in ("lose", "give") and theirs:
        words = f"What does {scene.name(owners.pop())} {ask.kind}{' away' if ask.kind == 'give' else ''}?"
    elif ask.kind == "take" and theirs:
        words = f"What do you take from {scene.name(owners.pop())}?"
    elif seat_of_kind(ask.kind) >= 0:
        words = _FOR_SEATS[kind_alone(ask.kind)].format(scene.name(seat_of_kind(ask.kind)))
    elif ask.kind in _QUESTIONS_FOR:
        words = _QUESTIONS_FOR[ask.kind](scene, ask)
    else:
        words = _QUESTIONS.get(ask.kind, f"{ask.kind.capitalize()}:")
    return f"{scene.printed(ask.card).name}: {_swapping(scene, ask)}{words}" if ask.card >= 0 else words


def _swapping(scene: Scene, ask: Ask) -> str:
    """Return the sentence for a card that asks about a swap, since its question names one way only; else ""."""
    kind = kind_alone(ask.kind)
    does = {type(op) for op in effects_within(scene.catalog.cards[ask.card].card)}
    return "you swap Items. " if kind in ("give for", "take") and Swap in does and Take not in does else ""


def _shield(scene: Scene, ask: Ask) -> str:
    struck = [scene.catalog.cards[ask.card]] if ask.card >= 0 else []
    return f"A {scene.lexicon.curse(struck).lower()} strikes you. Stop it?"


def _seat(scene: Scene, ask: Ask) -> str:
    """Return the question that asks for a player. If the card says in one sentence what happens to them, that comes
    first."""
    if ask.card < 0:
        return "Which player?"
    definition = scene.catalog.cards[ask.card]
    head = next((head for head in scene.catalog.packs if head.id == definition.set_id), None)
    befalls = choice_of_seat(definition.card, head)
    return f"{befalls[:1].lower()}{befalls[1:]} Which player?" if befalls else "Which player?"


def _under(scene: Scene, ask: Ask) -> str:
    if len(ask.options) == 1:
        return "You look at the top card of the deck: does it go under the deck?"
    return "You look at the top of the deck: which cards go under the deck?"


def _give_up(scene: Scene, ask: Ask) -> str:
    """Return the question for a seat with too many cards of a kind: which kind, and why."""
    card = scene.card(ask.options[0])
    if ask.card >= 0:
        return "Which one do you give up?"
    if card.kind == "ally":
        return "More Allies than you may have: which one goes? What it carries stays with you."
    if card.slot == "vehicle":
        return "More Vehicles than you may have: which one goes?"
    kind = scene.lexicon.kind(card.identity or "")
    if card.identity in scene.catalog.ranked:
        ranks = sum(scene.card(option).rank or 0 for option in ask.options)
        return f"Ranks of {ranks} exceed Level {scene.seat(ask.seat).level}: which {kind} goes?"
    return f"You have one {kind} too many: which one goes?"


def _first(scene: Scene, ask: Ask) -> str:
    judge = "whoever rolls higher decides" if scene.catalog.switches.who_first_by_die else "the fighter decides"
    alone = "You both roll for yourselves: the order matters only to cards and Bad Stuff."
    return f"Who runs away first? {alone} If you do not agree, {judge}."


def _loot_fight(scene: Scene, ask: Ask) -> str:
    return "You looted a monster: fight it at once?" if len(ask.options) > 1 else "You looted no monster to fight."


def _throw_again(scene: Scene, ask: Ask) -> str:
    """Return the question with what the die shows and what is needed."""
    throw = scene.view.throw
    if throw is None:
        return "Have the die rolled again?"
    who = "You" if throw.seat == scene.me else scene.name(throw.seat)
    of = "" if throw.sides == 6 else f" of {throw.sides}"
    need = f" ({throw.total} in all, {throw.need} escapes)" if throw.need else ""
    on = f" on {scene.who(throw.on)}" if throw.on >= 0 else ""
    return f"{who} rolled {throw.number}{of}{need}{on}: have it rolled again?"


def _charity(scene: Scene, ask: Ask) -> str:
    going = going_words(scene, ask.seat, brief=True)
    told = f"the limit is {kept(scene, ask.seat)}, {going}" if going else "too many cards in hand"
    return f"{told}: which {'one ' if ask.hi == 1 else ''}do you give away?"


def _discard(scene: Scene, ask: Ask) -> str:
    """Return the question, with the reason if it is charity that nobody receives."""
    told = charity_words(scene, ask.seat) if scene.view.top == "charity" else ""
    return f"{told}: which cards are discarded?" if told else "Which cards are discarded?"


_QUESTIONS_FOR: dict[str, Callable[[Scene, Ask], str]] = {
    "charity": _charity, "discard": _discard,
    "seat": _seat, "under": _under, "shield": _shield, "give up": _give_up, "first": _first,
    "loot fight": _loot_fight, "throw again": _throw_again,
}  # fmt: skip
"""Kinds of asks whose question depends on the scene."""

_FOR_SEATS = {"share for": "Which cards go to {}?", "give for": "What do you give to {}?"}
"""Kinds of asks that name a seat."""

_QUESTIONS = {
    "larger share": "The lowest are tied: who gets the extra card?",
    "loot": "Take a card from the body.",
    "share": "Take your share of the Treasure.",
    "option": "Which one?",
    "recover": "Which card from the discards do you take into your hand?",
    "lose": "What do you lose?",
    "lose blind": "Which of the face-down cards is lost?",
    "take": "What do you take?",
    "take blind": "Which of the face-down cards do you take?",
    "give": "What do you give away?",
    "give blind": "Which of the face-down cards is given away?",
    "throw away": "You look at the top of the deck: which card is discarded?",
    "back out": "You were compelled to help, and this fight may win the game: stay?",
    "sex": "Are you male or female? Some cards depend on it.",
    "turn sideways": "Too much is equipped: what do you put away?",
    "keep big": "Too many Big Items: which ones stay?",
    "sell or give": "Too many Big Items: sell them, or give them away?",
    "goes next": "Too many Big Items: which one goes next?",
    "add to sale": "What else is sold with it?",
    "count twice": "Which Items count twice in this sale?",
    "give to": "Who gets it?",
    "vehicle": "With which Vehicle do you run? Its modifier replaces all others of yours.",
    "pay roll": "The roll failed: pay cards to get away after all?",
}


def set_verb(ask: Ask) -> str:
    """Return the verb for handing in the set that an ask asks for."""
    kind = kind_alone(ask.kind).removesuffix(" blind")
    verb = _SET_VERBS.get(kind) or _SET_VERBS.get(kind.partition(" for ")[0], "choose these")
    return verb.replace("these", "it") if ask.hi == 1 else verb


_SET_VERBS = {
    "charity": "give these", "discard": "discard these", "share": "take these",
    "share for": "give these", "loot": "take these",
    "recover": "take these", "take": "take these", "give": "give these", "lose": "lose these",
    "give up": "give these up", "throw away": "discard these", "under": "put these under", "pay roll": "pay these",
    "keep big": "keep these", "turn sideways": "put these away", "add to sale": "sell these too",
    "count twice": "count these twice",
}  # fmt: skip
"""What handing in a set does, by the kind of its ask."""


def card_label(scene: Scene, card: int) -> str:
    """Return a card with its kind and figure, and its owner if another seat has it in play; for a lasting Curse, the
    player on whom it lies."""
    if struck_by(scene, card) >= 0:
        return lying_words(scene, card)
    owner = owner_of(scene, card)
    whose = f" of {scene.name(owner)}" if owner not in (-1, scene.me) else ""
    return f"{scene.title(card)} ({scene.brief(card)}){whose}"


def struck_by(scene: Scene, card: int) -> int:
    """Return the seat on which a card lies as a lasting effect, -1 if it lies on none."""
    lying = (seat.seat for seat in scene.view.seats if any(held.card == card for held in seat.lasting))
    return next(lying, -1) if card else -1


def lying_words(scene: Scene, card: int) -> str:
    """Return a card and the player it lies on, if it lies on anybody: `Bad Hat Day on Bo`."""
    struck = struck_by(scene, card)
    return scene.title(card) + (f" on {scene.who(struck)}" if struck >= 0 else "")


def owner_of(scene: Scene, card: int) -> int:
    """Return the seat that has a card in play or on it, -1 if none has."""
    for seat in scene.view.seats:
        if any(placed.card == card for placed in seat.table) or any(held.card == card for held in seat.lasting):
            return seat.seat
    return -1
