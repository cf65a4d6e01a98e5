"""Why a good player does something, in one sentence. Pure."""

from collections.abc import Callable
from typing import Any

from core.language.schema import Card, Strength
from core.state import actions as a
from core.state.actions import Action
from core.state.asks import kind_alone
from core.state.forecasts import Forecast
from tui.menus.danger import winner_now
from tui.scene.arrival import only_carried_words
from tui.scene.cells import count, signed
from tui.scene.fight import gain, kept, need, odds_words
from tui.scene.outlook import NOTHING, NOTHING_CHANGES, ROLL_CHANGES, Outlook, of_action, wish
from tui.scene.scene import Scene

OUTRIGHT = (a.Play, a.Use, a.Offer, a.Counter, a.Accept, a.Trouble, a.Discard)
"""Actions that are meant for the fight, if they change it."""


def why(scene: Scene, action: Action | None) -> str:
    """Return the reason for an action, as a sentence: its effect on the fight, else the usual reason for its kind."""
    outlook = of_action(scene, action) if action is not None else NOTHING
    if outlook.forecast is not None and outlook.sums and (isinstance(action, OUTRIGHT) or outlook.verdict == "good"):
        return _leads_to(scene, action, outlook, outlook.forecast)
    told = _without_sums(scene, outlook) if isinstance(action, a.Play | a.Use) else ""
    reason = _REASONS.get(type(action), _waiting)
    return told or reason(scene, action)


def _leads_to(scene: Scene, action: Action | None, outlook: Outlook, found: Forecast) -> str:
    """Return how the fight would stand, who would win it, and what that brings this player."""
    new = found.helper >= 0 and (scene.fight is None or scene.fight.helper != found.helper)
    stands = f"Then it stands {found.heroes} to {found.foes}{f' with {scene.who(found.helper)}' if new else ''}"
    if found.fate == "chance":
        return f"{stands}, and luck decides the rest."
    brings = _brings(scene, action, found) if found.wins and found.fighter == scene.me else ""
    told = ", ".join(filter(None, (outlook.beside, brings)))
    side = wish(scene, found)
    short = "; more can follow" if side and found.wins != (side > 0) else ""
    return f"{stands}, and {_ends(scene, found)}{f': {told}' if told else ''}{short}."


def _ends(scene: Scene, found: Forecast) -> str:
    """Return who would win or lose the fight: `you still lose`, `Bo wins the game`."""
    mine, fight = found.fighter == scene.me, scene.fight
    still = "still " if fight is not None and fight.winning == found.wins else ""
    verb = ("win" if mine else "wins") if found.wins else ("lose" if mine else "loses")
    return f"{scene.who(found.fighter)} {still}{verb}{' the game' if found.wins and found.match_point else ''}"


def _brings(scene: Scene, action: Action | None, found: Forecast) -> str:
    """Return what winning would bring this player: the Level, and the Treasures that are promised to nobody."""
    if found.match_point:
        return ""
    fight = scene.fight
    promised = fight.bargain.treasures if fight is not None and fight.bargain is not None and fight.helper >= 0 else 0
    if isinstance(action, a.Offer | a.Counter) and action.terms.kind == "help":
        promised = action.terms.treasures
    if isinstance(action, a.Accept):
        promised = sum(deal.treasures for deal in scene.view.offers if deal.no == action.offer and deal.kind == "help")
    left = max(0, found.treasures - promised)
    level = f"level {found.level}" if found.level > scene.seat(scene.me).level else ""
    return ", ".join(filter(None, (level, count(left, "Treasure") if left else "")))


def _without_sums(scene: Scene, outlook: Outlook) -> str:
    """Return what a card or an ability that changes no sums would lead to; empty if that is not known."""
    found = outlook.forecast
    if found is None or not outlook.words or outlook.words == NOTHING_CHANGES:
        return ""
    if found.sides:
        return f"Then a die decides: {_on_die(scene, outlook, found)}."
    if outlook.words == ROLL_CHANGES:
        return "It changes a roll to run."
    if found.fate == "sums":
        return f"Then it is {outlook.words[0]}."
    return "It ends the fight." if found.fate == "over" else ""


def _on_die(scene: Scene, outlook: Outlook, found: Forecast) -> str:
    """Return which numbers of a die win the fight for the fighter."""
    if found.fighter == scene.me:
        return outlook.words[0]
    return f"{scene.name(found.fighter)} wins with {len(found.wins_on)} of its {found.sides} numbers"


def _sums(scene: Scene) -> str:
    fight = scene.fight
    return f"{fight.heroes} to {fight.foes}" if fight is not None else ""


def _waiting(scene: Scene, action: Any) -> str:
    asked = [deal.to for deal in scene.view.offers if deal.frm == scene.me and deal.to >= 0]
    if asked:
        return f"{scene.name(asked[0])} has not answered your offer yet. Ask again for what to do without it."
    if scene.fight is not None and scene.me not in (scene.fight.seat, scene.fight.helper):
        return "Nothing that you could play into this fight is worth its card now."
    return "The others act; nothing of yours would do more now than later."


def _pass(scene: Scene, action: Any) -> str:
    winner = winner_now(scene)
    if winner:
        return f"Nothing of yours would keep {winner} from winning."
    if scene.fight is not None and scene.fight.seat == scene.me:
        return "The fight is decided as well as you can decide it."
    return "Nothing that you could play here is worth its card."


def _kick(scene: Scene, action: Any) -> str:
    return f"Nothing in your hand would make you stronger first; you have strength {scene.seat(scene.me).strength}."


def _claim(scene: Scene, action: Any) -> str:
    fight = scene.fight
    if fight is None:
        return "You win."
    levels = count(fight.levels, "level")
    shared = f"{levels}, {kept(fight)} of {fight.treasures} Treasures" if kept(fight) < fight.treasures else ""
    pays = "the game" if fight.match_point else shared or gain(fight)
    return f"You win {_sums(scene)}, and the kill pays you {pays}."


def _flee(scene: Scene, action: Any) -> str:
    if scene.fight is not None and not scene.fight.winning:
        return f"You lose {_sums(scene)}, and nothing of yours is worth turning it. {_odds(scene)}"
    return "Nothing is left to be won here."


def _roll(scene: Scene, action: Any) -> str:
    return f"You have to run. {_odds(scene)}"


def _odds(scene: Scene) -> str:
    """Return the chances to get away, from the best to the worst of several monsters."""
    monsters = scene.fight.monsters if scene.fight is not None else []
    needs = sorted({need(scene, scene.me, monster) for monster in monsters})
    ends = [odds_words(one) for one in dict.fromkeys((needs[0], needs[-1]))] if needs else []
    if ends in (["always"], ["never"]):
        return f"You {ends[0]} get away."
    return f"You get away {' to '.join(ends)}." if ends else ""


def _trouble(scene: Scene, action: a.Trouble) -> str:
    card = scene.card(action.card)
    outlook, strength = of_action(scene, action), scene.seat(scene.me).strength
    found = outlook.forecast
    luck = ""
    if found is not None and found.sides:
        luck = f"a die decides, {_on_die(scene, outlook, found)}; "
    elif found is not None and found.fate == "chance":
        luck = "luck decides too; "
    pays = f"{luck}it pays {count(card.treasures, 'Treasure')}"
    return f"Its Level is {card.level}, your strength {strength}; {pays}."


def _loot(scene: Scene, action: Any) -> str:
    return "You hold no monster that is worth a fight, and one more card costs nothing."


def _end(scene: Scene, action: Any) -> str:
    return "Nothing is left that would help you more in this turn than later."


def _ready(scene: Scene, action: Any) -> str:
    return "What is worth laying out lies in front of you."


def _equip(scene: Scene, action: a.Equip) -> str:
    return _adds(scene.card(action.card)) or "What it says counts only while it is equipped."


def _unequip(scene: Scene, action: Any) -> str:
    return "It makes room for something better."


def _play(scene: Scene, action: a.Play) -> str:
    card = scene.card(action.card)
    if card.kind == "level" or (card.kind == "special" and action.seat == scene.me):
        return "It costs nothing but the card."
    if 0 <= action.seat != scene.me:
        return _against(scene, action.seat)
    if card.kind == "item":
        return _item(scene, action.card)
    return "What it says counts from now on." if card.kind in ("identity", "double", "ally", "hireling") else _now()


def _item(scene: Scene, ident: int) -> str:
    """Return why to play an Item: to use it up, to equip it, or only to carry it."""
    card, carried = scene.card(ident), only_carried_words(scene, ident)
    if card.one_shot and scene.fight is not None:
        return _now()
    if carried:
        return f"It would be {carried[0]}. It adds nothing yet, but you hold one card less."
    if card.one_shot:
        return "It is ready in front of you then, and you hold one card less."
    return _adds(card) or "What it says counts once it is equipped."


def _adds(card: Card) -> str:
    """Return what an Item adds to the strength; "" if it has no bonus."""
    more = any(isinstance(mod, Strength) for mod in card.mods)
    further = ", and what it says may change that" if more else ""
    return f"It adds {signed(card.bonus)} to your strength{further}." if card.bonus else ""


def _now() -> str:
    return "It does more now than it would later."


def _against(scene: Scene, seat: int) -> str:
    """Return why a harmful card targets this seat."""
    level = scene.seat(seat).level
    ahead = all(other.level <= level for other in scene.view.seats)
    return f"{scene.name(seat)} is {'furthest ahead' if ahead else 'in your way'}, at Level {level}."


def _use(scene: Scene, action: a.Use) -> str:
    return "What it brings is worth its price." if action.pay else "It costs nothing."


def _sell(scene: Scene, action: a.Sell) -> str:
    worth = sum(scene.card(card).value or 0 for card in (*action.cards, *action.twice))
    brings = "Together they bring" if len(action.cards) > 1 else "It brings"
    return f"{brings} {worth} gold, and every 1000 is a level: that is worth more to you."


def _give(scene: Scene, action: Any) -> str:
    return "You need them less than what they may bring you."


def _offer(scene: Scene, action: a.Offer | a.Counter) -> str:
    if action.terms.kind == "help":
        return "Alone the fight cannot be won so cheaply." if scene.fight is not None else _give(scene, action)
    return "What you would get is worth more to you than what you would give."


def _accept(scene: Scene, action: Any) -> str:
    return "What you get is worth more to you than what it costs."


def _decline(scene: Scene, action: Any) -> str:
    return "What it costs is worth more to you than what you get."


def _discard(scene: Scene, action: Any) -> str:
    return "It is worth less to you than what takes its place."


def _answer(scene: Scene, action: a.Answer) -> str:
    kind = next((ask.kind for ask in scene.you.asks if ask.id == action.ask), "") if scene.you is not None else ""
    several = len(action.picks) > 1
    if kind_alone(kind) in _LOSING:
        parts = f"Of all that is asked for, you need {'these' if several else 'this'} least."
        return parts if action.picks else "You need not part with anything."
    if not action.picks:
        return "You need none of them."
    if kind in _GETTING:
        return f"{'They are' if several else 'It is'} worth most to you."
    return f"Of these {'they serve' if several else 'it serves'} you best."


_LOSING = ("lose", "discard", "charity", "turn sideways", "give up", "goes next", "add to sale", "pay roll", "under",
           "give", "give for", "share for")
_GETTING = ("take", "share", "loot", "recover", "keep big", "count twice")

_REASONS: dict[type, Callable[[Scene, Any], str]] = {
    a.Pass: _pass, a.Kick: _kick, a.Claim: _claim, a.Flee: _flee, a.Roll: _roll, a.Trouble: _trouble, a.Loot: _loot,
    a.EndTurn: _end, a.Done: _ready, a.Equip: _equip, a.Unequip: _unequip, a.Play: _play, a.Use: _use, a.Sell: _sell,
    a.Give: _give, a.Offer: _offer, a.Counter: _offer, a.Accept: _accept, a.Decline: _decline, a.Withdraw: _decline,
    a.Discard: _discard, a.Answer: _answer,
}  # fmt: skip
"""Why a good player does something of this kind."""
