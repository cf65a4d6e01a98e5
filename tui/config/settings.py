"""What a player has set up: one typed object, read from a TOML file and the environment.

The file is `settings.toml` in the user's config folder, or what KICKDOOR_CONFIG names. KICKDOOR_ASCII, KICKDOOR_MOUSE,
KICKDOOR_THEME and KICKDOOR_NAME override single values.
"""

import getpass
import json
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import platformdirs

from netcode.bots.levels import DEFAULT_LEVEL, TABLE_LEVELS
from tui.config.keymap import keymap


class SettingsError(ValueError):
    """Settings that cannot be used; the text is one line that says where and what to do."""


@dataclass
class Settings:
    """All settings with their defaults."""

    name: str = ""
    """What you are called at tables."""
    ascii: bool = False
    """Draw with plain signs only."""
    mouse: bool = False
    """Take mouse clicks (the terminal's own selection is off then)."""
    theme: str = "textual-dark"
    """A theme of Textual; `ansi-dark` and `ansi-light` use the terminal's own sixteen colours."""
    speed: str = "normal"
    """How long bots' acts stay: slow, normal, fast."""
    bell: bool = True
    """Ring when something waits for you."""
    bots: int = 3
    """Bots at a table of your own."""
    level: str = DEFAULT_LEVEL
    """How well they play: a level of netcode.bots.levels."""
    preset: str = "default"
    """Keys: default or vim."""
    keys: dict[str, str] = field(default_factory=dict)
    """Own keys by binding name, on top of the preset."""

    def keymap(self) -> dict[str, str]:
        """Binding id to keys. Raises ValueError, in words."""
        return keymap(self.preset, self.keys)


CHOICES = {
    "speed": ("slow", "normal", "fast"),
    "level": TABLE_LEVELS,
    "preset": ("default", "vim"),
    "theme": ("textual-dark", "textual-light", "ansi-dark", "ansi-light", "nord", "gruvbox", "dracula"),
}


def path() -> Path:
    """Where the settings are kept."""
    own = os.environ.get("KICKDOOR_CONFIG")
    return Path(own).expanduser() if own else Path(platformdirs.user_config_dir("kickdoor")) / "settings.toml"


def load() -> Settings:
    """The settings of this user; defaults if there is no file. Raises SettingsError."""
    where = path()
    try:
        found = tomllib.loads(where.read_text("utf-8")) if where.is_file() else {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise SettingsError(f"{where} cannot be read ({problem}): correct or delete it") from None
    settings = _typed(found, where)
    environment = os.environ
    settings.ascii = _flag(environment.get("KICKDOOR_ASCII"), settings.ascii)
    settings.mouse = _flag(environment.get("KICKDOOR_MOUSE"), settings.mouse)
    settings.theme = environment.get("KICKDOOR_THEME") or settings.theme
    settings.name = environment.get("KICKDOOR_NAME") or settings.name
    try:
        settings.keymap()
    except ValueError as problem:
        raise SettingsError(f"{where}: {problem}") from None
    return settings


def _typed(found: dict[str, object], where: Path) -> Settings:
    known = Settings.__dataclass_fields__
    strange = [key for key in found if key not in known]
    if strange:
        raise SettingsError(f"{where}: there is no setting {strange[0]!r}; known are {', '.join(known)}")
    try:
        settings = msgspec.convert(found, Settings)
    except msgspec.ValidationError as problem:
        raise SettingsError(f"{where}: {problem}") from None
    for name, allowed in CHOICES.items():
        if name != "theme" and getattr(settings, name) not in allowed:
            raise SettingsError(f"{where}: {name} is one of {', '.join(allowed)}")
    return settings


def _flag(text: str | None, otherwise: bool) -> bool:
    return otherwise if text is None or text == "" else text.lower() not in ("0", "no", "false", "off")


def save(settings: Settings) -> None:
    """Write the settings. Raises SettingsError if the place cannot be written."""
    where = path()
    try:
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_text(_toml(settings), "utf-8")
    except OSError as problem:
        raise SettingsError(f"{where} cannot be written: {problem}") from None


def _toml(settings: Settings) -> str:
    """The settings as TOML: JSON's strings, numbers and booleans are TOML's too."""
    plain = msgspec.to_builtins(settings)
    own = plain.pop("keys")
    lines = [f"{name} = {json.dumps(value)}" for name, value in plain.items()]
    lines += ["", "[keys]", *(f"{json.dumps(name)} = {json.dumps(value)}" for name, value in own.items())]
    return "\n".join(lines) + "\n"


def usual_name(settings: Settings | None = None) -> str:
    """What a player is called unless told otherwise: by the settings, else as on this machine. Raises SettingsError."""
    name = (load() if settings is None else settings).name
    if name:
        return name[:20]
    try:
        return getpass.getuser().capitalize()[:20]
    except (OSError, KeyError):
        return "Player"
