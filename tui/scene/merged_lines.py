"""Several lines of the log about one thing as one line: cards that one seat loses, dice that one seat rolls, who
begins, what one card does to several Levels. Pure."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from core.text.grammar import listed as together
from core.text.log import FROM_HAND, TO_PAY
from tui.scene.scene import LogLine

DIE = "rolled"
LEVEL = "level-changed"


def with_shared_levels(lines: Sequence[LogLine], me: int) -> list[LogLine]:
    """Return the lines with one sentence, of whoever has played it, for a card that changes the Levels of several:
    `Bea plays Cake: Bea +2 to Level 3, you +1 to Level 2, Cyd and Dot +1`. A play into a fight keeps its words, by
    which its act is known, beside that sentence."""
    found: list[LogLine] = []
    plays: dict[str, LogLine] = {}
    for line in lines:
        found.append(line)
        verb, _, card = line.text.removeprefix(f"{line.who} ").partition(" ")
        if line.who and line.about == "moved" and verb in ("play", "plays"):
            plays[card] = line
    for card, play in plays.items():
        after = found[next(at for at, line in enumerate(found) if line is play) :]
        raised = [line for line in after if line.about == LEVEL and line.who and cause(line) == card]
        if len({line.seat for line in raised}) < 2:
            continue
        text = f"{card if play.act else play.text}: {_changes(raised, play.seat, me)}"
        yours, just = (any(getattr(line, what) for line in raised) for what in ("yours", "just"))
        told = replace(
            play, text=text, about=LEVEL, amount="", said="", yours=yours, just=just, act=False,
            who="" if play.act else play.who,
        )  # fmt: skip
        at = next(at for at, line in enumerate(found) if line is raised[0])
        found[at] = told
        gone = [*raised, *([] if play.act else [play])]
        found = [line for line in found if not any(line is one for one in gone)]
    return found


def _changes(raised: Sequence[LogLine], first: int, me: int) -> str:
    """Return how Levels have changed: those of this seat and of the reader with the Level they have now, then the
    others."""
    by: dict[int, int] = {}
    last: dict[int, LogLine] = {}
    for line in raised:
        by[line.seat] = by.get(line.seat, 0) + int(line.amount)
        last[line.seat] = line
    named = [seat for seat in dict.fromkeys((first, me)) if seat in by]
    words = []
    for seat in named:
        who = "you" if seat == me else last[seat].who
        words.append(f"{who} {by[seat]:+d} to {last[seat].text.rpartition(': ')[2]}")
    rest: dict[int, list[str]] = {}
    for seat, amount in by.items():
        if seat not in named:
            rest.setdefault(amount, []).append(last[seat].who)
    words += [f"{together(names)} {amount:+d}" for amount, names in rest.items()]
    return ", ".join(words)


def cause(line: LogLine) -> str:
    """Return why a Level has changed: `the kill`; "" if the line does not say."""
    told = line.text.rpartition(": ")[0]
    return told.partition(" (")[2][:-1] if told.endswith(")") else ""


def with_first_player(lines: Sequence[LogLine], me: int) -> list[LogLine]:
    """Return the lines with one sentence for the dice that have decided who begins, once that is known: `Dot begins
    (rolled 5; Bea 4, you 3)`."""
    dice = [line for line in lines if line.about == DIE and line.text.endswith(_WHO_BEGINS)]
    begun = next((line for line in lines if line.kind == "turn"), None)
    rolled: dict[int, list[str]] = {}
    for line in dice:
        rolled.setdefault(line.seat, []).append(_numbers(line)[0].rpartition(" ")[2])
    if begun is None or begun.seat not in rolled:
        return list(lines)
    names = {line.seat: "you" if line.seat == me else line.who for line in dice}
    others = sorted((seat for seat in rolled if seat != begun.seat), key=lambda seat: rolled[seat], reverse=True)
    told = [f"rolled {', '.join(rolled[begun.seat])}"]
    told += [", ".join(f"{names[seat]} {', '.join(rolled[seat])}" for seat in others)] if others else []
    begins = "You begin" if begun.seat == me else f"{names[begun.seat]} begins"
    text = f"{begins} ({'; '.join(told)})"
    one = replace(dice[-1], text=text, seat=begun.seat, who=begins.partition(" ")[0], amount="", yours=me in rolled)
    return [one if line is dice[-1] else line for line in lines if line is dice[-1] or not any(line is d for d in dice)]


_WHO_BEGINS = "(who begins)"


CARD_BY_CARD = ("lose", "loses", "discard", "discards", "equip", "equips", "sell", "sells")
"""Verbs of lines that name one card each."""


def listed(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return the lines, but merge lines in a row that differ only in the card that somebody loses or plays, takes from
    one other seat or gives to it, and the dice that one seat has rolled for one thing."""
    found: list[LogLine] = []
    for line in lines:
        begin, _, card = line.text.removeprefix(line.who).strip().partition(" ")
        before = found[-1] if found else None
        same = before is not None and (before.seat, before.about, before.yours) == (line.seat, line.about, line.yours)
        start = f"{line.who} {begin} "
        alike = same and before is not None and origin(before) == origin(line)
        named = begin in CARD_BY_CARD or (begin in ("play", "plays") and _plain_play(line) and _plain_play(before))
        by_card = line.who and named and before is not None and before.text.startswith(start)
        if alike and before is not None and (by_card or (begin in _FROM_SEAT and origin(line))):
            end = origin(line)
            cards = _and_card(before.text.removeprefix(start).removesuffix(end), card.removesuffix(end))
            found[-1] = replace(before, text=f"{start}{cards}{end}")
        elif (at := _same_dice(found, line)) >= 0:
            told, reason = _numbers(line)
            text = f"{found[at].text.removesuffix(reason)}, {told.partition(' ')[2]}{reason}"
            found[at] = replace(found[at], text=text)
        else:
            found.append(line)
    return found


def _plain_play(line: LogLine | None) -> bool:
    """Return whether a card is played at nobody, and not into a fight."""
    return line is not None and not line.act and not line.hits and " on " not in line.text


_FROM_SEAT = ("take", "takes", "give", "gives")
"""Verbs of lines that name one card each, and at the end from or to whom it goes."""
_NAMELESS = re.compile(r"^(?:a|(\d+)) cards?$")
"""Cards that the reader does not see: `a card`, `3 cards`."""


def _and_card(cards: str, card: str) -> str:
    """Return these cards and one more; cards without names are counted."""
    found = _NAMELESS.match(cards)
    return f"{int(found[1] or 1) + 1} cards" if found and card == "a card" else f"{cards}, {card}"


def _same_dice(found: Sequence[LogLine], line: LogLine) -> int:
    """Return the place of an earlier line about a die of the same seat for the same reason; -1 if there is none."""
    reason = _numbers(line)[1]
    same = (at for at, one in enumerate(found) if one.seat == line.seat and reason and _numbers(one)[1] == reason)
    return next(same, -1)


def _numbers(line: LogLine) -> tuple[str, str]:
    """Return the numbers of dice that decide nothing by themselves, and the end of the line, which says what they were
    rolled for: `rolls 3`, ` (who begins)`; twice "" for any other line."""
    told = _DICE.search(line.text) if line.about == DIE and not line.then else None
    return (told[1], told[2]) if told else ("", "")


_DICE = re.compile(r"(rolls? [\d, ]+)( \([^()]*\))$")


def origin(line: LogLine) -> str:
    """Return from where somebody takes or loses a card, to whom it goes, or why, as the end of the line: ` from Cid`,
    ` to Cid (charity)`, ` from hand`, ` to pay`, ` (Glampire)`; "" if the line does not say."""
    verb = line.text.removeprefix(line.who).strip().partition(" ")[0]
    _, there, whom = line.text.rpartition(" from " if verb.startswith("take") else " to ")
    if line.who and verb in _FROM_SEAT and there:
        return f"{there}{whom}"
    end = _END.search(line.text)
    return end[0] if end and (line.about == "moved" or not end[2]) else ""


_END = re.compile(rf"({FROM_HAND}|{TO_PAY})?( \([^()]*\))?$")
"""Whence a card is lost, and why."""
