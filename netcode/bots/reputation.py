"""Which seats have helped or hurt a bot in this game, by the events that its seat saw, and how much it minds.

A deed counts about 1: a curse, a fight spoiled, a theft, a broken promise; help in a fight, a gift.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.state import events as ev
from core.state.model import Bargain, defn_of
from core.state.views import View
from netcode.bots.alliances import Alliance
from netcode.bots.card_values import CardValues
from netcode.bots.character import Leanings, moods
from netcode.bots.effect_values import EffectSummary
from netcode.bots.personalities import Personality
from netcode.bots.tuning import TUNING

_NUMBERS, _PERSONALITY = TUNING.reputation, TUNING.personality
ENTRANCES = ("found", "trouble", "loot")
"""Ways of arrival of a monster for which no other seat is responsible."""
Earlier = Mapping[int, tuple[float, float]]
"""By seat: how much it has hurt and helped somebody."""
LOSSES = ("spent", "sold", "discarded", "given", "traded", "charity", "played")
"""Ways in which a seat parts with a card of its own will."""


class Reputation:
    """The deeds of others towards the seat `me`. hurt, helped: deeds by seat; earlier: what is left of earlier
    games."""

    def __init__(self, me: int, values: CardValues, earlier: Earlier | None = None) -> None:
        self.me, self._values = me, values
        self.hurt: dict[int, float] = defaultdict(float)
        self.helped: dict[int, float] = defaultdict(float)
        for seat, (hurt, helped) in (earlier or {}).items():
            self.hurt[seat], self.helped[seat] = hurt, helped
        self._alliance = Alliance(me)
        self._fighter = self._helper = -1
        self._promised: tuple[int, list[int], list[int]] = (-1, [], [])
        """The Items and hand cards (definitions) that each seat promised me for help that I gave."""

    def regard(self, personality: Personality) -> dict[int, float]:
        """Return the factor for each seat's weight, for a bot of this personality; seats without deeds are left out."""
        seats = {*self.hurt, *self.helped}
        return {
            seat: 1.0 + _PERSONALITY.grudge * personality.grudge * _weight(self.hurt.get(seat, 0.0))
            - _PERSONALITY.loyalty * personality.loyalty * _weight(self.helped.get(seat, 0.0))
            for seat in sorted(seats)
        }  # fmt: skip

    def moods(self, leanings: Leanings, view: View) -> dict[int, float]:
        """Return the factor for harm to each seat, when a victim is chosen; seats without deeds are left out, unless
        they are allied now."""
        allies = self._alliance.follow([seat.level for seat in view.seats], view.win_level, self.hurt)
        hurt, helped = ({seat: _weight(deed) for seat, deed in deeds.items()} for deeds in (self.hurt, self.helped))
        return moods(leanings, hurt, helped, allies if leanings.allies else ())

    def grudge(self, seat: int) -> float:
        """Return how much of a seat's deeds is unforgiven, from 0 to 1."""
        return _weight(self.hurt[seat]) if seat in self.hurt else 0.0

    def note(self, events: Sequence[ev.AnyEvent]) -> None:
        """Note the deeds in these events, which are as this seat sees them."""
        for event in events:
            read = _READERS.get(type(event))
            if read is not None:
                read(self, event)

    # ------------------------------------------------------------------------------------------------------- fights
    def _began(self, event: ev.FightBegan) -> None:
        self._fighter, self._helper = event.seat, -1

    def _ended(self, event: ev.FightEnded) -> None:
        self._fighter = self._helper = -1

    def _passed_on(self, event: ev.FighterChanged) -> None:
        self._fighter, self._helper = event.to, -1

    def _helper_came(self, event: ev.HelperCame) -> None:
        self._helper = event.seat
        if event.compelled:
            return
        if self._fighter == self.me:
            self._weigh(event.seat, 1.0)
        elif event.seat == self.me and event.bargain is not None:
            self._expect(self._fighter, event.bargain)

    def _helper_left(self, event: ev.HelperLeft) -> None:
        if event.why == "backs out" and self._fighter == self.me:
            self._weigh(event.seat, -1.0)
        self._helper = -1

    def _strengthened(self, event: ev.Strengthened) -> None:
        by = event.bonus.by if event.bonus.side == "heroes" else -event.bonus.by
        if self._in_my_fight(event.bonus.seat):
            self._weigh(event.bonus.seat, max(-1.0, min(1.0, by / _NUMBERS.blow)))

    def _monster_came(self, event: ev.MonsterCame) -> None:
        if event.how not in ENTRANCES and self._in_my_fight(event.seat):
            self._weigh(event.seat, -1.0)

    def _in_my_fight(self, seat: int) -> bool:
        """Return whether a seat interferes in a fight of mine."""
        return self._fights() and seat not in (self._fighter, self._helper)

    def _fights(self) -> bool:
        return self.me in (self._fighter, self._helper)

    # -------------------------------------------------------------------------------------------------------- cards
    def _moved(self, event: ev.Moved) -> None:
        self._check_promise(event)
        if event.why == "played" and event.on_seat == self.me:
            self._suffer(event.seat, self._values.of[defn_of(event.new or event.card)].effects)
        elif event.why == "taken" and event.at == self.me and not event.on and not self._fights():
            self._weigh(event.to_seat, -1.0)  # in a fight of mine it is Bad Stuff, and with `on` a part of a trade
        elif event.why == "given" and event.to_seat == self.me:
            self._weigh(event.at, _NUMBERS.small)

    def _used(self, event: ev.UsedAbility) -> None:
        effects = self._values.of[defn_of(event.card)].ability_effects
        if event.on == self.me and event.ability < len(effects):
            self._suffer(event.seat, effects[event.ability])

    def _suffer(self, seat: int, effects: EffectSummary) -> None:
        harm = effects.strength_lost or effects.cards_lost or effects.victim < 0
        self._weigh(seat, -1.0 if harm else _NUMBERS.small if effects.victim > 0 else 0.0)

    def _weigh(self, seat: int, deed: float) -> None:
        if seat in (-1, self.me):
            return
        if deed < 0:
            self.hurt[seat] -= deed
        elif deed > 0:
            self.helped[seat] += deed

    # ----------------------------------------------------------------------------------------------------- promises
    def _expect(self, fighter: int, bargain: Bargain) -> None:
        self._promised = (fighter, list(bargain.gives), [defn_of(card) for card in bargain.cards])

    def _check_promise(self, event: ev.Moved) -> None:
        fighter, gives, cards = self._promised
        if fighter < 0 or event.at != fighter or event.why not in LOSSES or event.seat not in (-1, fighter):
            return
        spent = event.card in gives if event.frm == "table" else defn_of(event.card or event.new) in cards
        if spent and event.on_seat != self.me and event.to_seat != self.me:
            self._weigh(fighter, -_NUMBERS.promise)
            self._promised = (-1, [], [])

    def _turn(self, event: ev.TurnBegan) -> None:
        self._promised = (-1, [], [])


_READERS: dict[type, Callable[[Reputation, Any], None]] = {
    ev.FightBegan: Reputation._began, ev.FightEnded: Reputation._ended, ev.FighterChanged: Reputation._passed_on,
    ev.HelperCame: Reputation._helper_came, ev.HelperLeft: Reputation._helper_left,
    ev.Strengthened: Reputation._strengthened, ev.MonsterCame: Reputation._monster_came, ev.Moved: Reputation._moved,
    ev.UsedAbility: Reputation._used, ev.TurnBegan: Reputation._turn,
}  # fmt: skip


def _weight(deeds: float) -> float:
    """Return the weight of a number of deeds, from 0 to nearly 1; each further deed adds less."""
    return 1.0 - _NUMBERS.left**deeds
