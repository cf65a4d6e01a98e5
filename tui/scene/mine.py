"""What an option brings and costs the reader, apart from the outcome of a fight: Levels, a helper's share, what an Item
forbids. Pure; each function returns words, the longest first, () if there is nothing to say."""

from collections.abc import Collection, Sequence

from core.knowledge.public_facts import helper_levels
from core.language.schema import Capacity, Discard, Flee, Forbid, Level, Strength, Take
from core.language.selectors import Amount
from core.state import actions as a
from core.state.actions import Action
from core.state.forecasts import Forecast
from core.state.model import Bargain
from core.text.grammar import counted
from tui.scene.arrival import limit_words
from tui.scene.card_text import levels_of
from tui.scene.cells import count
from tui.scene.scene import FIRST_CARD, Scene, shape

_FORBIDDEN = {
    "help": ("nobody may help you", "no help"), "ask": ("you may not ask for help", "no asking"),
    "one-shots": ("no one-shots", "no one-shots"), "enhancers": ("no enhancers", "no enhancers"),
    "sell": ("you may not sell", "no selling"), "trade": ("you may not trade", "no trading"),
    "loot": ("you may not loot", "no looting"), "trouble": ("you may not look for trouble", "no trouble"),
    "escape": ("you cannot run away", "no escape"), "equip": ("you may not change gear", "gear fixed"),
}  # fmt: skip
"""What a card takes from its owner, by `Forbid.what`."""


# -------------------------------------------------------------------------------------------------------------- Levels
def level_words(scene: Scene, action: Action) -> tuple[str, ...]:
    """Return which Level playing a card gives the reader, and which it gives its target; the winning Level only where
    the card allows it."""
    changes = _levels(scene, action) if isinstance(action, a.Play) else {}
    mine, others = changes.pop(scene.me, 0), changes
    if not mine and len(others) == 1:
        ((seat, level),) = others.items()
        name, goes, to = scene.name(seat), _goes(scene, seat, level), f"to Level {level}"
        return f"{name} {goes} Level {level}", f"{name} {to}", f"{shape(seat, scene.glyphs.ascii)} {to}"
    if not mine:
        return ()
    told = f"you {'reach' if mine > scene.seat(scene.me).level else 'fall to'} Level {mine}"
    more = [f"{scene.name(seat)} {_goes(scene, seat, level)} {level}" for seat, level in others.items()]
    also = beside(scene, action)
    long = ", ".join([told, *more, *(words for words, _ in also)])
    brief = ", ".join([f"Level {mine}", *(words for _, words in also)])
    return *dict.fromkeys([long, *([brief] if also else []), told, f"to Level {mine}", f"Level {mine}"]),


def gift_words(scene: Scene, card: int, seats: Collection[int]) -> tuple[str, ...]:
    """Return what a Level card that the reader may only give away brings. seats: to whom it can go."""
    by, whom = levels_of(scene.card(card)), [scene.name(seat) for seat in seats]
    gives = f"{by:+d} {'level' if abs(by) == 1 else 'levels'}" if by else "a level"
    brief = f"{by:+d} " if by else ""
    if len(whom) == 1:
        return f"{gives} for {whom[0]}, none for you", f"{gives} for {whom[0]}", f"{brief}for {whom[0]}", "not for you"
    return f"{gives} for one of the others", f"{gives}, not you", f"{brief}not for you", "not for you", "not you"


def lowest_words(scene: Scene, card: int) -> tuple[str, ...]:
    """Return that a Level card is for the players with the lowest Level, if the reader is none of them; else ()."""
    printed, levels = scene.card(card), [seat.level for seat in scene.view.seats if not seat.dead]
    for_lowest = printed.kind == "level" and any(getattr(op, "who", "") == "lowest" for op in printed.play)
    if not for_lowest or scene.me < 0 or scene.seat(scene.me).level <= min(levels, default=0):
        return ()
    return "for the lowest Level, not for you", "for the lowest Level", "not for you"


def beside(scene: Scene, action: Action) -> list[tuple[str, str]]:
    """Return what else a card that is played surely does, each in long and in short words: to the Levels of players
    who are not known yet, and what it takes from the reader."""
    found: list[tuple[str, str]] = []
    for op in scene.card(action.card).play if isinstance(action, a.Play) else ():
        if op.if_ is not None:
            continue
        if isinstance(op, Level) and op.who in _WHOM and isinstance(op.by, int):
            who, verb = _WHOM[op.who]
            verb = verb if op.by > 0 else "lose" if verb == "gain" else "loses"
            found.append((f"{who} {verb} {counted(abs(op.by), 'level', 'levels')}", f"{who} {op.by:+d}"))
        elif isinstance(op, Discard | Take) and op.cards.of == "you" and isinstance(op.cards.count, int):
            does = "discard" if isinstance(op, Discard) else "give away"
            many = counted(op.cards.count, "card", "cards") if op.cards.pick != "all" else "cards"
            found.append((f"you {does} {many}", f"-{many}"))
    return found


_WHOM = {"chosen": ("somebody", "gains"), "others": ("all others", "gain")}
"""Players of a text who are not known before it is played, and a verb for them."""


def _goes(scene: Scene, seat: int, level: int) -> str:
    return "reaches" if level > scene.seat(seat).level else "falls to"


def raises_me(scene: Scene, action: Action) -> bool:
    """Return whether a card that is played gives the reader a Level."""
    return isinstance(action, a.Play) and _levels(scene, action).get(scene.me, 0) > scene.seat(scene.me).level >= 0


def _levels(scene: Scene, action: a.Play) -> dict[int, int]:
    """Return the new Level of each seat whose Level a card surely changes; none for a Curse, which may still be
    stopped."""
    card, fight = scene.card(action.card), scene.fight
    if card.kind == "curse" or scene.me < 0:
        return {}
    seats = {
        "you": scene.me, "me": scene.me, "victim": action.seat,
        "fighter": fight.seat if fight is not None else -1, "helper": fight.helper if fight is not None else -1,
    }  # fmt: skip
    found: dict[int, int] = {}
    for op in card.play:
        for gain in op.gives_levels if op.if_ is None else ():
            seat, by = seats.get(gain.seats(op), -1), gain.number(op)
            if not gain.is_printed or not isinstance(by, int) or not 0 <= seat < len(scene.view.seats):
                continue
            now = found.get(seat, scene.seat(seat).level)
            most = scene.view.win_level - (0 if gain.wins(op) else 1)
            found[seat] = max(1, min(now + by, max(now, most)))
    return {seat: level for seat, level in found.items() if level != scene.seat(seat).level}


# ---------------------------------------------------------------------------------------------------------- as a helper
def share_words(scene: Scene, forecast: Forecast, action: Action) -> tuple[str, ...]:
    """Return what the reader would get for helping, if the fight is won then. action: the offer, or its answer."""
    deal = _deal(scene, action)
    if scene.fight is None or forecast.helper != scene.me or scene.me < 0 or not forecast.wins or deal is None:
        return ()
    margin, kills = forecast.heroes - forecast.foes, len(scene.fight.monsters)
    levels = helper_levels(scene.catalog, scene.view, scene.me, kills, margin)
    parts = [counted(levels, "level", "levels")] if levels else []
    parts += [count(deal.treasures, "Treasure")] if deal.treasures else []
    parts += [count(len(deal.gives), "Item")] if deal.gives else []
    parts += [f"{count(len(deal.cards), 'card')} played on you"] if deal.cards else []
    gets = " and ".join(parts) or "nothing"
    return tuple(dict.fromkeys([f"you get {gets}", f"get {gets}", f"get {(*parts, gets)[0]}"]))


def _deal(scene: Scene, action: Action) -> Bargain | a.Terms | None:
    """Return the terms on which the reader would help by this action; None if it is about something else."""
    if isinstance(action, a.Accept):
        return next((deal for deal in scene.view.offers if deal.no == action.offer and deal.kind == "help"), None)
    return action.terms if isinstance(action, a.Offer | a.Counter) and action.terms.kind == "help" else None


# ---------------------------------------------------------------------------------------------------------------- Items
def costs_of(scene: Scene, card: int) -> list[tuple[str, str]]:
    """Return what an Item costs whoever equips it, apart from its place, each in long and in short words: what it
    forbids, and what it takes from the rolls to run away."""
    found: list[tuple[str, str]] = []
    for mod in scene.card(card).mods:
        if mod.if_ is not None:
            continue
        if isinstance(mod, Forbid):
            found.append(_FORBIDDEN[mod.what])
        elif isinstance(mod, Flee) and isinstance(mod.by, int) and mod.by < 0:
            found.append((f"{mod.by:+d} to run away", f"{mod.by:+d} to run"))
    return found


def held_words(scene: Scene, picks: Sequence[int]) -> tuple[str, ...]:
    """Return what a card that the reader could take would do for them: who may use it, if they may not, what it brings
    by its text, and what it costs its wearer."""
    if len(picks) != 1 or picks[0] < FIRST_CARD:
        return ()
    limit, costs, brings = limit_words(scene, picks[0]), costs_of(scene, picks[0]), _by_text(scene, picks[0])
    parts = [*([limit] if limit else []), *brings, *(long for long, _ in costs)]
    brief = [limit, "not for you"] if limit else [short for _, short in costs[:1]]
    return tuple(dict.fromkeys([", ".join(parts), *brief])) if parts else ()


ARRIVES = {
    "identity": ("become one", "be one"), "level": ("go up a level", "level up"), "hireling": ("hire him", "hire"),
    "enhancer": ("on a monster", "play it"), "wandering": ("send it in", "send it"),
    "cheat": ("on an Item", "play it"), "upgrade": ("on an Item", "play it"), "special": ("play it",),
    "double": ("beside the one you have", "beside it"),
}  # fmt: skip
"""What playing a card of each kind does, the longest words first; all others are equipped."""
EQUIP = ("equip it", "equip")
"""The same for Items."""
_KEPT = ("item", "identity", "double", "hireling", "ally", "special")
"""The kinds of cards that stay before their owner, and bring and cost what their text says as long as they do."""


def equip_words(scene: Scene, card: int) -> tuple[str, ...]:
    """Return what having a card in play brings and costs, if it costs something: `+4, but you may not ask for help`."""
    printed, costs = scene.card(card), costs_of(scene, card)
    if not costs or printed.kind not in _KEPT or printed.one_shot:
        return ()
    does = ARRIVES.get(printed.kind, EQUIP)
    brings = " and ".join([*([f"{printed.bonus:+d}"] if printed.bonus else []), *_by_text(scene, card)]) or does[0]
    long, short = (" and ".join(one[at] for one in costs) for at in (0, 1))
    last = does if printed.kind == "identity" else (short, "at a cost")
    return f"{brings}, but {long}", f"{brings}, {short}", f"{brings}, {short.replace(' to run', ' run')}", *last


def _by_text(scene: Scene, card: int) -> list[str]:
    """Return what the text of a card brings its owner besides its bonus: room, and strength for its counters."""
    found = []
    for mod in scene.card(card).mods:
        if mod.if_ is not None:
            continue
        if isinstance(mod, Capacity) and 0 < mod.by < _ENDLESS:
            one, many = _ROOM.get(mod.what) or (scene.lexicon.kind(mod.what),) * 2
            found.append(f"+{counted(mod.by, one, many)}")
        elif isinstance(mod, Strength) and isinstance(mod.by, Amount) and mod.by.counters:
            found.append(f"{mod.by.times:+d} for each counter (none yet)")
    return found


_ENDLESS = 20
"""From this much room on a text means any number."""
_ROOM = {
    "hands": ("hand", "hands"), "big": ("Big Item", "Big Items"), "hand": ("card in hand", "cards in hand"),
    "head": ("Headgear", "Headgear"), "armor": ("Armor", "Armor"), "feet": ("Footgear", "Footgear"),
}  # fmt: skip
"""What there is more room for, in the singular and the plural."""
