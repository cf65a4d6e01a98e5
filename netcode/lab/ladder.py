"""`kickdoor ladder`: each pair of players meets in many games with equal deals: the same seeds in every order of
seats."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path

from msgspec import Struct

from core.state.model import Options
from core.text.grammar import listed
from netcode import VERSION
from netcode.bots.factory import check_player
from netcode.bots.search import numbers
from netcode.lab.commands import check_command, is_command
from netcode.lab.elo import Rating, ratings, share_interval
from netcode.lab.player_code import code_of
from netcode.lab.records import PlayedGame, Run, Workers, play_recorded, records_at
from netcode.protocol import limits
from netcode.protocol.table_options import parse_options, spell_options
from netcode.simulation.batch import Progress
from netcode.simulation.failures import refusal_lines
from netcode.simulation.plan import GamePlan, game_seed, load_catalog, pack_hashes
from netcode.simulation.sums import UNFINISHED_SHOWN


class Ladder(Struct, frozen=True, kw_only=True):
    """The games of a ladder, except their number. players: specifications (factory.make_player), each one once; mixes:
    the sets of the games, in rotation; seats: at a table; lone: one seat for a player and the others for its rival,
    instead of half of the seats each; gauntlet: only the first player meets the others; budget: rollouts that a player
    may spend on a decision."""

    players: tuple[str, ...]
    mixes: tuple[tuple[str, ...], ...] = (("munchkins-and-mazes",),)
    seats: int = 4
    lone: bool = False
    gauntlet: bool = False
    seed: int = 0
    budget: int = numbers().budget
    options: Options = Options()

    def check(self) -> None:
        """Raise ValueError, with one line for people, if these games cannot be played."""
        if len(self.players) < 2:
            raise ValueError("--players: name two players or more, with commas between them")
        for player in self.players:
            (check_command if is_command(player) else check_player)(player)
            if self.players.count(player) > 1:
                raise ValueError(f"--players: {player} is named twice")
        if not limits.SEATS_MIN <= self.seats <= limits.SEATS_MAX:
            raise ValueError(f"--seats {self.seats}: a table has {limits.SEATS_MIN} to {limits.SEATS_MAX} seats")
        for sets in self.mixes:
            load_catalog(sets, self.seats)

    def pairs(self) -> list[tuple[str, str]]:
        """Return the pairs of players; at a `lone` table the first one of a pair is alone."""
        found = list((permutations if self.lone else combinations)(self.players, 2))
        return [pair for pair in found if pair[0] == self.players[0]] if self.gauntlet else found

    def orders(self) -> list[tuple[int, ...]]:
        """Return every order of the seats: 0 is a seat of the first player of a pair, 1 of the second."""
        seats = range(self.seats)
        places = [set(taken) for taken in combinations(seats, 1 if self.lone else self.seats // 2)]
        if self.seats % 2 and not self.lone:  # each of them gets the odd seat in half of the orders
            places += [set(seats) - taken for taken in places]
        return [tuple(int(seat not in taken) for seat in seats) for taken in places]


class Table(Struct, frozen=True):
    """Where game number `game` of a ladder is played. deal: the same seed and sets in every order of the seats."""

    game: int
    pair: tuple[str, str]
    deal: int
    order: tuple[int, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """The player in each seat."""
        return tuple(self.pair[who] for who in self.order)


class Schedule:
    """The games of a ladder by number: they rotate through pairs, then orders of seats, then deals. So a longer ladder
    begins with the games of a shorter one. packs: the hashes of the sets of each mix."""

    def __init__(self, ladder: Ladder, packs: tuple[tuple[str, ...], ...]) -> None:
        self.ladder, self.packs = ladder, packs
        self.pairs, self.orders = ladder.pairs(), ladder.orders()

    def table(self, game: int) -> Table:
        """Return where this game is played."""
        turn, pair = divmod(game, len(self.pairs))
        deal, order = divmod(turn, len(self.orders))
        return Table(game, self.pairs[pair], deal, self.orders[order])

    def mix(self, table: Table) -> int:
        """Return the number of the mix of sets of a table."""
        return table.deal % len(self.ladder.mixes)

    def plan(self, game: int) -> GamePlan:
        """Return how this game is played."""
        table, ladder = self.table(game), self.ladder
        mix = self.mix(table)
        return GamePlan(
            index=game, sets=ladder.mixes[mix], packs=self.packs[mix], bots=table.bots,
            seed=game_seed(ladder.seed, table.deal), budget=ladder.budget, options=ladder.options,
        )  # fmt: skip

    def total(self, games: int) -> int:
        """Return how many games there are when each pair plays `games` of them."""
        return games * len(self.pairs)


class Meeting(Struct, frozen=True):
    """The result of two players against each other. sets: of the games; wins: of the first player, with parts for
    shared victories; share: its share of the games that somebody won; low, high: the 95 % interval of that; by_mix: the
    same for each mix of sets, if there are several."""

    players: tuple[str, str]
    sets: tuple[tuple[str, ...], ...]
    games: int
    wins: float
    share: float
    low: float
    high: float
    by_mix: tuple["Meeting", ...] = ()


class Standings(Struct, frozen=True):
    """The standings of a ladder. games: played so far, of `asked`; finished: games played to their end; unfinished: the
    first of the others; refused: refused actions and failures, by player; refusals: one of each kind, with its count;
    seconds: the total time of the processes that played."""

    games: int
    asked: int
    finished: int
    ratings: list[Rating]
    meetings: list[Meeting]
    unfinished: list[str]
    refused: dict[str, int]
    refusals: list[str]
    seconds: float

    @property
    def exit_code(self) -> int:
        """0 if every game was played to its end, no action was refused and no player failed, else 1."""
        return 0 if self.finished == self.asked and not self.refused else 1


def run(ladder: Ladder, games: int, folder: Path, workers: Workers, progress: Progress) -> Standings:
    """Play the missing ones of `games` games of each pair, keep them in a folder, and return the standings; after an
    interrupt (Ctrl+C), those of the games played so far. Raises ValueError, with one line for people, and what
    `workers` raises."""
    ladder.check()
    schedule = Schedule(ladder, tuple(pack_hashes(sets) for sets in ladder.mixes))
    _check_every_mix(schedule, games)
    total = schedule.total(games)
    with records_at(folder, _run_of(ladder, schedule), PlayedGame) as records:
        missing = [no for no in range(total) if no not in records.games]
        progress(total - len(missing), total)
        try:
            for left, game in enumerate(workers(play_recorded, map(schedule.plan, missing)), 1):
                records.add(game)
                progress(total - len(missing) + left, total)
        except KeyboardInterrupt:
            pass
        return standings(schedule, records.games, total)


def _check_every_mix(schedule: Schedule, games: int) -> None:
    """Raise ValueError if so few games of each pair leave out some of the sets."""
    orders, mixes = len(schedule.orders), schedule.ladder.mixes
    reached = -(-games // orders)
    if reached < len(mixes):
        left_out = listed(["+".join(mix) for mix in mixes[reached:]])
        raise ValueError(
            f"--games {games}: each deal takes {orders} games, so these sets would be left out: {left_out}. "
            f"Ask for {orders * len(mixes)} games or more"
        )


def _run_of(ladder: Ladder, schedule: Schedule) -> Run:
    return Run(
        program=VERSION, players=ladder.players, mixes=ladder.mixes, packs=schedule.packs, seats=ladder.seats,
        lone=ladder.lone, gauntlet=ladder.gauntlet, seed=ladder.seed, budget=ladder.budget,
        options=spell_options(ladder.options), code=code_of(ladder.players),
    )  # fmt: skip


def ladder_of(run: Run) -> Ladder:
    """Return the ladder whose games are in a folder."""
    return Ladder(
        players=run.players, mixes=run.mixes, seats=run.seats, lone=run.lone, gauntlet=run.gauntlet, seed=run.seed,
        budget=run.budget, options=parse_options(run.options),
    )  # fmt: skip


def standings(schedule: Schedule, games: Mapping[int, PlayedGame], total: int) -> Standings:
    """Return the standings after the first `total` games of a ladder, as far as they are played."""
    played = [games[no] for no in range(total) if no in games]
    ended = [game for game in played if game.why == "ended"]
    refused = Counter[str]()
    for game in played:
        for seat, times in game.misplays.items():
            refused[game.bots[seat]] += times
    unfinished = [f"game {game.game} ({game.why}, turn {game.turns})" for game in played if game.why != "ended"]
    return Standings(
        games=len(played),
        asked=total,
        finished=len(ended),
        ratings=ratings(schedule.ladder.players, [(game.bots, game.winners) for game in ended]),
        meetings=_meetings(schedule, ended),
        unfinished=unfinished[:UNFINISHED_SHOWN],
        refused=dict(refused.most_common()),
        refusals=refusal_lines((game.game, game.refused, game.repeated) for game in played),
        seconds=sum(game.seconds for game in played),
    )


def _meetings(schedule: Schedule, games: list[PlayedGame]) -> list[Meeting]:
    mixes = schedule.ladder.mixes
    parts: defaultdict[tuple[tuple[str, str], int], list[float]] = defaultdict(list)
    for game in games:
        table = schedule.table(game.game)
        won = sum(game.bots[seat] == table.pair[0] for seat in game.winners) / len(game.winners)
        parts[table.pair, schedule.mix(table)].append(won)

    def meeting(pair: tuple[str, str], numbers: Sequence[int]) -> Meeting:
        found = [part for no in numbers for part in parts[pair, no]]
        single = tuple(meeting(pair, (no,)) for no in numbers) if len(numbers) > 1 else ()
        wins, count = sum(found), len(found)
        sets = tuple(mixes[no] for no in numbers)
        return Meeting(pair, sets, count, wins, wins / max(1, count), *share_interval(wins, count), single)

    return [meeting(pair, range(len(mixes))) for pair in schedule.pairs]


def as_table(standings: Standings, lone: bool) -> str:
    """Return the standings for people."""
    wide = max(len(rating.player) for rating in standings.ratings)
    lines = []
    if standings.games < standings.asked:
        lines.append(f"stopped after {standings.games} of {standings.asked} games; the same command goes on")
    lines.append(f"{'player':{wide}}    Elo   95 % interval     wins  games")
    for one in standings.ratings:
        elo, interval = (f"{one.elo:+5.0f}", f"{one.low:+.0f} .. {one.high:+.0f}") if one.games else ("    -", "-")
        lines.append(f"{one.player:{wide}}  {elo}   {interval:15}  {one.wins:5g}  {one.games:5d}")
    lines += ["", f"{'pair':{2 * wide + 3}}  games  {'wins of the first one' if not lone else 'wins of the lone one'}"]
    for meeting in standings.meetings:
        lines.append(_meeting_line(" - ".join(meeting.players), 2 * wide + 3, meeting))
        lines += [_meeting_line(f"  {'+'.join(one.sets[0])}", 2 * wide + 3, one) for one in meeting.by_mix]
    if standings.refused:
        names = ", ".join(f"{name} {times}" for name, times in standings.refused.items())
        lines += ["", f"failures of players and refused actions ({names}), among them:"]
        lines += [f"  {text}" for text in standings.refusals]
    if standings.unfinished:
        count = standings.games - standings.finished
        lines += ["", f"not finished ({count}):", *(f"  {text}" for text in standings.unfinished)]
        if count > len(standings.unfinished):
            lines.append(f"  and {count - len(standings.unfinished)} more")
    return "\n".join(lines)


def _meeting_line(name: str, wide: int, meeting: Meeting) -> str:
    share = f"{100 * meeting.share:5.1f} %   (95 %: {100 * meeting.low:.1f} .. {100 * meeting.high:.1f})"
    share = share if meeting.games else "    -"
    return f"{name:{wide}}  {meeting.games:5d}  {share}"
