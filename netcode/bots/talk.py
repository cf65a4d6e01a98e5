"""The talk of bots: lines of the speaker's own, of the sets in play and for everybody (data/), each once in a game.

A talker gets only what everybody at the table sees, so its words cannot reveal what its seat knows. The table keeps
bots from talking over one another (netcode/table/bot_talk.py).
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.model import defn_of
from core.state.views import FightView, View
from netcode.bots.alliances import far_ahead
from netcode.bots.character import leanings_of
from netcode.bots.fight_value import BIG, fight_value
from netcode.bots.lines import (
    ALLIANCE,
    ALLIANCE_OVER,
    CARD,
    KINDS,
    MONSTER,
    TURN,
    WHO,
    Lines,
    general_form,
    lines_of,
    weight_of,
)
from netcode.bots.personalities import Personality
from netcode.bots.replies import TURNS, is_asked, kind_of
from netcode.bots.tuning import TUNING

GENERAL = "talk.toml"
_TALK = TUNING.talk
CHANCES = _TALK.chances
"""The chance that the most talkative bot speaks on each occasion, the weightiest first."""
NOBODY = -1


class Deed(NamedTuple):
    """What somebody did to a seat: in which turn, by which card, in the fight with which monster ("": none)."""

    turn: int
    card: str = ""
    monster: str = ""

    def fits(self, line: str) -> bool:
        """Return whether a line says no more than is known of the deed."""
        return (CARD not in line or bool(self.card)) and (MONSTER not in line or bool(self.monster))

    def filled(self, line: str) -> str:
        """Return a line with the deed in its blanks."""
        return line.replace(CARD, self.card).replace(MONSTER, self.monster).replace(TURN, str(self.turn))


class Occasion(NamedTuple):
    """Something that a seat may speak about. who: the other seat involved, -1 if there is none; deed: what the speaker
    returns."""

    kind: str
    who: int = NOBODY
    deed: Deed | None = None


class Remark(NamedTuple):
    """What to say, after how many seconds, and on which occasion."""

    text: str
    after_s: float
    kind: str

    @property
    def weight(self) -> int:
        """How much the occasion weighs."""
        return weight_of(self.kind)


def lines_for(sets: Iterable[str], personality: str = "") -> Lines:
    """Return what somebody of this personality may say at a table with these sets."""
    voices = [lines_of(GENERAL), *(lines_of(f"talk-{one}.toml") for one in sorted(sets))]
    shared = {kind: tuple(line for voice in voices for line in voice.get(kind, ())) for kind in KINDS}
    return Lines(lines_of(f"voice-{personality}.toml") if personality else {}, shared)


class Talker:
    """The talk of one bot in one game. seed: public, the same for all bots of the table, different in each game; heard:
    how often each line was said in earlier games."""

    def __init__(
        self, personality: Personality, me: int, catalog: Catalog, lines: Lines, seed: str,
        heard: Mapping[str, int] | None = None,
    ) -> None:  # fmt: skip
        self.personality, self.me, self._catalog, self._lines, self._seed = personality, me, catalog, lines, seed
        self._heard: Mapping[str, int] = {} if heard is None else heard
        self._known = frozenset(lines.every())
        self._said: set[str] = set()
        """Lines that were said in this game, by anybody."""
        self._fighter = self._helper = NOBODY
        self._monster = ""
        """The monster with which the fight began."""
        self._wrongs: dict[int, Deed] = {}
        self._kindness: dict[int, Deed] = {}
        """The last deed of each seat against the speaker, and for it, that the speaker has not returned."""
        self._spoke = NOBODY
        """The bot that spoke last."""
        self._answers_from = 0
        """The turn from which it answers people again."""
        self._offers: dict[int, int] = {}
        """Who made each offer, by its number."""
        self._allies = leanings_of(personality).allies > 0
        self._against, self._declared, self._told_in = NOBODY, False, -1
        """Who is far ahead of all others; whether the speaker has told that it spares the others meanwhile; the turn in
        which it last meant to."""
        self._curse, self._thrower, self._struck = 0, -1, False
        """The curse on this seat that takes effect now, 0 for none; who threw it; whether it has done anything."""

    def heard(self, text: str, names: Sequence[str], seat: int = NOBODY) -> None:
        """Note a line that a bot said, so that nobody repeats it. seat: its seat."""
        self._spoke = seat
        forms = [form for form in general_form(text, names) if form in self._known]
        self._said.update(forms)
        self._declared |= seat == self.me and any(form in self._lines.shared.get(ALLIANCE, ()) for form in forms)

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

    def reply(
        self, text: str, who: int, bots: Sequence[int], view: View, names: Sequence[str]
    ) -> Remark | None:
        """Return what to answer a person on another seat, None for nothing. bots: the seats of all bots."""
        kind = kind_of(text)
        if not kind or view.turn_no < self._answers_from or not self.personality.talk:
            return None
        if not is_asked(text, self.me, bots, names, self._spoke, f"{self._seed} {view.turn_no}"):
            return None
        remark = self._remark(Occasion(kind, who), view, names)
        if remark is not None:
            self._answers_from = view.turn_no + TURNS
        return remark

    def _speaks(self, kind: str, view: View) -> bool:
        wish = self.personality.bluff if kind == "bluff" else self.personality.talk
        return self._draws(kind, view).random() < wish * CHANCES[kind]

    def _draws(self, kind: str, view: View) -> random.Random:
        """Return a random source that depends on public facts only and differs for each occasion of a turn."""
        return random.Random(f"{self._seed} {self.me} {self.personality.id} {kind} {view.turn_no}")

    def _remark(self, occasion: Occasion, view: View, names: Sequence[str]) -> Remark | None:
        line = self._line(occasion, view)
        if line is None:
            return None
        after = self._draws(f"{occasion.kind} after", view).uniform(_TALK.soonest_s, _TALK.latest_s)
        told = line if occasion.deed is None else occasion.deed.filled(line)
        return Remark(told.replace(WHO, names[occasion.who]), after, occasion.kind)

    def _line(self, occasion: Occasion, view: View) -> str | None:
        """Return the line that was heard least often, one of the speaker's own first; None if all were said."""
        with_name, deed = occasion.who >= 0, occasion.deed
        own, shared = (
            [line for line in part.get(occasion.kind, ()) if line not in self._said and (with_name or WHO not in line)]
            for part in self._lines
        )
        if deed is not None:
            own, shared = ([line for line in part if deed.fits(line)] for part in (own, shared))
        for part in (own, shared):
            random.Random(f"{self._seed} {occasion.kind} {view.turn_no // _TALK.turns}").shuffle(part)
        return min([*own, *shared], key=lambda line: self._heard.get(line, 0), default=None)

    # ----------------------------------------------------------------------------------------------------- occasions
    def _occasions(self, events: Sequence[ev.AnyEvent], view: View) -> Iterator[Occasion]:
        for event in events:
            found = _READERS[type(event)](self, event, view) if type(event) in _READERS else None
            if found is not None and found.who != self.me:
                yield found
        if self._allies and events and not view.winners:
            yield from self._alliance(view)

    def _alliance(self, view: View) -> Iterator[Occasion]:
        """Follow who is far ahead. The speaker tells once that it spares the others meanwhile, and when that is
        over."""
        against = far_ahead([seat.level for seat in view.seats], view.win_level)
        against = NOBODY if against == self.me else against
        if against != self._against:
            before, self._against = self._against, against
            if self._declared:
                self._declared = False
                yield Occasion(ALLIANCE_OVER, before)
                return
        if against != NOBODY and not self._declared and self._told_in != view.turn_no:
            self._told_in = view.turn_no
            yield Occasion(ALLIANCE, against)

    def _began(self, event: ev.FightBegan, view: View) -> Occasion | None:
        self._fighter, self._helper = event.seat, -1
        self._monster = self._name(event.card)
        if event.how != "found":
            return None
        own = event.seat == self.me
        if (self._catalog.cards[defn_of(event.card)].card.level or 0) >= _TALK.big_level:
            return Occasion("door_big", NOBODY if own else event.seat)
        return Occasion("door_own") if own else Occasion("door", event.seat)

    def _helper_came(self, event: ev.HelperCame, view: View) -> Occasion | None:
        self._helper = event.seat
        if event.compelled:
            return None
        if self._fighter == self.me:
            self._kindness[event.seat] = Deed(view.turn_no, monster=self._monster)
        return self._repays(self._fighter) or Occasion("help", self._fighter) if event.seat == self.me else None

    def _repays(self, seat: int) -> Occasion | None:
        deed = self._kindness.pop(seat, None)
        return Occasion("repaid", seat, deed) if deed is not None else None

    def _avenges(self, seat: int) -> Occasion | None:
        deed = self._wrongs.pop(seat, None)
        return Occasion("revenge", seat, deed) if deed is not None else None

    def _name(self, card: int) -> str:
        return self._catalog.cards[defn_of(card)].name

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
        return self._spoilt(bonus.seat, bonus.defn, view) if against else None

    def _monster_came(self, event: ev.MonsterCame, view: View) -> Occasion | None:
        return self._spoilt(event.seat, event.defn, view)

    def _spoilt(self, seat: int, defn: int, view: View) -> Occasion | None:
        """Read that somebody who does not fight makes the fight harder. defn: what was played, -1 if that is not
        known."""
        heroes = (self._fighter, self._helper)
        if seat < 0 or seat in heroes:
            return None
        if seat == self.me:
            return self._avenges(self._fighter)
        if self.me not in heroes:
            return None
        self._wrongs[seat] = Deed(view.turn_no, self._catalog.cards[defn].name if defn >= 0 else "", self._monster)
        return Occasion("betrayed", seat)

    def _moved(self, event: ev.Moved, view: View) -> Occasion | None:
        card = event.new or event.card
        if event.why == "played" and event.on_seat == self.me and event.seat != self.me:
            self._cursed(card, event.seat)
            if self._curse == card and event.seat >= 0:
                self._wrongs[event.seat] = Deed(view.turn_no, self._name(card))
            return None
        if event.why == "played" and event.seat == self.me and event.on_seat >= 0:
            return self._avenges(event.on_seat) if self._catalog.cards[defn_of(card)].kind == "curse" else None
        if event.at == self.me and event.why == "looted":
            return Occasion("looted", event.to_seat)
        if event.at == self.me and event.why == "taken" and event.to_seat >= 0:
            self._struck = True
            return Occasion("robbed", event.to_seat) if not self._curse else None
        if self._curse and event.card == self._curse and event.frm == "limbo":
            return self._curse_over()
        self._struck |= event.at == self.me and event.frm in ("table", "hand")
        return None

    def _turned(self, event: ev.Turned, view: View) -> None:
        if event.seat == self.me:
            self._cursed(event.card, NOBODY)

    def _cursed(self, card: int, thrower: int) -> None:
        """Follow a curse on this seat until it has taken effect."""
        if self._catalog.cards[defn_of(card)].kind == "curse":
            self._curse, self._thrower, self._struck = card, thrower, False

    def _curse_over(self) -> Occasion:
        self._curse = 0
        return Occasion("curse" if self._struck else "curse_void", self._thrower)

    def _lasts(self, event: ev.LastingBegan | ev.SexChanged, view: View) -> None:
        self._struck |= event.seat == self.me

    def _level(self, event: ev.LevelChanged, view: View) -> Occasion | None:
        self._struck |= event.seat == self.me and event.by < 0
        if event.by <= 0 or event.level != view.win_level - 1:
            return None
        return Occasion("mine") if event.seat == self.me else Occasion("near", event.seat)

    def _fled(self, event: ev.Fled, view: View) -> Occasion | None:
        if event.seat != self.me or event.why:
            return None  # a die decided it if nothing is said
        return Occasion("escaped" if event.escaped else "caught")

    def _offered(self, event: ev.Offered, view: View) -> Occasion | None:
        self._offers[event.bargain.no] = event.bargain.frm
        if event.bargain.frm == self.me and event.bargain.kind == "gift":
            return self._repays(event.bargain.to)
        return Occasion("haggle", event.bargain.frm) if event.bargain.to == self.me else None

    def _offer_closed(self, event: ev.OfferClosed, view: View) -> Occasion | None:
        mine = self._offers.pop(event.no, NOBODY) == self.me
        return Occasion("refused", event.seat) if mine and event.how in ("declined", "countered") else None

    def _seal(self, event: ev.SealOpened, view: View) -> Occasion:
        return Occasion("seal", NOBODY if event.seat == self.me else event.seat)

    def _window(self, event: ev.WindowOpened, view: View) -> Occasion | None:
        fight = view.fight
        if fight is None or event.kind == "kick" or not fight.winning or fight_value(fight) < BIG:
            return None
        return Occasion("bluff", fight.seat) if self.me not in (fight.seat, fight.helper) else None

    def _died(self, event: ev.Died, view: View) -> Occasion | None:
        self._struck |= event.seat == self.me
        return Occasion("death") if event.seat == self.me else None

    def _won(self, event: ev.Won, view: View) -> Occasion:
        return Occasion("victory") if self.me in event.seats else Occasion("defeat", event.seats[0])


_READERS: dict[type, Callable[[Talker, Any, View], Occasion | None]] = {
    ev.FightBegan: Talker._began, ev.HelperCame: Talker._helper_came, ev.HelperLeft: Talker._helper_left,
    ev.FighterChanged: Talker._fighter_changed, ev.StageSet: Talker._stage, ev.Strengthened: Talker._strengthened,
    ev.MonsterCame: Talker._monster_came, ev.Moved: Talker._moved, ev.Turned: Talker._turned,
    ev.LevelChanged: Talker._level, ev.WindowOpened: Talker._window, ev.Died: Talker._died, ev.Won: Talker._won,
    ev.LastingBegan: Talker._lasts, ev.SexChanged: Talker._lasts, ev.Fled: Talker._fled, ev.Offered: Talker._offered,
    ev.OfferClosed: Talker._offer_closed, ev.SealOpened: Talker._seal,
}  # fmt: skip
