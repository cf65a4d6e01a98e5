"""The stages of a table (lobby, playing, paused, over): how a match begins, stops for a while, and ends.

`TableLifecycle` holds the parts of a table in every stage: seats, match, the next deal, the undo vote. The owner's
requests (admin.py) and the messages of players (table.py) work on it. It sends nothing itself.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from core.state.actions import Refusal
from netcode.journal import FactRow, Row
from netcode.protocol import wire
from netcode.protocol.paces import Pace
from netcode.protocol.played_rules import with_own
from netcode.table.bot_pacing import Pending
from netcode.table.broadcast import Past
from netcode.table.deal_coordinator import DealCoordinator
from netcode.table.expiry import Expiry
from netcode.table.hint_consent import HintConsent
from netcode.table.match import Match
from netcode.table.pauses import Pauses
from netcode.table.reached import rules_row
from netcode.table.rules_adapter import GameFactory, RunningGame
from netcode.table.seats import Seating
from netcode.table.session import Session
from netcode.table.table_setup import TableConfig
from netcode.table.undo_vote import UndoVoting


class RestoredMatch(Struct, frozen=True):
    """A match as the journal has it: its ordinal number, the game after its seq-th action, all its actions (seat and
    msgpack), its seed, and the number of the table's revealed game (0: none). past: its events so far. paused: whether
    it is paused. rules: the rules by which it was played."""

    number: int
    game: RunningGame
    seq: int
    acts: list[tuple[int, bytes]]
    seed: bytes
    revealed: int
    past: Past
    paused: bool = False
    rules: tuple[str, ...] = ()


class TableLifecycle:
    """The stage of one table and its parts. Times are ms of the host's clock.

    deal, seed: as for Table. reply, keep: as for Match.
    """

    def __init__(
        self,
        config: TableConfig,
        deal: GameFactory,
        seed: Callable[[int], bytes],
        reply: Callable[[Pending, wire.Down], None],
        keep: Callable[[Row], None],
    ) -> None:
        self.config = config
        self.seating = Seating(config)
        self.stage = "lobby"
        self.pace, self.speed = config.pace, config.speed
        self.waits: wire.Waits = "never"
        """The acts of bots after which they wait for a player who is alone with them."""
        self.match: Match | None = None
        self.games = 0
        """The ordinal number of the current match, or of the last one."""
        self.dealing = DealCoordinator(config, self.seating, keep)
        self.undo_voting = UndoVoting(self.seating, keep)
        self.hints = HintConsent(self.seating)
        self.pauses = Pauses(keep)
        self.expiry = Expiry(self.seating)
        self._deal, self._seed, self._reply, self._keep = deal, seed, reply, keep
        self._game_seed = b""

    @property
    def on(self) -> bool:
        """Whether a match is on, even if it is paused."""
        return self.stage in ("playing", "paused")

    @property
    def playing(self) -> Match | None:
        """The match if it is running; None while it is paused or an undo vote is under way."""
        return self.match if self.stage == "playing" and self.undo_voting.vote is None else None

    def set_stage(self, stage: str) -> None:
        """Enter a stage: lobby, playing, paused or over."""
        self.stage = stage
        self.seating.changed = True
        self._keep(FactRow("stage", stage.encode()))

    def set_pace(self, pace: Pace) -> None:
        """Play at this pace from now on."""
        self.pace = pace
        self.seating.changed = True
        self._keep(FactRow("pace", pace.encode()))
        if self.match is not None:
            self.match.clocks.pace = pace

    def set_speed(self, speed: wire.Speed) -> None:
        """Let bots play at this speed from now on."""
        if speed != self.speed:
            self._keep(FactRow("speed", speed.encode()))
        self.speed, self.seating.changed = speed, True
        if self.match is not None:
            self.match.bot_pacer.speed = speed

    def pause(self, now: int) -> str:
        """Pause the running match. Return what forbids it (one line for people), or ""."""
        assert self.match is not None
        problem = self.pauses.begin(self.match.turn, now) if self.seating.humans() > 1 else ""
        if not problem:
            self.match.pause(True, self.pauses.free_at)
            self.set_stage("paused")
        return problem

    def count_pause(self, now: int) -> None:
        """Begin to count the pause of a player who was alone, because a second person has come to the table."""
        if self.match is not None and self.stage == "paused" and self.pauses.free_at < 0 and self.seating.humans() > 1:
            self.pauses.count(self.match.turn, now)
            self.match.pause(True, self.pauses.free_at)

    def resume(self, now: int) -> None:
        """End the pause of the match."""
        assert self.match is not None
        self.pauses.end(now)
        self.match.pause(False, self.pauses.free_at)
        self.set_stage("playing")

    def refusal(self, session: Session) -> Refusal | None:
        """Return why this session cannot act in the match at all, None if it can."""
        if session.seat < 0:
            return Refusal("bad", "You are a spectator: only players can act.")
        if not self.seating.plays(session):
            return Refusal("bad", "Somebody else plays this seat now.")
        if self.stage == "paused":
            return Refusal("bad", "The table's owner has paused the game.")
        if self.undo_voting.vote is not None:
            return Refusal("bad", "The table is voting on an undo: that comes first.")
        if self.stage != "playing":
            return Refusal("bad", "No game is on yet." if self.stage == "lobby" else "The game is over.")
        return None

    def info(self, now: int) -> wire.TableInfo:
        """The table as everybody sees it."""
        config, dealing = self.config, self.dealing
        return wire.TableInfo(
            table=config.table,
            seats=self.seating.infos(now),
            stage=self.stage,
            owner=self.seating.owner,
            pace=self.pace,
            options=list(config.options),
            packs=list(config.packs),
            machine=config.machine,
            seed_shown=config.seed_shown,
            watchers=0 if config.at_once else len(self.seating.spectators),
            solo=self.seating.humans() == 1,
            speed=self.speed,
            game=self.games,
            deal=dealing.info(),
            agreed=dealing.agreed,
            opened=dealing.opened,
            inviting=self.seating.admission.inviting,
            vote=self.undo_voting.info(now),
            watch_delay=config.watch_delay // 1000,
            knocking=self.seating.admission.knocking,
            acting=self.seating.acting,
            spectators_muted=self.seating.spectators_muted,
            hints=self.hints.agreed,
            consents=dealing.consent.counts[0] if dealing.agreed else 0,
            lacking=dealing.consent.counts[1] if dealing.agreed else 0,
        )

    # --------------------------------------------------------------------------------------------- beginning and end
    def begin_if_ready(self, now: int) -> None:
        """Commit to the next deal, and deal it once everybody is ready and the deal is complete."""
        if self.on or self.expiry.closing:
            return
        self.dealing.prepare(self.games + 1)
        ready = self.seating.all_ready() and (self.stage == "lobby" or self.seating.humans() > 0)
        if self.dealing.advance(ready, now):
            self._begin(now)

    def _begin(self, now: int) -> None:
        self.games += 1
        seed = self._game_seed = self.dealing.seed(self.games, self._seed(self.games))
        self._keep(FactRow("game", str(self.games).encode()))
        self._keep(FactRow("seed", seed))
        game, events = self._deal(self.config.seats, seed)
        match = self._start(game)
        self._play_by(match, [])
        match.start([(events, None)], 0, now)
        self.end_if_won()

    def restore(self, restored: RestoredMatch, now: int) -> None:
        """Continue a match from the journal; open windows and time banks start at their full length."""
        self.games, self._game_seed = restored.number, restored.seed
        match = self._start(restored.game)
        self._play_by(match, restored.rules)
        match.start(restored.past, restored.seq, now)
        match.log = restored.acts if len(restored.acts) == restored.seq else None
        if match.winners:  # the journal counts their wins already
            self.set_stage("over")
        elif restored.paused:
            if self.seating.humans() > 1:
                self.pauses.count(match.turn, now)
            match.pause(True, self.pauses.free_at)
            self.set_stage("paused")
        self.dealing.restored(restored.revealed, match, restored.seed)

    def _start(self, game: RunningGame) -> Match:
        self.match = Match(self.games, game, self.seating, self.pace, self.speed, self._reply, self._keep)
        self.match.patience.set(self.waits)
        self.set_stage("playing")
        for session in self.seating.sessions():
            if session.seat >= 0 or not self.config.watch_delay:  # delayed spectators still watch the match before
                session.whole, session.told = True, 0
        return self.match

    def _play_by(self, match: Match, rules: Sequence[str]) -> None:
        """Play a match by our rules from now on. rules: the rules of the earlier part."""
        match.rules = with_own(list(rules))
        if match.rules != list(rules):
            self._keep(rules_row(match.number, match.rules))

    def end_if_won(self) -> None:
        """End the match if somebody has won: count the win, and let it be revealed if the table agrees."""
        if self.stage != "playing" or self.match is None or not self.match.winners:
            return
        for number, seat in enumerate(self.seating.seats):
            seat.wins += number in self.match.winners
            seat.ready = not seat.human
        self.dealing.over(self.match, self._game_seed)
        self.set_stage("over")

    def result(self) -> str:
        """Return who has won here, one line for people; "" if nobody has."""
        won = sorted(((seat.wins, seat.name) for seat in self.seating.seats if seat.wins), key=lambda one: -one[0])
        if not won:
            return ""
        if self.games == 1:
            return f"{' and '.join(name for _, name in won)} won"
        return f"of {self.games} games {', '.join(f'{name} won {wins}' for wins, name in won)}"

    # ---------------------------------------------------------------------------------------- alone with bots
    def take_back(self, match: Match, seat: int) -> str:
        """Undo the last choice of a player who is alone with bots, even after the match. Return what forbids it (one
        line for people), or ""."""
        over = self.stage == "over"
        if over and self.dealing.deals(after=match.number):
            return "the next game is being dealt: this one stays as it ended"
        winners = list(match.winners)
        problem = match.take_back(seat)
        if over and not problem:
            for winner in winners:
                self.seating.seats[winner].wins = max(0, self.seating.seats[winner].wins - 1)
            self.dealing.goes_on()
            self.set_stage("playing")
        return problem

    def wait_after(self, waits: wire.Waits) -> None:
        """Let bots wait after these acts for somebody who is alone with them."""
        if waits != self.waits:
            self._keep(FactRow("waits", waits.encode()))
        self.waits = waits
        if self.match is not None:
            self.match.wait_after(waits)
