"""The rows of the menu and of its forms."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from netcode.bots.levels import level_words
from netcode.protocol.paces import PACES, WINDOWS_TEXT
from netcode.protocol.table_options import TABLE_OPTIONS
from tui.app.start_host import AT_ONCE, EVERYBODY
from tui.config.keymap import TABLE
from tui.config.settings import CHOICES, Settings
from tui.screens.forms import Row, Values

if TYPE_CHECKING:
    from netcode.host.saved_games import SavedGame

_PACE_HINT = f"How long others may respond before a result is final: {WINDOWS_TEXT}."
NO_SET = "-"
"""The choice of no further set."""
_KNOCK_HINT = "yes: whoever comes with the string knocks, and you let them in. You can change it at the table (d)."
_MIX_HINT = "More cards, shuffled in. Where the books differ the first set decides; left and right change it."
YES = ("no", "yes")


def menu_rows(saved: "Sequence[SavedGame]" = ()) -> list[Row]:
    """The main menu. saved: unfinished solo games."""
    words = saved_game_text(saved[0]) if len(saved) == 1 else f"{len(saved)} games you left before they were over."
    first = [Row("resume", "Resume your game", words)] if saved else []
    return [
        *first,
        Row("play", "Play against bots", "A table of your own, at once. There is no clock while you play alone."),
        Row("learn", "Learn", "Your first game: five short scenes at a real table, then a whole game."),
        Row("puzzles", "Puzzles", "Laid-out tables with a goal, a hint and a solution."),
        Row("host", "Host a table", "A table for friends on your network; you get a join string to send them."),
        Row("join", "Join a table", "Take a seat with a join string, return to your seat, or list the tables of a host "
            "with its lobby string."),
        Row("replays", "Replays", "Games you played or watched, step by step."),
        Row("cards", "Browse cards", "Every card of every set: its figures, its text and its effects."),
        Row("rules", "Rules", "Every clause of the rules, set by set, with a search."),
        Row("settings", "Settings", "Name, colours, keys, speed of bots."),
        Row("career", "Career", "Your games so far: wins, streaks, dice, what killed you. Only you can see it."),
        Row("quit", "Quit", "Back to the shell."),
    ]


def saved_rows(saved: "Sequence[SavedGame]") -> list[Row]:
    """The unfinished solo games, to choose from."""
    return [Row(str(at), saved_game_text(game), "Resume it where you left it.") for at, game in enumerate(saved)]


def unfinished_rows() -> list[Row]:
    """What to do with the unfinished tables that a host at the chosen port has left behind."""
    return [
        Row("restore", "Restore the unfinished table", "Everybody returns to their seats; its strings stay the same."),
        Row("new", "Open a new table", "The unfinished one is restored too, for those who have its string."),
    ]


def saved_game_text(game: "SavedGame") -> str:
    """`munchkins-and-mazes, 3 bots (normal), left on 20 Nov at 21:14`."""
    card = game.info
    when = datetime.fromtimestamp(game.when).strftime("%d %b at %H:%M").lstrip("0")
    return f"{' + '.join(card.sets)}, {card.seats - 1} bots ({card.level}), left on {when}"


def _name_row(settings: Settings) -> Row:
    return Row("name", "Your name", "What others see; ENTER to type.", settings.name, text=True)


def _set_rows(sets: tuple[str, ...]) -> list[Row]:
    """The card sets, in order: the first decides where the books differ."""
    hint = "The set of cards; the first set decides where the books differ."
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
    """Return the sets of a filled-in form, in order, without repetition."""
    names = [values[key] for key in ("set", "set2", "set3", "set4") if values.get(key, NO_SET) != NO_SET]
    return tuple(dict.fromkeys(names))


def options_in(values: Values) -> tuple[str, ...]:
    """Return the table options of a filled-in form, as `--option` spells them."""
    chosen = []
    for option in TABLE_OPTIONS:
        value = values.get(option.name, "")
        if value == "yes":
            chosen.append(option.name)
        elif option.values and value and value != str(option.values[0]):
            chosen.append(f"{option.name}={value}")
    return tuple(chosen)


def play_rows(settings: Settings, sets: tuple[str, ...]) -> list[Row]:
    """The form of a solo table."""
    return [
        Row("go", "Begin", "Shuffle and deal."),
        Row("bots", "Bots", "How many bots play with you.", str(settings.bots), ("2", "3", "4", "5")),
        Row("level", "They play", level_words(), settings.level, CHOICES["level"]),
        _name_row(settings),
        *_set_rows(sets),
        *_option_rows(),
        Row("pace", "Pace", "Applies to tables with several people: one person plays without a clock.", "book", PACES),
    ]


def host_rows(settings: Settings, sets: tuple[str, ...]) -> list[Row]:
    """The form of a table for friends."""
    return [
        Row("go", "Open the table", "The host is a separate process and continues when you leave."),
        Row("seats", "Seats", "Seats at the table, yours included.", "4", ("3", "4", "5", "6")),
        Row("bots", "Bots", "How many of the seats are played by bots.", "0", ("0", "1", "2", "3", "4", "5")),
        Row("pace", "Pace", _PACE_HINT, "standard", PACES),
        *_set_rows(sets),
        Row("reach", "Open to", "Who can reach the table (with its join string).", EVERYBODY,
            (EVERYBODY, "this machine only")),
        Row("port", "Port", "0: any free one.", "7788", text=True),
        _name_row(settings),
        *_option_rows(),
        Row("knock", "Newcomers knock", _KNOCK_HINT, "no", YES),
        Row("announce", "Announce it", "Announce the address on the local network. Not through SSH.", "no", YES),
        Row("delay", "Spectators see", "How much later they see everything.", AT_ONCE,
            (AT_ONCE, "30 s", "60 s", "300 s")),
    ]  # fmt: skip


def create_rows(settings: Settings, sets: tuple[str, ...]) -> list[Row]:
    """The form of a new table at somebody's host."""
    return [
        Row("go", "Open the table", "You own the table and take the first seat."),
        Row("title", "Table name", "Its name in the lobby; ENTER to type.", "", text=True),
        Row("seats", "Seats", "Seats at the table, yours included.", "4", ("3", "4", "5", "6")),
        Row("bots", "Bots", "How many of the seats are played by bots.", "0", ("0", "1", "2", "3", "4", "5")),
        Row("level", "They play", level_words(), settings.level, CHOICES["level"]),
        Row("pace", "Pace", _PACE_HINT, "standard", PACES),
        *_set_rows(sets),
        Row("knock", "Newcomers knock", _KNOCK_HINT, "no", YES),
        *_option_rows(),
    ]


AS_STATED = "use the address in the string"
FIND_HOST = "find it on this network"
SPECTATOR = "a spectator"
_LAN_HINT = "If its address has changed: find the host by its key, if it announces itself. Not through SSH."


def join_rows(settings: Settings) -> list[Row]:
    """The form to join a table."""
    return [
        Row("string", "Join string", "ENTER, then paste kickdoor://... as your host sent it.", "", text=True),
        Row("go", "Join", "The same string returns you to your seat later."),
        _name_row(settings),
        Row("as", "As", "A watch string lets you spectate only.", "a player", ("a player", SPECTATOR)),
        Row("lan", "Address", _LAN_HINT, AS_STATED, (AS_STATED, FIND_HOST)),
    ]


_WAITS_HINT = "Alone with bots, they wait for your SPACE after: each act, acts touching you, or never."


def settings_rows(settings: Settings) -> list[Row]:
    """All settings but single keys, which are changed in the settings file."""
    names = ", ".join(key.id for key in TABLE if key.show)
    return [
        Row("go", "Save", f"Single keys can be changed by name in the settings file, under [keys]: {names}"),
        _name_row(settings),
        Row("theme", "Colours", "ansi-* use the sixteen colours of the terminal.", settings.theme, CHOICES["theme"]),
        Row("ascii", "ASCII only", "Draw borders and marks with ASCII characters.", _yes(settings.ascii), YES),
        Row("portraits", "Portraits", "Or emblems; a slow link has them anyway.", _yes(settings.portraits), YES),
        Row("bell", "Bell", "Ring when something waits for you.", _yes(settings.bell), YES),
        Row("mouse", "Mouse", "Clicks on keys, cards and seats.", _yes(settings.mouse), YES),
        Row("speed", "Speed of bots", "How long the screen shows what a bot did.", settings.speed, CHOICES["speed"]),
        Row("waits", "Bots wait", _WAITS_HINT, settings.waits, CHOICES["waits"]),
        Row("preset", "Keys", "vim adds h j k l in lists.", settings.preset, CHOICES["preset"]),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def with_values(settings: Settings, values: Values) -> Settings:
    """Return the settings with the values of the filled-in form."""
    return replace(
        settings, name=values["name"][:20], theme=values["theme"], ascii=values["ascii"] == "yes",
        portraits=values["portraits"] == "yes", bell=values["bell"] == "yes", mouse=values["mouse"] == "yes",
        speed=values["speed"], waits=values["waits"], preset=values["preset"],
    )  # fmt: skip
