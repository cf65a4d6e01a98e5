"""What the condition of a card asks for, in a few words. Pure."""

from core.language.definition import Def
from core.language.schema import If
from core.language.selectors import Cards
from core.text.card_phrases import Phrases, article
from tui.scene.scene import Scene


def condition_words(scene: Scene, definition: Def) -> tuple[str, ...]:
    """Return what must hold before a card can be played, the longest words first; () if its text asks for nothing."""
    asked = definition.card.if_
    if asked is None:
        return ()
    phrases = scene.lexicon.phrases(definition)
    whole = phrases.condition(asked).replace("the victim", "somebody").replace("is Level", "is at Level")
    return f"only if {whole}", *_brief(asked, phrases), "see its text", "see text"


def _brief(asked: If, phrases: Phrases) -> tuple[str, ...]:
    """Return a condition of one part in very few words; () for any other."""
    if len(asked.words) != 1 or asked.who == "others" or asked.all or asked.any or asked.none:
        return ()
    if asked.cards is not None:
        return _cards(asked.cards, asked.at_least, phrases)
    name = phrases.name(asked.has or asked.tag or "")
    forms: dict[str, tuple[str, ...]] = {
        "alone": ("if no helper", "if alone") if asked.alone else ("needs a helper", "if helped"),
        "monsters_at_least": (f"needs {asked.monsters_at_least} monsters", f"if {asked.monsters_at_least} foes"),
        "seals_at_least": (f"at {asked.seals_at_least} {'Seal' if asked.seals_at_least == 1 else 'Seals'}",),
        "fighting": ("for a fighter", "in a fight") if asked.fighting else (),
        "has": (f"for {article(name)}", f"if {name}"),
        "tag": (f"against {name}", f"if {name}"),
        "level_at_least": (f"from Level {asked.level_at_least}", f"if Level {asked.level_at_least}+"),
        "level_at_most": (f"up to Level {asked.level_at_most}", f"max Level {asked.level_at_most}"),
        "leads": () if asked.leads else ("if behind",),
    }
    return forms.get(asked.words[0], ())


def _cards(cards: Cards, least: int, phrases: Phrases) -> tuple[str, ...]:
    """Return how many cards of which kind somebody must have."""
    if cards.zone == "curses":
        return ("if cursed",)
    if cards.worth is not None:
        return f"needs {cards.worth} gold worth", f"{cards.worth} gold worth", f"if {cards.worth} gold"
    what = phrases.thing(cards, least == 1)
    if least > 1:
        return f"needs {least} {what}", f"if {least} {what}"
    return f"needs {article(what)}", f"needs {what}", f"if {what}", f"if {what.removesuffix(' card')}"
