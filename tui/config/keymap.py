"""The key map: the rows of the table, of replays and of the end of a game, the presets, and the rows of the help (`?`).
The rows of all other screens are in places.py.

A new key is a row here and an `action_...` method of the screen. The ids must not change: users name them under
`[keys]` in their settings. This module does not import Textual; the screens make their bindings from these rows.
"""

import unicodedata
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from tui.config.key import Key
from tui.config.places import PLACES
from tui.config.surroundings import here

APP: tuple[Key, ...] = (
    Key("app.interrupt", "ctrl+c", "interrupt", "leave, as ^Q does", "^C"),
    Key("app.suspend", "ctrl+z", "suspend_process", "put kickdoor aside; fg in the shell brings it back", "^Z"),
)
"""The keys that work everywhere, whatever has the focus."""

TABLE: tuple[Key, ...] = (
    *(Key(f"prompt.{n}", str(n), f"digit({n})", f"choose {n}") for n in range(10)),
    Key("prompt.pass", "space", "space", "pass, go on (never spends anything)", "SPACE"),
    Key("hand.use", "enter", "enter", "use the selected card; confirm a choice", "ENTER"),
    Key("prompt.back", "escape", "back", "back; close what is being read", "ESC"),
    Key("prompt.all", "asterisk", "all", "where several are chosen: all, or none", "*"),
    Key("table.kick", "k", "verb('kick')", "kick open the door", "k"),
    Key("table.claim", "c", "verb('claim')", "claim the kill", "c"),
    Key("table.run", "f", "verb('run')", "flee: give the fight up, run from a monster", "f"),
    Key("table.trouble", "m", "verb('trouble')", "fight a monster from your hand: look for trouble", "m"),
    Key("table.loot", "p", "verb('loot')", "pick up a card: loot the room", "p"),
    Key("table.end", "e", "verb('end')", "end your turn", "e"),
    Key("table.again", "y", "verb('again')", "ready; go on to the end of your turn; after the game: play again", "y"),
    Key("table.deal", "x", "verb('deal')", "deal: answer offers, ask for help, trade, give", "x"),
    Key("table.use", "b", "verb('use')", "use an ability of a card in play", "b"),
    Key("table.sell", "s", "verb('sell')", "sell Items for levels", "s"),
    Key("table.gear", "g", "verb('gear')", "change your own gear", "g"),
    Key("prompt.autopass", "Z", "autopass", "pass until this fight changes (again: stop)", "Z"),
    Key("prompt.hold", "z", "hold", "hold the table for a moment", "z"),
    Key("table.why", "w", "why", "why this number; why not this card", "w"),
    Key("table.rules", "i", "rules", "the rules: of what was refused, the card, this moment", "i"),
    Key("table.hint", "h", "hint", "a hint: what a good player would do, and why", "h"),
    Key("table.read", "v", "read", "read the card (again: the next one on the table)", "v"),
    Key("table.others", "o", "others", "other seats' gear (left and right: next seat)", "o"),
    Key("table.seals", "S", "seals", "the Seals: which is in force, what it says", "S"),
    Key("table.recap", "r", "recap", "what happened since your last turn; the whole question and hint", "r"),
    Key("table.log", "l", "log", "the whole log", "l"),
    Key("table.talk", "t", "talk", "say something to the table", "t"),
    Key("table.back", "u", "step_back", "undo: alone with bots at once, else if all agree", "u"),
    Key("table.story", "E", "story", "after the game: how it went", "E"),
    Key("table.open", "O", "open_hands", "after the game: reveal all hands, if all agree", "O"),
    Key("table.speed", "B", "speed", "speed of bots: slow, normal, fast", "B"),
    Key("table.waits", "W", "waits", "alone: after which acts of bots they wait for you", "W"),
    Key("table.owner", "a", "owner", "owner's menu: pause, pace, seats", "a"),
    Key("table.door", "d", "door", "owner: who comes in, who knocks, new strings", "d"),
    Key("table.mute", "M", "mute", "mute somebody's talk for yourself (again: read it)", "M"),
    Key("table.max", "plus", "maximise", "more room for what is being read; in an offer: one Treasure more", "+"),
    Key("prompt.less", "minus", "less", "in an offer: one Treasure less", "-"),
    Key("hand.left", "left", "move(-1, 0)", "move in the hand or list", "arrows"),
    Key("hand.right", "right", "move(1, 0)", "move in the hand or list"),
    Key("hand.up", "up", "move(0, -1)", "move in the hand or list"),
    Key("hand.down", "down", "move(0, 1)", "move in the hand or list"),
    Key("read.up", "pageup", "scroll(-1)", "scroll what is being read", "PgUp PgDn"),
    Key("read.down", "pagedown", "scroll(1)", "scroll what is being read"),
    Key("hand.next", "tab", "step(1)", "next card of the hand", "TAB"),
    Key("hand.previous", "shift+tab", "step(-1)", "previous card of the hand", "shift+TAB"),
    Key("app.keys", "question_mark", "keys", "all keys", "?"),
    Key("app.palette", "ctrl+p", "app.command_palette", "all commands", "^P"),
    Key("app.quit", "ctrl+q", "quit_table", "leave (asks while the game runs; your seat is kept)", "^Q"),
    Key("app.repaint", "ctrl+l", "app.repaint", "redraw the screen", "^L"),
)
"""The keys of the table. Letters are verbs and mean the same all game; digits are cards, or answers to a question."""

REPLAY: tuple[Key, ...] = (
    Key("replay.next", "right", "go(1)", "the next step", "RIGHT"),
    Key("replay.back", "left", "go(-1)", "the previous step", "LEFT"),
    Key("replay.turn", "pagedown,shift+right", "turn(1)", "the next turn", "PgDn"),
    Key("replay.turn-back", "pageup,shift+left", "turn(-1)", "the previous turn", "PgUp"),
    Key("replay.fight", "g", "fight(1)", "the next fight", "g"),
    Key("replay.fight-back", "G", "fight(-1)", "the previous fight", "G"),
    Key("replay.mattered", "m", "mattered(1)", "the next moment that mattered most", "m"),
    Key("replay.mattered-back", "M", "mattered(-1)", "the previous one", "M"),
    Key("replay.first", "home", "go(-999999)", "the beginning", "Home"),
    Key("replay.last", "end", "go(999999)", "the end", "End"),
    Key("replay.play", "space", "play", "run; again: stop", "SPACE"),
    Key("replay.speed", "s", "speed", "speed: slow, normal, fast", "s"),
    Key("replay.up", "up", "scroll(-1)", "scroll what is being read", "UP"),
    Key("replay.down", "down", "scroll(1)", "scroll what is being read", "DOWN"),
    Key("replay.eyes", "e", "eyes", "another seat's view, if all hands are revealed", "e"),
    Key("replay.leave", "q,ctrl+q", "leave", "leave", "q"),
)
"""The keys that only a replay has."""
READING = {
    "hand.next": "the next card of the hand", "hand.previous": "the previous card",
    "table.read": "read the card; again: the next one", "table.why": "why this number",
    "table.rules": "the rules: of the card, this moment", "table.others": "a seat's gear; again: the next seat",
    "table.seals": "the Seals: which is in force, what it says",
    "table.recap": "what happened since the player's last turn", "table.log": "the whole log",
    "table.story": "how the game went: curves and facts", "table.max": "more room for what is being read",
    "prompt.back": "close what is being read", "app.keys": "all keys", "app.palette": "all commands",
    "app.repaint": "redraw the screen",
}  # fmt: skip
"""The keys of the table that work in a replay, by their ids, and what they do there."""

GUIDED: tuple[Key, ...] = (
    Key("puzzle.hint", "H", "puzzle_hint", "the hint of a puzzle (again: its goal)", "hint"),
    Key("puzzle.solution", "A", "puzzle_solution", "the solution of a puzzle, step by step", "solution"),
    Key("puzzle.again", "R", "puzzle_again", "begin the puzzle again", "again"),
)
"""The further keys of a puzzle; `show` is the word beside the key."""

END: tuple[Key, ...] = (
    Key("end.again", "y", "again", "play again, with the same seats", "y"),
    Key("end.replay", "r", "replay", "watch the game again", "r"),
    Key("end.save", "s", "save", "save the picture of the game", "s"),
    Key("end.open", "O", "open_hands", "reveal all hands, if all agree", "O"),
    Key("end.down", "pagedown,down,space", "scroll(1)", "scroll what does not fit", "PgUp PgDn"),
    Key("end.up", "pageup,up", "scroll(-1)", "scroll what does not fit"),
    Key("end.close", "escape,E,q", "close", "back to the table or the replay", "ESC"),
    Key("end.leave", "ctrl+q", "leave", "leave", "^Q"),
    Key("end.palette", "ctrl+p", "app.command_palette", "all commands", "^P"),
)
"""The keys of the end of a game."""

PRESETS: dict[str, dict[str, str]] = {
    "default": {},
    "vim": {
        "hand.left": "left,H", "hand.right": "right,L", "hand.up": "up,K", "hand.down": "down,J,j",
        "read.up": "pageup,ctrl+u", "read.down": "pagedown,ctrl+d", "puzzle.hint": "I",
    },
}  # fmt: skip
"""Named key maps; a user's own `[keys]` override them."""

MERGED = {
    "table.help": "table.deal", "table.trade": "table.deal", "replay.read": "table.read", "replay.card": "hand.next",
    "replay.card-back": "hand.previous", "replay.why": "table.why", "replay.rules": "table.rules",
    "replay.others": "table.others", "replay.story": "table.story", "replay.seals": "table.seals",
    "replay.recap": "table.recap", "replay.log": "table.log", "replay.max": "table.max",
    "replay.close": "prompt.back", "replay.keys": "app.keys", "replay.palette": "app.palette",
    "replay.repaint": "app.repaint",
}  # fmt: skip
"""Former ids, and the binding that took their place."""

AREAS: tuple[tuple[str, tuple[Key, ...]], ...] = (
    ("at the table", TABLE), ("in puzzles", GUIDED), ("in replays", REPLAY), ("after a game", END), ("everywhere", APP),
    *((where, rows) for where, rows, _ in PLACES),
)
"""Each place where keys work, with its keys."""
ROWS = {key.id: key for _, keys in AREAS for key in keys}
"""Every row by its id."""
LEAVING = tuple(ident for ident, key in ROWS.items() if "ctrl+q" in key.keys.split(","))
"""The ids of the bindings that leave a screen or the app: Ctrl+C does the same."""
IN_REPLAYS = (*REPLAY, *(replace(ROWS[ident], words=words) for ident, words in READING.items()))
"""Every key of a replay."""
SCREENS = (
    (*TABLE, *GUIDED, *APP), (*IN_REPLAYS, *APP), (*END, *APP),
    *((*rows, *(ROWS[ident] for ident in shared), *APP) for _, rows, shared in PLACES),
)
"""For each screen, the bindings that work at the same time, including those of the focused widget."""


ON_OWN_MACHINE = ("app.suspend", "end.save")
"""The ids of bindings that do nothing for a guest."""
HelpRows = tuple[tuple[str, str], ...]
"""Keys as they are written, and what they do."""
DIGITS = "play a card of the hand by its number, answer a question; 0: more"


def help_table(found: Mapping[str, str]) -> HelpRows:
    """Return every key of the table for the help. found: changed keys, by the id of their binding."""
    digits, others = TABLE[:10], TABLE[10:]
    shown = "1-9, 0" if _as_usual(digits, found) else _all_written((*digits[1:], digits[0]), found)
    return (shown, DIGITS), *_help_rows((*others, *APP), found)


def help_replay(found: Mapping[str, str]) -> HelpRows:
    """Return every key of a replay for the help. found: as for `help_table`."""
    return _help_rows((*IN_REPLAYS, *APP), found)


def _help_rows(rows: Iterable[Key], found: Mapping[str, str]) -> HelpRows:
    """Return the rows of the help for these bindings. A binding without `show` shares the row of the one before it,
    unless the user changed a key of that row: then each binding has its own row."""
    groups: list[list[Key]] = []
    for key in rows:
        if key.id in ON_OWN_MACHINE and not here().own_machine:
            continue
        if key.show or not groups:
            groups.append([])
        groups[-1].append(key)
    shown: list[tuple[str, str]] = []
    for group in groups:
        if _as_usual(group, found):
            shown.append((group[0].show, group[0].words))
        else:
            shown += [(_all_written([key], found), key.words) for key in group]
    return tuple(shown)


def _as_usual(rows: Iterable[Key], found: Mapping[str, str]) -> bool:
    return all(found.get(key.id, key.keys) == key.keys for key in rows)


def _all_written(rows: Iterable[Key], found: Mapping[str, str]) -> str:
    return " ".join(written(name.strip()) for key in rows for name in found.get(key.id, key.keys).split(","))


def keys_now(current: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the keys of every binding by its id. current: the changed keys of a key map; other bindings have their
    usual keys."""
    found = {ident: current.get(ident, key.keys) for ident, key in ROWS.items()}
    return {ident: tuple(name.strip() for name in names.split(",")) for ident, names in found.items()}


def other_use(ident: str, name: str, current: Mapping[str, str]) -> tuple[Key, str] | None:
    """Return another binding that uses this key where this binding works, and the name of that place; None if the key
    is free."""
    now = keys_now(current)
    for rows in SCREENS:
        for key in rows if any(row.id == ident for row in rows) else ():
            if key.id != ident and name in now[key.id]:
                return key, next(area for area, keys in AREAS if key in keys)
    return None


def keymap(preset: str, own: dict[str, str]) -> dict[str, str]:
    """Return binding ids and their keys, for App.set_keymap; bindings that keep their keys are left out. Raise
    ValueError, with a sentence for the player, for an unknown preset or id, and if two keys of a screen collide."""
    if preset not in PRESETS:
        raise ValueError(f"no key preset {preset!r}: there is {', '.join(PRESETS)}")
    chosen: dict[str, str] = {}
    for ident, keys in own.items():
        if ident not in ROWS and ident not in MERGED:
            raise ValueError(f"no key binding {ident!r}: the names are listed under Settings")
        now = MERGED.get(ident, ident)
        chosen[now] = f"{chosen[now]},{keys}" if now in chosen else keys
    found = {**PRESETS[preset], **chosen}
    if found and (problems := collisions(found)):  # the usual keys do not collide
        raise ValueError(problems[0])
    return found


def collisions(found: dict[str, str]) -> list[str]:
    """Return a sentence for each key that two bindings of a screen share. found: changed keys, by the id of their
    binding."""
    problems = []
    for rows in SCREENS:
        used: dict[str, Key] = {}
        for row in rows:
            for name in found.get(row.id, row.keys).split(","):
                other = used.setdefault(name.strip(), row)
                if other is not row:
                    both = f"both {other.id} ({other.words}) and {row.id} ({row.words})"
                    problems.append(f"the key {name.strip()!r} stands for {both}: change one under [keys]")
    return problems


def shown_keys(found: Mapping[str, str]) -> dict[str, str]:
    """Return how the key of each binding is written: the first, if it has several. found: as for `collisions`."""
    return {ident: written(found.get(ident, row.keys).split(",")[0].strip()) for ident, row in ROWS.items()}


def spelled(keys: str, names: Mapping[str, str], ascii_only: bool = False) -> str:
    """Return several keys as the screen writes them. keys: ids of bindings and the toolkit's names of keys, separated
    by blanks. names: how the key of each binding is written."""
    found = [names.get(key) or written(key) for key in keys.split()]
    if not all(name in _ARROWS for name in found):
        return " ".join(found)
    if ascii_only:
        return "arrows" if len(found) == len(_ARROWS) else "/".join(found).lower()
    return "".join(_ARROWS[name] for name in found)


def written(key: str) -> str:
    """Return how the screen writes a key, from Textual's name: `^Q`, `SPACE`, `k`, `,` for `comma`."""
    return f"^{key[5:].upper()}" if key.startswith("ctrl+") else _WRITTEN.get(key) or _SIGNS.get(key, key)


def _named(sign: str) -> str:
    """Return Textual's name for the key of a sign: in most cases its name in Unicode."""
    name = unicodedata.name(sign, sign).lower().replace(" ", "_").replace("-", "_")
    return _RENAMED.get(name, name)


_WRITTEN = {
    "space": "SPACE", "enter": "ENTER", "escape": "ESC", "question_mark": "?", "plus": "+", "pageup": "PgUp",
    "pagedown": "PgDn", "tab": "TAB", "left": "LEFT", "right": "RIGHT", "up": "UP", "down": "DOWN", "home": "Home",
    "end": "End", "shift+tab": "shift+TAB", "slash": "/", "delete": "DEL",
}  # fmt: skip
_RENAMED = {
    "solidus": "slash", "reverse_solidus": "backslash", "commercial_at": "at", "hyphen_minus": "minus",
    "plus_sign": "plus", "low_line": "underscore",
}  # fmt: skip
"""Signs whose name in Textual is not their name in Unicode."""
_SIGNS = {_named(sign): sign for sign in map(chr, range(33, 256)) if sign.isprintable() and not sign.isalnum()}
"""The signs of keyboards, by Textual's names for their keys."""
_ARROWS = {"LEFT": "←", "RIGHT": "→", "UP": "↑", "DOWN": "↓"}


def pressed(shown: str) -> str:
    """Return Textual's name of a key from the way the screen writes it: the inverse of `written`."""
    if shown.startswith("^"):
        return f"ctrl+{shown[1:].lower()}" if len(shown) > 1 else "circumflex_accent"
    if len(shown) == 1 and not shown.isalnum():
        return _named(shown)
    return {words: key for key, words in _WRITTEN.items()}.get(shown, shown)


HELP_TABLE, HELP_REPLAY = help_table({}), help_replay({})
"""The rows of the help with the usual keys."""
USUAL_NAMES = shown_keys({})
"""How the usual key of each binding is written."""
