"""Find the cards that can stop somebody who is about to win, by playing each one in a trial fight.

An equipped player fights a small monster for the game; each card is played against them once. No card is known by name,
and no text is read here. All sets together take some tenths of a second, so callers cache the result.
"""

from core.engine import Runaway, new_game, start_turn, submit
from core.language.catalog import Catalog
from core.moves.legal import legal, suggest
from core.queries.rewards import match_point
from core.queries.strength import totals, winning
from core.state.actions import Action, Close, Default, Kick, Play, Refusal, Use
from core.state.model import Options, Placed, Program, State, Throw, Turn, Window, card_id, decode, encode
from core.state.reader import Reader
from netcode.bots.tuning import TUNING

ASKS_MOST = 8
"""How many asks of one text are answered by the default for a silent seat."""
WAYS = 3
"""How many ways to fill in a row are tried."""
_SLOTS = ("head", "armor", "feet", "2-hands")
_KINDS = ("curse", "enhancer", "level", "special", "wandering")
"""Kinds of card that may be played into the fight of others, besides one-shots."""
_SEED = b"stoppers"


def win_blockers(cat: Catalog) -> frozenset[int]:
    """Return the definitions that can stop a winner with one card, by costing the heroes enough strength or the
    kill."""
    data = encode(_match_point(cat))
    played = [no for no, defn in enumerate(cat.cards) if defn.kind in _KINDS or defn.card.one_shot]
    return frozenset(no for no in played if _stops(cat, data, no))


def _match_point(cat: Catalog) -> State:
    """Return a state in which seat 1 fights for the game."""
    state, _ = new_game(cat, 3, Options(), _SEED)
    for seat in state.seats:
        seat.hand, seat.table, seat.level = [], [], state.options.win_level // 2
    fighter = state.seats[1]
    fighter.level = state.options.win_level - 1
    fighter.table = [Placed(_card(state, no, 0)) for no in _plain_gear(cat)]
    state.door.append(_small_monster(cat))
    state.stack, state.turn = [], Turn(1, 1)
    start_turn(cat, state, 1)
    submit(cat, state, 1, Kick())
    window = state.stack[-1]
    if isinstance(window, Window):
        submit(cat, state, -1, Close(window.id))
    return state


def _card(state: State, defn: int, owner: int) -> int:
    """Return a new card. owner: as in model.card_id."""
    state.serial += 1
    return card_id(state.serial, owner, defn)


def _plain_gear(cat: Catalog) -> list[int]:
    """Return an Item for each slot that anybody may wear and that only adds strength."""
    plain = [
        defn for defn in cat.cards
        if defn.kind == "item" and defn.card.bonus > 0 and not defn.card.mods and not defn.card.one_shot
        and defn.card.only is None and defn.card.unless is None and not defn.card.big
    ]  # fmt: skip
    found = (next((defn.no for defn in plain if defn.card.slot == slot), -1) for slot in _SLOTS)
    return [no for no in found if no >= 0]


def _small_monster(cat: Catalog) -> int:
    """Return the weakest monster, if possible one without a text that bears on the fight."""
    monsters = [defn for defn in cat.cards if defn.kind == "monster"]
    return min(monsters, key=lambda defn: (bool(defn.card.mods), defn.card.level or 1, defn.no)).no


def _stops(cat: Catalog, data: bytes, defn: int) -> bool:
    state = decode(data)
    card = _card(state, defn, 1)
    state.seats[0].hand = [card, _card(state, _small_monster(cat), 1)]
    there = encode(state)
    before = _lead(cat, state)
    if before is None:
        return False
    actions = [way for row in legal(cat, state, 0) if _plays(row.action, card) for way in suggest(row, WAYS)]
    outcomes = (_outcome(cat, there, action) for action in actions)
    return any(after is None or after <= before - TUNING.win_blockers.strength for after in outcomes)


def _plays(action: Action, card: int) -> bool:
    return isinstance(action, Play | Use) and action.card == card


def _outcome(cat: Catalog, data: bytes, action: Action) -> int | None:
    """Return the heroes' lead after an action of seat 0; None if they no longer win the game."""
    state = decode(data)
    try:
        submit(cat, state, 0, action)
        for _ in range(ASKS_MOST):
            top = state.stack[-1] if state.stack else None
            if not isinstance(top, Program | Throw) or not top.asks:
                break
            if isinstance(submit(cat, state, -1, Default(top.asks[0].seat, top.asks[0].id)), Refusal):
                break
    except Runaway:
        pass
    return _lead(cat, state)


def _lead(cat: Catalog, state: State) -> int | None:
    """Return the heroes' lead in a fight for the game; None if they are not about to win."""
    reader = Reader(cat, state)
    if state.fight is None or state.fight.stage != "fight" or not winning(reader) or not match_point(reader):
        return None
    ours, theirs = totals(reader)
    return ours - theirs
