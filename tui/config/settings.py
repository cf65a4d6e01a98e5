"""The settings of a player: one typed object, read from a TOML file and the environment.

The file is `settings.toml` in the user's config folder, or the file named by KICKDOOR_CONFIG. KICKDOOR_ASCII,
KICKDOOR_MOUSE, KICKDOOR_THEME and KICKDOOR_NAME override single values.
"""

import getpass
import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from core.language.toml import TomlError, parse
from netcode.bots.levels import DEFAULT_LEVEL, TABLE_LEVELS
from netcode.protocol.names import name_problem
from netcode.sandbox.regular_files import FileRefused, read_file
from tui.config.keymap import keymap
from tui.config.surroundings import here

if TYPE_CHECKING:
    from netcode.protocol.table_info import Waits

FILE_LIMIT = 64 * 1024
"""The most bytes of a settings file."""


class SettingsError(ValueError):
    """Settings cannot be read or written; the text is one line that says where, and what to do."""


class Settings(Struct):
    """All settings with their defaults."""

    name: str = ""
    """Your name at tables; empty: the name of your account on this machine."""
    ascii: bool = False
    """Draw with ASCII characters only."""
    mouse: bool = True
    """Accept mouse clicks; most terminals select text while SHIFT is held then."""
    theme: str = "tavern"
    """tavern, parchment, contrast, or a theme of Textual; `ansi-dark` and `ansi-light` use the sixteen colours of the
    terminal."""
    portraits: bool = True
    """Draw portraits of cards and players; otherwise emblems of characters. A slow link shows emblems by itself."""
    motion: str = "not over SSH"
    """When doors, dice and sums move: not over SSH, always or never. Nothing moves on a slow link, nor with
    TEXTUAL_ANIMATIONS=none."""
    speed: str = "normal"
    """How long the actions of bots are shown: slow, normal or fast."""
    waits: str = "on me"
    """After which acts of bots they wait for your SPACE while you are alone with them: each, on me (what they do to
    you) or never."""
    asks: str = "useful"
    """In which windows you are asked whether you respond while you are alone with bots: always, playable (you hold
    something that can be played) or useful (a good player might play it)."""
    bots_talk: bool = True
    """Show what bots say."""
    bots_remember: bool = False
    """The bots of your own tables remember from game to game who has hurt or helped them."""
    key_pause: float = 0.4
    """For how long (s) keys do not answer a question that has just come: they were typed for the one before. 0: they do
    at once."""
    bell: bool = True
    """Ring the terminal's bell when you have to answer."""
    notify: str = "off"
    """A notification of the desktop when the bell would ring and the terminal is not in front: off, osc9 or osc777, the
    sequence that the terminal knows."""
    bots: int = 3
    """How many bots play with you at a new table of your own."""
    level: str = DEFAULT_LEVEL
    """How well these bots play: a level of netcode.bots.levels."""
    preset: str = "default"
    """The named key map to begin with: default or vim."""
    keys: dict[str, str] = field(default_factory=dict)
    """Your own keys by the id of their binding; they override the preset."""

    @property
    def waits_on_wire(self) -> "Waits":
        """Return `waits` as the host calls it."""
        return WAITS_ON_WIRE[self.waits]

    def keymap(self) -> dict[str, str]:
        """Return binding ids and their keys. Raise ValueError, with a text for the player, if an id is unknown."""
        return keymap(self.preset, self.keys)


WAITS = {
    "each": "Bots wait for your SPACE after each act",
    "on me": "Bots wait for your SPACE after what they do to you",
    "never": "Bots never wait for your SPACE",
}
"""The values of `waits`, each as a sentence."""
WAITS_ON_WIRE: dict[str, "Waits"] = {"each": "each", "on me": "touching", "never": "never"}
"""The values of `waits` as the host calls them."""
OLDER_VALUES = {"waits": {"touching": "on me"}, "motion": {"local": "not over SSH"}}
"""For each setting, values of older versions and what they are called now: old files are still read."""
LONGEST_PAUSE_S = 2.0
"""The most that `key_pause` may be."""
ASKS = {
    "always": "You are asked in every window",
    "playable": "You are asked where you could play something",
    "useful": "You are asked where a good player might play something",
}
"""The values of `asks`, each as a sentence."""
CHOICES = {
    "motion": ("not over SSH", "always", "never"),
    "speed": ("slow", "normal", "fast"),
    "waits": tuple(WAITS),
    "notify": ("off", "osc9", "osc777"),
    "asks": tuple(ASKS),
    "level": TABLE_LEVELS,
    "preset": ("default", "vim"),
}
"""The values of a setting."""


def path() -> Path:
    """Return the path of the settings file."""
    return here().settings_file


def load() -> Settings:
    """Return the settings of this user; the defaults if there is no file. Raise SettingsError if they are invalid."""
    where = path()
    try:
        found = parse(read_file(where, FILE_LIMIT).decode())
    except FileNotFoundError:
        found = {}
    except FileRefused as problem:
        raise SettingsError(f"{problem}: name a file in KICKDOOR_CONFIG, or delete this") from None
    except OSError as problem:
        raise SettingsError(f"{where} cannot be read ({problem.strerror}): correct or delete it") from None
    except (UnicodeDecodeError, TomlError) as problem:
        raise SettingsError(f"{where} cannot be read ({problem}): correct or delete it") from None
    settings = _typed(found, where)
    wishes = here().wishes
    settings.ascii = _flag(wishes.get("ascii"), settings.ascii)
    settings.mouse = _flag(wishes.get("mouse"), settings.mouse)
    settings.theme = wishes.get("theme") or settings.theme
    settings.name = wishes.get("name") or settings.name
    try:
        settings.keymap()
    except ValueError as problem:
        raise SettingsError(f"{where}: {problem}") from None
    return settings


def _typed(found: dict[str, object], where: Path) -> Settings:
    known = Settings.__struct_fields__
    unknown = [key for key in found if key not in known]
    if unknown:
        raise SettingsError(f"{where}: there is no setting {unknown[0]!r}; known are {', '.join(known)}")
    renamed = {name: older[value] for name, older in OLDER_VALUES.items() if (value := str(found.get(name))) in older}
    try:
        settings = msgspec.convert(found | renamed, Settings)
    except msgspec.ValidationError as problem:
        raise SettingsError(f"{where}: {problem}") from None
    for name, allowed in CHOICES.items():
        if getattr(settings, name) not in allowed:
            raise SettingsError(f"{where}: {name} is one of {', '.join(allowed)}")
    if not 0 <= settings.key_pause <= LONGEST_PAUSE_S:
        raise SettingsError(f"{where}: key_pause is a number of seconds from 0 to {LONGEST_PAUSE_S:g}")
    return settings


def _flag(text: str | None, otherwise: bool) -> bool:
    return otherwise if text is None or text == "" else text.lower() not in ("0", "no", "false", "off")


def save(settings: Settings) -> None:
    """Write the settings file. Raise SettingsError if that is impossible."""
    where = path()
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(_toml(settings), "utf-8")
    except OSError as problem:
        raise SettingsError(f"{where} cannot be written: {problem.strerror}") from None


def _toml(settings: Settings) -> str:
    """Return the settings as TOML, whose strings, numbers and booleans are written as in JSON."""
    plain = msgspec.to_builtins(settings)
    own = plain.pop("keys")
    lines = [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
    lines += ["", "[keys]", *(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in own.items())]
    return "\n".join(lines) + "\n"


def usual_name(settings: Settings | None = None) -> str:
    """Return the default name of a player: from the settings, else the account name on this machine.

    It has 20 characters at most. settings: None to load them. Raise SettingsError if they are invalid.
    """
    name = (load() if settings is None else settings).name
    if name:
        return name[:20]
    try:
        account = getpass.getuser().capitalize()[:20]
    except (OSError, KeyError):
        return "Player"
    return "Player" if name_problem(account) else account
