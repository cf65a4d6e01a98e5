"""The talk of bots: lines of data/talk.toml and of the sets in play, each once in a game.

A talker gets only what everybody at the table sees, so its words cannot reveal what its seat knows. The table keeps
bots from talking over one another (netcode/table/bot_talk.py).
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple

from core.language import toml
from core.language.catalog import Catalog
from core.state import events as ev
from core.state.model import defn_of
from core.state.views import FightView, View
from netcode.bots.data_files import FOLDER, read_data
from netcode.bots.fight_value import BIG, fight_value
from netcode.bots.personalities import Personality
from netcode.bots.tuning import TUNING

GENERAL = "talk.toml"
_TALK = TUNING.talk
CHANCES = _TALK.chances
"""The chance that the most talkative bot speaks on each occasion, the most important first."""
WHO = "{who}"


class Occasion(NamedTuple):
    """Something that a seat may speak about. who: the other seat involved, -1 if there is none."""

    kind: str
    who: int = -1


class Remark(NamedTuple):
    """What to say, and after how many seconds."""

    text: str
    after_s: float


@cache
def _lines_of(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a data file by occasion; none if there is no such file. Raises BrokenData."""
    return read_data(name, partial(read, name=name)) if (FOLDER / name).is_file() else {}


def read(text: str, name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a TOML text by occasion. Raises ValueError, with one line that names the place."""
    found = {}
    for kind, lines in toml.parse(text).items():
        if kind not in CHANCES:
            raise ValueError(f"{name}: there is no occasion {kind!r}: choose from {', '.join(CHANCES)}")
        if not isinstance(lines, list) or not all(isinstance(line, str) and line.strip() for line in lines):
            raise ValueError(f"{name}: {kind} must be a list of lines")
        found[kind] = tuple(lines)
    return found


def lines_for(sets: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return what may be said at a table with these sets, by occasion: the general lines and those of each set."""
    voices = [_lines_of(GENERAL), *(_lines_of(f"talk-{one}.toml") for one in sorted(sets))]
    return {kind: tuple(line for voice in voices for line in voice.get(kind, ())) for kind in CHANCES}


class Talker:
    """The talk of one bot in one game. seed: public, the same for all bots of the table, different in each game; names:
    of the seats."""

    def __init__(
        self, personality: Personality, me: int, catalog: Catalog, lines: Mapping[str, Sequence[str]], seed: str
    ) -> None:
        self.personality, self.me, self._catalog, self._lines, self._seed = personality, me, catalog, lines, seed
        self._said: set[str] = set()
        """Lines that were said in this game, by anybody."""
        self._fighter = self._helper = -1

    def heard(self, text: str, names: Sequence[str]) -> None:
        """Note a line that somebody said, so that nobody repeats it."""
        for lines in self._lines.values():
            self._said.update(line for line in lines if any(line.replace(WHO, name) == text for name in names))

    def follow(self, fight: FightView | None) -> None:
        """Read the fighters from a view, because events were missed or taken back."""
        self._fighter, self._helper = (fight.seat, fight.helper) if fight is not None else (-1, -1)

    def remark(self, events: Sequence[ev.AnyEvent], view: View, names: Sequence[str]) -> Remark | None:
        """Return what to say about these events, None for nothing. events, view: as a spectator sees them."""
        occasions = list(self._occasions(events, view))
        self.follow(view.fight)
        for kind in CHANCES:
            occasion = next((one for one in occasions if one.kind == kind), None)
            if occasion is not None and self._speaks(kind, view):
                return self._remark(occasion, view, names)
        return None

    def _speaks(self, kind: str, view: View) -> bool:
        wish = self.personality.bluff if kind == "bluff" else self.personality.talk
        return self._draws(kind, view).random() < wish * CHANCES[kind]

    def _draws(self, kind: str, view: View) -> random.Random:
        """Return a random source that depends on public facts only and differs for each occasion of a turn."""
        return random.Random(f"{self._seed} {self.me} {self.personality.id} {kind} {view.turn_no}")

    def _remark(self, occasion: Occasion, view: View, names: Sequence[str]) -> Remark | None:
        lines = [line for line in self._lines[occasion.kind] if occasion.who >= 0 or WHO not in line]
        random.Random(f"{self._seed} {occasion.kind}").shuffle(lines)
        first = view.turn_no // _TALK.turns % max(1, len(lines))
        line = next((line for line in lines[first:] + lines[:first] if line not in self._said), None)
        if line is None:
            return None
        self._said.add(line)
        after = self._draws(f"{occasion.kind} after", view).uniform(_TALK.soonest_s, _TALK.latest_s)
        return Remark(line.replace(WHO, names[occasion.who]), after)

    # ----------------------------------------------------------------------------------------------------- occasions
    def _occasions(self, events: Sequence[ev.AnyEvent], view: View) -> Iterator[Occasion]:
        for event in events:
            found = _READERS[type(event)](self, event, view) if type(event) in _READERS else None
            if found is not None and found.who != self.me:
                yield found

    def _began(self, event: ev.FightBegan, view: View) -> Occasion | None:
        self._fighter, self._helper = event.seat, -1
        return Occasion("door") if event.how == "found" else None

    def _helper_came(self, event: ev.HelperCame, view: View) -> Occasion | None:
        self._helper = event.seat
        return Occasion("help", self._fighter) if event.seat == self.me and not event.compelled else None

    def _helper_left(self, event: ev.HelperLeft, view: View) -> Occasion | None:
        self._helper = -1
        backs_out = event.why == "backs out" and self._fighter == self.me
        return Occasion("betrayed", event.seat) if backs_out else None

    def _fighter_changed(self, event: ev.FighterChanged, view: View) -> None:
        self._fighter, self._helper = event.to, -1

    def _stage(self, event: ev.StageSet, view: View) -> Occasion | None:
        if self._fighter != self.me or event.stage not in ("won", "lost"):
            return None
        if event.stage == "won" and self._helper >= 0:
            return Occasion("thanks", self._helper)
        return Occasion(event.stage)

    def _strengthened(self, event: ev.Strengthened, view: View) -> Occasion | None:
        bonus = event.bonus
        against = bonus.by > 0 if bonus.side == "monsters" else bonus.by < 0
        return self._spoilt(bonus.seat) if against else None

    def _monster_came(self, event: ev.MonsterCame, view: View) -> Occasion | None:
        return self._spoilt(event.seat)

    def _spoilt(self, seat: int) -> Occasion | None:
        heroes = (self._fighter, self._helper)
        return Occasion("betrayed", seat) if self.me in heroes and seat >= 0 and seat not in heroes else None

    def _moved(self, event: ev.Moved, view: View) -> Occasion | None:
        if event.why != "played" or event.on_seat != self.me or event.seat == self.me:
            return None
        return self._cursed(event.new or event.card)

    def _turned(self, event: ev.Turned, view: View) -> Occasion | None:
        return self._cursed(event.card) if event.seat == self.me else None

    def _cursed(self, card: int) -> Occasion | None:
        return Occasion("curse") if self._catalog.cards[defn_of(card)].kind == "curse" else None

    def _level(self, event: ev.LevelChanged, view: View) -> Occasion | None:
        if event.by <= 0 or event.level != view.win_level - 1:
            return None
        return Occasion("mine") if event.seat == self.me else Occasion("near", event.seat)

    def _window(self, event: ev.WindowOpened, view: View) -> Occasion | None:
        fight = view.fight
        if fight is None or event.kind == "kick" or not fight.winning or fight_value(fight) < BIG:
            return None
        return Occasion("bluff", fight.seat) if self.me not in (fight.seat, fight.helper) else None

    def _died(self, event: ev.Died, view: View) -> Occasion | None:
        return Occasion("death") if event.seat == self.me else None

    def _won(self, event: ev.Won, view: View) -> Occasion:
        return Occasion("victory") if self.me in event.seats else Occasion("defeat", event.seats[0])


_READERS: dict[type, Callable[[Talker, Any, View], Occasion | None]] = {
    ev.FightBegan: Talker._began, ev.HelperCame: Talker._helper_came, ev.HelperLeft: Talker._helper_left,
    ev.FighterChanged: Talker._fighter_changed, ev.StageSet: Talker._stage, ev.Strengthened: Talker._strengthened,
    ev.MonsterCame: Talker._monster_came, ev.Moved: Talker._moved, ev.Turned: Talker._turned,
    ev.LevelChanged: Talker._level, ev.WindowOpened: Talker._window, ev.Died: Talker._died, ev.Won: Talker._won,
}  # fmt: skip
