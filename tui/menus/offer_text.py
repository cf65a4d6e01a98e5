"""Bargains in words: the terms, and who offers them to whom. Pure."""

from core.state.actions import Terms
from core.state.model import Bargain
from tui.scene.cells import count
from tui.scene.scene import Scene


def terms_of(scene: Scene, deal: Bargain | Terms) -> str:
    """Return the terms of a bargain in a few words."""
    parts = []
    if deal.treasures:
        fighter = scene.who(scene.fight.seat) if scene.fight else "the fighter"
        helper = scene.who(deal.helper) if deal.helper >= 0 else "the helper"
        first = helper if deal.helper_first else fighter
        parts.append(f"{count(deal.treasures, 'Treasure')} ({first} {'pick' if first == 'you' else 'picks'} first)")
    parts += [scene.title(card) for card in deal.gives]
    if deal.cards:
        parts.append(f"{count(len(deal.cards), 'hand card')} played on the helper")
    text = " + ".join(parts) or "nothing"
    if deal.kind == "trade":
        return f"{text} for {' + '.join(scene.title(card) for card in deal.wants) or 'nothing'}"
    return text


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
