"""Ops and modifiers of the card language in plain English, one sentence a line.

Lines indented by two spaces belong to the line above them.
"""

from collections.abc import Callable, Iterable
from typing import Any

from core.language import schema as v
from core.text.card_phrases import SUBJECT, Words, article, count, mirrored, more, plural

Lines = list[str]


# ----------------------------------------------------------------------------------------------------- verbs and who
def _does(who: v.Who, you: str, they: str) -> str:
    """A sentence of somebody: "you gain", "the victim gains"."""
    return f"{SUBJECT[who]} {you if who == 'you' else they}"


def _levels(amount: "int | v.Amount", w: Words) -> str:
    if isinstance(amount, int):
        return "one level" if abs(amount) == 1 else f"{abs(amount)} levels"
    return f"as many levels as {w.amount(amount)}"


def _level(op: v.Level, w: Words) -> Lines:
    lost = mirrored(op.by)
    if lost or (isinstance(op.by, int) and op.by < 0):
        return [f"{_does(op.who, 'lose', 'loses')} {_levels(lost or op.by, w)}"]
    win = " (even the winning one)" if op.may_win else ""
    return [f"{_does(op.who, 'gain', 'gains')} {_levels(op.by, w)}{win}"]


def _set_level(op: v.SetLevel, w: Words) -> Lines:
    level = f"Level {op.to}" if isinstance(op.to, int) else w.amount(op.to)
    return [f"{_does(op.who, 'go', 'goes')} to {level}"]


def _discard(op: v.Discard, w: Words) -> Lines:
    return [f"discard {w.cards(op.cards)}", *_else(op.else_, w, "if there is none:")]


def _take(op: v.Take, w: Words) -> Lines:
    into = "into hand" if op.into == "hand" else "onto the table"
    return [f"{_does(op.to, 'take', 'takes')} {into}: {w.cards(op.cards)}", *_else(op.else_, w, "if there is none:")]


def _draw(op: v.Draw, w: Words) -> Lines:
    one = "Door card" if op.deck == "door" else "Treasure"
    if isinstance(op.count, int):
        what = f"{'one' if op.count == 1 else op.count} {one if op.count == 1 else one + 's'}"
    else:
        what = f"as many {one}s as {w.amount(op.count)}"
    return [f"{_does(op.who, 'draw', 'draws')} {what}, face {'up' if op.face_up else 'down'}"]


def _recover(op: v.Recover, w: Words) -> Lines:
    pile = "either discard pile" if op.deck == "either" else f"the {op.deck.capitalize()} discards"
    what = article(w.kind(op.kind)) if op.kind else "a card"
    pick = f"{what} of choice" if op.pick == "choose" else f"the top card{f', if it is {what}' if op.kind else ''}"
    return [f"{_does(op.who, 'take', 'takes')} into hand {pick} from {pile}"]


def _look(op: v.Look, w: Words) -> Lines:
    at = "your" if op.at == "you" else f"{SUBJECT[op.at]}'s"
    return [f"{_does(op.who, 'look', 'looks')} at {at} hand"]


def _choose_seat(op: v.ChooseSeat, w: Words) -> Lines:
    meets = f" of whom this holds: {w.condition(op.meets, 'that player')}" if op.meets else ""
    told = f"{_does(op.by, 'choose', 'chooses')} one of: {SUBJECT[op.among]}{meets}"
    return [told, *_else(op.else_, w, "if there is nobody:")]


def _branch(op: v.Branch, w: Words) -> Lines:
    return [*nested(op.then, w), *_else(op.else_, w, "otherwise:")]


def _option(op: v.Option, w: Words) -> Lines:
    lines = [f"{_does(op.by, 'choose', 'chooses')} one of these:"]
    for choice in op.of:
        only = f" (only if {w.condition(choice.if_)})" if choice.if_ else ""
        lines.append(f"  {choice.text}{only}:")
        lines += ["  " + line for line in nested(choice.do, w) or ["  nothing happens"]]
    return lines


def _each(op: v.Each, w: Words) -> Lines:
    before, w.about = w.about, SUBJECT["me"]
    lines = [f"for {SUBJECT[op.who]}, one after another:", *nested(op.then, w)]
    w.about = before
    return lines


def _die(op: v.Die, w: Words) -> Lines:
    return [f"{_does(op.who, 'roll', 'rolls')} a die: the {op.save.replace('-', ' ')} roll"]


_SIDE = {"named": "to the side it is played on", "monsters": "to the monsters", "mine": "to this monster"}


def _bonus(op: v.Bonus, w: Words) -> Lines:
    return [f"{w.signed(op.by)} {_SIDE.get(op.side, w.heroes)} for this combat"]


def _enhance(op: v.Enhance, w: Words) -> Lines:
    parts = [f"{w.signed(op.by)} to the monster's strength"] if op.by != 0 else []
    if op.treasures != 0:
        by = op.treasures
        parts.append(f"{more(by, 'Treasure') if isinstance(by, int) else w.signed(by) + ' Treasures'} of the monster")
    return [f"{' and '.join(parts) or 'no change'} for this combat, a copy of it likewise"]


_JOINS = {
    "brought": "the monster brought from the hand joins the combat",
    "copy": "a copy of the monster joins the combat",
    "deck": "the top Door card joins the combat, if it is a monster",
}


def _add_monster(op: v.AddMonster, w: Words) -> Lines:
    return [_JOINS[op.what]]


_WHICH = {"named": "the monster named is", "all": "all monsters are", "this": "this monster is"}
_TREASURE = {"rules": "Treasure as the rules have it", "yes": "its Treasure is due", "no": "without Treasure"}


def _remove(op: v.RemoveMonster, w: Words) -> Lines:
    how = "killed" if op.how == "killed" else "got rid of, not killed"
    due = "its levels and Treasure are due" if op.how == "killed" and op.treasures != "no" else _TREASURE[op.treasures]
    return [f"{_WHICH[op.which]} {how}, {due}"]


def _swap(op: v.SwapMonster, w: Words) -> Lines:
    return ["the monster named leaves with everything on it, and the one brought from the hand takes its place"]


def _end_combat(op: v.EndCombat, w: Words) -> Lines:
    return ["the combat is over: no levels, no Treasure, nobody runs"]


def _escape(op: v.Escape, w: Words) -> Lines:
    what = "every monster" if op.from_ == "all" else "the next monster"
    return [f"{_does(op.who, 'escape', 'escapes')} from {what} without a roll"]


def _compel(op: v.Compel, w: Words) -> Lines:
    return [f"{_does(op.who, 'have', 'has')} to help the fighter (not in a fight for the win)"]


def _expel(op: v.Expel, w: Words) -> Lines:
    return ["the helper is out of the fight, and neither runs nor shares"]


def _hand_over(op: v.HandOver, w: Words) -> Lines:
    return [f"{_does(op.to, 'take', 'takes')} the fight over as main fighter; a helper goes free"]


def _kill(op: v.Kill, w: Words) -> Lines:
    return [f"{_does(op.who, 'die', 'dies')}"]


UNTIL = {
    "combat": "until the combat is over", "next-combat": "in the next combat (or the one going on, if undecided)",
    "turn": "until the turn is over", "next-turn": "in the next turn (or the one going on)",
    "roll": "for the next roll to run away", "level": "until a level is gained", "forever": "until it is lifted",
}  # fmt: skip


def _linger(op: v.Linger, w: Words) -> Lines:
    any_die = op.until == "roll" and any(isinstance(mod, v.RollIs) for mod in op.mods)
    lines = [f"for {SUBJECT[op.who]}, {'for the next roll' if any_die else UNTIL[op.until]}:"]
    for mod in op.mods:
        lines += ["  " + line for line in mod_lines(mod, w, "whom it holds for")]
    return lines


def _lift(op: v.Lift, w: Words) -> Lines:
    which = f"the lasting {w.curse} named" if op.which == "named" else f"every lasting {w.curse} on {SUBJECT[op.who]}"
    return [f"{which} ends"]


def _swap_identity(op: v.SwapIdentity, w: Words) -> Lines:
    kind = w.name(op.identity)
    told = _does(op.who, "lose", "loses")
    return [f"{told} {article(kind)}, and the topmost {kind} card of the Door discards, if any, takes its place"]


def _open_seal(op: v.OpenSeal, w: Words) -> Lines:
    return [_does(op.who, "open a Seal", "opens a Seal")]


def _close_seal(op: v.CloseSeal, w: Words) -> Lines:
    return ["the Seal on top is closed, if one is open"]


def _swap_sex(op: v.SwapSex, w: Words) -> Lines:
    return [_does(op.who, "change sex", "changes sex")]


def _sacrifice(op: v.Sacrifice, w: Words) -> Lines:
    return [
        "this Ally is lost with all it carries; its owner escapes from every monster without a roll, and as main "
        "fighter says whether the helper does too"
    ]


OPS: dict[type, Callable[[Any, Words], Lines]] = {
    v.Level: _level, v.SetLevel: _set_level, v.Discard: _discard, v.Take: _take, v.Draw: _draw, v.Recover: _recover,
    v.Look: _look, v.ChooseSeat: _choose_seat, v.Branch: _branch, v.Option: _option, v.Each: _each, v.Die: _die,
    v.Bonus: _bonus, v.Enhance: _enhance, v.AddMonster: _add_monster, v.RemoveMonster: _remove, v.SwapMonster: _swap,
    v.EndCombat: _end_combat, v.Escape: _escape, v.Compel: _compel, v.Expel: _expel, v.HandOver: _hand_over,
    v.Kill: _kill, v.Linger: _linger, v.Lift: _lift, v.SwapIdentity: _swap_identity,
    v.OpenSeal: _open_seal, v.CloseSeal: _close_seal, v.SwapSex: _swap_sex, v.Sacrifice: _sacrifice,
}  # fmt: skip


def op_lines(op: v.Op, w: Words) -> Lines:
    """One op, its condition before it and what hangs on it below it."""
    lines = OPS[type(op)](op, w)
    if op.if_ is None:
        return lines
    if isinstance(op, v.Branch):
        return [f"if {w.condition(op.if_)}:", *lines]
    return [f"if {w.condition(op.if_)}: {lines[0]}", *lines[1:]]


def nested(ops: Iterable[v.Op], w: Words) -> Lines:
    return ["  " + line for op in ops for line in op_lines(op, w)]


def _else(ops: tuple[v.Op, ...], w: Words, word: str) -> Lines:
    return [word, *nested(ops, w)] if ops else []


# --------------------------------------------------------------------------------------------------------- modifiers
_FORBID = {
    "help": "nobody can help", "ask": "may not ask for help", "one-shots": "no one-shots can be played",
    "enhancers": "no enhancers can be played", "sell": "may not sell Items",
    "trade": "may neither trade nor give Items nor be given any",
    "loot": "may not loot the room", "trouble": "may not look for trouble",
    "escape": "nobody escapes from it by rolling",
    "equip": "may not change what is equipped",
}  # fmt: skip
_IGNORE = {
    "bonuses": "no bonuses count, only Levels", "items": "bonuses of equipped Items do not count",
    "level": "Levels do not count", "identities": "bonuses of identities do not count",
    "one-shots": "one-shots for the heroes do not count", "head": "bonuses of Headgear do not count",
    "armor": "bonuses of Armor do not count", "feet": "bonuses of Footgear do not count",
    "hands": "bonuses of Items held in hands do not count",
}  # fmt: skip
_ROOM = {
    "big": "Big Item", "vehicle": "Vehicle", "ally": "Ally", "hand": "card in hand at the end of the turn",
    "hands": "hand", "head": "Headgear", "armor": "Armor", "feet": "Footgear",
}  # fmt: skip


def _strength(mod: v.Strength, w: Words) -> str:
    return f"{w.signed(mod.by)} to combat strength{', once for the side' if mod.once else ''}"


def _pay_roll(mod: v.PayRoll, w: Words) -> str:
    return f"after a failed roll to run away: discard up to {mod.most} cards for {mod.by:+d} each"


def _capacity(mod: v.Capacity, w: Words) -> str:
    what = _ROOM.get(mod.what) or w.name(mod.what)
    if mod.by >= 20:
        return f"room for any number of {plural(what)}"
    number = abs(mod.by)
    return f"room for {number} {'more' if mod.by > 0 else 'fewer'} {what if number == 1 else plural(what)}"


def _reward(mod: v.Reward, w: Words) -> str:
    return f"each kill as main fighter is worth {_worth(mod)}"


def _worth(mod: v.Reward) -> str:
    parts = [more(mod.levels, "level")] if mod.levels else []
    parts += [more(mod.treasures, "Treasure")] if mod.treasures else []
    return " and ".join(parts) or "no more"


def _helper_levels(mod: v.HelperLevels, w: Words) -> str:
    each = "for each monster" if mod.each else "once"
    margin = f", if won by {mod.margin} or more" if mod.margin else ""
    return f"as helper, {more(mod.by, 'level')} {each}{' killed' if mod.each else ' for the kill'}{margin}"


def _ignore(mod: v.Ignore, w: Words) -> str:
    return f"bonuses of {w.name(mod.tag)} Items do not count, one-shots included" if mod.tag else _IGNORE[mod.what]


def _shield(mod: v.Shield, w: Words) -> str:
    spent = "; this card is discarded for it" if mod.spent else ""
    return f"a {w.curse} that would strike may be made to come to nothing{spent}"


def _extra(mod: v.ExtraCards, w: Words) -> str:
    return f"draws {count(mod.by, 'card')} more on looting the room"


def _seal_draw(mod: v.SealDraw, w: Words) -> str:
    one = "Door card" if mod.deck == "door" else "Treasure"
    return f"draws {count(mod.count, one)}, face down, whenever a Seal is opened"


MODS: dict[type, Callable[[Any, Words], str]] = {
    v.Strength: _strength,
    v.Flee: lambda mod, w: f"{w.signed(mod.by)} to rolls to run away",
    v.PayRoll: _pay_roll,
    v.WinsTies: lambda mod, w: "the heroes win ties",
    v.Forbid: lambda mod, w: _FORBID[mod.what],
    v.Ignore: _ignore,
    v.Spares: lambda mod, w: "it does not pursue",
    v.Capacity: _capacity,
    v.Reward: _reward,
    v.HelperLevels: _helper_levels,
    v.SellDouble: lambda mod, w: "once in each own turn one Item of a sale counts twice its value",
    v.Shield: _shield,
    v.ExtraCards: _extra,
    v.TopDiscard: lambda mod, w: "on looting the room, may take the top discard instead of a face-down card",
    v.TwoHanded: lambda mod, w: f"a 1-Hand Item may be used with both hands for {mod.by:+d}",
    v.SealDraw: _seal_draw,
    v.SpareDeath: lambda mod, w: f"loses {count(mod.levels, 'level')} instead of dying",
    v.LootFight: lambda mod, w: (
        "may fight a monster drawn while looting the room, and under faster play loot a Door instead of a Treasure"
    ),
    v.RollIs: lambda mod, w: f"the next roll is not thrown: it is {mod.value}",
}


def mod_lines(mod: v.Mod, w: Words, subject: str) -> Lines:
    """What holds while a card is in play or lingers. subject: whom its condition is about if it does not say."""
    return [_told(MODS[type(mod)](mod, w), mod, w, subject)]


def foe_lines(mod: v.Mod, w: Words) -> Lines:
    """Likewise of a monster, which has it for or against whoever fights it or runs from it."""
    if isinstance(mod, v.Strength):
        return [_told(f"{w.signed(mod.by)} to its strength", mod, w, "a hero")]
    if isinstance(mod, v.Flee):
        return [_told(f"{w.signed(mod.by)} to rolls to run away from it", mod, w, "the runner")]
    if isinstance(mod, v.Reward):
        return [_told(f"its kill is worth {_worth(mod)}", mod, w, "a hero")]
    return mod_lines(mod, w, "the runner" if isinstance(mod, v.Spares) else "a hero")


def _told(text: str, mod: v.Mod, w: Words, subject: str) -> str:
    if mod.if_ is not None:
        text += f", if {w.condition(mod.if_, subject)}"
    return text + (" (a disadvantage)" if mod.drawback else "")
