"""The statistics of a career (career.py): tallies, streaks, dice, and their words for screen and command line."""

import csv
import io
import json
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from netcode.recording.career import PlayedGame
from netcode.recording.set_names import set_name

NO_GAMES = "No game has been counted yet: every game that you play to its end counts."
KILLERS_SHOWN = 5
FAIR_PIPS = 3.5
"""The average of a fair die."""
Row = tuple[str, str]
"""A label and its words."""


class Tally(Struct):
    """Games of one kind and how many of them were won."""

    games: int = 0
    won: int = 0


class Figures(Struct):
    """The statistics of a career.

    by_set, by_seats, against, by_bots: tallies by set of cards (a mix counts for each of them), by seats at the table,
    against bots or people, by level of the bots (at tables without other people). streak: the most games won in a row;
    now: the present streak. killers: what killed the player most often.
    """

    games: int
    won: int
    by_set: dict[str, Tally]
    by_seats: dict[str, Tally]
    against: dict[str, Tally]
    by_bots: dict[str, Tally]
    streak: int
    now: int
    rolls: int
    average: float
    runs: int
    away: int
    kills: int
    helped: int
    strikes: int
    betrayals: int
    cursed: int
    deaths: int
    killers: list[tuple[str, int]]


def figures(games: Sequence[PlayedGame]) -> Figures:
    """Return the statistics of these games. games: the oldest first."""
    by_set: dict[str, Tally] = {}
    by_seats: dict[str, Tally] = {}
    against: dict[str, Tally] = {}
    by_bots: dict[str, Tally] = {}
    killers: Counter[str] = Counter()
    streak = now = 0
    for game in games:
        for set_id in game.sets:
            _add(by_set, set_id, game.won)
        _add(by_seats, str(game.seats), game.won)
        _add(against, "people" if game.people else "bots", game.won)
        for level in sorted(set(game.bots)) if not game.people else ():
            _add(by_bots, level, game.won)
        killers.update(game.killers)
        now = now + 1 if game.won else 0
        streak = max(streak, now)

    def total(name: str) -> int:
        return sum(getattr(game, name) for game in games)

    rolls = total("rolls")
    return Figures(
        games=len(games), won=total("won"), by_set=by_set, by_seats=by_seats, against=against, by_bots=by_bots,
        streak=streak, now=now, rolls=rolls, average=round(total("pips") / rolls, 2) if rolls else 0.0,
        runs=total("runs"), away=total("away"), kills=total("kills"), helped=total("helped"),
        strikes=total("strikes"), betrayals=total("betrayals"), cursed=total("cursed"), deaths=total("deaths"),
        killers=sorted(killers.items(), key=lambda item: (-item[1], item[0]))[:KILLERS_SHOWN],
    )  # fmt: skip


def _add(tallies: dict[str, Tally], key: str, won: bool) -> None:
    tally = tallies.setdefault(key, Tally())
    tally.games += 1
    tally.won += won


def career_rows(found: Figures) -> list[tuple[str, list[Row]]]:
    """Return the figures as sections of rows, each a label and its words."""
    if not found.games:
        return []
    sections = [
        ("Games", [("played", str(found.games)), ("won", _share(found.won, found.games)),
                   ("best streak", _streak(found))]),
        ("By set", [(set_name(ident), words) for ident, words in _tallies(found.by_set)]),
        ("By players", [(f"{seats} at the table", words) for seats, words in _tallies(found.by_seats)]),
        ("Against", _tallies(found.against)),
        ("By level of bots", _tallies(found.by_bots)),
        ("Dice", _dice(found)),
        ("Deeds", [("monsters killed", str(found.kills)), ("fights helped", str(found.helped)),
                   ("struck at others", f"{found.strikes}, {found.betrayals} of them betrayals"),
                   ("curses suffered", str(found.cursed)), ("deaths", str(found.deaths))]),
        ("Favourite killers", [(name, _times(times)) for name, times in found.killers]),
    ]  # fmt: skip
    return [(title, rows) for title, rows in sections if rows]


def _tallies(tallies: dict[str, Tally]) -> list[Row]:
    return [(name, f"won {_share(tally.won, tally.games)}") for name, tally in sorted(tallies.items())]


def _share(won: int, games: int) -> str:
    return f"{won} of {games} ({round(100 * won / games)} %)"


def _streak(found: Figures) -> str:
    going = f", {found.now} now" if found.now > 1 else ""
    return f"{found.streak} in a row{going}" if found.streak else "none yet"


def _dice(found: Figures) -> list[Row]:
    rows = []
    if found.rolls:
        luck = found.average - FAIR_PIPS
        how = f"{abs(luck):.2f} {'above' if luck > 0 else 'below'} a fair die"
        rows.append(("rolled", _times(found.rolls)))
        rows.append(("average", f"{found.average:.2f}, {how}"))
    if found.runs:
        rows.append(("got away", _share(found.away, found.runs)))
    return rows


def _times(times: int) -> str:
    return "once" if times == 1 else f"{times} times"


def exported(games: Sequence[PlayedGame], suffix: str = "") -> str:
    """Return all games for other programs. suffix: the file's: `.csv` has a line for each game; anything else is JSON
    that includes the statistics."""
    if suffix.lower() == ".csv":
        return _as_csv(games)
    data = {"games": msgspec.to_builtins(list(games)), "figures": msgspec.to_builtins(figures(games))}
    return json.dumps(data, indent=2) + "\n"


def _as_csv(games: Sequence[PlayedGame]) -> str:
    """Return a line for each game; several words in one column are separated by blanks."""
    names = PlayedGame.__struct_fields__
    out = io.StringIO(newline="")
    lines = csv.writer(out)
    lines.writerow(names)
    for game in games:
        values = (getattr(game, name) for name in names)
        lines.writerow([_cell(value) for value in values])
    return out.getvalue()


def _cell(value: object) -> str:
    """Return a value as a text that no spreadsheet takes for a formula."""
    text = "; ".join(value) if isinstance(value, list) else str(value).lower() if value in (True, False) else str(value)
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text
