"""`kickdoor lab report`: one page of HTML with pictures of a ladder's games, readable without the program."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from msgspec import Struct

from netcode.lab.elo import share_interval
from netcode.lab.ladder import Schedule, Standings, ladder_of, standings
from netcode.lab.pictures import Bar, bars, columns, curves
from netcode.lab.records import PlayedGame, Run, read_games, read_run

BLUNDERS = "blunders.jsonl"
"""The output of `python -m tests.bench blunders`, if it is saved in the folder."""
CARDS = 15
"""Cards shown with the highest lifts, and with the lowest."""
UNFINISHED = 20
"""Games shown that were not finished."""
PLAYED_BY = 20
"""A card's lift is shown if at least this many seats played it."""
REACHED = 0.2
"""A curve of Levels ends where fewer than this share of the games still ran."""
STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --soft: #ccc; --bar: #7a9cc6; }
@media (prefers-color-scheme: dark) { :root { --ink: #ddd; --paper: #181818; --soft: #444; --bar: #4d6f99; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 800px; margin: 2em auto; padding: 0 1em; color: var(--ink);
       background: var(--paper); }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; }
svg text { fill: var(--ink); }
.bar { fill: var(--bar); } .axis, .interval { stroke: var(--ink); } .interval { stroke-width: 2; }
.grid { stroke: var(--soft); } .line { fill: none; stroke-width: 2.5; }
.c0 { fill: #0072b2; stroke: #0072b2; } .c1 { fill: #d55e00; stroke: #d55e00; } .c2 { fill: #009e73; stroke: #009e73; }
.c3 { fill: #cc79a7; stroke: #cc79a7; } .c4 { fill: #e69f00; stroke: #e69f00; } .c5 { fill: #56b4e9; stroke: #56b4e9; }
polyline.line { fill: none; }
"""


class Section(Struct, frozen=True):
    """A part of the page: its heading, a description of the picture, and the picture, or a list in its place."""

    heading: str
    words: str
    picture: str


def write_report(folder: Path, out: Path) -> None:
    """Write the page of a ladder's folder. Raises ValueError, with one line for people."""
    run, games = read_run(folder), read_games(folder)
    if not games:
        raise ValueError(f"{folder} holds no games yet")
    try:
        out.write_text(page(run, games, _blunders(folder)), encoding="utf-8")
    except OSError as problem:
        raise ValueError(f"{out} cannot be written: {problem.strerror}") from None


def page(run: Run, games: dict[int, PlayedGame], blunders: Sequence[tuple[str, float]] = ()) -> str:
    """Return the page of these games. blunders: the number in a game, by kind."""
    schedule = Schedule(ladder_of(run), run.packs)
    found = standings(schedule, games, max(games) + 1)
    ended = [game for game in games.values() if game.why == "ended"]
    names = " · ".join(run.players)
    parts = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>Ladder: {escape(names)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
        f"<h1>{escape(names)}</h1>\n<p>{escape(_summary(run, found))}</p>",
    ]
    for section in (*_lists(found), *_sections(run, found, ended, blunders)):
        parts.append(f"<h2>{escape(section.heading)}</h2>\n<p>{escape(section.words)}</p>\n{section.picture}")
    return "\n".join([*parts, "</body>\n</html>\n"])


def _summary(run: Run, found: Standings) -> str:
    sets = ", ".join("+".join(mix) for mix in run.mixes)
    form = "one seat against the others" if run.lone else "half of the seats each"
    budget = f", {run.budget} rollouts for a decision" if run.budget else ""
    ended = "all played to their end" if found.finished == found.games else f"{found.finished} played to their end"
    return (
        f"{_games(found.games)} at tables of {run.seats}, {ended}; {form}{budget}; sets: {sets}; seed {run.seed}; "
        f"kickdoor {run.program}; {found.seconds / 3600:.2f} hours of one core. Whiskers are intervals of 95 %."
    )


def _games(number: int) -> str:
    return f"{number} game" if number == 1 else f"{number} games"


def _lists(found: Standings) -> Iterator[Section]:
    """Yield the parts about failures, if there are any."""
    count = found.games - found.finished
    if count:
        rows = found.unfinished[:UNFINISHED]
        more = [f"and {count - len(rows)} more"] if count > len(rows) else []
        words = f"{count} of {_games(found.games)}. Nobody won them, and no other figure counts them."
        yield Section("Not finished", words, _list([*rows, *more]))
    if found.refused:
        names = ", ".join(f"{name} {times}" for name, times in found.refused.items())
        yield Section("Failures of players, and refused actions", f"{names}; among them:", _list(found.refusals))


def _list(rows: Sequence[str]) -> str:
    return "\n".join(["<ul>", *(f"<li>{escape(row)}</li>" for row in rows), "</ul>"])


def _sections(
    run: Run, found: Standings, ended: list[PlayedGame], blunders: Sequence[tuple[str, float]]
) -> Iterator[Section]:
    if ended:  # all these figures are of games that somebody won
        yield _elo(found)
        yield _shares(run, found)
        yield _level_curves(run, ended)
        yield _lengths(ended)
        yield from _lifts(ended)
        yield from _identities(ended)
    if blunders:
        most = max(count for _, count in blunders) or 1.0
        rows = [Bar(kind, count, f"{count:.3f}") for kind, count in blunders]
        yield Section("Blunders", "How many of each kind there were in a game.", bars("Blunders", rows, (0, most), 0))


def _elo(found: Standings) -> Section:
    rows = [
        Bar(one.player, one.elo, f"{one.elo:+.0f}  ({one.low:+.0f} .. {one.high:+.0f})", one.low, one.high)
        for one in found.ratings if one.games
    ]  # fmt: skip
    far = max(max(abs(one.low), abs(one.high)) for one in found.ratings if one.games)
    words = "400 times the decimal logarithm of a strength; the mean of all players is 0."
    words += _without([one.player for one in found.ratings if not one.games])
    return Section("Elo", words, bars("Elo of each player", rows, (-far, far), 0))


def _shares(run: Run, found: Standings) -> Section:
    even = 1 / run.seats if run.lone else 0.5
    rows = [
        Bar(" - ".join(one.players), one.share, f"{100 * one.share:.1f} % of {one.games}", one.low, one.high)
        for one in found.meetings if one.games
    ]  # fmt: skip
    words = f"The share of games that the first one of each pair won. The line is an even share, {100 * even:.0f} %."
    words += _without([" - ".join(one.players) for one in found.meetings if not one.games])
    return Section("Win shares", words, bars("Win shares of pairs", rows, (0, 1), even))


def _without(names: Sequence[str]) -> str:
    """Return the sentence about players who finished no game."""
    return f" Without a finished game: {', '.join(names)}." if names else ""


def _level_curves(run: Run, ended: list[PlayedGame]) -> Section:
    sums: dict[str, list[list[int]]] = {player: [] for player in run.players}
    running: list[int] = []
    for game in ended:
        for number, levels in enumerate(game.levels):
            if number == len(running):
                running.append(0)
            running[number] += 1
            for player, level in zip(game.bots, levels):
                rounds = sums[player]
                while len(rounds) <= number:
                    rounds.append([0, 0])
                rounds[number][0] += level
                rounds[number][1] += 1
    length = sum(count >= REACHED * len(ended) for count in running)
    lines = {
        player: [total / count for total, count in rounds[:length] if count] for player, rounds in sums.items()
    }  # fmt: skip
    top = max((max(line, default=1) for line in lines.values()), default=1)
    words = "The mean Level at the start of each round, as long as a fifth of the games still ran."
    return Section("Levels", words, curves("Mean Level by round", lines, 10 if top <= 10 else 20, "round"))


def _lengths(ended: list[PlayedGame]) -> Section:
    rounds = Counter(-(-game.turns // len(game.bots)) for game in ended)
    counts = [(str(number), rounds[number]) for number in range(min(rounds, default=1), max(rounds, default=1) + 1)]
    words = "How many games lasted each number of rounds."
    return Section("Length of games", words, columns("Games by rounds", counts, "rounds"))


def _lifts(ended: list[PlayedGame]) -> Iterator[Section]:
    """Yield the cards whose players won most and least often, if enough games were played."""
    played, won = Counter[str](), Counter[str]()
    seats = sum(len(game.bots) for game in ended)
    winners = sum(len(game.winners) for game in ended)
    for game in ended:
        for card, who in game.played.items():
            played[card] += len(who)
            won[card] += len(set(who).intersection(game.winners))
    rows = []
    for card, times in played.items():
        if times >= PLAYED_BY:
            lift, low, high = (
                share * seats / winners for share in (won[card] / times, *share_interval(won[card], times))
            )
            rows.append(Bar(_name(card), lift, f"{lift:.2f}  ({times} seats)", low, high))
    if not rows:
        return
    rows.sort(key=lambda row: -row.value)
    shown = rows if len(rows) <= 2 * CARDS else [*rows[:CARDS], *rows[-CARDS:]]
    most = max(row.high or row.value for row in shown)
    words = (
        "How often the seats that played a card won, as a multiple of all seats. Who wins has played more cards, so "
        "the mean is above 1: compare cards with each other."
    )
    yield Section("Cards: win lift", words, bars("Win lift of cards", shown, (0, most), 1))


def _identities(ended: list[PlayedGame]) -> Iterator[Section]:
    had, won = Counter[str](), Counter[str]()
    for game in ended:
        for seat, identities in enumerate(game.identities):
            had.update(identities)
            if seat in game.winners:
                won.update(identities)
    rows = []
    for name, times in had.items():
        share = won[name] / times
        rows.append(Bar(_name(name), share, f"{100 * share:.0f} % of {times}", *share_interval(won[name], times)))
    if rows:
        even = sum(len(game.winners) for game in ended) / sum(len(game.bots) for game in ended)
        words = "Of the seats that had it at the end, how many won. The line is the share of all seats."
        rows.sort(key=lambda row: -row.value)
        yield Section("Identities", words, bars("Identities of winners", rows, (0, 1), even))


def _name(card: str) -> str:
    return card.partition(":")[2].replace("-", " ")


def _blunders(folder: Path) -> list[tuple[str, float]]:
    """Return the blunders of each kind per game from the file of the folder; none if there is no such file."""
    path = folder / BLUNDERS
    if not path.exists():
        return []
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [(str(line["name"]), float(line["value"])) for line in lines]
    except (OSError, ValueError, KeyError, TypeError):
        raise ValueError(f"{path} is not what `python -m tests.bench blunders` prints") from None
