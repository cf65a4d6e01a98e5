"""What `kickdoor simulate` prints: JSON, a few lines of figures, or a report for people."""

import json
from collections.abc import Iterator
from math import sqrt

import msgspec

from netcode.simulation.batch import Progress, SimConfig, run
from netcode.simulation.sums import SimResult, Spread

BAR = 40
"""The width of the bar of Level 10, in characters."""


def as_json(result: SimResult) -> str:
    """Return all figures as one JSON object."""
    return json.dumps(msgspec.to_builtins(result), indent=2)


def as_line(result: SimResult) -> str:
    """Return the most important figures in a few lines."""
    stopped = f"stopped after {result.games} of {result.asked} games: " if result.games < result.asked else ""
    lines = [
        f"{stopped}{result.finished} of {result.games} games finished in {result.seconds:.1f} s"
        f" ({result.games_per_second:.1f} games/s, {result.decisions_per_second:,.0f} decisions/s)",
        f"turns: {_spread(result.turns)}   decisions: {_spread(result.decisions)}",
        f"wins by bot: {_wins(result.wins_by_bot)}",
    ]
    return "\n".join([*lines, *_problems(result)])


def as_report(result: SimResult) -> str:
    """Return a report for people: length, Levels by round, who wins, what is played."""
    return "\n".join(_report(result))


def _report(result: SimResult) -> Iterator[str]:
    yield as_line(result)
    yield ""
    yield f"rounds: {_spread(result.rounds)}   passes: {_share(result.passes, result.decisions.total)} of all decisions"
    yield f"wins by seat: {_wins(result.wins_by_seat)}"
    yield f"wins by place after the first player: {_wins(result.wins_by_order)}"
    yield f"  in multiples of an even share: {_even_shares(result.wins_by_order)}"
    yield f"shared victories: {result.shared_wins}"
    yield ""
    yield "mean Level at the start of each round"
    for number, level in enumerate(result.levels[: 3 * int(result.rounds.median) // 2 + 1], 1):
        yield f"{number:4d}  {level:5.2f}  {'#' * round(level * BAR / 10)}"
    yield ""
    yield "identities at the end: how many of those who had it won; wins per turn in play beside the mean of its kind"
    for name, (won, had) in sorted(result.identities.items(), key=lambda entry: -entry[1][0] / max(1, entry[1][1])):
        per_turn = result.per_turn.get(name, 0.0)
        yield f"{name:20s} {won:5d} of {had:5d}  {_share(won, had):5s} wins per turn {per_turn:.2f} x its kind's"
    yield ""
    never = [full_id.partition(":")[2] for full_id, times in result.cards_played.items() if not times]
    yield f"cards never played: {', '.join(never) or 'none'}"
    yield "cards played, per game; wins of the seats that played it, as a multiple of all seats' (pooled over seats)"
    for full_id, times in result.cards_played.items():
        lift = f"{result.lift[full_id][1]:6.2f}" if full_id in result.lift else "     -"
        yield f"{full_id.partition(':')[2]:40s} {times / result.games:6.2f} {lift}"
    yield ""
    yield from _outliers(result)


OUTLIER = 3.0
"""A card stands out if its win lift is this many standard errors away from the mean of all cards..."""
OUTLIER_SHARE = 0.25
"""...and at least this share of the mean."""


def _outliers(result: SimResult) -> Iterator[str]:
    """Yield the cards whose win lift is far from the mean of all cards, weighed by how often they were played."""
    weight = sum(times for times, _ in result.lift.values())
    if not weight:
        return
    mean = sum(times * lift for times, lift in result.lift.values()) / weight
    base = sum(result.wins_by_seat.values()) / sum(result.seats_by_bot.values())
    yield f"win lift: {mean:.2f} on average; cards that stand out"
    for full_id, (times, lift) in result.lift.items():
        share = min(0.99, max(0.01, lift * base))
        error = sqrt(share * (1 - share) / times) / base
        if abs(lift - mean) > max(OUTLIER * error, OUTLIER_SHARE * mean):
            yield f"{full_id.partition(':')[2]:40s} {lift:6.2f} (played by {times:.0f} seats)"


def _problems(result: SimResult) -> Iterator[str]:
    if result.refused:
        names = ", ".join(f"{name} {times}" for name, times in result.refused_by_bot.items())
        yield f"{result.refused} failures of players and refused actions ({names}), among them:"
        yield from (f"  {text}" for text in result.refusals)
    if result.unfinished:
        count = result.games - result.finished
        yield f"not finished ({count}):"
        yield from (f"  {text}" for text in result.unfinished)
        if count > len(result.unfinished):
            yield f"  and {count - len(result.unfinished)} more"


def _spread(spread: Spread) -> str:
    return f"median {spread.median:g}, 95 % under {spread.p95:g}"


def _wins(wins: dict[str, int]) -> str:
    total = sum(wins.values())
    return ", ".join(f"{name} {count} ({_share(count, total)})" for name, count in wins.items()) or "none"


def _even_shares(wins: dict[str, int]) -> str:
    """Return the wins of each place as a multiple of an even share."""
    total = sum(wins.values())
    return ", ".join(f"{name} {count * len(wins) / total:.2f}" for name, count in wins.items()) or "none"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def simulate(
    config: SimConfig, form: str = "line", progress: Progress = lambda played, games: None
) -> tuple[str, int]:
    """Play the games; return the text to print (form: json, report or line) and the exit code.

    Raises ValueError (PackError is one) with one line for people, and WorkerLost.
    """
    result = run(config, progress)
    printers = {"json": as_json, "report": as_report, "line": as_line}
    return printers[form](result), result.exit_code


def seats_range(text: str) -> tuple[int, int]:
    """Return the fewest and most seats that the option --seats names: "4" or "3..6". Raises ValueError."""
    lo, dots, hi = text.partition("..")
    try:
        return int(lo), int(hi) if dots else int(lo)
    except ValueError:
        raise ValueError(f"--seats {text}: write a number, or a range like 3..6") from None
