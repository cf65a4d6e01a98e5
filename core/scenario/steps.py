"""Do one step of a scenario: make the action that it names, submit it, and check the engine's answer."""

from typing import Any

from core import engine
from core.moves.legal import check, fill, legal, warning
from core.scenario.cast import Cast, NotFound, split_nth
from core.scenario.expect import Snapshot, option_names
from core.scenario.parts import TAGS, Step
from core.state import actions as a
from core.state.events import AnyEvent
from core.state.model import Ask, Monster, State, cards_once, decode, defn_of, encode
from core.state.refusals import UNHELPED, VAIN


class Contradiction(Exception):
    """Two functions of the engine contradict each other. args: what was found, what was expected."""


class ScenarioGame:
    """The game of one scenario: its state, the events of the last step, and the monsters in the combat before it.

    reason: the sentence of the last refusal. strict: see runner.run.
    """

    def __init__(self, cast: Cast, state: State, strict: bool = True) -> None:
        self.cast, self.state, self.strict = cast, state, strict
        self.events: list[AnyEvent] = []
        self.foes: list[Monster] = []
        self.reason = ""

    @property
    def snapshot(self) -> Snapshot:
        """The table as it is now, with the events of the last step."""
        return Snapshot(self.cast, self.state, self.events, self.foes)

    def verdict(self, clause: str | None) -> str:
        """Return the outcome of the last action in words. clause: the clause that refused it, None if it was
        accepted."""
        return "accepted" if clause is None else f"refused, citing {clause}: {self.reason}"

    def do(self, step: Step) -> str | None:
        """Do a step. Return the clause that refused it; None if it was accepted.

        Raises NotFound if something it names is not there, Contradiction, and DiceRanOut if a die is not named.
        """
        if step.pass_ is None and step.close is None and step.default is None and step.do is None:
            return None
        self.events, self.foes = [], self.state.fight.monsters[:] if self.state.fight else []
        if step.pass_ is not None:
            return self._pass(step)
        if step.close is not None:
            return self._submit(-1, a.Close(self._window()))
        if step.default is not None:
            seat = self.cast.seat(step.default)
            return self._submit(-1, a.Default(seat, self.ask(seat).id))
        seat = self.cast.seat(str(step.by))
        action = ActionMaker(self, step, seat).action()
        vain = {"": False, VAIN: True, UNHELPED: "in part"}[warning(self.cast.catalog, self.state, seat, action)]
        if step.vain is not None and vain != step.vain:
            raise Contradiction(f"vain = {str(vain).lower()}", f"vain = {str(step.vain).lower()}")
        return self._submit(seat, action)

    def _pass(self, step: Step) -> str | None:
        """Let these seats pass the open window. It may close before the last of them."""
        window = self._window()
        everyone = step.pass_ == "all"
        seats = range(len(self.cast.names)) if everyone else [self.cast.seat(name) for name in step.pass_ or ()]
        for seat in seats:
            seen = self.snapshot.view(seat).window
            gone = seen is None or seen.id != window or seen.passed or self.state.seats[seat].dead
            if everyone and gone:
                continue
            clause = self._submit(seat, a.Pass(window))
            if clause is not None:
                return clause
        return None

    def _window(self) -> int:
        window = self.snapshot.view().window
        if window is None:
            raise NotFound("no window is open", "an open window")
        return window.id

    def ask(self, seat: int) -> Ask:
        """Return the first ask of a seat. Raises NotFound if it is asked nothing."""
        asks = self.snapshot.asks(seat)
        if not asks:
            raise NotFound(f"{self.cast.names[seat]} is not asked anything", "an ask to answer")
        return asks[0]

    # --------------------------------------------------------------------------------------------------- submitting
    def _submit(self, seat: int, action: a.AnyAction) -> str | None:
        catalog, state = self.cast.catalog, self.state
        if not self.strict:
            return self._outcome(engine.submit(catalog, state, seat, action))
        before = encode(state)
        rows = legal(catalog, state, seat) if seat >= 0 else []
        checked = check(catalog, state, seat, action)
        said = warning(catalog, state, seat, action) if checked is None else ""
        clause = self._outcome(engine.submit(catalog, state, seat, action))
        if (checked is None) != (clause is None):
            raise Contradiction(f"submit: {self.verdict(clause)}; check: {checked}", "one answer from check and submit")
        if clause is not None:
            self._check_refusal(before, clause, is_listed(rows, action))
        elif seat >= 0 and not isinstance(action, FREE_TERMS) and not is_listed(rows, action):
            raise Contradiction(f"accepted, but not listed: {action}", "every accepted action among the legal ones")
        elif (said == VAIN, said == UNHELPED) != _warned(covering(rows, action)):
            raise Contradiction(f"warned: {said!r}, and legal says otherwise", "one answer from warning and legal")
        after = encode(self.state)
        self.state = decode(after)
        if encode(self.state) != after:
            raise Contradiction("the decoded state has other bytes", "a state that decoding does not change")
        return clause

    def _check_refusal(self, before: bytes, clause: str, listed: bool) -> None:
        if encode(self.state) != before:
            raise Contradiction(f"refused by {clause}, but the state has changed", "a refusal that changes nothing")
        if listed and clause != "changed":  # an action on an old view would be legal on this one
            raise Contradiction(f"{self.verdict(clause)}, yet it is legal", "no refused action among the legal ones")

    def _outcome(self, result: a.Refusal | list[AnyEvent]) -> str | None:
        """Keep the events, or the reason of a refusal; return its clause, None if the action was accepted."""
        if isinstance(result, a.Refusal):
            self.reason = result.text
            return result.clause
        self.events += result
        return None


# ------------------------------------------------------------------------------------------------- is it among legal?
FREE_TERMS = (a.Offer, a.Counter, a.Give)
"""Actions that `legal` lists only examples of, because the terms of a bargain are free."""


def is_listed(rows: list[a.Legal], action: a.AnyAction) -> bool:
    """Return whether a row of `legal` is this action, or becomes it once its open set is filled."""
    return bool(covering(rows, action))


def covering(rows: list[a.Legal], action: a.AnyAction) -> list[a.Legal]:
    """Return the rows of `legal` that are this action, or become it once their open set is filled."""
    return [row for row in rows if type(row.action) is type(action) and _covers(row, action)]


def _warned(rows: list[a.Legal]) -> tuple[bool, bool]:
    """Return whether the rows say that an action would have no effect, and whether they say that nobody can be made to
    help."""
    return any(row.vain for row in rows), any(row.unhelped for row in rows)


def _covers(row: a.Legal, action: Any) -> bool:
    if row.pick is None:
        return _same(row.action, action)
    picks = getattr(action.terms if isinstance(action, a.Offer | a.Counter) else action, row.pick.field)
    if not _same(fill(row, picks), action):
        return False
    if not row.pick.lo <= len(picks) <= row.pick.hi or not set(picks) <= set(row.pick.among):
        return False
    worth = dict(zip(row.pick.among, row.pick.worth, strict=False))
    return sum(worth.get(card, 0) for card in picks) >= row.pick.sum_at_least


def _same(listed: Any, action: Any) -> bool:
    """Return whether two actions are equal, except in the fields that a client adds (seen, anyway)."""
    fields = [name for name in action.__struct_fields__ if name not in ("seen", "anyway")]
    return all(getattr(listed, name) == getattr(action, name) for name in fields)


# -------------------------------------------------------------------------------------------- the action of a step
class ActionMaker:
    """Makes the action that a step names: each action with fields has a method of its name."""

    def __init__(self, game: ScenarioGame, step: Step, seat: int) -> None:
        self.game, self.step, self.seat = game, step, seat
        self.cast, self.state = game.cast, game.state

    def action(self) -> Any:
        """Return the action of the step. Raises NotFound if something it names is not there."""
        step, kind = self.step, TAGS[str(self.step.do)]
        make = getattr(self, f"_{step.do}", None)
        fields = make() if make else {}
        return kind(**fields)

    # places of cards
    def _hand(self, seat: int) -> list[int]:
        return self.state.seats[seat].hand

    def _table(self, seat: int) -> list[int]:
        return [placed.card for placed in self.state.seats[seat].table]

    def _others(self) -> list[int]:
        return [card for seat in range(len(self.cast.names)) if seat != self.seat for card in self._table(seat)]

    def _curses(self) -> list[int]:
        return [lasting.card for seat in self.state.seats for lasting in seat.lasting if lasting.card]

    def _in_fight(self) -> list[int]:
        return cards_once(self.state.fight.cards) if self.state.fight else []

    def _find(self, name: str, *places: list[int]) -> int:
        """Return the card of this name, looked for in `places` first, then anywhere in sight of the seat."""
        mine = [*self._hand(self.seat), *self._table(self.seat)]
        sight = [*mine, *self._others(), *self._in_fight(), *self._curses(), *self.state.limbo]
        cards = [card for place in places for card in place]
        pairs = [(card, defn_of(card)) for card in [*cards, *sight]]
        pairs += [(monster.id, monster.defn) for monster in (self.state.fight.monsters if self.state.fight else [])]
        return self.cast.find_pair(name, pairs, f"in sight of {self.cast.names[self.seat]}")

    def _all(self, names: tuple[str, ...] | None, *places: list[int]) -> tuple[int, ...]:
        """Return several cards; a name that is there twice means two copies."""
        found: list[int] = []
        for name in names or ():
            left = [[card for card in place if card not in found] for place in places] if "#" not in name else places
            found.append(self._find(name, *left))
        return tuple(found)

    # actions with fields
    def _trouble(self) -> dict[str, Any]:
        return {"card": self._card(self._hand(self.seat))}

    def _card(self, *places: list[int]) -> int:
        if self.step.card is None:
            raise NotFound(f"{self.step.do} needs a card")
        return self._find(self.step.card, *places)

    def _loot(self) -> dict[str, Any]:
        return {"deck": self.step.deck or ""}

    def _play(self) -> dict[str, Any]:
        card = self._card(self._hand(self.seat), self._table(self.seat))
        return {"card": card, **self._aim(self.cast.catalog.cards[defn_of(card)].target)}

    def _use(self) -> dict[str, Any]:
        card = self._card(self._table(self.seat))
        number = self.step.ability or 0
        abilities = self.cast.catalog.cards[defn_of(card)].abilities
        aim = self._aim(abilities[number].target if number < len(abilities) else None)
        pay = self._all(self.step.pay, self._hand(self.seat), self._table(self.seat))
        return {"card": card, "ability": number, "pay": pay, **aim}

    def _aim(self, kind: str | None) -> dict[str, Any]:
        """Return what a play names: seat, side, target, monster brought from hand, and the view it was decided on."""
        step = self.step
        fields: dict[str, Any] = {}
        if step.on is not None:
            fields["seat"] = self.cast.seat(step.on)
        if step.side is not None:
            fields["side"] = step.side
        if step.target is not None and step.target in self.cast.names:
            fields["seat"] = self.cast.seat(step.target)
        elif step.target is not None:
            fields["target"] = self._target(step.target, kind)
            if kind in ("item", "curse") and step.on is None:
                fields["seat"] = self._owner(fields["target"])
        if step.with_ is not None:
            fields["brought"] = self._find(step.with_, self._hand(self.seat))
        fight = self.state.fight
        fields["seen"] = fight.changed_at - 1 if step.seen == "stale" and fight else self.state.rev
        if step.anyway is not None:
            fields["anyway"] = step.anyway
        return fields

    def _target(self, name: str, kind: str | None) -> int:
        if kind == "item":
            return self._find(name, self._others(), self._table(self.seat))
        if kind == "own-item":
            return self._find(name, self._table(self.seat))
        if kind == "curse":
            return self._find(name, self._curses())
        if kind == "played":
            latest = self.state.fight.latest if self.state.fight else None
            return self._find(name, [latest.card] if latest else [], self._in_fight())
        return self._monster(name)

    def _owner(self, card: int) -> int:
        """Return the seat in front of which a card lies; -1 if there is none."""
        for seat, player in enumerate(self.state.seats):
            lying = [*self._table(seat), *(lasting.card for lasting in player.lasting)]
            if card in lying:
                return seat
        return -1

    def _monster(self, name: str) -> int:
        fight = self.state.fight
        pairs = [(monster.id, monster.defn) for monster in fight.monsters] if fight else []
        plain, nth = split_nth(name)
        if sum(defn == self.cast.defn(plain) for _, defn in pairs) >= nth:
            return self.cast.find_pair(name, pairs, "in the fight")
        return self._find(name, self._table(self.seat), self._others())

    def _equip(self) -> dict[str, Any]:
        carrier = self._find(self.step.carrier, self._table(self.seat)) if self.step.carrier else 0
        return {"card": self._card(self._table(self.seat)), "carrier": carrier, "both": bool(self.step.both)}

    def _unequip(self) -> dict[str, Any]:
        return {"card": self._card(self._table(self.seat))}

    def _discard(self) -> dict[str, Any]:
        return {"card": self._card(self._table(self.seat))}

    def _sell(self) -> dict[str, Any]:
        cards = self._all(self.step.cards, self._table(self.seat), self._hand(self.seat))
        named = self.step.doubled or ()
        twice = sorted(self._all((named,) if isinstance(named, str) else named, list(cards)))
        return {"cards": cards, "doubled": twice[0] if twice else 0, "also": tuple(twice[1:])}

    def _give(self) -> dict[str, Any]:
        return {"cards": self._all(self.step.cards, self._table(self.seat)), "to": self._to()}

    def _to(self) -> int:
        if self.step.to is None:
            raise NotFound(f'{self.step.do} needs to = a seat, or "table"')
        return -1 if self.step.to == "table" else self.cast.seat(self.step.to)

    def _offer(self) -> dict[str, Any]:
        return {"to": self._to(), "terms": self._terms(self._to())}

    def _counter(self) -> dict[str, Any]:
        number = self._offer_number()
        to = next((offer.frm for offer in self.state.offers if offer.no == number), -1)
        return {"offer": number, "terms": self._terms(to)}

    def _terms(self, to: int) -> a.Terms:
        """Return the terms of a bargain. Help is paid with Items and hand cards of the fighter, a trade has Items of
        both."""
        step, kind = self.step, self.step.kind or "help"
        fight = self.state.fight
        fighter = fight.seat if fight else -1
        giver = fighter if kind == "help" and fighter >= 0 else self.seat
        helper = -1
        if kind == "help":
            helper = self.cast.seat(step.helper) if step.helper else (to if self.seat == fighter else self.seat)
        return a.Terms(
            kind=kind,
            helper=helper,
            treasures=step.treasures or 0,
            helper_first=bool(step.helper_first),
            gives=self._all(step.gives, self._table(giver)),
            wants=self._all(step.wants, self._table(to) if to >= 0 else []),
            cards=self._all(step.cards, self._hand(giver)),
        )

    def _offer_number(self) -> int:
        """Return the number of the offer that the step answers; by default the latest."""
        if self.step.offer is not None:
            return self.step.offer
        if not self.state.offers:
            raise NotFound("no offer is open")
        return self.state.offers[-1].no

    def _accept(self) -> dict[str, Any]:
        return {"offer": self._offer_number()}

    _decline = _withdraw = _accept

    def _roll(self) -> dict[str, Any]:
        name = self.step.card or self.step.target
        fight = self.state.fight
        monsters = fight.monsters if fight else []
        if name is None and len(monsters) == 1:
            return {"monster": monsters[0].id}
        if name is None:
            raise NotFound("roll needs a monster (target)")
        return {"monster": self._monster(name)}

    def _answer(self) -> dict[str, Any]:
        ask = self.game.ask(self.seat)
        return {"ask": ask.id, "picks": self._picks(ask)}

    def _picks(self, ask: Ask) -> tuple[int, ...]:
        """Return the picked options, given by number or by name. A name that fits several options means the next of
        them that is not yet picked."""
        names = option_names(self.game.snapshot, ask)
        picks: list[int] = []
        for pick in self.step.pick or ():
            picks.append(pick if isinstance(pick, int) else self._option(str(pick), ask, names, picks))
        return tuple(picks)

    def _option(self, name: str, ask: Ask, names: list[str], taken: list[int]) -> int:
        if name in names and "#" not in name:
            free = [ask.options[at] for at, called in enumerate(names) if called == name]
            return next((option for option in free if option not in taken), free[0])
        plain, nth = split_nth(name)
        if ":" in plain and plain not in names:
            plain = self.cast.defn_name(self.cast.defn(plain))
        found = [ask.options[at] for at, called in enumerate(names) if called == plain]
        if len(found) < nth:
            raise NotFound(f"{name!r} is not an option of {ask.kind}; the options are {', '.join(names) or 'none'}")
        return found[nth - 1]

    def _window_field(self) -> dict[str, Any]:
        window = self.game.snapshot.view().window
        return {"window": window.id if window else 0}

    _pass = _hold = _window_field
