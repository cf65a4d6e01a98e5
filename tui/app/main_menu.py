"""The rows of the menu and of its forms."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from netcode.bots.levels import level_words
from netcode.protocol.paces import PACES, WINDOWS_TEXT
from netcode.protocol.table_options import TABLE_OPTIONS
from tui.app.start_host import AT_ONCE
from tui.config.keymap import TABLE
from tui.config.settings import CHOICES, Settings
from tui.screens.forms import Row, Values

if TYPE_CHECKING:
    from netcode.host.saved_games import SavedGame

_PACE_HINT = f"How long others may respond before a result is final: {WINDOWS_TEXT}."
NO_SET = "-"
"""Where no further set is mixed in."""
_MIX_HINT = "More cards, shuffled in. Where the books differ the first set decides; left and right choose."
YES = ("no", "yes")


def menu_rows(kept: "Sequence[SavedGame]" = ()) -> list[Row]:
    """What one can do. kept: own games that are not over."""
    words = kept_words(kept[0]) if len(kept) == 1 else f"{len(kept)} games you left before they were over."
    first = [Row("resume", "Go on with your game", words)] if kept else []
    return [
        *first,
        Row("play", "Play against bots", "A table of your own, at once. No clock: nobody hurries you."),
        Row("learn", "Learn", "What the game is about and which keys answer what, on seven short pages."),
        Row("host", "Host a table", "A table for friends on your network; you get a string to send them."),
        Row("join", "Join a table", "Sit down at a friend's table with its join string, come back to your seat, or see "
            "the tables of a host with its lobby string."),
        Row("replays", "Replays", "Games you played or watched, step by step: what happened, and when."),
        Row("cards", "Browse cards", "Every card of every set: its figures, its text, and what its effects say."),
        Row("rules", "Rules", "Every clause of the rules, set by set, with a search."),
        Row("settings", "Settings", "Name, colours, keys, speed of bots."),
        Row("quit", "Quit", "Back to the shell."),
    ]


def kept_rows(kept: "Sequence[SavedGame]") -> list[Row]:
    """Own games that are not over, to choose from."""
    return [Row(str(at), kept_words(one), "Go on where you left it.") for at, one in enumerate(kept)]


def kept_words(kept: "SavedGame") -> str:
    """`munchkins-and-mazes, 3 bots (normal), left on 20 Nov at 21:14`."""
    card = kept.card
    when = datetime.fromtimestamp(kept.when).strftime("%d %b at %H:%M").lstrip("0")
    return f"{' + '.join(card.sets)}, {card.seats - 1} bots ({card.level}), left on {when}"


def _name_row(settings: Settings) -> Row:
    return Row("name", "Your name", "What the others see; ENTER to type.", settings.name, text=True)


def _set_rows(sets: tuple[str, ...]) -> list[Row]:
    """Which sets, in order: the first decides where the books differ."""
    hint = "Which set of cards; the first one decides where the books differ."
    first = Row("set", "Cards", hint, sets[0], sets, unique=NO_SET)
    more = [
        Row(f"set{n}", "  and", _MIX_HINT, NO_SET, (NO_SET, *sets), unique=NO_SET)
        for n in range(2, min(4, len(sets)) + 1)
    ]
    return [first, *more]


def _option_rows() -> list[Row]:
    rows = []
    for option in TABLE_OPTIONS:
        choices = tuple(str(value) for value in option.values) or YES
        rows.append(Row(option.name, option.label, option.sentence, choices[0], choices))
    return rows


def sets_in(values: Values) -> tuple[str, ...]:
    """The sets of a filled-in form, in order, each once."""
    names = [values[key] for key in ("set", "set2", "set3", "set4") if values.get(key, NO_SET) != NO_SET]
    return tuple(dict.fromkeys(names))


def options_in(values: Values) -> tuple[str, ...]:
    """The options of a filled-in form, as --option has them."""
    chosen = []
    for option in TABLE_OPTIONS:
        value = values.get(option.name, "")
        if value == "yes":
            chosen.append(option.name)
        elif option.values and value and value != str(option.values[0]):
            chosen.append(f"{option.name}={value}")
    return tuple(chosen)


def play_rows(settings: Settings, sets: tuple[str, ...]) -> list[Row]:
    """A table against bots."""
    return [
        Row("go", "Begin", "Shuffle and deal."),
        Row("bots", "Bots", "How many sit with you.", str(settings.bots), ("2", "3", "4", "5")),
        Row("level", "They play", level_words(), settings.level, CHOICES["level"]),
        _name_row(settings),
        *_set_rows(sets),
        *_option_rows(),
        Row("pace", "Pace", "With one person there is no clock; the pace then only names the table.", "book", PACES),
    ]


def host_rows(settings: Settings, sets: tuple[str, ...]) -> list[Row]:
    """A table for friends."""
    return [
        Row("go", "Open the table", "The host goes on as a process of its own, also when you leave."),
        Row("seats", "Seats", "Places at the table, yours included.", "4", ("3", "4", "5", "6")),
        Row("bots", "Bots", "How many of the seats bots take.", "0", ("0", "1", "2", "3", "4", "5")),
        Row("pace", "Pace", _PACE_HINT, "standard", PACES),
        *_set_rows(sets),
        Row("reach", "Open to", "Who can reach the table (with its join string).", "everybody on the network",
            ("everybody on the network", "this machine only")),
        Row("port", "Port", "0: any free one.", "7788", text=True),
        _name_row(settings),
        *_option_rows(),
        Row("announce", "Announce it", "Tell the network where it is; never the key. Not through SSH.", "no", YES),
        Row("delay", "Who looks on", "sees everything so much later.", AT_ONCE, (AT_ONCE, "30 s", "60 s", "300 s")),
    ]  # fmt: skip


def create_rows(settings: Settings, sets: tuple[str, ...]) -> list[Row]:
    """A table of one's own at somebody's host."""
    return [
        Row("go", "Open the table", "It is yours: you are its owner and sit down first."),
        Row("title", "Its name", "What the lobby's list calls it; ENTER to type.", "", text=True),
        Row("seats", "Seats", "Places at the table, yours included.", "4", ("3", "4", "5", "6")),
        Row("bots", "Bots", "How many of the seats bots take.", "0", ("0", "1", "2", "3", "4", "5")),
        Row("level", "They play", level_words(), settings.level, CHOICES["level"]),
        Row("pace", "Pace", _PACE_HINT, "standard", PACES),
        *_set_rows(sets),
        *_option_rows(),
    ]


STATED = "as the string says"
_LAN_HINT = "If its address has changed: the host is looked for by its key, if it announces itself. Not through SSH."


def join_rows(settings: Settings) -> list[Row]:
    """Somebody's table."""
    return [
        Row("string", "Join string", "ENTER, then paste kickdoor://... as your host sent it.", "", text=True),
        Row("go", "Sit down", "The same string leads you back to your own seat later."),
        _name_row(settings),
        Row("as", "As", "A watch string only lets you look on.", "a player", ("a player", "look on")),
        Row("lan", "Where", _LAN_HINT, STATED, (STATED, "look on this network")),
    ]


def settings_rows(settings: Settings) -> list[Row]:
    """Everything that can be set up; keys of one's own are written into the settings file."""
    names = ", ".join(key.id for key in TABLE if key.show)
    return [
        Row("go", "Keep these settings", f"Single keys can be changed by name in the file, under [keys]: {names}"),
        _name_row(settings),
        Row("theme", "Colours", "ansi-* use the terminal's own sixteen colours.", settings.theme, CHOICES["theme"]),
        Row("ascii", "Plain signs only", "Borders and marks from the keyboard's signs.", _yes(settings.ascii), YES),
        Row("bell", "Bell", "Ring when something waits for you.", _yes(settings.bell), YES),
        Row("mouse", "Mouse", "Clicks on keys, cards and seats.", _yes(settings.mouse), YES),
        Row("speed", "Speed of bots", "How long what they do stays.", settings.speed, CHOICES["speed"]),
        Row("preset", "Keys", "vim adds h j k l in lists.", settings.preset, CHOICES["preset"]),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def with_values(settings: Settings, values: Values) -> Settings:
    """The settings as the form has them."""
    return replace(
        settings, name=values["name"][:20], theme=values["theme"], ascii=values["ascii"] == "yes",
        bell=values["bell"] == "yes", mouse=values["mouse"] == "yes", speed=values["speed"], preset=values["preset"],
    )  # fmt: skip
