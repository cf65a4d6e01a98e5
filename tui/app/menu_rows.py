"""The rows of the menu and of its forms."""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

import cards
from core.language.manifest import PackHead
from core.language.toml import parse
from netcode.bots.levels import level_words
from netcode.protocol.paces import PACES, WINDOWS_TEXT
from netcode.protocol.table_options import TABLE_OPTIONS
from netcode.recording.set_names import set_name, set_names
from tui.app.start_host import AT_ONCE, EVERYBODY
from tui.app.themes import offered
from tui.config.settings import CHOICES, Settings
from tui.screens.forms import Values
from tui.widgets.entry.choices import Choice
from tui.widgets.entry.fields import YES, Row

if TYPE_CHECKING:
    from netcode.host.saved_games import SavedGame
    from tui.app.offered_tables import OfferedTable

_PACE_HINT = f"How long others may respond before a result is final: {WINDOWS_TEXT}."
NO_SET = "-"
"""The value for no further set."""
_KNOCK_HINT = "yes: whoever comes with the string knocks, and you let them in. You can change it at the table (d)."
_MIX_HINT = "More cards, shuffled in. Where the books differ the first set decides; left and right change it."
BOT_COUNTS = ("2", "3", "4", "5")


IN_MENU = 3
"""How many tables with a seat of the player the menu has; `kickdoor join` lists more."""
SEAT = "seat"
"""The name of the row of such a table, before its number."""


def menu_rows(
    settings: Settings, saved: "Sequence[SavedGame]" = (), seats: "Sequence[OfferedTable]" = ()
) -> list[Choice]:
    """Return the main menu. saved: unfinished solo games. seats: tables where this player has a seat. The first row
    plays."""
    back = [
        Choice(f"{SEAT}{at}", "Back to your seat", f"{one.title.removeprefix('back to ')}; {one.hint}", str(at + 1))
        for at, one in enumerate(seats[:IN_MENU])
    ]
    words = saved_game_text(saved[0]) if len(saved) == 1 else f"{len(saved)} games you left before they were over"
    first = [Choice("resume", "Continue", words, "c")] if saved else []
    return [
        *back,
        *first,
        Choice("play", "Play now", f"{settings.bots} bots ({settings.level}), a new game", "p"),
        Choice("new", "Play against bots", "choose cards, bots and house rules", "b"),
        Choice("learn", "Learn", "five short scenes, then a whole game", "l"),
        Choice("puzzles", "Puzzles", "a table laid out, a goal, a solution", "z"),
        Choice("join", "Join a table", "with a join string, or back to your seat", "j"),
        Choice("host", "Host a table", "friends join with a string or a QR code", "h"),
        Choice("replays", "Replays", "games you played or watched, step by step", "r"),
        Choice("career", "Career", "your games so far; only you can see it", "a"),
        Choice("cards", "Browse cards", "every card: picture, figures, text", "d"),
        Choice("gallery", "Gallery", "every card as a picture, on one page", "g"),
        Choice("rules", "Rules", "every clause by chapter, with a search", "u"),
        Choice("settings", "Settings", "name, colours, keys, mouse, pace of bots", "s"),
        Choice("quit", "Quit", "back to the shell", "q"),
    ]


def built_in_heads() -> list[PackHead]:
    """Return what the built-in sets say about themselves."""
    return [
        msgspec.convert(parse(cards.pack_files(name)["pack.toml"].decode()), PackHead) for name in cards.BUILT_IN
    ]


def saved_rows(saved: "Sequence[SavedGame]") -> list[Choice]:
    """Return the rows of the unfinished solo games."""
    hint = "Resume it where you left it."
    return [Choice(str(at), saved_game_text(game), hint) for at, game in enumerate(saved)]


def unfinished_rows() -> list[Choice]:
    """Return the rows for unfinished tables that a host at the chosen port has left behind."""
    return [
        Choice("restore", "Restore the unfinished table",
               "Everybody returns to their seats; its strings stay the same."),
        Choice("new", "Open a new table", "The unfinished one is restored too, for those who have its string."),
    ]  # fmt: skip


def saved_game_text(game: "SavedGame") -> str:
    """`Munchkins & Mazes, 3 bots (normal), left on 20 Nov at 21:14`."""
    card = game.info
    when = datetime.fromtimestamp(game.when).strftime("%d %b at %H:%M").lstrip("0")
    return f"{set_names(card.sets)}, {card.seats - 1} bots ({card.level}), left on {when}"


def _name_row(settings: Settings) -> Row:
    return Row("name", "Your name", "What others see.", settings.name, text=True)


def _set_rows(sets: tuple[str, ...]) -> list[Row]:
    """The card sets, in order: the first decides where the books differ."""
    hint = "The set of cards; the first set decides where the books differ."
    names = {ident: set_name(ident) for ident in sets}
    first = Row("set", "Cards", hint, sets[0], sets, unique=NO_SET, names=names)
    more = [
        Row(f"set{n}", "  and", _MIX_HINT, NO_SET, (NO_SET, *sets), unique=NO_SET, names=names)
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
        Row("bots", "Bots", "How many bots play with you.", str(settings.bots), BOT_COUNTS),
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
        Row("title", "Table name", "Its name in the lobby.", "", text=True),
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
        Row("string", "Join string", "Paste kickdoor://... here, or HOST:PORT and short words.", "", text=True),
        Row("go", "Join", "The same string returns you to your seat later."),
        _name_row(settings),
        Row("as", "As", "A watch string lets you spectate only.", "a player", ("a player", SPECTATOR)),
        Row("lan", "Address", _LAN_HINT, AS_STATED, (AS_STATED, FIND_HOST)),
    ]


def nearby_rows(settings: Settings, string: str = "") -> list[Row]:
    """The form to join a host that was found on the local network."""
    return [
        Row("string", "Join string", "Paste kickdoor://... here as the table's owner sent it.", string, text=True),
        Row("go", "Join", "The host is asked for proof that it is the one of this string."),
        _name_row(settings),
    ]


_WAITS_HINT = "Alone with bots, they wait for your SPACE after: each act, what they do to you (on me), or never."
_ASKS_HINT = "Alone with bots, whether you respond: always, if something is playable, or if it is useful."
_MOTION_HINT = "When doors open and dice roll before your eyes. A slow link never shows it."
_NOTIFY_HINT = "With the bell, while you look elsewhere: osc9 (iTerm2, WezTerm), osc777 (foot, Ghostty, urxvt)."
_MOUSE_HINT = (
    "Clicks on keys, cards and seats; from the next start on. Most terminals still select text while SHIFT is held."
)


_REMEMBER_HINT = "At your own tables, from game to game: who has hurt or helped them."
_PAUSE_HINT = "For so many seconds no key answers a question that has just come: it was typed for another."
KEY_PAUSES = ("0", "0.2", "0.4", "0.6", "0.8", "1")


def _pauses(settings: Settings) -> tuple[str, ...]:
    """Return the seconds to choose from, including the value of the settings now."""
    return tuple(sorted({*KEY_PAUSES, f"{settings.key_pause:g}"}, key=float))


ON_OWN_MACHINE = ("name", "bots", "level", "bots_remember")
"""The settings that mean nothing to a guest: their name comes from ssh, and they host no bots of their own."""


def settings_rows(settings: Settings) -> list[Row]:
    """Return all settings; single keys have a screen of their own."""
    return [
        Row("go", "Save", "Keep these settings and go back."),
        _name_row(settings),
        Row("theme", "Colours", "ansi-* use the sixteen colours of the terminal.", settings.theme, offered()),
        Row("ascii", "ASCII only", "Draw borders and marks with ASCII characters.", _yes(settings.ascii), YES),
        Row("portraits", "Portraits", "Or emblems; a slow link has them anyway.", _yes(settings.portraits), YES),
        Row("bell", "Bell", "Ring when something waits for you.", _yes(settings.bell), YES),
        Row("notify", "Desktop notice", _NOTIFY_HINT, settings.notify, CHOICES["notify"]),
        Row("mouse", "Mouse", _MOUSE_HINT, _yes(settings.mouse), YES),
        Row("speed", "Speed of bots", "How long the screen shows what a bot did.", settings.speed, CHOICES["speed"]),
        Row("waits", "Bots wait", _WAITS_HINT, settings.waits, CHOICES["waits"]),
        Row("asks", "Ask you", _ASKS_HINT, settings.asks, CHOICES["asks"]),
        Row("bots_talk", "Bots talk", "Show what bots say; M at a table mutes one.", _yes(settings.bots_talk), YES),
        Row("bots_remember", "Bots remember", _REMEMBER_HINT, _yes(settings.bots_remember), YES),
        Row("key_pause", "Keys wait", _PAUSE_HINT, f"{settings.key_pause:g}", _pauses(settings)),
        Row("motion", "Motion", _MOTION_HINT, settings.motion, CHOICES["motion"]),
        Row("bots", "Bots at a new table", "How many bots Play now brings.", str(settings.bots), BOT_COUNTS),
        Row("level", "They play", level_words(), settings.level, CHOICES["level"]),
        Row("preset", "Keys", "vim adds h j k l in lists.", settings.preset, CHOICES["preset"]),
        Row("keys", "Change single keys", "Every key of the table, of replays and of puzzles."),
    ]


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def with_values(settings: Settings, values: Values) -> Settings:
    """Return the settings with the values of the filled-in form."""
    return replace(
        settings, name=values["name"][:20], theme=values["theme"], ascii=values["ascii"] == "yes",
        portraits=values["portraits"] == "yes", bell=values["bell"] == "yes", mouse=values["mouse"] == "yes",
        notify=values["notify"],
        motion=values["motion"], speed=values["speed"], waits=values["waits"], asks=values["asks"],
        preset=values["preset"], key_pause=float(values["key_pause"]), bots=int(values["bots"]), level=values["level"],
        bots_talk=values["bots_talk"] == "yes", bots_remember=values["bots_remember"] == "yes",
    )  # fmt: skip
