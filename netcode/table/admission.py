"""Admission to a table: the tokens of its strings, bans, pauses after a kick, and the knocks of newcomers.

Knows no seats and no ZeroMQ. Times are ms of the host's clock.
"""

from collections.abc import Iterable

from msgspec import Struct, field

from netcode.protocol import limits, wire
from netcode.protocol.credentials import new_token, same, token_hash
from netcode.protocol.origins import is_guest
from netcode.short_words.word_list import TRIES, renewed
from netcode.table.table_setup import TableConfig
from netcode.token_bucket import TokenBucket, of_ms

SENT_AWAY = "the table's owner sent you away"
BANNED = f"{SENT_AWAY} for good"
CLOSED = "the table's owner lets no new players or spectators in"
RENEWED = "the table's owner has made a new string: ask for it"
CROWDED = "many people knock at this table: your client tries again"
UNANSWERED = "nobody at the table has answered your knock: try again later"


class Knock(Struct):
    """Somebody who waits to be let in. number: for the owner's answer; address: their routing id; since, heard_at:
    ms; where: their network address; seat: the seat that they say is theirs, -1: none."""

    number: int
    name: str
    role: str
    key: str
    address: bytes
    since: int
    heard_at: int
    where: str = ""
    seat: int = -1


class Admission(Struct):
    """The admission of one table.

    join, watch, owner: the tokens of the strings in force. words: the short words that lead to the join string, "":
    none; wrong_words: how many tries with them were wrong. renewed: which strings ("join", "watch") the owner has
    replaced; the lobby does not give these out. inviting: whether newcomers are let in at all; knocking: whether they
    have to knock. banned: client keys that are not let in, and guests of an SSH door (origins.py), who are known by
    more than a key; the newest last. paused: until when a client key or a guest stays out;
    wary: newcomers knock meanwhile, because those who are kept out have the string. accepted: the name and role of each
    client key whose knock was accepted. given: the seat of another key that each client key may take. answers: messages
    for knockers, with their addresses.
    """

    join: bytes
    watch: bytes
    owner: bytes
    knocking: bool = False
    inviting: bool = True
    words: str = ""
    wrong_words: int = 0
    renewed: set[str] = field(default_factory=set)
    banned: list[str] = field(default_factory=list)
    paused: dict[str, int] = field(default_factory=dict)
    wary: bool = False
    accepted: dict[str, tuple[str, str]] = field(default_factory=dict)
    given: dict[str, int] = field(default_factory=dict)
    knocks: dict[str, Knock] = field(default_factory=dict)
    answers: list[tuple[bytes, wire.Down]] = field(default_factory=list)
    _knocked: int = 0
    _rate: TokenBucket = field(default_factory=lambda: of_ms(limits.KNOCK_RATE))

    @classmethod
    def of(cls, config: TableConfig) -> "Admission":
        """Return the admission of a new table."""
        return cls(config.join, config.watch, config.owner, config.knock, words=config.words)

    def __repr__(self) -> str:
        return f"Admission(inviting={self.inviting}, knocking={self.knocking})"  # no tokens

    # ----------------------------------------------------------------------------------------------------- the strings
    def string(self, hashed: bytes) -> str:
        """Return which string has the token with this hash: owner, join, watch, or "". Takes constant time."""
        fits = [name for name in ("owner", "join", "watch") if same(token_hash(getattr(self, name)), hashed)]
        return fits[0] if fits else ""

    @property
    def words_rest(self) -> bool:
        """Whether the short words let nobody in until they are renewed: too many tries were wrong."""
        return self.wrong_words >= TRIES

    def renew_words(self) -> None:
        """Replace the short words."""
        self.words, self.wrong_words = renewed(self.words), 0

    def count_wrong(self, words: str) -> bool:
        """Count a wrong try with these words. Return whether they are still in force."""
        self.wrong_words += words == self.words
        return words == self.words

    def renew(self, name: str) -> None:
        """Replace the join or the watch string. Waiting knockers need the new one. The short words that led to the old
        join string are replaced as well."""
        if name == "join" and self.words:
            self.renew_words()
        setattr(self, name, new_token())
        self.renewed.add(name)
        self.wary = self.wary and name != "join"  # whoever was sent away does not have the new string
        for knock in list(self.knocks.values()):
            if (knock.role == "watch") == (name == "watch"):
                self._answer(knock, wire.Error("not_allowed", RENEWED))

    # ------------------------------------------------------------------------------------------------------ sent away
    def refusal(self, key: str, now: int, where: str = "") -> wire.Error | None:
        """Return why this client key may not come in, None if it may. where: it comes from; a guest of an SSH door is
        kept out with every key."""
        names = (key, where) if is_guest(where) else (key,)
        if any(name in self.banned for name in names):
            return wire.Error("banned", BANNED)
        left = max(self.paused.get(name, 0) for name in names) - now
        if left > 0:
            text = f"{SENT_AWAY}: you may come again in {duration_text(left)}"
            return wire.Error("kicked", text, -1, left)
        for name in names:
            self.paused.pop(name, None)
        return None

    def ban(self, keys: list[str]) -> None:
        """Ban these client keys and guests, and refuse newcomers until the owner lets them in again."""
        self.banned = [*(key for key in self.banned if key not in keys), *keys][-limits.BANS :]
        self.set_inviting(False)
        self._withdraw(keys)

    def pause(self, keys: list[str], until: int) -> None:
        """Keep these client keys and guests out until this time. Meanwhile newcomers knock: they might be the same
        people under another name, with another key."""
        self.wary = True
        self.paused.update(dict.fromkeys(keys, until))
        for key in list(self.paused)[: -limits.BANS]:
            del self.paused[key]
        self._withdraw(keys)

    def _withdraw(self, keys: list[str]) -> None:
        for key in keys:
            self.accepted.pop(key, None)

    def pardon(self, key: str, where: str = "") -> None:
        """Let a client key in again, and the guest who has it, because it owns the table."""
        self.banned = [banned for banned in self.banned if banned not in (key, where)]
        for name in (key, where):
            self.paused.pop(name, None)

    # --------------------------------------------------------------------------------------------------------- knocks
    def admits(self, key: str, role: str) -> bool:
        """Whether a newcomer is let in without a knock, or after one."""
        return not (self.knocking or (self.wary and self.paused)) or self.accepted.get(key, ("", ""))[1] == role

    def knock(
        self, hello: wire.Hello, key: str, address: bytes, now: int, where: str = "", seat: int = -1
    ) -> wire.Knocked | wire.Error:
        """Note that somebody waits to be let in; return the answer to their hello. Each hello shows that they still
        wait. where, seat: as in Knock."""
        knock = self.knocks.get(key)
        if knock is None:
            if len(self.knocks) >= limits.KNOCKS or self._rate.take(now):
                return wire.Error("rate_limited", CROWDED, -1, limits.KNOCK_RETRY_MS)
            self._knocked += 1
            knock = self.knocks[key] = Knock(
                self._knocked, hello.name, hello.role, key, address, now, now, where, seat
            )
        knock.address, knock.heard_at = address, now
        return wire.Knocked(max(1, knock.since + limits.KNOCK_MS - now))

    def number_from(self, number: int) -> None:
        """Number new knocks from the one after this number."""
        self._knocked = number

    def find(self, number: int) -> Knock | None:
        """Return the knock of this number, None if nobody waits under that number any more."""
        return next((knock for knock in self.knocks.values() if knock.number == number), None)

    def accept(self, knock: Knock) -> None:
        """Accept a knocker: their next hello lets them in, under the name that the owner was shown, or gives them the
        seat that they say is theirs."""
        if knock.seat >= 0:
            self.given = {knock.key: knock.seat}  # they come at once; two seats are never given at a time
            self._answer(knock, wire.Knocked(0, admitted=True))
            return
        self.accepted[knock.key] = (knock.name, knock.role)
        for key in list(self.accepted)[: -limits.BANS]:
            del self.accepted[key]
        self._answer(knock, wire.Knocked(0, admitted=True))

    def refuse(self, knock: Knock, until: int, now: int) -> None:
        """Turn a knocker away, and ignore their knocks until this time."""
        self.pause([knock.key, *guests((knock.where,))], until)
        text = f"the table's owner does not let you in: you may knock again in {duration_text(until - now)}"
        self._answer(knock, wire.Error("not_allowed", text))

    def set_knocking(self, knocking: bool) -> None:
        """Let newcomers in one by one, or freely; if freely, those who wait come in."""
        self.knocking = knocking
        if not knocking:
            for knock in list(self.knocks.values()):
                if knock.seat < 0:
                    self._answer(knock, wire.Knocked(0, admitted=True))

    def set_inviting(self, inviting: bool) -> None:
        """Let newcomers in, or refuse them; if refused, nobody waits any longer."""
        self.inviting = inviting
        if not inviting:
            for knock in list(self.knocks.values()):
                self._answer(knock, wire.Error("not_allowed", CLOSED))

    def sweep(self, now: int) -> bool:
        """Remove knockers who have gone or waited too long, and pauses that are over. Return whether fewer people knock
        than before."""
        before = len(self.knocks)
        for knock in list(self.knocks.values()):
            if now - knock.since >= limits.KNOCK_MS:
                self._answer(knock, wire.Error("not_allowed", UNANSWERED))
            elif now - knock.heard_at > limits.LOST_MS:
                del self.knocks[knock.key]
        for key in [key for key, until in self.paused.items() if until <= now]:
            del self.paused[key]
        return len(self.knocks) < before

    def _answer(self, knock: Knock, answer: wire.Down) -> None:
        self.knocks.pop(knock.key, None)
        self.answers.append((knock.address, answer))


def guests(origins: Iterable[str]) -> list[str]:
    """Return which of these are guests of an SSH door: they are sent away whatever key they have."""
    return [where for where in dict.fromkeys(origins) if is_guest(where)]


def duration_text(ms: int) -> str:
    """Return a time above 0 for people, rounded up: `40 seconds`, `5 minutes`."""
    seconds = -(-ms // 1000)
    number, unit = (seconds, "second") if seconds < 100 else (-(-seconds // 60), "minute")
    return f"{number} {unit}{'' if number == 1 else 's'}"
