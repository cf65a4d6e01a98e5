"""Advise the author of a pack: where a card's printed text and its effects seem to differ, or where a player would be
puzzled.

Words can be read in more than one way, so advice can be wrong. Nothing is refused because of it: `kickdoor cards check`
prints it, and only `--strict` fails. What is certainly wrong is a mistake (lint.py).
"""

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice

import msgspec

from core.authoring.advice_numbers import number_advice
from core.authoring.effects_key import effects_key
from core.authoring.lint_cards import Found
from core.authoring.lint_files import Problem, Row, Source, read_source
from core.language import schema as v
from core.language.tree import Effects, child_texts, walk
from core.procedures.setup import DEALT

ADVICE_LIMIT = 1000
"""The list of advice ends after this many entries."""
Placed = tuple[Source, Row, v.Card]
"""A card and where it is written."""


def advise_pack(files: dict[str, bytes], at: Callable[[str], object] = str) -> list[Problem]:
    """Return advice on a pack that has no mistakes, by file and line. files, at: as for `lint.check_pack`."""
    found: list[Placed] = []
    for name in sorted(files):
        if name != "pack.toml" and "/" not in name:
            at(name)
            source = read_source(name, files[name], "card")
            found += [(source, row, msgspec.convert(row.table, v.Card)) for row in source.rows]
    advice = list(islice(chain(_size(files), _advice(found)), ADVICE_LIMIT))
    return sorted(advice, key=lambda problem: (problem.file, problem.line))


PLAYERS = 4
"""The players at a table, if nobody says otherwise."""
MIX = "mix it with a larger set: --set munchkins-and-mazes --set FOLDER"


def _size(files: dict[str, bytes]) -> Iterator[Problem]:
    """Yield a deck that has too few cards to be dealt to the usual number of players (setup.deal)."""
    source = read_source("pack.toml", files["pack.toml"])
    (row,) = source.rows
    for deck, words in (("door", "Door cards"), ("treasure", "Treasures")):
        has = row.table["counts"].get(deck, 0)
        if has < PLAYERS * DEALT:
            message = f"{PLAYERS} players are dealt {PLAYERS * DEALT} {words}, and this pack has {has}"
            yield msgspec.structs.replace(source.problem(row, "", f"counts.{deck}", message, MIX), advice=True)


def _advice(found: list[Placed]) -> Iterator[Problem]:
    for source, row, card in found:
        for check in (_bad_stuff, _permission, _choice, number_advice):
            for key, message, hint in check(card):
                yield _problem(source, row, card, key, message, hint)
    yield from _same_effects(found)
    yield from _same_words(found)


def _problem(source: Source, row: Row, card: v.Card, key: str, message: str, hint: str) -> Problem:
    return msgspec.structs.replace(source.problem(row, card.id, key, message, hint), advice=True)


# ----------------------------------------------------------------------------------------------------------- Bad Stuff
_SAID = re.compile(
    r"\b(nothing|otherwise|unharmed|unhurt|spared|no harm|if any|if you (have|wear|hold|own|carry)|with any)\b", re.I
)
"""Words that show that a Bad Stuff may have no effect."""


def _bad_stuff(card: v.Card) -> Iterator[Found]:
    """Yield a Bad Stuff that may have no effect and does not say so: it only takes things that its victim may not
    have."""
    words = card.text.partition("Bad Stuff")[2] or card.text
    if card.bad and not _surely(card.bad) and not _SAID.search(words):
        hint = 'else = [{ do = "level", by = -1 }], or a text that says so: "if you have any"'
        yield "bad", "does nothing to a player who has nothing of that kind, and the text does not say so", hint


def _surely(text: Effects, asked: bool = False) -> bool:
    """Return whether a text has an effect on every player. asked: a condition before it may have checked that
    its victims have what it takes."""
    return any(_does(op, asked) for op in text)


def _does(op: v.Op, asked: bool) -> bool:
    if isinstance(op, v.Branch):
        return _surely(op.then, True) and _surely(op.else_, True)
    if op.if_ is not None:
        return False
    if isinstance(op, v.Each):
        return _surely(op.then, asked)
    if isinstance(op, v.Discard | v.Take | v.Swap):
        return asked or _surely(op.else_)
    return asked if isinstance(op, v.SwapIdentity) else not isinstance(op, v.Die | v.ChooseSeat)


# ------------------------------------------------------------------------------------------------------------- choices
_SUBJECTS = (
    "you", "they", "fighter", "helper", "victim", "player", "players", "opener", "owner", "neighbour", "munchkin",
    "munchkins", "hero", "heroes", "everybody", "everyone", "anybody", "anyone", "somebody", "side", "right", "left",
)  # fmt: skip
_DENIED = r"not|neither|never|only|no|still|well|\w+ (?:nobody|nothing|no)"
_MAY = re.compile(rf"\b({'|'.join(_SUBJECTS)}) may (?!(?:{_DENIED})\b)", re.I)
_CHOOSING = re.compile(
    r"\b(may|can|choos\w*|choice|or|either|pick\w*|pays?|whether|decid\w*|unless|instead|prefers?|wish\w*|"
    r"any of|as (you|they))\b",
    re.I,
)
_LEAVES_A_CHOICE = (
    v.Option, v.ChooseSeat, v.Ability, v.Shield, v.PayRoll, v.TwoHanded, v.TopDiscard, v.LootFight, v.Capacity,
    v.SellDouble, v.SpareDeath, v.Recover, v.ThrowAgain,
)  # fmt: skip
"""Pieces of the language that let a player choose."""
_AT_WILL = ("wandering", "enhancer", "cheat", "level", "special", "hireling", "ally", "upgrade", "double")
"""Kinds of card that a player may play or not, so that "may" can refer to playing them."""


def _permission(card: v.Card) -> Iterator[Found]:
    """Yield a text that lets somebody choose, on a card without any choice."""
    if card.kind in _AT_WILL or card.one_shot or card.for_ally or card.when is not None or card.target is not None:
        return
    said = _MAY.search(card.text)
    if said is not None and not any(_leaves(piece) for _, piece in walk(card)):
        yield "text", f"says {said.group().strip()!r}, but no effect leaves a choice", 'do = "option", or other words'


def _leaves(piece: msgspec.Struct) -> bool:
    if isinstance(piece, v.Peek):
        return piece.may != "look"
    return isinstance(piece, _LEAVES_A_CHOICE) or (isinstance(piece, v.Cards) and piece.by is not None)


def _choice(card: v.Card) -> Iterator[Found]:
    """Yield a choice that the text does not mention."""
    printed = " ".join((card.text, *(ability.text for ability in card.abilities)))
    if _CHOOSING.search(printed):
        return
    for key, piece in walk(card):
        if isinstance(piece, v.Option) or (isinstance(piece, v.Peek) and piece.may in ("under", "discard")):
            yield key, "is a choice, but the text does not say so", 'a word such as "may" or "choose"'
            return


# -------------------------------------------------------------------------------------------------------- repetitions
_NUMBERS_ONLY = ("item", "ally", "hireling", "upgrade", "wandering")
"""Kinds of card of which a set may have several that differ in nothing but their names."""


def _same_effects(found: list[Placed]) -> Iterator[Problem]:
    first: dict[bytes, str] = {}
    for source, row, card in found:
        if not _has_effects(card):
            continue
        key = effects_key(card)
        if key in first:
            hint = "copies = 2 gives two of one card"
            yield _problem(source, row, card, "", f"does the same as {first[key]}", hint)
        first.setdefault(key, card.name)


def _has_effects(card: v.Card) -> bool:
    if card.kind == "level":
        return card.if_ is not None or any(not isinstance(op, v.Level) for op in card.play)
    return card.kind not in _NUMBERS_ONLY or any((card.mods, card.abilities, *child_texts(card).values()))


_RULE = re.compile(
    r"[\d+]|\b(levels?|cards?|items?|treasures?|doors?|monsters?|combats?|fights?|fighter|help\w*|hands?|discard\w*|"
    r"draws?|rolls?|dice|dies?|dead|run|bad stuff|curses?|usable|play\w*|turns?|escapes?|steals?|seals?|loses?|gains?|"
    r"bonus\w*|class\w*|races?|powers?|arm(?:y|ies)|all(?:y|ies)|headgear|footgear|armor|vehicles?|big|one-shot|"
    r"undead|value|victim|strength|death|everybody|nobody|anybody|pursues?|stays?|in front of|counters?)\b",
    re.I,
)
"""A sentence with one of these words is a rule, and rules use the same wording on every card."""


def _same_words(found: list[Placed]) -> Iterator[Problem]:
    """Yield cards with a sentence that another card of the pack has too, unless it is a rule."""
    first: dict[str, str] = {}
    for source, row, card in found:
        for sentence in dict.fromkeys(re.split(r"[.!?:]+(?:\s|$)", card.text)):
            plain = " ".join(re.findall(r"[\w'-]+", sentence.lower()))
            if " " not in plain or _RULE.search(sentence):
                continue
            if plain in first:
                message = f"says {sentence.strip()!r}, and so does {first[plain]}"
                yield _problem(source, row, card, "text", message, "tell a joke once")
            first.setdefault(plain, card.name)
