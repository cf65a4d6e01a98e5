"""Time banks: how long the table has waited for each seat, in the present turn and at the present match point.

A bank runs while everybody can see that the table waits for the seat, and no action of the seat refills it. paces.py
says how much each bank holds; clocks.py says which seats the table waits for and what happens when a bank is empty.
"""

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

Purpose = Literal["phases", "questions", "match point"]
"""The purpose for which a seat uses its time. Each purpose has its own bank."""


class Account(Struct, frozen=True, order=True):
    """One bank of a seat for a purpose. bot: the bank of the bot that plays the seat, separate from the person's."""

    seat: int
    purpose: Purpose
    bot: bool


class TimeBank:
    """The time that every account has used. Times are ms of the match's clock."""

    def __init__(self) -> None:
        self._used: dict[Account, int] = {}
        self._since: dict[Account, int] = {}
        self._turn = self._fight = 0

    def scope(self, turn: int, fight: int, now: int) -> None:
        """Fill the banks of phases and questions in a new turn, and those of match point in a new fight (0: none)."""
        if turn != self._turn:
            self._turn = turn
            self._fill(("phases", "questions"), now)
        if fight != self._fight:
            self._fight = fight
            self._fill(("match point",), now)

    def _fill(self, purposes: tuple[Purpose, ...], now: int) -> None:
        self._used = {account: ms for account, ms in self._used.items() if account.purpose not in purposes}
        for account in self._since:
            if account.purpose in purposes:
                self._since[account] = now

    def run(self, accounts: Collection[Account], now: int) -> None:
        """Run exactly these accounts from now on."""
        if self._since.keys() == set(accounts):
            return
        for account in [account for account in self._since if account not in accounts]:
            self._used[account] = self.used(account, now)
            del self._since[account]
        for account in accounts:
            self._since.setdefault(account, now)

    @property
    def running(self) -> Collection[Account]:
        """The accounts that run."""
        return self._since.keys()

    def used(self, account: Account, now: int) -> int:
        """Return the ms that an account has used."""
        return self._used.get(account, 0) + (now - self._since[account] if account in self._since else 0)

    def ends_at(self, account: Account, full: int) -> int:
        """Return when a running account of `full` ms is empty, perhaps in the past."""
        return self._since[account] + full - self._used.get(account, 0)

    def leave_at_least(self, account: Account, left: int, full: int, now: int) -> None:
        """Give time back to an account of `full` ms until `left` ms are left in it."""
        excess = self.used(account, now) - max(0, full - left)
        if excess > 0:
            self._used[account] = self._used.get(account, 0) - excess
