"""What has happened since the reader acted last, what matters most first. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence

from msgspec.structs import replace

from core.text.grammar import counted
from core.text.log import TO_PAY
from tui.scene.gear import with_noun
from tui.scene.merged_lines import (
    CARD_BY_CARD,
    DIE,
    LEVEL,
    cause,
    listed,
    origin,
    with_first_player,
    with_shared_levels,
)
from tui.scene.scene import LogLine

LOOKED_AT = 200
"""The most lines of the log that are looked through."""
KEPT = 60
"""The most lines that are told."""
_WEIGHTS = {
    "won": 1, "level-changed": 1, "died": 2, "fight-began": 3, "stage-set": 3, "fled": 3, "safe": 3, "fight-ended": 3,
}  # fmt: skip
"""The weight of events that do not touch the reader, by their names; events that are missing weigh least."""
_HITS = 3
"""The weight of what rivals do to each other, and of what they lose by it."""
_LEAST = 4
_AWAY = ("fled", "safe")
"""What becomes of a reader who runs away: it is told too, though it does not strike them."""
_TOLD_ELSEWHERE = ("kicked", "window-opened", "held", "released", "settled", "noted")
"""Events that the prompt tells by itself."""


class Since:
    """Keeps the lines of the log since the reader acted last."""

    def __init__(self) -> None:
        self._lines: list[LogLine] = []
        self._told: tuple[LogLine, ...] | None = ()
        """Those of them that are told, what matters most first; None: to be found out."""
        self._newest = 0
        """How many of them have come with the newest events, or later."""
        self._shown = 0
        """How many of them have come while the stage was in sight."""
        self._read = 0
        """How many of them had come when the reader let the bots go on."""

    def __len__(self) -> int:
        return len(self._lines)

    def set(self, lines: list[LogLine]) -> None:
        """Replace all lines: by none when the reader has acted, or by those of a game whose events are told again."""
        self._lines, self._told, self._newest, self._shown, self._read = lines, None, 0, 0, 0

    def read(self) -> None:
        """Note that the reader has read what has struck them so far: it is not told again."""
        self._read, self._told = len(self._lines), None

    def add(self, line: LogLine) -> None:
        """Add a line."""
        if len(self._lines) > LOOKED_AT:
            del self._lines[0]
            self._shown, self._read = max(0, self._shown - 1), max(0, self._read - 1)
        self._lines.append(line)
        self._told, self._newest = None, self._newest + 1

    def put(self, behind: int, line: LogLine) -> None:
        """Replace the line at this place from the end; 1: the last one."""
        if behind <= len(self._lines):
            self._lines[-behind], self._told = line, None

    def events_come(self) -> None:
        """Take all lines so far as older than the newest events."""
        self._newest, self._told = 0, None

    def told(self, me: int) -> tuple[LogLine, ...]:
        """Return what has happened, what matters most to this seat first."""
        if self._told is None:
            first = len(self._lines) - self._newest
            lines = [
                replace(one, just=True) if at >= first else one
                for at, one in enumerate(self._lines) if at >= self._read or not strikes(one, me)
            ]
            self._told = since(lines, me)
        return self._told

    def missed(self, me: int, in_sight: bool) -> tuple[LogLine, ...]:
        """Return what this seat has to see of what came while the stage was out of sight. in_sight: whether it is in
        sight now, and tells of all of it."""
        self._shown = len(self._lines) if in_sight else min(self._shown, len(self._lines))
        return tuple(line for line in self._lines[self._shown :] if always_told(line, me))


def own_last(log: Sequence[LogLine], me: int) -> list[LogLine]:
    """Return the lines after the last act of the reader, for a game whose earlier events have just been told. Their
    dice, what they have run from and what a bot did for them are no acts of theirs: they are told. What was played into
    fights of earlier turns is no news of the fight that is on."""
    recent = list(log[-LOOKED_AT:])
    own = (DIE, *_AWAY)
    acted = (
        line.kind == "event" and line.seat == me >= 0 and not (line.yours or line.bot) and line.about not in own
        for line in recent
    )  # fmt: skip
    last = max((at for at, mine in enumerate(acted) if mine), default=-1)
    turn = max((at for at, line in enumerate(recent) if line.kind == "turn"), default=-1)
    return [replace(line, act=line.act and at > turn) for at, line in enumerate(recent) if at > last]


def since(log: Sequence[LogLine], me: int) -> tuple[LogLine, ...]:
    """Return the lines that tell a player what others have done: first what touches the player and the player's own
    dice (older dice after the rest of it), then what a bot did for the player, Levels with their causes, deaths,
    and fights and what rivals do to each other, then the rest. Of each, what has just happened comes first;
    otherwise each group is in order of time, and so is what one seat does with a card. What one seat loses card by
    card is one line, and nothing is told twice. log: the lines since then."""
    if me < 0:
        return ()
    recent = with_shared_levels(with_first_player(log[-LOOKED_AT:], me), me)
    told = [
        line for line in recent
        if line.kind == "event" and (strikes(line, me) or line.seat != me or line.bot or line.about in _AWAY)
        and line.about not in _TOLD_ELSEWHERE
    ]  # fmt: skip
    if any(line.about == "kicked" for line in log):  # who begins is no news any more
        told = [line for line in told if line.just or line.about != DIE or not line.step.startswith("0.")]
    levels: dict[int, list[LogLine]] = {}
    for line in told:
        if _of_one_seat(line):
            levels.setdefault(line.seat, []).append(line)
    told = [replace(line, then=_all_of(line.then, levels)) if line.about == DIE else line for line in told]
    told = [line for line in told if not _of_one_seat(line) or levels[line.seat][-1] is line]
    raised_by = {(seat, cause(line)) for seat, lines in levels.items() for line in lines}
    brief = [_reached(levels[line.seat]) if _of_one_seat(line) else line for line in _once(told, raised_by)]
    weighed = sorted(brief, key=lambda line: _weight(line, me))
    return tuple(listed(_card_in_time(weighed, brief))[:KEPT])


def _of_one_seat(line: LogLine) -> bool:
    """Return whether a line tells how the Level of one other seat has changed."""
    return line.about == LEVEL and not line.yours and bool(line.amount)


def _card_in_time(lines: Sequence[LogLine], in_time: Sequence[LogLine]) -> list[LogLine]:
    """Return the lines in their order, but before what a seat loses or plays what else was told of that card
    earlier."""
    when = {id(line): at for at, line in enumerate(in_time)}
    found: list[LogLine] = []
    for line in lines:
        verb, _, card = line.text.removeprefix(line.who).removesuffix(origin(line)).strip().partition(" ")
        if line.who and card and verb in (*CARD_BY_CARD, "play", "plays"):
            found += [one for one in lines if one.seat == line.seat and card in one.text
                      and when[id(one)] < when[id(line)] and not any(one is there for there in found)]  # fmt: skip
        if not any(line is one for one in found):
            found.append(line)
    return found


def _once(lines: Sequence[LogLine], raised_by: Collection[tuple[int, str]]) -> list[LogLine]:
    """Return the lines without those of others that another line makes superfluous: a door whose card is fought or
    taken, an Item that is equipped when it is played, what came of a die, a monster killed in a fight that is won, a
    card that is named as the cause of its player's Level, what an ability is paid with, an effect that is told again,
    the way to a deal of help. raised_by: seats whose Level has changed, each with a cause of it."""
    lines = _with_effects(_paid(lines))
    helped = max((at for at, line in enumerate(lines) if line.about == "helper-came"), default=-1)
    fought = max((at for at, line in enumerate(lines[:helped]) if line.about == "fight-began"), default=-1)
    won = any(line.about == "stage-set" and _WINS.search(line.text) for line in lines)
    texts = {line.text for line in lines}
    outcomes = {line.then for line in lines} - {""}

    def told(line: LogLine, at: int) -> bool:
        if line.about == "turned":
            card = line.text.partition("the door: ")[2]
            return any(later.seat == line.seat and card in later.text for later in lines[at + 1 :])
        if line.about == "flipped":
            verb, _, card = line.text.removeprefix(line.who).strip().partition(" ")
            return verb == "equips" and f"{line.who} plays {card.removesuffix(' in both hands')}" in texts
        if not line.act and (line.seat, line.text.removeprefix(f"{line.who} plays ")) in raised_by:
            return True
        if line.about == "moved" and line.text.startswith(f"{line.who} sells "):
            doubled = f"{line.who}'s {line.text.removeprefix(f'{line.who} sells ')} sells for"
            return any(text.startswith(doubled) for text in texts)
        if line.about in ("offered", "offer-closed"):
            return fought < at < helped
        if line.about == "safe" and not line.text.endswith(_NO_ROLL):
            return any(later.seat == line.seat and later.text.endswith(_NO_ROLL) for later in lines[at + 1 :])
        if line.text in outcomes and line.about != DIE:
            return True
        return line.about == "monster-left" and won and " is killed" in line.text

    answers = ("offer-closed",)  # of the reader's own offers too
    return [line for at, line in enumerate(lines) if (line.yours and line.about not in answers) or not told(line, at)]


_WINS = re.compile(r" wins? the fight\b")
_NO_ROLL = ": no roll is needed"


def _paid(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return the lines of others with the cards that an ability costs named in the line of the ability. A play into a
    fight keeps its words, by which its act is known."""
    found: list[LogLine] = []
    for line in lines:
        use, joint, _ = line.text.partition(", discarding ")
        if line.about == "used-ability" and joint and not line.yours:
            start = f"{line.who} discards "
            costs = [one for one in found if one.text.startswith(start) and one.text.endswith(TO_PAY) and not one.yours]
            cards = ", ".join(one.text.removeprefix(start).removesuffix(TO_PAY) for one in costs)
            found = [one for one in found if not any(one is cost for cost in costs)]
            line = replace(line, text=f"{use}, discarding {cards}") if costs and not line.act else line
        found.append(line)
    return found


def _with_effects(lines: Sequence[LogLine]) -> list[LogLine]:
    """Return the lines with the newest effect of a card on a seat only; how long it lasts stands with the play that
    brought it, if that was outside a fight."""
    found: list[LogLine] = []
    for line in lines:
        card, affects, rest = line.text.partition(" affects ")
        whom = next((when for when in _WHEN if when in rest), "")
        who = rest.partition(whom)[0] if whom else rest
        if affects and line.about in ("lasting-began", "lasting-armed"):
            before = [one for one in found if one.text.startswith(f"{card} affects {who} ")]
            found = [one for one in found if not any(one is old for old in before)]
            play = f" {card} on {who}"
            at = next((at for at, one in enumerate(found) if one.text.endswith(play) and not one.act), -1)
            if at >= 0 and whom:
                found[at] = replace(found[at], text=f"{found[at].text} {rest.removeprefix(who).strip()}")
                continue
        found.append(line)
    return found


_WHEN = (" until ", " in ", " for ", " from ")
"""Beginnings of the words that say how long an effect lasts."""


def _reached(lines: Sequence[LogLine]) -> LogLine:
    """Return one line for all changes of a seat's Level: where it is now, by how much that is more or less, and why."""
    last, level = lines[-1], lines[-1].text.rpartition(": ")[2]
    by = sum(int(line.amount) for line in lines if line.amount)
    causes = dict[str, int]()
    for line in lines:
        if (why := cause(line)) and line.amount:
            causes[why] = causes.get(why, 0) + int(line.amount)
    mixed = any(amount * by <= 0 for amount in causes.values())
    told = ", ".join(f"{why} {amount:+d}" if mixed else why for why, amount in causes.items())
    more = ": ".join(filter(None, (f"{by:+d}" if by else "", told)))
    change = f"{'now' if by else 'again'} ({more})" if more else "again"
    text = f"{last.who} is at {level} {change}" if last.who and last.text != level else last.text
    return replace(last, text=text, amount="", said="")


def _all_of(then: str, levels: Mapping[int, Sequence[LogLine]]) -> str:
    """Return what came of a die with the whole change of a Level, if it has changed the Level more than once: `Bea
    gains 2 levels (Medal): Level 3`. levels: the lines about the Level of each seat."""
    for lines in levels.values():
        alike = [line for line in lines if cause(line) and cause(line) == cause(lines[0]) and line.amount]
        if len(alike) > 1 and alike[0].text == then:
            by, first = sum(int(line.amount) for line in alike), abs(int(alike[0].amount))
            many, new = counted(abs(by), "level", "levels"), alike[-1].text.rpartition(": ")[2]
            return f"{then.replace(counted(first, 'level', 'levels'), many).rpartition(': ')[0]}: {new}"
    return then


def sentence(line: LogLine) -> str:
    """Return a line as a sentence: an act of a fight with the sums after it, a die with what has come of it; the card
    of a die is named once."""
    return sentences(line)[0]


def sentences(line: LogLine) -> list[str]:
    """Return a line as a sentence, the longest form first: the card in brackets at its end becomes its noun; that of a
    die is then left out, since what the die has brought matters more."""
    sums = f" ({line.amount})" if line.act and ":" in line.amount else ""
    if not line.then:
        return [f"{text}{sums}." for text in dict.fromkeys((line.text, with_noun(line.text)))]
    begin, joint, end = line.text.rpartition(" (")
    card = end.removesuffix(")") if joint else ""
    then = line.then.removeprefix(f"{card}: ").replace(f" ({card})", "").removeprefix(f"{line.who} ")
    texts = [line.text, *((with_noun(line.text), begin) if card else ())]
    return [f"{text}{sums}: {then}." for text in texts]


def weighty(line: LogLine, me: int) -> bool:
    """Return whether a line touches the player, or tells of a Level, the end, a death, or what a bot did for the
    player. Such lines are told during a fight too."""
    return strikes(line, me) or line.bot or _WEIGHTS.get(line.about, _LEAST) < _WEIGHTS["fight-began"]


def always_told(line: LogLine, me: int) -> bool:
    """Return whether a line is shown, if there is room for it, before the player answers anything more: it strikes
    them, or somebody else has played into a fight or rolled a die."""
    return strikes(line, me) or (line.act and line.seat != me) or line.about == DIE


def strikes(line: LogLine, me: int) -> bool:
    """Return whether a line tells of what touches the player, or of the player's own die."""
    return line.yours or (line.about == DIE and line.seat == me)


def _weight(line: LogLine, me: int) -> tuple[int, int, int]:
    if strikes(line, me):
        return 0, 0 if line.just else 1, int(line.about == DIE and not line.just)
    weight = 0 if line.bot else min(_WEIGHTS.get(line.about, _LEAST), _HITS if line.hits else _LEAST)
    return 1 + (weight == _LEAST), 0 if line.just else 1, weight
