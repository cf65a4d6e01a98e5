"""The steps that turn an offer that is being written into the wanted one. Pure."""

from core.state import actions as a
from core.state.actions import Action
from tui.menus.offer_editor import Draft, chosen
from tui.menus.offer_text import first_words, matters_who_is_first
from tui.scene.cells import count
from tui.scene.scene import Scene

SETS = ("gives", "wants", "cards")
"""The terms that are sets, each chosen in a picker of its own."""


def begins(draft: Draft, action: Action) -> bool:
    """Return whether this draft can become this offer by changing its terms."""
    if isinstance(action, a.Counter):
        return draft.answers == action.offer and draft.kind == action.terms.kind
    if not isinstance(action, a.Offer) or draft.answers or draft.kind != action.terms.kind:
        return False
    offers_help = draft.kind == "help" and draft.helper != draft.to  # the request of a fighter names the seat it asks
    return not offers_help or (draft.to, draft.helper) == (action.to, action.terms.helper)


def next_step(scene: Scene, draft: Draft, action: a.Offer | a.Counter) -> tuple[str, str]:
    """Return the entry of the editor that comes next on the way to this offer, and the value that it must reach: `until
    it is to Bo`. Once all terms are right, the entry is `send`, and there is no value."""
    terms = action.terms
    if isinstance(action, a.Offer) and draft.to != action.to:
        return "to", f"until it is to {scene.who(action.to) if action.to >= 0 else 'the table'}"
    if draft.kind == "help" and draft.treasures != terms.treasures:
        entry = "more" if draft.treasures < terms.treasures else "less"
        return entry, f"until it is {count(terms.treasures, 'Treasure')}"
    if matters_who_is_first(scene, terms) and draft.helper_first != terms.helper_first:
        return "first", f"until {first_words(scene, terms)}"
    for name in SETS:
        if set(chosen(draft, name)) != set(chosen(terms, name)):
            cards = [scene.title(card) for card in chosen(terms, name)]
            return name, f"then choose {' and '.join(cards) or 'none of them'}"
    return "send", ""
