"""Bargains in words: the terms, and who offers them to whom. Pure."""

from core.state.actions import Terms
from core.state.model import Bargain
from tui.scene.cells import count
from tui.scene.scene import Scene


def terms_of(scene: Scene, deal: Bargain | Terms) -> str:
    """Return the terms of a bargain in a few words."""
    parts = []
    if deal.treasures:
        first = f" ({first_words(scene, deal)})" if matters_who_is_first(scene, deal) else ""
        parts.append(count(deal.treasures, "Treasure") + first)
    parts += [scene.title(card) for card in deal.gives]
    if deal.cards:
        parts.append(f"{count(len(deal.cards), 'hand card')} played on the helper")
    text = " + ".join(parts) or "nothing"
    if deal.kind == "trade":
        return f"{text} for {' + '.join(scene.title(card) for card in deal.wants) or 'nothing'}"
    return text


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
