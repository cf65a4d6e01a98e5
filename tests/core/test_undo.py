"""Undo: only actions that revealed nothing can be undone; it restores the position, but uses no number twice."""

import msgspec
import pytest

from core.engine import advance, submit
from core.history import harmless
from core.replay import Step, rerun
from core.state import events as E
from core.state.actions import Kick, Refusal, StepBack
from core.state.game import Game
from core.state.model import Bargain, State, Window, card_id, decode, encode
from core.state.views import View
from core.undo import KEPT, Mark, Marks, Reversible, hidden_side
from core.view import view
from tests.blends import BLENDS, catalog_of
from tests.core.invariants import check_state, zones
from tests.core.random_table import RandomTable
from tests.thorough import examples

PILES = "door", "treasure", "seals"


class MarkedGame:
    """A random game that marks its actions for undo, as a host does."""

    def __init__(self, sets: tuple[str, ...], seed: int) -> None:
        self.table = RandomTable(catalog_of(sets), 3 + seed % 4, seed, interrupts=0.3)
        self.marks = Marks()

    def act(self) -> None:
        state = self.table.state
        before, hidden = encode(state), hidden_side(state)
        events = self.table.act()
        step = self.table.log[-1]
        self.marks.note(step.seat, step.action, events, before, hidden, state)


def position(shown: View) -> object:
    """Return the content of a view, without the numbers that only rise."""
    plain = msgspec.to_builtins(shown)
    again: View = msgspec.convert(plain, View)
    again.rev = 0
    if again.window is not None:
        again.window.id = 0
    if again.fight is not None:
        again.fight.changed_at = 0
    for offer in again.offers:
        offer.no = offer.at = 0
    if again.you is not None:
        for ask in again.you.asks:
            ask.id = 0
        kinds = sorted(type(option.action).__name__ for option in again.you.legal)
        return msgspec.to_builtins(msgspec.structs.replace(again, you=None)), again.you.hand, again.you.asks, kinds
    return msgspec.to_builtins(again)


def numbers(state: State) -> set[tuple[str, int]]:
    """Return every number by which a late answer could find an ask, a window or an offer."""
    asks = {(f"ask of {ask.seat}", ask.id) for frame in state.stack for ask in frame.asks}
    windows = {("window", frame.id) for frame in state.stack if isinstance(frame, Window)}
    return asks | windows | {("offer", offer.no) for offer in state.offers}


def is_stale(state: State, offer: Bargain) -> bool:
    """Return whether an offer was made before the fight changed."""
    return state.fight is not None and state.fight.changed_at > offer.at


def undo_last(game: MarkedGame, spent: set[tuple[str, int]]) -> str:
    """Undo the last marked action, check the result, and return the kind of the action."""
    table, mark = game.table, game.marks.last
    assert mark is not None
    catalog, now, old = table.catalog, table.state, decode(mark.before)
    assert now.draws == old.draws and now.dice == old.dice, "a random number was used"
    assert all(getattr(now, pile) == getattr(old, pile) for pile in PILES), "a pile was touched"
    known = {card for _, card, _ in zones(old)}
    assert {card for _, card, _ in zones(now)} <= known, "a card was revealed"
    new, events = game.marks.back(now, 0)
    assert events == [E.SteppedBack(0, mark.seat, mark.what, old.rev)]
    check_state(catalog, new)
    for seat in range(-1, len(old.seats)):
        assert position(view(catalog, new, seat)) == position(view(catalog, old, seat)), f"seat {seat}"
    assert new.rev == now.rev + 1 and new.step_no > now.step_no
    for offer, before in zip(new.offers, old.offers, strict=True):
        assert is_stale(new, offer) == is_stale(old, before), "a valid offer stays valid"
    assert new.fight is None or new.fight.changed_at == new.rev, "what was decided before the undo is stale"
    assert not numbers(new) & spent, "a number is used twice"
    assert new.serial >= now.serial and all(a.serial >= b.serial for a, b in zip(new.seats, now.seats))
    data = encode(new)
    advance(Game(catalog, new))
    assert encode(new) == data, "the restored state does not wait"
    table.state = decode(data)
    return mark.what


@pytest.mark.long
def test_an_undo_restores_the_position_and_reveals_nothing() -> None:
    undone: dict[str, int] = {}
    for seed in range(examples(10, 2)):
        game = MarkedGame(BLENDS[seed % len(BLENDS)], seed)
        spent: set[tuple[str, int]] = set()
        for number in range(500):
            if game.table.state.winners:
                break
            game.act()
            spent |= numbers(game.table.state)
            if number % 3 == 0 and game.marks.last is not None:
                what = undo_last(game, spent)
                undone[what] = undone.get(what, 0) + 1
                spent |= numbers(game.table.state)
    assert {"kick", "claim", "flee", "equip", "unequip", "accept", "end_turn"} <= set(undone), undone


def test_up_to_eight_actions_can_be_undone_one_after_the_other() -> None:
    game = MarkedGame(BLENDS[0], 4)
    for _ in range(3000):
        game.act()
        if len(game.marks._marks) == KEPT:
            break
    assert len(game.marks._marks) == KEPT
    for _ in range(KEPT):
        undo_last(game, set())
    assert game.marks.last is None
    with pytest.raises(IndexError):
        game.marks.back(game.table.state, 0)


CARD, MINE = card_id(9, 0, 5), card_id(9, 1, 5)


@pytest.mark.parametrize(
    ("event", "fine"),
    [
        (E.Moved(CARD, CARD, "table", 0, "door", -1, "discarded"), True),
        (E.Moved(CARD, CARD, "table", 0, "table", 1, "traded"), True),
        (E.Moved(MINE, CARD, "hand", 0, "table", 0, "played"), False),
        (E.Moved(CARD, MINE, "table", 0, "hand", 0, "taken"), False),
        (E.Moved(CARD, CARD, "treasure-pile", -1, "limbo", -1, "laid out"), False),
        (E.Moved(MINE, card_id(9, 2, 5), "hand", 0, "hand", 1, "taken", hidden=True), False),
        (E.Flipped(0, CARD, True), True),
        (E.Flipped(0, CARD, True, hidden=True), False),
        (E.Offered(Bargain(1, 0, 1, "help", 1, 2, True, [CARD], [], [], 1)), True),
        (E.Offered(Bargain(1, 0, 1, "help", 1, 2, True, [], [], [MINE], 1)), False),
        (E.Rolled(0, 5, "run away"), False),
        (E.Drew(0, "door", 1, [MINE]), False),
        (E.Turned(0, CARD), False),
        (E.Shuffled("door", []), False),
        (E.Shown(0, 1, [5]), False),
        (E.Peeked(0, "door", 1, [5]), False),
        (E.Reordered(0, "door", 1, [0]), False),
        (E.HandsPassed("left", [[], [MINE]]), False),
        (E.Moved(CARD, CARD, "door-pile", -1, "door", -1, "discarded", 0), False),
        (E.SealOpened(0, 5, 1), False),
        (E.LaidOut(0, [CARD]), False),
        (E.Won([0], "level"), False),
    ],
)
def test_an_event_that_reveals_something_cannot_be_undone(event: E.AnyEvent, fine: bool) -> None:
    assert harmless(event) is fine


def test_a_revealing_event_and_a_changed_hidden_state_each_forbid_an_undo() -> None:
    game = MarkedGame(BLENDS[0], 4)
    while game.marks.last is None:
        game.act()
    state, harm = game.table.state, [E.Rolled(0, 5, "run away")]
    hidden, last = hidden_side(state), game.marks.last
    assert last is not None

    def after(events: list[E.AnyEvent], before: object, now: State = state) -> Marks:
        marks = Marks()
        marks._marks.append(last)
        marks.note(0, Kick(), events, b"", before, now)
        return marks

    assert after([E.Kicked(0)], hidden).last == Mark(0, "kick", b"")
    assert after([], hidden).last == last, "an action without events is undone with the one before it"
    assert after([*harm], hidden).last is None
    assert after([E.Kicked(0)], (-1, *hidden[1:])).last is None
    for change in ("first cards", "over"):
        other = decode(encode(state))
        other.winners = [0] if change == "over" else []
        other.turn.no = 0 if change == "first cards" else 7
        assert after([E.Kicked(0)], hidden_side(other), other).last is None, change


def test_submit_refuses_to_undo() -> None:
    game = MarkedGame(BLENDS[0], 1)
    for seat in (-1, 0):
        answer = submit(game.table.catalog, game.table.state, seat, StepBack(0))
        assert isinstance(answer, Refusal) and answer.clause == "bad"


def test_a_replay_from_the_seed_repeats_every_undo() -> None:
    table = RandomTable(catalog_of(BLENDS[0]), 3, 4)
    game, back = Reversible(table.catalog, table.state), 0
    log: list[Step] = []
    while len(log) < 400:
        if game.marks.last is not None and table.rng.random() < 0.2:
            step = Step(-1, StepBack(table.rng.randrange(3)))
            back += 1
        else:
            table.state = decode(encode(game.state))
            table.act()
            step = Step(table.log[-1].seat, table.log[-1].action)
        assert not isinstance(game.submit(step.seat, step.action), Refusal)
        log.append(step)
    *_, (state, _) = rerun(table.catalog, 3, table.options, table.key, log)
    assert back > 10 and encode(state) == encode(game.state)
