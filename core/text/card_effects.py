"""Effects of the card language in plain English, one sentence a line: OPS by verb. Modifiers are in card_mods.py.

Lines indented by two spaces belong to the line above them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from core.language import schema as v
from core.language.tree import child_texts
from core.text.card_mods import mod_lines
from core.text.card_phrases import ANY_OF, ONE, SUBJECT, Lines, Phrases, article, count, hand_of, mirrored, more


# ----------------------------------------------------------------------------------------------------- verbs and who
def _does(who: v.Who, you: str, they: str) -> str:
    """Return subject and verb of a sentence: "you gain", "the victim gains"."""
    return f"{SUBJECT[who]} {you if who == 'you' else they}"


SOLE = ("you", "victim", "me", "chosen", "fighter", "helper", "left", "right", "turn")
"""Who-words that mean one player at most."""


def _levels(amount: "int | v.Amount", w: Phrases) -> str:
    if isinstance(amount, int):
        return "one level" if abs(amount) == 1 else f"{abs(amount)} levels"
    return f"as many levels as {w.amount(amount)}"


def _level(op: v.Level, w: Phrases) -> Lines:
    lost = mirrored(op.by)
    if lost or (isinstance(op.by, int) and op.by < 0):
        return [f"{_does(op.who, 'lose', 'loses')} {_levels(lost or op.by, w)}"]
    win = " (this may be the winning level)" if op.may_win else ""
    return [f"{_does(op.who, 'gain', 'gains')} {_levels(op.by, w)}{win}"]


def _set_level(op: v.SetLevel, w: Phrases) -> Lines:
    level = f"Level {op.to}" if isinstance(op.to, int) else w.amount(op.to)
    return [f"{_does(op.who, 'go', 'goes')} to {level}"]


def _discard(op: v.Discard, w: Phrases) -> Lines:
    killed = ", killed: what it carries stays" if op.kills else ""
    if op.cards.of in SOLE and not op.cards.this:
        return [f"{_does(op.cards.of, 'discard', 'discards')} {w.cards(op.cards, op.cards.of)}{killed}"]
    return [f"discard {w.cards(op.cards)}{killed}"]


def _take(op: v.Take, w: Phrases) -> Lines:
    puts, it = "put" if op.to == "you" else "puts", "it" if op.cards.count == 1 and op.cards.pick != "all" else "them"
    into = "into hand" if op.into == "hand" else f"and {puts} {it} into play"
    return [f"{_does(op.to, 'take', 'takes')} {w.cards(op.cards, op.to)} {into}"]


def _swap_cards(op: v.Swap, w: Phrases) -> Lines:
    if op.cards.of in SOLE and not op.cards.this:
        swaps = _does(op.cards.of, "swap", "swaps")
        return [f"{swaps} {w.cards(op.cards, op.cards.of)} for {w.cards(op.for_)}; both arrive unequipped"]
    return [f"swap {w.cards(op.cards)} for {w.cards(op.for_)}; both arrive unequipped"]


def _draw(op: v.Draw, w: Phrases) -> Lines:
    one = "Door card" if op.deck == "door" else "Treasure"
    if isinstance(op.count, int):
        what = f"{'one' if op.count == 1 else op.count} {one if op.count == 1 else one + 's'}"
    else:
        what = f"as many {one}s as {w.amount(op.count)}"
    return [f"{_does(op.who, 'draw', 'draws')} {what}, face {'up' if op.face_up else 'down'}"]


def _recover(op: v.Recover, w: Phrases) -> Lines:
    pile = "either discard pile" if op.deck == "either" else f"the {op.deck.capitalize()} discards"
    what = article(w.kind(op.kind)) if op.kind else "a card"
    if op.pick == "choose":
        pick = f"{what} of {'your' if op.who == 'you' else 'their'} choice"
    else:
        pick = f"the top card{f' (if it is {what})' if op.kind else ''}"
    return [f"{_does(op.who, 'take', 'takes')} {pick} from {pile} into hand"]


def _look(op: v.Look, w: Phrases) -> Lines:
    return [f"{_does(op.who, 'look', 'looks')} at {hand_of(SUBJECT[op.at])}"]


_MAY = {
    "look": "", "under": " and may put any of them under the deck, unseen",
    "take": ", {takes} one of them into hand and {puts} the others back in their order",
    "discard": " and may discard one of them, face up",
}  # fmt: skip


def _peek(op: v.Peek, w: Phrases) -> Lines:
    one = "Door card" if op.deck == "door" else "Treasure"
    if isinstance(op.count, int):
        top = f"the top {one}" if op.count == 1 else f"the top {op.count} {one}s"
    else:
        top = f"as many of the top {one}s as {w.amount(op.count)}"
    takes, puts = ("take", "put") if op.who == "you" else ("takes", "puts")
    return [f"{_does(op.who, 'look', 'looks')} at {top}{_MAY[op.may].format(takes=takes, puts=puts)}"]


def _pass_hands(op: v.PassHands, w: Phrases) -> Lines:
    return [f"every player passes their hand to the player on the {op.to}, face down"]


def _choose_seat(op: v.ChooseSeat, w: Phrases) -> Lines:
    meets = f" {w.condition(op.meets, ONE)}" if op.meets else ""
    return [f"{_does(op.by, 'choose', 'chooses')} {ANY_OF.get(op.among) or SUBJECT[op.among]}{meets}"]


def _branch(op: v.Branch, w: Phrases) -> Lines:
    return []


def _option(op: v.Option, w: Phrases) -> Lines:
    lines = [f"{_does(op.by, 'choose', 'chooses')} one of these:"]
    for choice, text in zip(op.of, child_texts(op).values(), strict=True):
        only = f" (only if {w.condition(choice.if_)})" if choice.if_ else ""
        lines.append(f"  {choice.text}{only}:")
        lines += ["  " + line for line in nested(text, w) or ["  nothing happens"]]
    return lines


def _each(op: v.Each, w: Phrases) -> Lines:
    return [f"for {SUBJECT[op.who]}, in turn:"]


def _die(op: v.Die, w: Phrases) -> Lines:
    die = "a die" if op.sides == 6 else f"a die with {op.sides} sides"
    return [f"{_does(op.who, 'roll', 'rolls')} {die} (the {op.save.replace('-', ' ')} roll)"]


_SIDE = {"named": "the side it is played on", "monsters": "the monsters", "mine": "this monster"}


def _bonus(op: v.Bonus, w: Phrases) -> Lines:
    return [f"{w.added(op.by, _SIDE.get(op.side, w.heroes))} for this combat"]


def _enhance(op: v.Enhance, w: Phrases) -> Lines:
    parts = [w.added(op.by, "the monster's strength")] if op.by != 0 else []
    if isinstance(op.treasures, v.Amount):
        parts.append(w.added(op.treasures, "its Treasures"))
    elif op.treasures:
        parts.append(more(op.treasures, "Treasure"))
    return [f"{' and '.join(parts) or 'no change'} for this combat (also for its Life Partner)"]


_JOINS = {
    "brought": "the monster brought from your hand joins the combat",
    "copy": "a copy of the monster joins the combat, with what has been played on it so far",
    "deck": "the top Door card joins the combat, if it is a monster",
}


def _add_monster(op: v.AddMonster, w: Phrases) -> Lines:
    return [_JOINS[op.what]]


_WHICH = {"named": "the chosen monster", "all": "every monster", "this": "this monster"}
_TREASURE = {
    "rules": "its Treasure is won if the rules say so", "yes": "its Treasure is won", "no": "no Treasure is won",
}  # fmt: skip


def _remove(op: v.RemoveMonster, w: Phrases) -> Lines:
    if op.how == "killed":
        won = "its levels are won, but no Treasure" if op.treasures == "no" else "its levels and Treasure are won"
        return [f"{_WHICH[op.which]} is killed: {won}"]
    return [f"{_WHICH[op.which]} leaves the combat without being killed: {_TREASURE[op.treasures]}"]


def _swap(op: v.SwapMonster, w: Phrases) -> Lines:
    return ["the chosen monster leaves with everything on it, and the one brought from your hand takes its place"]


def _undo_played(op: v.UndoPlayed, w: Phrases) -> Lines:
    return ["the card just played is undone: it is discarded, and its bonuses and the monster it brought are gone"]


def _end_combat(op: v.EndCombat, w: Phrases) -> Lines:
    return ["the combat is over: no levels, no Treasure, nobody runs"]


def _escape(op: v.Escape, w: Phrases) -> Lines:
    what = "every monster" if op.from_ == "all" else "the next monster"
    return [f"{_does(op.who, 'escape', 'escapes')} from {what} without a roll"]


def _compel(op: v.Compel, w: Phrases) -> Lines:
    return [f"{_does(op.who, 'have', 'has')} to help the fighter (not if the fight would win the game)"]


def _expel(op: v.Expel, w: Phrases) -> Lines:
    return ["the helper leaves the fight, and neither runs away nor shares the Treasure"]


def _hand_over(op: v.HandOver, w: Phrases) -> Lines:
    return [f"{_does(op.to, 'take', 'takes')} over the fight as main fighter; a helper leaves it"]


def _kill(op: v.Kill, w: Phrases) -> Lines:
    return [f"{_does(op.who, 'die', 'dies')}"]


def _counter(op: v.Counter, w: Phrases) -> Lines:
    taken = mirrored(op.by) or (-op.by if isinstance(op.by, int) and op.by < 0 else None)
    if taken is None:
        many, so_many = _counters(op.by, w)
        return [f"put {many} on this card{so_many} ({op.most} at most)"]
    many, so_many = _counters(taken, w)
    return [f"take {many} off this card{so_many}"]


def _counters(by: "int | v.Amount", w: Phrases) -> tuple[str, str]:
    """Return the words for a number of counters: before and after the words for where they are."""
    if isinstance(by, int):
        return "every counter" if by >= v.COUNTERS_MOST else count(by, "counter"), ""
    return "as many counters", f" as {w.amount(by)}"


UNTIL = {
    "combat": "until the combat is over", "turn": "until the turn is over",
    "next-combat": "in the next combat (or in the current one, if it is undecided)",
    "next-turn": "in the next turn (or in the current one)",
    "roll": "for the next roll to run away", "level": "until a level is gained", "forever": "until it is lifted",
}  # fmt: skip


def _linger(op: v.Linger, w: Phrases) -> Lines:
    any_die = op.until == "roll" and any(isinstance(mod, v.RollIs) for mod in op.mods)
    lines = [f"for {SUBJECT[op.who]}, {'for the next roll' if any_die else UNTIL[op.until]}:"]
    for mod in op.mods:
        lines += ["  " + line for line in mod_lines(mod, w, "that player")]
    return lines


def _lift(op: v.Lift, w: Phrases) -> Lines:
    which = f"the chosen lasting {w.curse}" if op.which == "named" else f"every lasting {w.curse} on {SUBJECT[op.who]}"
    return [f"{which} ends"]


def _swap_identity(op: v.SwapIdentity, w: Phrases) -> Lines:
    kind = w.name(op.identity)
    discards = _does(op.who, "discard", "discards")
    takes = "take" if op.who == "you" else "takes"
    return [f"{discards} {article(kind)} and {takes} the topmost {kind} card of the Door discards, if there is one"]


def _open_seal(op: v.OpenSeal, w: Phrases) -> Lines:
    return [_does(op.who, "open a Seal", "opens a Seal")]


def _close_seal(op: v.CloseSeal, w: Phrases) -> Lines:
    return ["the Seal on top is closed, if one is open"]


def _swap_sex(op: v.SwapSex, w: Phrases) -> Lines:
    return [_does(op.who, "change sex", "changes sex")]


def _sacrifice(op: v.Sacrifice, w: Phrases) -> Lines:
    return [
        "sacrifice this Ally and all it carries: you escape from every monster without a roll; if you are the main "
        "fighter, you decide whether the helper escapes too"
    ]


def _extra_turn(op: v.ExtraTurn, w: Phrases) -> Lines:
    return [f"{_does(op.who, 'have', 'has')} an extra turn after this one"]


OPS: dict[type, Callable[[Any, Phrases], Lines]] = {
    v.Level: _level, v.SetLevel: _set_level, v.Discard: _discard, v.Take: _take, v.Swap: _swap_cards,
    v.Draw: _draw, v.Recover: _recover, v.Look: _look, v.Peek: _peek, v.PassHands: _pass_hands,
    v.ChooseSeat: _choose_seat, v.Branch: _branch, v.Option: _option, v.Each: _each, v.Die: _die,
    v.Bonus: _bonus, v.Enhance: _enhance, v.AddMonster: _add_monster, v.RemoveMonster: _remove, v.SwapMonster: _swap,
    v.EndCombat: _end_combat, v.Escape: _escape, v.Compel: _compel, v.Expel: _expel, v.HandOver: _hand_over,
    v.Kill: _kill, v.Linger: _linger, v.Lift: _lift, v.SwapIdentity: _swap_identity,
    v.OpenSeal: _open_seal, v.CloseSeal: _close_seal, v.SwapSex: _swap_sex, v.Sacrifice: _sacrifice,
    v.Counter: _counter, v.UndoPlayed: _undo_played, v.ExtraTurn: _extra_turn,
}  # fmt: skip


def op_lines(op: v.Op, w: Phrases) -> Lines:
    """Return the lines of one effect: its condition, its sentence, and below it the effects within it."""
    lines = OPS[type(op)](op, w)
    if op.if_ is not None:
        lines = [f"if {w.condition(op.if_)}:{f' {lines[0]}' if lines else ''}", *lines[1:]]
    before = w.about
    w.about = SUBJECT["me"] if op.loops else w.about
    within = child_texts(op)
    lines += nested(within.get("then", ()), w)
    if within.get("else"):
        lines += [_OTHERWISE.get(type(op), "if there is none:"), *nested(within["else"], w)]
    w.about = before
    return lines


_OTHERWISE: dict[type, str] = {
    v.Branch: "otherwise:", v.ChooseSeat: "if there is nobody:", v.Swap: "if nothing can be swapped:",
    v.Peek: "if there is no card:",
}  # fmt: skip
"""The heading of an `else`."""


def nested(ops: Iterable[v.Op], w: Phrases) -> Lines:
    """Return the lines of the effects of a text, indented."""
    return ["  " + line for op in ops for line in op_lines(op, w)]
