"""What `kickdoor simulate` prints: JSON, one line of figures, or a report for people."""

import json
from collections.abc import Iterator

import msgspec

from netcode.simulation.batch import SimConfig, SimResult, Spread, run

BAR = 40


def as_json(result: SimResult) -> str:
    """All figures as one JSON object."""
    return json.dumps(msgspec.to_builtins(result), indent=2)


def as_line(result: SimResult) -> str:
    """The figures that matter in a few lines."""
    lines = [
        f"{result.finished} of {result.games} games finished in {result.seconds:.1f} s"
        f" ({result.games_per_second:.1f} games/s, {result.decisions_per_second:,.0f} decisions/s)",
        f"turns: {_spread(result.turns)}   decisions: {_spread(result.decisions)}",
        f"wins by bot: {_wins(result.wins_by_bot)}",
    ]
    return "\n".join([*lines, *_troubles(result)])


def as_report(result: SimResult) -> str:
    """Everything worth reading: length, levels by round, who wins, what is played."""
    return "\n".join(_report(result))


def _report(result: SimResult) -> Iterator[str]:
    yield as_line(result)
    yield ""
    yield f"rounds: {_spread(result.rounds)}   passes: {_share(result.passes, result.decisions.total)} of all decisions"
    yield f"wins by seat: {_wins(result.wins_by_seat)}"
    yield f"wins by place after the first player: {_wins(result.wins_by_order)}"
    yield f"  beside an even share: {_even(result.wins_by_order)}"
    yield f"shared victories: {result.shared_wins}"
    yield ""
    yield "mean Level at the start of each round"
    for number, level in enumerate(result.levels[: 3 * int(result.rounds.median) // 2 + 1], 1):
        yield f"{number:4d}  {level:5.2f}  {'#' * round(level * BAR / 10)}"
    yield ""
    yield "identities at the end: winners of all who had it"
    for name, (won, had) in sorted(result.identities.items(), key=lambda entry: -entry[1][0] / max(1, entry[1][1])):
        per_turn = result.per_turn.get(name, 0.0)
        yield f"{name:20s} {won:5d} of {had:5d}  {_share(won, had):5s} wins per turn held {per_turn:.2f} x its kind's"
    yield ""
    never = [full_id.partition(":")[2] for full_id, times in result.cards_played.items() if not times]
    yield f"cards never played: {', '.join(never) or 'none'}"
    yield "cards played, by game"
    for full_id, times in result.cards_played.items():
        yield f"{full_id.partition(':')[2]:40s} {times / result.games:6.2f}"


def _troubles(result: SimResult) -> Iterator[str]:
    if result.refused:
        yield f"{result.refused} actions of bots were refused, among them:"
        yield from (f"  {text}" for text in result.refusals)
    if result.unfinished:
        yield "not finished:"
        yield from (f"  {text}" for text in result.unfinished)


def _spread(spread: Spread) -> str:
    return f"median {spread.median:g}, 95 % under {spread.p95:g}"


def _wins(wins: dict[str, int]) -> str:
    total = sum(wins.values())
    return ", ".join(f"{name} {count} ({_share(count, total)})" for name, count in wins.items()) or "none"


def _even(wins: dict[str, int]) -> str:
    """Wins of each place as a multiple of an even share."""
    total = sum(wins.values())
    return ", ".join(f"{name} {count * len(wins) / total:.2f}" for name, count in wins.items()) or "none"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def simulate(config: SimConfig, form: str = "line") -> tuple[str, int]:
    """Play and tell: the text to print (form: json, report or line) and the exit code.

    Raises ValueError (PackError is one) with a sentence for people.
    """
    result = run(config)
    printers = {"json": as_json, "report": as_report, "line": as_line}
    return printers[form](result), result.exit_code


def seats_range(text: str) -> tuple[int, int]:
    """The option --seats: "4" or "3..6". Raises ValueError."""
    lo, dots, hi = text.partition("..")
    try:
        return int(lo), int(hi) if dots else int(lo)
    except ValueError:
        raise ValueError(f"--seats {text}: write a number or two with dots between, like 3..6") from None
