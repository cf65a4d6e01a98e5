"""Judge what a hint says: each claim is played out in the true game and in imagined games; later hints may contradict
earlier ones."""

import random
import re
from collections.abc import Callable, Iterator
from math import sqrt
from statistics import fmean

from core.engine import Runaway, submit
from core.knowledge.imagine import Imaginer, NothingFits
from core.language.catalog import Catalog
from core.queries.rewards import match_point
from core.queries.strength import figures, totals, winning
from core.state import actions as a
from core.state.actions import Action, Close, Refusal
from core.state.events import Rolled
from core.state.model import State, Window, decode, encode
from core.state.reader import Reader
from netcode.bots.card_values import CardValues
from netcode.bots.rollout import Rollout
from netcode.bots.search import Candidate, Search, numbers
from tests.bench.hinted_game import Hint
from tests.tui.solo_games import STEPS
from tui.scene.scene import FIRST_CARD, Scene

WORLDS = 24
"""Imagined games in which two acts are compared."""
SURE = 2.0
"""Standard errors by which an act has to be better to count as better."""
PLAYED = 6
"""Imagined games in which an act is played on to the end of the game."""
LUCKY = 12
"""A claim that something could happen is tried this many times, each time with other luck."""
LEAST = 0.01
"""A smaller difference of the chance to win does not count."""
FAR = 10
"""A chance that is wrong by more, in percent, is a false number."""
_STANDS = re.compile(r"(?:it stands|stands) (\d+) to (\d+)")
_WINS_OF = re.compile(r"(\d+) of 100, (?:against (\d+)|a little more)")
_ADDS = re.compile(r"^(?:It|That) adds \+(\d+) to your strength")
_LEVEL = re.compile(r"^You go up to Level (\d+)")
_COULD_STOP = re.compile(r"^(.+?)(?: and \d+ more)? could still stop ")
_QUOTED = re.compile(r'"[^"]+"')


class Judge:
    """Judges the hints of one game, in order."""

    def __init__(self, catalog: Catalog, values: CardValues, seed: int) -> None:
        self._catalog, self._search, self._rng = catalog, Search(catalog, values), random.Random(seed)
        self._before: Hint | None = None
        self._made: dict[tuple[str, int], int] = {}
        """What earlier hints of this turn said about each card, with the number of the hint."""

    def faults(self, hint: Hint, state: State) -> Iterator[tuple[str, str]]:
        """Yield the faults of a hint: the kind (false, empty, contradicted, order) and what is wrong. state: the true
        game, before it is followed."""
        yield from (("false", told) for told in self._false(hint, state))
        if is_empty(hint):
            yield "empty", reason_of(hint)
        yield from (("contradicted", told) for told in self._contradicts(hint))
        yield from (("order", told) for told in self._order(hint))
        self._before = hint

    # ----------------------------------------------------------------------------------------------- false reasons
    def _false(self, hint: Hint, state: State) -> Iterator[str]:
        reason, action = reason_of(hint), hint.advice.action
        told = _WINS_OF.search(reason)
        if told is not None:
            yield from self._chances(hint, int(told[1]), int(told[2] or told[1]))
        if action is None:
            return
        then, mine = self._after(state, hint.scene.me, action), hint.scene.me
        stood = _STANDS.search(reason)
        if stood is not None and then is not None and isinstance(action, a.Play | a.Use) and _fights(then):
            heroes, foes = totals(Reader(self._catalog, then))
            if (heroes, foes) != (int(stood[1]), int(stood[2])) and not then.stack[-1].asks:
                yield f"it stands {heroes} to {foes}"
        if (adds := _ADDS.match(reason)) and then is not None and not then.stack[-1].asks:
            more = self._strength(then, mine) - self._strength(state, mine)
            if more != int(adds[1]):
                yield f"it adds {more}"
        up = _LEVEL.match(reason)
        if up and then is not None and then.seats[mine].level != int(up[1]) and not then.stack[-1].asks:
            yield f"then at Level {then.seats[mine].level}"
        if (stops := _COULD_STOP.match(reason)) and not self._could_stop(hint, state, stops[1]):
            yield f"{stops[1]} does not stop it"
        for begins, better in _NOTHING.items():
            if begins in reason:
                yield from (self._named(hint, one) for one in better(self, hint, state))

    def _chances(self, hint: Hint, first: int, second: int) -> Iterator[str]:
        """Compare the two acts of a hint in further imagined games."""
        found = self.compared(hint, hint.advice.action, hint.advice.instead)
        if found is None:
            return
        one, other, gain, error = found
        if gain < -error:
            yield f"the other one wins more: {100 * one:.0f} against {100 * other:.0f}"
        elif gain < error:
            yield f"no difference: {100 * one:.0f} against {100 * other:.0f}"
        elif abs(100 * one - first) > FAR or abs(100 * other - second) > FAR:
            yield f"{100 * one:.0f} against {100 * other:.0f} in these games"

    def compared(self, hint: Hint, one: Candidate, other: Candidate) -> tuple[float, float, float, float] | None:
        """Return the chances of two acts in the same imagined games, their mean difference, and its standard error;
        None if no game fits."""
        steps, mine = numbers().steps_most, hint.scene.me
        found: list[tuple[float, float]] = []
        try:
            imaginer = Imaginer(self._catalog, hint.veiled)
            for _ in range(WORLDS):
                world, seed = encode(imaginer.deal(self._rng)), self._rng.getrandbits(62)
                first, second = (
                    self._search.rollout(decode(world), mine, act, seed, steps)[0] for act in (one, other)
                )
                found.append((first, second))
        except NothingFits:
            return None
        gains = [first - second for first, second in found]
        mean = fmean(gains)
        spread = sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1))
        return fmean(first for first, _ in found), fmean(last for _, last in found), mean, spread / sqrt(len(gains))

    def played_out(self, hint: Hint, act: Candidate) -> list[bool]:
        """Return whether the seat wins, in each of PLAYED imagined games in which it begins with this act; all play to
        the end as in a search. Empty if no game fits."""
        mine, levels = hint.scene.me, [numbers().rivals] * len(hint.view.seats)
        levels[mine] = numbers().policy
        found = []
        try:
            imaginer = Imaginer(self._catalog, hint.veiled)
            for _ in range(PLAYED):
                state = imaginer.deal(self._rng)
                if act is None or not isinstance(submit(self._catalog, state, mine, act), Refusal):
                    game = Rollout(self._catalog, self._search.values, levels, state, self._rng)
                    found.append(_winner_within(game, mine))
        except NothingFits:
            return []
        return [won for won in found if won is not None]

    def _after(self, state: State, seat: int, action: Action) -> State | None:
        """Return the true game after an act to which nobody responds; None if it is refused."""
        then = decode(encode(state))
        if isinstance(submit(self._catalog, then, seat, action), Refusal):
            return None
        while then.stack and isinstance(then.stack[-1], Window) and not then.winners:
            if isinstance(submit(self._catalog, then, -1, Close(then.stack[-1].id)), Refusal):
                break
            if then.fight is None or not then.stack or not isinstance(then.stack[-1], Window):
                break
        return then

    def _strength(self, state: State, seat: int) -> int:
        return figures(Reader(self._catalog, state), seat)[0]

    def _stronger(self, hint: Hint, state: State) -> Iterator[Action]:
        """Yield plays of the hand that would make this seat stronger and cost it nothing but the card."""
        mine, now = hint.scene.me, self._strength(state, hint.scene.me)
        for row in hint.view.you.legal if hint.view.you is not None else ():
            if isinstance(row.action, a.Play) and not row.vain and row.action.seat in (-1, mine) and row.pick is None:
                then = self._after(state, mine, row.action)
                lower = then is not None and then.seats[mine].level < state.seats[mine].level
                if then is not None and not lower and self._strength(then, mine) > now:
                    yield row.action

    def _beaten(self, hint: Hint, state: State) -> Iterator[Action]:
        """Yield a monster of the hand that this seat beats alone."""
        for row in hint.view.you.legal if hint.view.you is not None else ():
            if isinstance(row.action, a.Trouble):
                then = self._after(state, hint.scene.me, row.action)
                if then is not None and _fights(then) and winning(Reader(self._catalog, then)):
                    yield row.action

    def _stopping(self, hint: Hint, state: State) -> Iterator[Action]:
        """Yield a card or an ability that would keep the winner from winning."""
        for row in hint.view.you.legal if hint.view.you is not None else ():
            if isinstance(row.action, a.Play | a.Use) and row.pick is None and not row.vain:
                then = self._after(state, hint.scene.me, row.action)
                if then is not None and _fights(then) and not then.stack[-1].asks:
                    reader = Reader(self._catalog, then)
                    if not (winning(reader) and match_point(reader)):
                        yield row.action

    def _could_stop(self, hint: Hint, state: State, names: str) -> bool:
        """Return whether one of the named cards keeps the winner from winning, in one of LUCKY tries."""
        rows = hint.view.you.legal if hint.view.you is not None else []
        acts = [row.action for row in rows if isinstance(row.action, a.Play | a.Use) and row.pick is None]
        named = [act for act in acts if hint.scene.title(act.card) in names]
        return not named or any(self._stops(hint.scene.me, state, act) for act in named for _ in range(LUCKY))

    def _stops(self, seat: int, state: State, action: Action) -> bool:
        """Return whether a fight is no longer won for the game after an act, with other random numbers than the true
        game has. Seats that are asked something get the answer of a silent seat."""
        world = decode(encode(state))
        world.seed = self._rng.randbytes(len(world.seed))
        then = self._after(world, seat, action)
        if then is None:
            return False
        while _fights(then) and then.stack[-1].asks:
            ask = then.stack[-1].asks[0]
            if isinstance(submit(self._catalog, then, -1, a.Default(ask.seat, ask.id)), Refusal):
                return True
        reader = Reader(self._catalog, then)
        return not _fights(then) or not (winning(reader) and match_point(reader))

    def _named(self, hint: Hint, action: Action) -> str:
        from tui.menus.hint import deed

        return f"one could {deed(hint.scene, action)}"

    # ---------------------------------------------------------------------------------------------- contradictions
    def _contradicts(self, hint: Hint) -> Iterator[str]:
        """Yield what an earlier hint of this turn said to the contrary."""
        before, action = self._before, hint.advice.action
        if before is None or before.view.turn_no != hint.view.turn_no:
            self._made.clear()
        if before is not None and before.view == hint.view and before.advice.action not in (None, action):
            yield f"{before.number} said otherwise about the same view"
        if before is not None and _goes_against_its_plan(before, hint):
            yield f"{before.number} said: {before.words.rpartition('After that, ')[2]}"
        for said, cards in _about(hint):
            for card in cards:
                for other in _AGAINST.get(said, ()):
                    if (other, card) in self._made:
                        yield f"{said} {hint.scene.title(card)}, which hint {self._made[other, card]} said to {other}"
                self._made[said, card] = hint.number
        if isinstance(action, a.Withdraw):
            yield "withdraws an offer"

    # -------------------------------------------------------------------------------------------------------- order
    def _order(self, hint: Hint) -> Iterator[str]:
        """Yield a play that wins more often than to end the turn."""
        you = hint.view.you
        if you is None or not isinstance(hint.advice.action, a.EndTurn | a.Loot):
            return
        for row in you.legal:
            if isinstance(row.action, a.Play | a.Equip) and row.pick is None and not row.vain:
                found = self.compared(hint, row.action, hint.advice.action)
                if found is not None and found[2] > max(LEAST, (SURE + 0.5) * found[3]):
                    yield f"{self._named(hint, row.action)}: {100 * found[0]:.0f} against {100 * found[1]:.0f}"


_NOTHING: dict[str, Callable[[Judge, Hint, State], Iterator[Action]]] = {
    "Nothing in your hand would make you stronger": Judge._stronger,
    "You hold no monster that": Judge._beaten,
    "Nothing of yours would keep": Judge._stopping,
}
"""The beginnings of sentences that say that there is nothing, each with the function that yields what there is after
all."""
_AGAINST = {
    "pay": ("take", "equip", "keep"), "sell": ("take", "equip", "keep"), "discard": ("take", "equip", "keep"),
    "put away": ("equip",), "equip": ("put away",), "give": ("take", "equip"),
}  # fmt: skip
"""Opposite advice about a card: two hints in one turn may not give both."""


def _fights(state: State) -> bool:
    return state.fight is not None and state.fight.stage == "fight" and bool(state.fight.monsters)


def _winner_within(game: Rollout, seat: int) -> bool | None:
    """Play a game on to its end and return whether this seat wins; None if nobody can go on, or it takes too long."""
    for _ in range(STEPS):
        if game.state.winners:
            return seat in game.state.winners
        try:
            if not game.step():
                return None
        except Runaway:
            return None
    return None


def _goes_against_its_plan(before: Hint, hint: Hint) -> bool:
    """Return whether a hint is not the one that the hint before named as the next, although nobody else did anything
    in between, and no die was rolled."""
    plan, action = before.advice.plan, hint.advice.action
    if "After that, " not in before.words or plan is None or action is None or isinstance(action, a.Answer):
        return False
    since = hint.events[len(before.events) :]
    others = any(getattr(event, "seat", hint.scene.me) not in (-1, hint.scene.me) for event in since)
    rolled = any(isinstance(event, Rolled) for event in since)
    same = type(action) is type(plan) and getattr(action, "card", 0) == getattr(plan, "card", 0)
    return not (others or rolled or same)


def _about(hint: Hint) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield what a hint says to do with which cards."""
    action, you = hint.advice.action, hint.view.you
    match action:
        case a.Use():
            yield "pay", action.pay
        case a.Sell():
            yield "sell", (*action.cards, *action.twice)
        case a.Discard():
            yield "discard", (action.card,)
        case a.Unequip():
            yield "put away", (action.card,)
        case a.Equip():
            yield "equip", (action.card,)
        case a.Play() if hint.scene.card(action.card).kind == "item" and hint.scene.fight is None:
            yield "equip", (action.card,)
        case a.Give():
            yield "give", action.cards
        case a.Answer() if you is not None:
            kind = next((ask.kind for ask in you.asks if ask.id == action.ask), "")
            picks = tuple(pick for pick in action.picks if pick >= FIRST_CARD)
            yield ("take" if kind in ("take", "loot", "share", "recover", "keep big") else "discard"), picks


def reason_of(hint: Hint) -> str:
    """Return the words of a hint after what to do."""
    begins, _, reason = hint.words.partition(". ")
    return reason if begins.startswith("A good player would") else hint.words


def is_empty(hint: Hint) -> bool:
    """Return whether a reason tells nothing of this game: it has no number and no words of a card, and names no card,
    monster or player."""
    reason = reason_of(hint)
    return not re.search(r"\d", reason) and not _QUOTED.search(reason) and not any(
        name in reason for name in _names(hint.scene) if name
    )


def _names(scene: Scene) -> Iterator[str]:
    yield from (scene.name(seat) for seat in range(len(scene.view.seats)))
    for seat in scene.view.seats:
        yield from (scene.title(placed.card) for placed in seat.table)
    yield from (scene.title(card) for card in scene.hand())
    yield from (scene.monster(one.id) for one in (scene.fight.monsters if scene.fight is not None else ()))
    for ask in scene.you.asks if scene.you is not None else ():
        yield from (scene.title(pick) for pick in ask.options if pick >= FIRST_CARD)
        yield from ask.texts
