"""What an entry of a menu would lead to, whether it is an action, further menus or a set to pick. Pure.

Forecasts of the host come first. For actions that leave the fight as it is, end it or run from it, the view is enough.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from core.queries.flight import chance
from core.state import actions as a
from core.state.actions import Action
from tui.menus.entries import Command, Entry, Go, Menu, Picker
from tui.menus.excess import going_words
from tui.menus.narrowing import IN_VAIN
from tui.menus.offer_editor import Draft
from tui.scene.arrival import only_carried_words
from tui.scene.cells import count
from tui.scene.fight import kept, need, percent, together
from tui.scene.foreseen import now_words
from tui.scene.mine import equip_words, gift_words, held_words
from tui.scene.outlook import NOTHING, NOTHING_CHANGES, SAME, Outlook, best_of, best_of_actions, of_action
from tui.scene.scene import Scene

MOST = 64
"""At most this many actions behind an entry are looked at."""
_LISTS = ("use", "trouble")
"""Entries that only list cards, each of which does something of its own."""


def of_entry(scene: Scene, entry: Entry) -> Outlook:
    """Return what the best choice behind an entry would lead to; NOTHING if that is not known. For an offer to be
    answered, this is what accepting it would lead to. In the offer editor, only the row that sends the offer has an
    outlook. An entry that stands for several cards names the card that would lead to this."""
    if entry.editing:
        return NOTHING
    if isinstance(entry.go, Menu) and entry.key in _LISTS:
        return _of_cards(scene, entry.go.entries)
    actions = list(islice(_actions(entry.go), MOST))
    actions = [action for action in actions if isinstance(action, a.Accept)] or actions
    found = NOTHING
    if scene.forecasts:
        found = best_of_actions(scene, [(action, _of(scene, action)) for action in actions])
        if isinstance(entry.go, Menu) and entry.key == "gear" and found.words != NOTHING_CHANGES:
            unnamed = [f"{found.sums} {words}".strip() for words in found.words]
            named = _of_cards(scene, entry.go.entries)
            found = replace(named, words=(*named.words, *unnamed)) if named else found
    elif len(actions) == 1 and isinstance(actions[0], a.Play):
        found = _of(scene, actions[0])
    found = found or _told(scene, actions)
    return replace(found, gain=SAME) if entry.label.endswith(IN_VAIN) else found


def _of_cards(scene: Scene, entries: Sequence[Entry]) -> Outlook:
    """Return the best outlook of entries for several cards or abilities; its words name the card or ability."""
    found = [(of_entry(scene, entry), entry) for entry in entries]
    best = best_of([outlook for outlook, _ in found])
    own = next((entry for outlook, entry in found if outlook is best), None)
    if own is None or not best.words or not own.card:
        return NOTHING
    several = len({entry.card for entry in entries}) > 1
    parts = own.label.split(": ")  # `use Red Outrider: Raid: discard a card`
    name = scene.title(own.card) if several or len(parts) < 2 else parts[1]
    words = [f"{best.sums} {words}".strip() for words in best.words]
    why = (*words, best.words[-1]) if best.verdict == "bad" else ()  # its sign alone would say nothing
    return replace(best, sums="", words=(*(f"{name}: {told}" for told in words), *why))


def _of(scene: Scene, action: Action) -> Outlook:
    """Return what an action would lead to. A counter-offer is judged like the offer that it answers."""
    return of_action(scene, a.Accept(action.offer) if isinstance(action, a.Counter) else action)


def _told(scene: Scene, actions: list[Action]) -> Outlook:
    """Return what the view tells of actions without a forecast. Of several actions it tells only about running away and
    selling."""
    first = actions[0] if actions else None
    if isinstance(first, a.Sell):
        return _sale(scene, [action for action in actions if isinstance(action, a.Sell)])
    if isinstance(first, a.Flee) or (isinstance(first, a.Roll) and len(actions) > 1):
        found = _escape(scene, [monster.id for monster in scene.fight.monsters] if scene.fight else [])
        return _both_escape(scene, found) if isinstance(first, a.Flee) else found
    if isinstance(first, a.Roll):
        return _escape(scene, [first.monster])
    given = {action.seat for action in actions if isinstance(action, a.Play)} if isinstance(first, a.Play) else set()
    if isinstance(first, a.Play) and scene.card(first.card).kind == "level" and not given & {-1, scene.me}:
        return Outlook(words=gift_words(scene, first.card, given))
    if isinstance(first, a.Play):
        carried = [words for words in only_carried_words(scene, first.card) if "carried" in words]  # what comes of it
        return Outlook(words=tuple(carried) or equip_words(scene, first.card))
    if isinstance(first, a.Answer) and len(actions) == 1 and _takes(scene, first):
        return Outlook(words=held_words(scene, first.picks))
    if isinstance(first, a.Equip) and len(actions) == 1:
        return Outlook(words=equip_words(scene, first.card))
    if isinstance(first, a.EndTurn):
        going = going_words(scene, scene.me)
        return Outlook(words=(going, going.partition(" to ")[0])) if going else NOTHING
    if len(actions) != 1 or scene.fight is None:
        return NOTHING
    if isinstance(first, a.Claim):
        return _kill(scene)
    if isinstance(first, a.Pass | a.Decline):
        return _as_it_is(scene)
    return NOTHING


_TAKING = ("loot", "share", "recover", "take")
"""Kinds of asks whose chosen cards come to the player."""


def _takes(scene: Scene, answer: a.Answer) -> bool:
    """Return whether the cards of an answer come to the player."""
    return any(ask.id == answer.ask and ask.kind in _TAKING for ask in (scene.you.asks if scene.you else ()))


def _escape(scene: Scene, monsters: list[int]) -> Outlook:
    """Return the chance to get away from these monsters."""
    fight = scene.fight
    met = [monster for monster in fight.monsters if monster.id in monsters] if fight else []
    if not met:
        return NOTHING
    if len(met) == 1:
        share = percent(chance(need(scene, scene.me, met[0])))
        return Outlook(words=(f"{share} to get away", share))
    share = percent(together(scene, scene.me, met)[-1])
    return Outlook(words=(f"{share} to get away from all", f"{share} away from all", f"{share} from all", share))


def _both_escape(scene: Scene, found: Outlook) -> Outlook:
    """Return the outlook of giving up with the chance of the other hero, who has to run too."""
    fight = scene.fight
    other = -1 if fight is None else fight.helper if scene.me == fight.seat else fight.seat
    if fight is None or other < 0 or not found.words:
        return found
    beside = f"{scene.name(other)} {percent(together(scene, other, fight.monsters)[-1])}"
    return replace(found, words=(f"{found.words[0]}, {beside}", f"{found.words[-1]}, {beside}", *found.words))


def _kill(scene: Scene) -> Outlook:
    """Return what claiming the kill brings."""
    fight = scene.fight
    if fight is None:
        return NOTHING
    sums = f"{fight.heroes} : {fight.foes}" if fight.monsters else ""
    if fight.match_point:
        return Outlook(sums, ("the game", "game"), "good")
    level = f"level {fight.win_level}"
    pays = f"{level}, {count(kept(fight), 'Treasure')}" if kept(fight) else level
    return Outlook(sums, (pays, level), "good")


def _as_it_is(scene: Scene) -> Outlook:
    """Return how the fight stands and who wins it if nothing more is done; NOTHING where strength does not decide
    it."""
    fight, window = scene.fight, scene.view.window
    decides = window is None or window.kind == "claim"
    if fight is None or fight.stage not in ("fight", "won") or not fight.monsters or not decides:
        return NOTHING
    return Outlook(f"{fight.heroes} : {fight.foes}", now_words(scene))


def _sale(scene: Scene, sales: list[a.Sell]) -> Outlook:
    """Return the highest worth of everything that can be sold, over these ways of selling. An Item that counts twice is
    counted twice."""
    rows = [(row.action, row.pick) for row in scene.you.legal if row.pick is not None] if scene.you else []
    worth = max(
        (
            sum(pick.worth) + sum(gold for card, gold in zip(pick.among, pick.worth) if card in sale.twice)
            for sale, pick in rows
            if isinstance(sale, a.Sell) and sale in sales
        ),
        default=0,
    )
    return Outlook(words=(f"up to {worth} gold", f"up to {worth}")) if worth else NOTHING


def _actions(go: Go) -> Iterator[Action]:
    """Yield the actions to which a choice may lead; for a set to pick, the action without the set."""
    if isinstance(go, Menu):
        for entry in go.entries:
            yield from _actions(entry.go)
    elif isinstance(go, Picker):
        yield from _actions(go.make(()))
    elif isinstance(go, Draft):
        yield go.action()
    elif not isinstance(go, Command):
        yield go
