"""A table's deals: commit to the next one, collect the clients' parts, reveal the last game if everybody agrees.

See netcode/protocol/deal_seed.py and netcode/protocol/revealed_game.py.
"""

from collections.abc import Callable

from netcode.journal import FactRow, Row
from netcode.protocol import limits, wire
from netcode.protocol.revealed_game import RevealedGame, to_bytes
from netcode.protocol.table_options import OPEN_HANDS
from netcode.table.fair_deal import FairDeal
from netcode.table.match import Match
from netcode.table.reveal_consent import RevealConsent
from netcode.table.seats import Seating
from netcode.table.session import Session
from netcode.table.table_setup import TableConfig


class DealCoordinator:
    """The next deal and the last game of one table. keep(row): put a row into the journal. Times are ms."""

    def __init__(self, config: TableConfig, seating: Seating, keep: Callable[[Row], None]) -> None:
        self.fair: FairDeal | None = None
        self.dealt: FairDeal | None = None
        """The deal of the last match begun; `fair` may be that of the next one already."""
        self.opened = 0
        """The number of the revealed game; 0: none."""
        self._config, self._seating, self._keep = config, seating, keep
        self.consent = RevealConsent(seating, keep)
        self._last: RevealedGame | None = None
        self._blob = b""

    # --------------------------------------------------------------------------------------------------- the next deal
    def prepare(self, game: int) -> None:
        """Commit to the deal of this match, unless that is done."""
        if self._config.provable and (self.fair is None or self.fair.record.game < game):
            self._renew(game)

    def _renew(self, game: int) -> None:
        self.fair = FairDeal(game)
        self._changed()

    def _changed(self) -> None:
        """Put the deal into the journal, and show it to everybody."""
        if self.fair is not None:
            self._keep(self.fair.row())
        self._seating.changed = True

    def take(self, session: Session, message: wire.Nonce) -> None:
        """Take a player's hash or nonce; the host's own bots have none."""
        plays = session.seat >= 0 and self._seating.seats[session.seat].player is session
        if plays and self.fair is not None and self.fair.take(session.seat, session.s, message):
            self._changed()

    def advance(self, ready: bool, now: int) -> bool:
        """Take the next step of the deal; return whether the cards can be dealt now. ready: whether all seats are.

        Once the nonces are asked for, the deal goes ahead even if somebody is no longer ready, so that nobody can see
        the nonces and then change their mind.
        """
        fair, seats = self.fair, self._seating.seats
        if fair is None:
            return ready
        if fair.record.asked and any(seat.state == "open" for seat in seats):
            self._renew(fair.record.game)
            return False
        if not fair.record.asked:
            if not ready:
                fair.stop_waiting()
                return False
            players = {number: seat.player.s for number, seat in enumerate(seats) if seat.player is not None}
            if not fair.ask(players, now):
                return False
            self._changed()
        return fair.complete(now)

    def next_ms(self) -> int | None:
        """When waiting for the clients' parts ends; None if the table waits for nobody."""
        return self.fair.next_ms() if self.fair is not None else None

    def seed(self, game: int, otherwise: bytes) -> bytes:
        """Begin the match of this number and return its seed. otherwise: the seed to use if the deal is not
        provable."""
        self.opened, self._last, self._blob = 0, None, b""
        self.consent.begin(game)
        if self.fair is None:
            return otherwise
        seed = self.fair.seed(self._config.seats)
        self.dealt = self.fair
        self._keep(self.fair.row("dealt"))
        self._changed()
        return seed

    # ------------------------------------------------------------------------------------------------ the last game
    def over(self, played: Match, seed: bytes) -> None:
        """A match is over: it can be revealed from now on. Reveal it at once if the table has that option."""
        if played.log is None or not seed or not self._config.revealable:
            return
        fair = self.dealt if self.dealt is not None and self.dealt.record.game == played.number else None
        self._last = RevealedGame(
            played.number, self._config.seats, list(self._config.options), fair.record.secret if fair else b"",
            dict(fair.record.nonces) if fair else {}, seed, played.log,
            played.rules,
        )  # fmt: skip
        if OPEN_HANDS.name in self._config.options:
            self._reveal()

    def deals(self, after: int) -> bool:
        """Whether the game after this one is being dealt, so that its nonces are asked for."""
        return self.fair is not None and self.fair.record.game > after and self.fair.record.asked

    def goes_on(self) -> None:
        """The last match continues: somebody alone has taken its end back."""
        self._last, self._blob = None, b""
        self.consent.forget()
        self.consent.include()
        if self.opened:
            self.opened = 0
            self._keep(FactRow("opened", b"0"))
            self._seating.changed = True

    def agree(self, seat: int, yes: bool) -> str:
        """Note whether a player agrees to reveal the last game. Return the reason of a refusal, or ""."""
        if self._last is None:
            return "no game can be revealed here: none is over, or it began from a scenario"
        if self.opened:
            return "" if yes else "the game has been revealed already"
        problem = self.consent.agree(seat, yes)
        self._seating.changed |= not problem
        if not problem and self.consent.complete:
            self._reveal()
        return problem

    def _reveal(self) -> None:
        assert self._last is not None
        self.opened, self._blob = self._last.game, to_bytes(self._last)
        self._keep(FactRow("opened", str(self.opened).encode()))
        self._seating.changed = True

    def restored(self, revealed: int, played: Match, seed: bytes) -> None:
        """Restore the last game from the journal. revealed: the number of the revealed game, 0: none."""
        if not played.winners:
            self.consent.include()
            return
        self.over(played, seed)
        if self._last is not None and revealed == played.number:
            self._reveal()

    def info(self) -> wire.DealInfo | None:
        """Return what everybody may know of the deal; None if it cannot be proved."""
        return self.fair.info() if self.fair is not None else None

    @property
    def agreed(self) -> list[int]:
        """The seats that agree to reveal the last game."""
        return self.consent.agreed

    def part(self, message: wire.GetGame) -> wire.Down:
        """Return the part of the revealed game that the message asks for, at most limits.PART_BYTES, or an Error."""
        if not self.opened or message.game != self.opened:
            return wire.Error("not_allowed", "this game is not revealed")
        data = self._blob[message.offset : message.offset + limits.PART_BYTES]
        return wire.GamePart(self.opened, message.offset, len(self._blob), data)
