"""Who may come in: what the door's options demand, and what each guest knows or has.

A `Gate` is the door's, a `Login` one connection's attempt. Neither knows the SSH protocol: `listener.py` tells a login
which keys were offered and which signatures are right, and asks it what to ask.
"""

import asyncio
import hmac
import logging
import socket
from pathlib import Path

import asyncssh
from msgspec import Struct

from netcode.client.short_words import NoWay, ask_over
from netcode.door.admission import address_label
from netcode.door.config import DoorConfig
from netcode.door.confinement.namespaces import PORT as PORT_INSIDE
from netcode.door.identities import Identities, identity_of
from netcode.door.interfaces import Tables
from netcode.door.return_codes import read_code
from netcode.host.config import ConfigError
from netcode.protocol.credentials import Join, JoinError, parse_join
from netcode.short_words.word_list import WordsError
from netcode.token_bucket import TokenBucket

LOG = logging.getLogger("kickdoor.door.gate")
ANSWERS = 3
"""How many answers one connection may give to the door's question."""
KEYS = 20
"""How many requests with keys one connection may make: each key comes twice, without and with a signature."""
PASSWORDS = (0.5, 10.0)
"""The rate at which passwords are checked (per second) and the largest burst, of all connections together."""
KEYS_BYTES = 1 << 20
"""The largest file of keys."""
RSA_BITS = 2048
"""The shortest RSA key that is accepted."""
SIGNATURES = (
    "ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "rsa-sha2-256", "rsa-sha2-512",
    "sk-ssh-ed25519@openssh.com", "sk-ecdsa-sha2-nistp256@openssh.com",
)  # fmt: skip
"""The signature algorithms that are accepted: none with SHA-1."""
NO_KEY = "This door needs a key of yours. Make one with: ssh-keygen -t ed25519   Then come again."
Question = tuple[str, str, str, list[tuple[str, bool]]]
"""What keyboard-interactive authentication shows: name, instruction, language, prompts with whether they are echoed."""


class Entry(Struct, frozen=True):
    """A guest who was let in. join: the string of their table. keyless: they have no key, and get a return code."""

    identity: str
    join: str
    keyless: bool = False

    def __repr__(self) -> str:
        return f"Entry(identity={self.identity!r})"  # no string


class Gate:
    """Decides for all connections. Raises ConfigError if the file of keys cannot be used."""

    def __init__(self, config: DoorConfig, identities: Identities, tables: Tables) -> None:
        self.config, self.identities, self.tables = config, identities, tables
        self._keys: asyncssh.SSHAuthorizedKeys | None = None
        self._passwords = TokenBucket(PASSWORDS, asyncio.get_running_loop().time())
        self.read_keys()

    @property
    def keyless(self) -> bool:
        """Whether guests may come in without a key."""
        return self.config.keyless and not self.config.keys

    def read_keys(self) -> None:
        """Read the file of keys again, if there is one. Raises ConfigError; the keys are then as they were."""
        if self.config.keys:
            self._keys = _read_keys(self.config.keys)

    def lists(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether the file of keys has this one, for this address."""
        return self._keys is not None and self._keys.validate(key, address, address) is not None

    def is_right(self, password: str) -> bool:
        """Whether this is the password. Raises WrongAnswer if too many have been tried."""
        if self._passwords.take(asyncio.get_running_loop().time()):
            raise WrongAnswer("too many passwords are tried at this door: wait a minute")
        return hmac.compare_digest(self.config.password.encode(), password.encode(errors="replace"))

    def join_for(self, identity: str) -> str:
        """Return the string of the table to which a guest goes: the table of their last visit, if it was at the same
        host, otherwise the host's first table."""
        mine, known = self.tables.strings.join, self.identities.get(identity)
        if known is not None and known.join:
            try:
                if parse_join(known.join).key == parse_join(mine).key:
                    return known.join
            except JoinError:
                LOG.debug("the string of a guest is of another version")
        return inside(parse_join(mine))

    async def join_by_words(self, words: str, address: str) -> str:
        """Return the string to which words lead. The host counts the try, for this address. Raises WrongAnswer."""
        ours, theirs = socket.socketpair()
        try:
            self.tables.hand(theirs, address_label(address))  # `hand` closes it, now or later
            return inside(await ask_over(ours, ("127.0.0.1", PORT_INSIDE), words))
        except (NoWay, WordsError) as problem:
            raise WrongAnswer(str(problem)) from None
        except OSError:
            raise WrongAnswer("the table cannot be reached at the moment: try again") from None
        finally:
            ours.close()


class WrongAnswer(Exception):
    """An answer lets nobody in. The text is one line for the guest."""


class Login:
    """The attempt of one connection, from `begin` to an entry. address: the ssh client's."""

    def __init__(self, gate: Gate, address: str) -> None:
        self._gate, self._address = gate, address
        self.user = ""
        self.entry: Entry | None = None
        """Who came in; None: nobody yet."""
        self._signed: list[str] = []
        """Identities of the keys whose signatures were right in this attempt, with this user name. None of them is
        known to the door."""
        self._shown = self._answers = 0
        self._asked = False
        """Whether the guest was asked a question (not only told a sentence)."""

    def begin(self, user: str) -> None:
        """Begin, or begin anew with another user name; then keys of the earlier name no longer count."""
        self.user, self._signed, self.entry = user, [], None

    # ---------------------------------------------------------------------------------------------------------- keys
    @property
    def wants_keys(self) -> bool:
        """Whether keys are looked at."""
        return self._shown < KEYS

    def may_sign(self, key: asyncssh.SSHKey) -> bool:
        """Return whether a signature with this key could help. An offered key alone proves nothing."""
        self._shown += 1
        if self._shown > KEYS or not _is_current(key):
            return False
        return not self._gate.config.keys or self._gate.lists(key, self._address)

    def signed(self, public_data: bytes) -> bool:
        """Note a key whose signature is right. Returns whether it is enough to come in."""
        identity = identity_of(public_data)
        config = self._gate.config
        if config.keys or config.open or self._gate.identities.is_known(identity):
            self.entry = Entry(identity, self._gate.join_for(identity))
            return True
        if identity not in self._signed:
            self._signed.append(identity)
        return False

    # ------------------------------------------------------------------------------------------------------- answers
    @property
    def asks(self) -> bool:
        """Whether the guest may still be asked."""
        return self._answers < ANSWERS and not self._gate.config.keys

    def question(self, told: str = "") -> Question | bool:
        """Return what to ask. told: a sentence before it."""
        self._asked = False
        if not self.asks:
            return False
        if not self._signed and not self._gate.keyless:
            self._answers = ANSWERS
            return "", NO_KEY, "", []
        self._asked = True
        return "", told, "", [self._prompt()]

    async def answer(self, answers: list[str]) -> Question | bool:
        """Return whether the guest comes in, or what to ask next."""
        if not self._asked or len(answers) != 1:
            return False
        self._answers += 1
        try:
            await self._check(answers[0].strip())
        except WrongAnswer as problem:
            return self.question(f"{problem}.") or ("", f"{problem}.", "", [])
        return True

    def _prompt(self) -> tuple[str, bool]:
        config, or_code = self._gate.config, "" if self._signed else ", or your return code"
        if config.password:
            return f"Password{or_code}: ", False
        if config.open:
            return "Your return code (ENTER if you have none): ", True
        return f"The table's words, such as otter-lamp-42{or_code}: ", True

    async def _check(self, answer: str) -> None:
        """Set the entry. Raises WrongAnswer."""
        gate, signed = self._gate, list(self._signed)
        code = read_code(answer) if not signed else ""
        if code:
            entry = self._by_code(code)
        elif gate.config.password and not gate.is_right(answer):
            raise WrongAnswer("this is not the password of this door")
        elif gate.config.password or (gate.config.open and not answer):
            entry = self._entry(signed, "")
        elif gate.config.open:
            raise WrongAnswer("this is no return code, such as otter-lamp-4217")
        else:
            entry = self._entry(signed, await gate.join_by_words(answer, self._address))
        if signed != self._signed:  # the guest has begun anew meanwhile
            raise WrongAnswer("that was for somebody else: come again")
        self.entry = entry

    def _by_code(self, code: str) -> Entry:
        try:
            identity = self._gate.identities.by_code(code)
        except LookupError as problem:
            raise WrongAnswer(str(problem.args[0])) from None
        except OSError as problem:
            LOG.error("a try at a return code cannot be noted: %s", problem.strerror)
            raise WrongAnswer("return codes cannot be tried at the moment") from None
        if not identity:
            raise WrongAnswer("this is nobody's return code: mind the number")
        return Entry(identity, self._gate.join_for(identity), keyless=True)

    def _entry(self, signed: list[str], join: str) -> Entry:
        identity = signed[0] if signed else self._gate.identities.new_guest()
        return Entry(identity, join or self._gate.join_for(identity), keyless=not signed)


def inside(join: Join) -> str:
    """Return a string of the same table with the host's address inside the confinement of a guest's program."""
    return str(Join("127.0.0.1", PORT_INSIDE, join.table, join.key, join.token))


def signature_algorithm(signature: bytes) -> str:
    """Return the algorithm that a signature names (RFC 4253, section 6.6), "" if it names none."""
    size = int.from_bytes(signature[:4])
    return signature[4 : 4 + size].decode("ascii", "replace") if 0 < size <= 64 else ""


def _is_current(key: asyncssh.SSHKey) -> bool:
    """Whether a key is of a kind that may be trusted today: no DSA, no short RSA."""
    if key.get_algorithm() == "ssh-rsa":
        modulus = int.from_bytes(key.public_data[4 + 7 + 4 + int.from_bytes(key.public_data[11:15]) + 4 :])
        return modulus.bit_length() >= RSA_BITS
    return key.get_algorithm() in SIGNATURES


def _read_keys(name: str) -> asyncssh.SSHAuthorizedKeys:
    """Return the keys of a file. Raises ConfigError."""
    try:
        with open(Path(name), encoding="utf-8") as file:
            text = file.read(KEYS_BYTES)
        return asyncssh.import_authorized_keys(text)
    except OSError as problem:
        raise ConfigError(f"--keys {name}: {problem.strerror}") from None
    except ValueError as problem:
        raise ConfigError(f"--keys {name}: {problem}") from None
