"""The sums over many games: how long they took, who won, which cards were played."""

from collections import Counter
from statistics import median

from msgspec import Struct, field

from core.language.catalog import Catalog
from netcode.simulation.failures import refusal_lines
from netcode.simulation.game import GameResult

UNFINISHED_SHOWN = 50
"""At most this many of the games that a limit stopped are named."""


class Spread(Struct):
    """Sum, median and 95th percentile of a figure over all games."""

    total: int
    median: float
    p95: float


class SimResult(Struct):
    """How the games went. asked: how many were requested, if somebody stopped them. Wins count each winner of
    a shared victory; wins_by_order is by place after the first player; levels are the mean Level at the start of each
    round; unfinished names the games that a limit stopped."""

    games: int
    asked: int
    finished: int
    games_per_second: float
    decisions_per_second: float
    turns: Spread
    decisions: Spread
    rounds: Spread
    passes: int
    wins_by_seat: dict[str, int]
    wins_by_order: dict[str, int]
    wins_by_bot: dict[str, int]
    seats_by_bot: dict[str, int]
    shared_wins: int
    seconds: float
    seed: int
    refused: int
    """Actions that were refused, and failures of players."""
    refused_by_bot: dict[str, int]
    refusals: list[str]
    """One of each kind (failures.py), with its count."""
    unfinished: list[str]
    levels: list[float] = field(default_factory=list)
    cards_played: dict[str, int] = field(default_factory=dict)
    lift: dict[str, list[float]] = field(default_factory=dict)
    """By card: seats that played it (pooled over all games), and the share of them that won, as a multiple of the share
    of all seats that won."""
    identities: dict[str, list[int]] = field(default_factory=dict)
    """By identity: winners who had it at the end, all seats that had it at the end."""
    per_turn: dict[str, float] = field(default_factory=dict)
    """By identity: its wins per turn in play, as a multiple of the mean of its kind (all Classes, all Races, ...)."""

    @property
    def exit_code(self) -> int:
        """0 if every game finished, no action was refused and no player failed, else 1."""
        return 0 if self.finished == self.asked and not self.refused else 1


def _spread(figures: list[int]) -> Spread:
    ordered = sorted(figures)
    return Spread(sum(ordered), float(median(ordered)), float(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]))


def summed(catalog: Catalog, games: list[GameResult], *, asked: int, seed: int, seconds: float) -> SimResult:
    """Return the sums over games, at least one. asked: how many were requested; seconds: their total time."""
    ended = [game for game in games if game.why == "ended"]
    by_seat, by_order, by_bot, seats_by_bot = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    refused = Counter[str]()
    for game in games:
        seats_by_bot.update(game.bots)
        for seat, times in game.misplays.items():
            refused[game.bots[seat]] += times
        for seat in game.winners:
            by_seat[str(seat)] += 1
            by_order[str((seat - game.first) % game.seats)] += 1
            by_bot[game.bots[seat]] += 1
    decisions = sum(game.decisions for game in games)
    unfinished = [f"game {game.index} ({game.why}, turn {game.turns})" for game in games if game.why != "ended"]
    return SimResult(
        games=len(games),
        asked=asked,
        finished=len(ended),
        games_per_second=len(games) / seconds,
        decisions_per_second=decisions / seconds,
        turns=_spread([game.turns for game in games]),
        decisions=_spread([game.decisions for game in games]),
        rounds=_spread([-(-game.turns // game.seats) for game in games]),
        passes=sum(game.passes for game in games),
        wins_by_seat=dict(sorted(by_seat.items())),
        wins_by_order=dict(sorted(by_order.items())),
        wins_by_bot=dict(sorted(by_bot.items())),
        seats_by_bot=dict(sorted(seats_by_bot.items())),
        shared_wins=sum(len(game.winners) > 1 for game in games),
        seconds=seconds,
        seed=seed,
        refused=refused.total(),
        refused_by_bot=dict(refused.most_common()),
        refusals=refusal_lines((game.index, game.refused, game.repeated) for game in games),
        unfinished=unfinished[:UNFINISHED_SHOWN],
        levels=_levels(games),
        cards_played=_played(catalog, games),
        lift=_lift(catalog, ended),
        identities=_identity_wins(catalog, ended),
        per_turn=_per_turn(catalog, ended),
    )


def _levels(games: list[GameResult]) -> list[float]:
    """Return the mean Level of all seats at the start of each round, over the games that reached it."""
    out: list[float] = []
    for number in range(max((len(game.levels) for game in games), default=0)):
        levels = [level for game in games if number < len(game.levels) for level in game.levels[number]]
        out.append(round(sum(levels) / len(levels), 2))
    return out


def _played(catalog: Catalog, games: list[GameResult]) -> dict[str, int]:
    """Return how often each card was played, by full id, the most played first; cards never played have 0."""
    counts = Counter(dict.fromkeys(range(len(catalog.cards)), 0))
    for game in games:
        counts.update(game.played)
    return {catalog.cards[no].full_id: times for no, times in counts.most_common()}


def _lift(catalog: Catalog, games: list[GameResult]) -> dict[str, list[float]]:
    """Return for each card the seats that played it, and their share of wins divided by that of all seats, the best
    first.

    This is no proof of strength: winners have played more cards, so the mean over all cards is above 1.
    """
    seats, winners = sum(game.seats for game in games), sum(len(game.winners) for game in games)
    played, won = Counter[int](), Counter[int]()
    for game in games:
        for no, who in game.players.items():
            played[no] += len(who)
            won[no] += len(set(who).intersection(game.winners))
    lifts = {no: won[no] / times * seats / winners for no, times in played.items()} if winners else {}
    best = sorted(lifts, key=lambda no: -lifts[no])
    return {catalog.cards[no].full_id: [played[no], round(lifts[no], 2)] for no in best}


def _per_turn(catalog: Catalog, games: list[GameResult]) -> dict[str, float]:
    """Return the wins of each identity per turn in play, as a multiple of the mean of its kind."""
    won, held = Counter[str](), Counter[str]()
    kinds: dict[str, str] = {}
    for game in games:
        for no, turns in game.held.items():
            held[catalog.cards[no].card.name] += turns
            kinds[catalog.cards[no].card.name] = catalog.cards[no].card.identity or ""
        for seat in game.winners:
            won.update(catalog.cards[no].card.name for no in game.identities[seat])
    out: dict[str, float] = {}
    for name, kind in sorted(kinds.items()):
        family = [other for other in kinds if kinds[other] == kind]
        mean = sum(won[other] for other in family) / sum(held[other] for other in family)
        out[name] = round(won[name] / held[name] / mean, 2) if mean else 0.0
    return out


def _identity_wins(catalog: Catalog, games: list[GameResult]) -> dict[str, list[int]]:
    """Return for each identity the winners, and all seats, that had it at the end."""
    won, had = Counter[str](), Counter[str]()
    for game in games:
        for seat, identities in enumerate(game.identities):
            for no in identities:
                had[catalog.cards[no].card.name] += 1
                won[catalog.cards[no].card.name] += seat in game.winners
    return {name: [won[name], had[name]] for name in sorted(had)}
