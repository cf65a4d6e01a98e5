"""Bargains in words: the terms, and who offers them to whom. Pure."""

from collections.abc import Sequence

from core.state.actions import Terms
from core.state.model import Bargain
from tui.scene.cells import count
from tui.scene.scene import Scene


def terms_of(scene: Scene, deal: Bargain | Terms) -> str:
    """Return the terms of a bargain in a few words."""
    if deal.kind == "trade":
        giver, taker = (deal.frm, deal.to) if isinstance(deal, Bargain) else (-1, -1)
        return f"{_items(scene, deal.gives, giver)} for {_items(scene, deal.wants, taker)}"
    parts = []
    if deal.treasures:
        first = f" ({first_words(scene, deal)})" if matters_who_is_first(scene, deal) else ""
        parts.append(count(deal.treasures, "Treasure") + first)
    parts += [scene.title(card) for card in deal.gives]
    if deal.cards:
        parts.append(f"{count(len(deal.cards), 'hand card')} played on the helper")
    return " + ".join(parts) or "nothing"


def _items(scene: Scene, cards: Sequence[int], seat: int) -> str:
    """Return the Items of one side of a trade, each with its bonus. seat: whose they are, -1 if that need not be
    told."""
    bonuses = [scene.card(card).bonus for card in cards]
    named = [scene.title(card) + (f" {by:+d}" if by else "") for card, by in zip(cards, bonuses, strict=True)]
    return f"{'your ' if named and seat == scene.me >= 0 else ''}{', '.join(named) or 'nothing'}"


def matters_who_is_first(scene: Scene, deal: Bargain | Terms) -> bool:
    """Return whether it matters who picks first: the helper and the fighter both get Treasures."""
    return deal.treasures > 0 and (scene.fight is None or deal.treasures < scene.fight.treasures)


def first_words(scene: Scene, deal: Bargain | Terms) -> str:
    """Return who picks first: `you pick first`, `Bo picks first`."""
    fighter = scene.who(scene.fight.seat) if scene.fight else "the fighter"
    helper = scene.who(deal.helper) if deal.helper >= 0 else "the helper"
    first = helper if deal.helper_first else fighter
    return f"{first} {'pick' if first == 'you' else 'picks'} first"


def offer_words(scene: Scene, deal: Bargain) -> str:
    """Return an open offer in one line: from whom, to whom, and its terms."""
    to = scene.who(deal.to) if deal.to >= 0 else "the table"
    if deal.kind == "help":
        what = f"help for {terms_of(scene, deal)}" if deal.frm == deal.helper else f"{terms_of(scene, deal)} for help"
    elif deal.kind == "trade":
        what = terms_of(scene, deal)
    else:
        what = f"{terms_of(scene, deal)} as a gift"
    return f"{scene.who(deal.frm)} to {to}: {what}"
