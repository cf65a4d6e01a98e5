"""Which conditions and amounts of a card are disadvantages of an identity, by their keys. Cards do not mark them, so
`kickdoor cards show` tells the author (core/language/drawbacks.py)."""

from collections.abc import Iterator

from msgspec import Struct

from core.language import schema as v
from core.language.compiler import PARTS
from core.language.drawbacks import HARM, choice_sense, effect_sense, meets_sense, mod_sense, text_sense
from core.language.tree import child_texts

_WORSE: dict[type, tuple[str, int]] = {
    v.Draw: ("count", -1), v.Enhance: ("by", 1), v.Strength: ("by", -1), v.Flee: ("by", -1),
}  # fmt: skip
"""Amounts of effects and modifiers, and whether more of them is worse (1) or less (-1) for players."""


def drawbacks(card: v.Card) -> Iterator[str]:
    """Yield the keys of all conditions and amounts of a card that make an identity a disadvantage."""
    if card.unless is not None and card.unless.about_identity:
        yield "unless"
    if text_sense(card.if_, card.play, "you") == HARM:
        yield "if"
    yield from _mods(card.mods, "mods", card.kind in ("monster", "enhancer"))
    yield from _mods(card.foes, "foes", True)
    for name in PARTS:
        yield from _text(getattr(card, name), name, "victim")
    for at, ability in enumerate(card.abilities):
        if text_sense(ability.if_, ability.do, "you") == HARM:
            yield f"abilities[{at}].if"
        yield from _text(ability.do, f"abilities[{at}].do", "victim")


def _mods(mods: tuple[v.Mod, ...], key: str, of_monster: bool) -> Iterator[str]:
    for at, mod in enumerate(mods):
        if mod_sense(mod, of_monster) == HARM:
            yield f"{key}[{at}].if"
        yield from _amount(mod, f"{key}[{at}]", -1 if of_monster and isinstance(mod, v.Strength) else 1)


def _text(text: tuple[v.Op, ...], key: str, default: v.Who) -> Iterator[str]:
    """Yield the keys in a text. default: the seat that a condition without a who-word is about."""
    for at, op in enumerate(text):
        here = f"{key}[{at}]"
        if effect_sense(op, default) == HARM:
            yield f"{here}.if"
        if isinstance(op, v.ChooseSeat) and meets_sense(op, text[at + 1 :]) == HARM:
            yield f"{here}.meets"
        if isinstance(op, v.Option):
            yield from (
                f"{here}.of[{i}].if" for i, one in enumerate(op.of) if choice_sense(op, one, default) == HARM
            )  # fmt: skip
        if isinstance(op, v.Linger):
            yield from _mods(op.mods, f"{here}.mods", False)
        if isinstance(op, v.Bonus):
            yield from _counted(op.by, f"{here}.by", -1 if op.side == "heroes" else 1)
        if isinstance(op, v.Discard | v.Take):
            yield from _counted(op.cards.count, f"{here}.cards.count", 1)
        yield from _amount(op, here, 1)
        for name, inner in child_texts(op).items():
            yield from _text(inner, f"{here}.{name}", "me" if op.loops else default)


def _amount(piece: Struct, key: str, sign: int) -> Iterator[str]:
    known = [_WORSE[type(piece)]] if type(piece) in _WORSE else []
    known += [(gain.key, -1) for gain in piece.gives_levels if gain.key] if isinstance(piece, v.OpBase) else []
    for name, worse in known:
        yield from _counted(getattr(piece, name), f"{key}.{name}", worse * sign)


def _counted(value: int | v.Amount, key: str, worse: int) -> Iterator[str]:
    """Yield the keys of the parts of an amount that count against seats with an identity. worse: as for `amount`."""
    if isinstance(value, int) or worse * value.times <= 0:
        return
    if value.having is not None and value.having.about_identity:
        yield f"{key}.having"
    if value.count is not None and value.count.means_identities:
        yield f"{key}.count"
