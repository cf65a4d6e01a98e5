"""Who agrees to reveal a finished game. It stays hidden unless everybody who has played it agrees.

People are identified by their sessions, not by their seats: somebody who takes a seat after the game has not played it
and cannot agree; somebody who left without agreeing can no longer agree. The journal keeps the sessions of players and
of those who agree.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct

from netcode.journal import FactRow, JournalError, Row
from netcode.table.seats import Seating

NOT_PLAYED = "only those who have played this game decide about revealing it"


class _Record(Struct):
    """The facts in the journal: the number of the game, the sessions that have played it, and those that agree."""

    game: int
    played: list[bytes]
    agreed: list[bytes]


_decoder = msgspec.msgpack.Decoder(_Record)


class RevealConsent:
    """The people who have played the last game of one table, and which of them agree. keep(row): put a row into the
    journal."""

    def __init__(self, seating: Seating, keep: Callable[[Row], None]) -> None:
        self._seating, self._keep = seating, keep
        self._game = 0
        self._played: set[bytes] = set()
        self._agreed: set[bytes] = set()

    def begin(self, game: int) -> None:
        """Begin with the game of this number: the people at the table play it, and nobody has agreed yet."""
        self._game, self._played = game, self._here()
        self.forget()

    def include(self) -> None:
        """Count people who have sat down in mid-game as players."""
        if not self._here() <= self._played:
            self._played |= self._here()
            self._save()

    def forget(self) -> None:
        """Drop all consent, because the game continues or another one begins."""
        self._agreed.clear()
        self._save()

    def agree(self, seat: int, yes: bool) -> str:
        """Note whether the player of a seat agrees. Return what forbids it (one line for people), or ""."""
        player = self._seating.seats[seat].player
        if player is None or player.s not in self._played:
            return NOT_PLAYED
        (self._agreed.add if yes else self._agreed.discard)(player.s)
        self._save()
        return ""

    @property
    def complete(self) -> bool:
        """Whether everybody who has played agrees."""
        return bool(self._played) and self._played <= self._agreed

    @property
    def counts(self) -> tuple[int, int]:
        """How many have to agree, and how many of them have not; those who have left are among them."""
        return len(self._played), len(self._played - self._agreed)

    @property
    def agreed(self) -> list[int]:
        """The seats of people who agree and are still here."""
        return [
            number for number, seat in enumerate(self._seating.seats)
            if seat.player is not None and seat.player.s in self._agreed
        ]  # fmt: skip

    def restore(self, game: int, data: bytes | None) -> None:
        """Restore what the journal has about the game of this number. Raises JournalError."""
        try:
            record = _decoder.decode(data) if data is not None else _Record(0, [], [])
        except msgspec.MsgspecError as problem:
            raise JournalError(f"the journal's players of the game cannot be read ({problem})") from None
        if record.game == game:
            self._game, self._played, self._agreed = game, set(record.played), set(record.agreed)
        else:  # from an older host: nobody can agree for a seat that was given up
            gone = {b"gone %d" % number for number, seat in enumerate(self._seating.seats) if seat.state == "gone"}
            self._game, self._played, self._agreed = game, self._here() | gone, set()

    def _here(self) -> set[bytes]:
        """The sessions of the people who have a seat now."""
        return {seat.player.s for seat in self._seating.seats if seat.human and seat.player is not None}

    def _save(self) -> None:
        record = _Record(self._game, sorted(self._played), sorted(self._agreed))
        self._keep(FactRow("played", msgspec.msgpack.encode(record)))
