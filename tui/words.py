"""Cards in a few words and in full: what kind, what figures, what text. Knows no Textual."""

from core.vocab import Card
from tui.text import count, signed

_SLOTS = {
    "head": "headgear", "armor": "armor", "feet": "footgear", "1-hand": "1 hand", "2-hands": "2 hands", "none": "",
}  # fmt: skip
_KINDS = {
    "enhancer": "monster enhancer", "wandering": "wandering monster", "curse": "curse", "double": "second identity",
    "level": "go up a level", "cheat": "cheat", "hireling": "hireling", "special": "special", "ally": "Ally",
    "upgrade": "Item enhancer", "seal": "Seal",
}  # fmt: skip
_WHEN = {
    "any": "at any time", "combat": "in any fight", "own-combat": "in your own fight", "own-turn": "on your own turn",
    "peace": "while you are not in a fight", "running": "while you run away", "prepare": "before you open the door",
}  # fmt: skip


def brief(card: Card) -> str:
    """Kind and main figure in at most a dozen cells: `monster L6`, `item +2`, `one-shot +3`."""
    if card.kind == "monster":
        return f"monster L{card.level}"
    if card.kind == "enhancer":
        return f"enhancer {signed(card.bonus)}" if card.bonus else "enhancer"
    if card.kind == "item":
        word = "one-shot" if card.one_shot else "item"
        return f"{word} {signed(card.bonus)}" if card.bonus else word
    if card.kind == "identity":
        return card.identity or "identity"
    return {"level": "level up", "wandering": "wandering", "double": "double"}.get(card.kind, card.kind)


def figure(card: Card) -> str:
    """The shortest there is, at most four cells: `L6`, `+2`, `cur`."""
    if card.kind == "monster":
        return f"L{card.level}"
    if card.bonus:
        return signed(card.bonus)
    return {
        "curse": "crs", "level": "lvl", "identity": "id", "item": "1x" if card.one_shot else "itm", "enhancer": "enh",
        "ally": "ally", "upgrade": "upg", "seal": "seal", "wandering": "wan", "double": "id2", "cheat": "cht",
        "hireling": "hir", "special": "spc",
    }.get(card.kind, "")  # fmt: skip


def worn(card: Card) -> str:
    """An Item in play with its bonus and room: `Pickle Spear+4`, `Boat Hook+5(2h)`."""
    bonus = signed(card.bonus) if card.bonus else ""
    return f"{card.name}{bonus}" + {"2-hands": "(2h)"}.get(card.slot or "", "") + ("(big)" if card.big else "")


def worn_short(card: Card) -> str:
    """An Item in play where there is little room: `Pickle Spear+4`."""
    return f"{card.name}{signed(card.bonus)}" if card.bonus else card.name


def facts(card: Card, tags: dict[str, str] | None = None) -> str:
    """The printed figures in one sentence: `one-shot item, +5, 300 gold`."""
    return ", ".join(_facts(card, tags or {}))


def _facts(card: Card, tags: dict[str, str]) -> list[str]:
    if card.kind == "monster":
        names = [tags.get(tag, tag.capitalize()) for tag in card.tags]
        return [f"Level {card.level} monster", *names, count(card.treasures, "Treasure"), count(card.levels, "level")]
    if card.kind == "item":
        return _item_facts(card)
    if card.kind == "identity":
        return [card.identity or "identity", *([f"Rank {card.rank}"] if card.rank else [])]
    parts = [_KINDS.get(card.kind, card.kind)]
    if card.bonus:
        parts.append(f"{signed(card.bonus)} to a monster" if card.kind == "enhancer" else signed(card.bonus))
    if card.treasures:
        parts.append(f"{signed(card.treasures)} {'Treasure' if abs(card.treasures) == 1 else 'Treasures'}")
    if card.gives_tag:
        parts.append(f"makes it {tags.get(card.gives_tag, card.gives_tag.capitalize())}")
    return parts


def _item_facts(card: Card) -> list[str]:
    parts = ["one-shot item" if card.one_shot else "item"]
    if card.bonus:
        parts.append(signed(card.bonus))
    if card.slot and _SLOTS[card.slot]:
        parts.append(_SLOTS[card.slot])
    if card.big:
        parts.append("Big")
    parts.append(f"{card.value} gold" if card.value else "no value")
    return parts


def time_of(card: Card) -> str:
    """When a card in hand is played, in words; empty if the card itself does not say."""
    if card.when is not None:
        return _WHEN[card.when]
    return {
        "monster": "when looking for trouble", "enhancer": "in any fight", "wandering": "in any fight",
        "curse": "at any time", "level": "at any time", "hireling": "at any time", "identity": "on your own turn",
        "double": "on your own turn", "cheat": "on your own turn", "ally": "at any time", "upgrade": "on your own turn",
        "item": "in any fight" if card.one_shot else
        "on your own turn, outside a fight",
    }.get(card.kind, "")  # fmt: skip


def paragraphs(card: Card, tags: dict[str, str] | None = None) -> list[str]:
    """A card to be read in full: its figures, when it is played, its text, its abilities."""
    figures = facts(card, tags)
    parts = [figures[:1].upper() + figures[1:] + "."]
    if card.text:
        parts.append(card.text)
    parts += [ability.text for ability in card.abilities if ability.text not in card.text]
    time = time_of(card)
    if time:
        parts.append(f"Played {time}.")
    return parts
