"""What differs by the place where the program runs: one object, made once by whoever starts it.

A local command makes it of its environment. Nothing else below the start reads the environment.
"""

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CONSOLES = ("linux", "vt100", "vt102", "vt220", "cons25", "wsvt25")
"""Terminals without the characters that the screen is drawn with, as TERM names them."""
WISHES = {"ascii": "KICKDOOR_ASCII", "mouse": "KICKDOOR_MOUSE", "theme": "KICKDOOR_THEME", "name": "KICKDOOR_NAME"}
"""The settings that a variable of the environment overrides."""


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """The place where the program runs."""

    terminal: str = ""
    """The kind of the terminal, as TERM names it."""
    lacks_characters: bool = False
    """Whether borders, marks and half blocks cannot be shown."""
    remote: bool = False
    """Whether the terminal is on another machine."""
    wishes: Mapping[str, str] = field(default_factory=dict)
    """Values of the environment for single settings, by their names in WISHES."""
    settings: Path | None = None
    """The settings file; None: in the usual folder."""
    door: str = ""
    """The command with which a guest comes here from another machine (`ssh -p 2222 192.168.1.20`). The screen shows
    it in place of every string. A guest has the table, the lobby and the books; nothing else. "": the
    player runs the program on a machine of their own."""
    code: str = ""
    """The return code of a guest without a key; "" for everybody else."""

    @property
    def own_machine(self) -> bool:
        """Whether the player has a shell here, and can use other commands and the files that the program writes."""
        return not self.door

    @property
    def ways(self) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
        """The commands with which others come here to sit down and to spectate; None: by strings of the table."""
        return ((self.door,), (f"{self.door} -t watch",)) if self.door else None

    @property
    def code_words(self) -> str:
        """How a guest without a key comes back; "" for everybody else."""
        return f"Your code, with which you come back to your seat: {self.code}" if self.code else ""

    @property
    def come_again(self) -> str:
        """What a guest reads who has left the lobby; "" for everybody else."""
        return f"To come again: {self.door}\n{self.code_words}".rstrip() if self.door else ""

    def back(self, watch: str = "", plain: bool = False) -> str:
        """Return the command that leads back to the table. watch: the string of somebody who spectates there; plain:
        whether they play by lines."""
        if self.ways is not None:
            return self.ways[1 if watch else 0][0]
        again = f"kickdoor watch {shlex.quote(watch)}" if watch else "kickdoor join"
        return again + " --plain" * plain

    @property
    def settings_file(self) -> Path:
        """The path of the settings file. Raise OSError if this user has no folder for it."""
        return self.settings or _usual_folder() / "settings.toml"


def local(environment: Mapping[str, str]) -> Surroundings:
    """Return the surroundings of a command in this environment."""
    own = environment.get("KICKDOOR_CONFIG")
    return Surroundings(
        terminal=environment.get("TERM", ""),
        lacks_characters=lacks_characters(environment),
        remote=bool(environment.get("SSH_CONNECTION")),
        wishes={name: value for name, variable in WISHES.items() if (value := environment.get(variable))},
        settings=Path(own).expanduser() if own else None,
    )


_begun: Surroundings | None = None


@contextmanager
def begun(surroundings: Surroundings) -> Iterator[None]:
    """Run the program in these surroundings."""
    global _begun
    before, _begun = _begun, surroundings
    try:
        yield
    finally:
        _begun = before


def here() -> Surroundings:
    """Return the surroundings of this program; those of a local command if no start has made them."""
    return local(os.environ) if _begun is None else _begun


def lacks_characters(environment: Mapping[str, str]) -> bool:
    """Return whether this terminal has no characters for borders, marks and half blocks: the fonts of kernel consoles
    have 256 or 512 characters, without round corners, stars and ticks, and a locale may name a character set without
    them. (The locale C names none; most terminals with it take UTF-8.) KICKDOOR_ASCII=0 says that they are there."""
    lacks = environment.get("TERM", "") in CONSOLES or _charset(environment) not in ("", "utf-8", "utf8")
    return lacks and not environment.get("KICKDOOR_ASCII")


def _charset(environment: Mapping[str, str]) -> str:
    """Return the character set that the locale names, in small letters; "" if it names none."""
    names = (environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next((name for name in names if name), "").partition("@")[0].partition(".")[2].lower()


def _usual_folder() -> Path:
    """Return the platform's folder for settings; that for data if this user has no home folder."""
    import platformdirs  # not where $KICKDOOR_CONFIG names the file

    from netcode.protocol.credentials import data_folder  # a host starts before its supervisor has loaded this

    try:
        folder = Path(platformdirs.user_config_dir("kickdoor"))
    except RuntimeError:
        return data_folder()
    return folder if folder.is_absolute() else data_folder()
