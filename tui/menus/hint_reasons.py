"""Why a good player does something, in one sentence that names a number, a card or a player. Pure.

A reason says what the rules or the view show; what a card is for is said in the card's own words.
"""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from core.language.schema import Card, Kill, Strength
from core.language.tree import effects_within
from core.state import actions as a
from core.state.actions import Action
from core.state.forecasts import Forecast
from core.state.model import defn_of
from core.text.grammar import listed
from tui.menus.danger import winner_now
from tui.menus.excess import going_words
from tui.menus.hint_answers import answer_reason, named
from tui.menus.offer_text import terms_of
from tui.scene.arrival import only_carried_words
from tui.scene.bad_stuff import brief_bad_stuff
from tui.scene.card_text import ability_words
from tui.scene.cells import count
from tui.scene.deciders import luck_words
from tui.scene.fight import gain, kept, need, odds_words
from tui.scene.foreseen import wish
from tui.scene.help_terms import help_words
from tui.scene.mine import beside
from tui.scene.outlook import NOTHING, NOTHING_CHANGES, ROLL_CHANGES, Outlook, of_action
from tui.scene.scene import Scene

if TYPE_CHECKING:
    from tui.lessons.adviser import Then

SHORT = 30
"""Characters of a sentence that says too little alone."""
_SENTENCE = re.compile(r"(?<=[.!?]) ")
"""Between two sentences."""
OUTRIGHT = (a.Play, a.Use, a.Offer, a.Counter, a.Accept, a.Trouble, a.Discard)
"""Actions that are meant for the fight, if they change it."""


def why(scene: Scene, action: Action | None, then: "Then | None" = None, plan: Action | None = None) -> str:
    """Return the reason for an action, as a sentence: its effect on the fight, else what is certain to come of it
    (`then`), else the usual reason for its kind. plan: what a good player does next."""
    outlook = of_action(scene, action) if action is not None else NOTHING
    if outlook.forecast is not None and outlook.sums and (isinstance(action, OUTRIGHT) or outlook.verdict == "good"):
        return _leads_to(scene, action, outlook, outlook.forecast)
    told = _without_sums(scene, outlook) if isinstance(action, a.Play | a.Use) else ""
    if isinstance(action, a.Unequip | a.Discard) and isinstance(plan, a.Play | a.Equip):
        return f"It makes room for {scene.title(plan.card)}."
    reason = _REASONS.get(type(action), _waiting)
    return told or _certain(scene, action, then) or reason(scene, action)


def _certain(scene: Scene, action: Action | None, then: "Then | None") -> str:
    """Return what is certain to come of an act outside fights; empty if it raises neither Level nor strength."""
    if then is None or action is None:
        return ""
    up, more = then.level > scene.seat(scene.me).level, then.strength
    if isinstance(action, a.Sell) and up:
        worth = sum(scene.card(card).value or 0 for card in action.cards)
        costs = f", and your strength falls by {-more}" if more < 0 else ", and your strength does not fall"
        return f"You go up to Level {then.level} for {worth} gold{costs}."
    if up:
        also = listed([words for words, _ in beside(scene, action)])
        return f"You go up to Level {then.level}{f', and {also}' if also else ''}."
    if more > 0 and isinstance(action, a.Play | a.Equip):
        return f"It adds {more:+d} to your strength, which is {scene.seat(scene.me).strength + more} then."
    return ""


def _leads_to(scene: Scene, action: Action | None, outlook: Outlook, found: Forecast) -> str:
    """Return how the fight would stand, who would win it, and what that brings this player."""
    new = found.helper >= 0 and (scene.fight is None or scene.fight.helper != found.helper)
    agrees = isinstance(action, a.Offer) and action.to >= 0
    begins = f"If {scene.name(action.to)} agrees, it" if isinstance(action, a.Offer) and agrees else "Then it"
    stands = f"{begins} stands {found.heroes} to {found.foes}{_with(scene, found) if new else ''}"
    if found.fate == "chance":
        luck = luck_words(scene, action) if action is not None else ()
        return f"{stands}, and {luck[0] if luck else 'luck decides'} the rest."
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
    if found.sides and len(found.wins_on) == found.sides:
        return f"Whatever the die shows, {scene.who(found.fighter)} {'wins' if found.fighter != scene.me else 'win'}."
    if found.sides and not found.wins_on:
        return f"No number of the die wins it alone for {scene.who(found.fighter)}; more can follow."
    if found.sides:
        return f"Then a die decides: {_on_die(scene, outlook, found)}."
    if outlook.words == ROLL_CHANGES:
        return "It changes a roll to run."
    if found.fate == "sums":
        says = outlook.words[0]
        return f"Then {says}." if says.startswith("you ") else f"Then it is {says}."
    return f"It ends the fight with {_monsters(scene)}." if found.fate == "over" else ""


def _monsters(scene: Scene) -> str:
    return listed([scene.monster(one.id) for one in scene.fight.monsters]) if scene.fight is not None else "it"


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
    fight = scene.fight
    if fight is not None and scene.me not in (fight.seat, fight.helper):
        ends = "wins" if fight.winning else "loses"
        return f"{scene.name(fight.seat)} {ends} {_sums(scene)} without you. {_kept(scene)}"
    others = [deciding.seat for deciding in scene.view.deciding if deciding.seat != scene.me]
    return f"{scene.name(others[0])} acts first." if others else _kept(scene)


def _pass(scene: Scene, action: Any) -> str:
    winner, fight = winner_now(scene), scene.fight
    if winner:
        sure, perhaps = _stoppers(scene)
        if sure:
            return f"{sure} could still stop {winner}, but others may do it first."
        if perhaps:
            return f"What {perhaps} would do is not certain, and others may stop {winner} first."
        return f"Nothing of yours would keep {winner} from winning."
    if fight is not None and scene.me in (fight.seat, fight.helper):
        return f"You {'win' if fight.winning else 'lose'} {_sums(scene)} as it stands. {_kept(scene)}"
    return _kept(scene)


def _stoppers(scene: Scene) -> tuple[str, str]:
    """Return the cards with which this player could keep the winner of this fight from winning, by the forecasts, and
    those of which luck or somebody's choice decides what they do."""
    sure, perhaps = [], []
    for row in scene.you.legal if scene.you is not None else ():
        judged = of_action(scene, row.action).forecast if isinstance(row.action, a.Play | a.Use) else None
        if isinstance(row.action, a.Play | a.Use) and judged is not None:
            stops = _stops(judged)
            sure += [row.action.card] if stops else []
            perhaps += [row.action.card] if stops is None else []
    return named(scene, sure), named(scene, perhaps)


def _stops(found: Forecast) -> bool | None:
    """Return whether an option keeps the fight from ending the game; None if that is not known. If luck still decides
    something, the sums before it count, because luck rarely changes the sums."""
    if found.sides:
        return None if len(found.wins_on) < found.sides else False
    if found.fate == "sums" or (found.fate == "chance" and found.fighter >= 0):
        return not (found.wins and found.match_point)
    return True if found.fate == "over" else None


def _kept(scene: Scene) -> str:
    """Return which cards of the hand a player keeps that could be played now, and which abilities are left unused."""
    rows, hand = scene.you.legal if scene.you is not None else [], scene.hand()
    uses = [row.action.card for row in rows if isinstance(row.action, a.Use) and not row.vain]
    kept = [card for card in _playable(scene) if card in hand]
    unused = f", and {named(scene, uses)} can wait" if uses else ""
    if kept:
        return f"You keep {named(scene, kept)} for later{unused}."
    none = f"None of your {len(hand)} cards can" if len(hand) > 1 else f"{named(scene, hand)} cannot" if hand else ""
    return f"{none} be played now{unused}." if none else f"You hold 0 cards{unused}."


def _kick(scene: Scene, action: Any) -> str:
    strength = scene.seat(scene.me).strength
    return f"You go in with strength {strength}. {_kept(scene)}"


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
    """Return the chances to get away, from the best to the worst of several monsters, and what being caught costs."""
    monsters = scene.fight.monsters if scene.fight is not None else []
    needs = sorted({need(scene, scene.me, monster) for monster in monsters})
    ends = [odds_words(one) for one in dict.fromkeys((needs[0], needs[-1]))] if needs else []
    caught = f" {_caught(scene)}" if ends and ends != ["always"] else ""
    if ends in (["always"], ["never"]):
        return f"You {ends[0]} get away.{caught}"
    return f"You get away {' to '.join(ends)}.{caught}" if ends else ""


def _caught(scene: Scene) -> str:
    """Return what being caught costs: one monster's Bad Stuff; of several monsters, the names of those that kill."""
    monsters = scene.fight.monsters if scene.fight is not None else []
    if len(monsters) == 1:
        return f'If you are caught: "{brief_bad_stuff(scene, defn_of(monsters[0].id)).rstrip(".")}".'
    deadly = [scene.monster(one.id) for one in monsters if _kills(scene, defn_of(one.id))]
    return f"{listed(deadly)} would kill you." if deadly else f"Each of the {len(monsters)} monsters runs after you."


def _with(scene: Scene, found: Forecast) -> str:
    """Return who helps, and what their number is made of, if the table shows another one."""
    who = scene.who(found.helper)
    made = help_words(scene, found)
    return f" with {who} ({made[0].removeprefix(f'{who} ')})" if made else f" with {who}"


def _kills(scene: Scene, defn: int) -> bool:
    return any(isinstance(op, Kill) for op in effects_within(scene.printed(defn).bad))


def _trouble(scene: Scene, action: a.Trouble) -> str:
    card = scene.card(action.card)
    outlook, strength = of_action(scene, action), scene.seat(scene.me).strength
    found = outlook.forecast
    luck = ""
    if found is not None and found.sides and len(found.wins_on) == found.sides:
        luck = "you win whatever the die shows; "
    elif found is not None and found.sides:
        luck = f"a die decides, {_on_die(scene, outlook, found)}; "
    elif found is not None and found.fate == "chance":
        luck = f"{(*luck_words(scene, action), 'luck decides')[0]} too; "
    pays = f"{luck}it pays {count(card.treasures, 'Treasure')}"
    level = card.level or 0
    dies = "; its Bad Stuff can kill you" if _kills(scene, defn_of(action.card)) and level >= strength else ""
    return f"Its Level is {level}, your strength {strength}; {pays}{dies}."


def _loot(scene: Scene, action: Any) -> str:
    monsters = [card for card in scene.hand() if scene.card(card).kind == "monster"]
    if not monsters:
        return f"You hold no monster to fight, and have {count(len(scene.hand()) + 1, 'card')} then."
    level, least = min((scene.card(card).level or 0, card) for card in monsters)
    strength = scene.seat(scene.me).strength
    if level >= strength:
        return f"Your weakest monster, {scene.title(least)}, has Level {level}; your strength is {strength}."
    return f"One more card is less of a risk than {scene.title(least)}."


def _end(scene: Scene, action: Any) -> str:
    going, plays = going_words(scene, scene.me), _playable(scene)
    if not going:
        return _kept(scene)
    less = f"; to play {named(scene, plays)} first is no sure gain" if plays else ""
    return f"{going[:1].upper()}{going[1:]}{less}."


def _playable(scene: Scene) -> list[int]:
    """Return the cards of the hand that could be played now."""
    rows = scene.you.legal if scene.you is not None else []
    return [row.action.card for row in rows if isinstance(row.action, a.Play) and not row.vain]


def _ready(scene: Scene, action: Any) -> str:
    return f"You begin with strength {scene.seat(scene.me).strength}. {_kept(scene)}"


def _equip(scene: Scene, action: a.Equip) -> str:
    return _adds(scene.card(action.card)) or _says(scene, action.card)


def _unequip(scene: Scene, action: a.Unequip) -> str:
    return f"{scene.title(action.card)} holds a place that a better Item can take."


def _says(scene: Scene, ident: int, ability: int = -1) -> str:
    """Return what a card or its ability does, in its own words."""
    definition = scene.definition(ident)
    text = ability_words(definition, ability) if ability >= 0 else definition.card.text
    if not text and definition.abilities:
        text = ability_words(definition, 0)
    text = text.partition(": ")[2] if ability >= 0 and ": " in text else text
    sentences = _SENTENCE.split(text)
    first = " ".join(sentences[: 1 if len(sentences[0]) >= SHORT else 2]).rstrip(".")
    return f'It says: "{first}".' if first else f"{scene.title(ident)} is {scene.brief(ident)}."


def _play(scene: Scene, action: a.Play) -> str:
    card = scene.card(action.card)
    if 0 <= action.seat != scene.me:
        return _against(scene, action.seat)
    if card.kind == "item":
        return _item(scene, action.card)
    if card.kind in ("ally", "hireling") and card.bonus > 0:
        return _adds(card)
    return _says(scene, action.card)


def _item(scene: Scene, ident: int) -> str:
    """Return why to play an Item: to use it up, to equip it, or only to carry it."""
    card, carried = scene.card(ident), only_carried_words(scene, ident)
    left = count(len(scene.hand()) - 1, "card")
    if card.one_shot and scene.fight is not None:
        return _says(scene, ident)
    if carried:
        return f"It would be {carried[0]}. It adds nothing yet, but you hold {left} then."
    if card.one_shot:
        return f"It is ready in front of you then, and you hold {left}."
    return _adds(card) or _says(scene, ident)


def _adds(card: Card) -> str:
    """Return what an Item adds to the strength; "" if it has no bonus."""
    more = any(isinstance(mod, Strength) for mod in card.mods)
    further = ", and what it says may change that" if more else ""
    return f"It adds {card.bonus:+d} to your strength{further}." if card.bonus else ""


def _against(scene: Scene, seat: int) -> str:
    """Return why a card is aimed at this seat."""
    level, name = scene.seat(seat).level, scene.name(seat)
    others = [other.level for other in scene.view.seats if other.seat != seat]
    if level > max(others):
        return f"{name} is furthest ahead, at Level {level}."
    return f"{name} is at Level {level}, you are at {scene.seat(scene.me).level}."


def _use(scene: Scene, action: a.Use) -> str:
    return _says(scene, action.card, action.ability)


def _sell(scene: Scene, action: a.Sell) -> str:
    worth = sum(scene.card(card).value or 0 for card in (*action.cards, *action.twice))
    brings = "Together they bring" if len(action.cards) > 1 else "It brings"
    return f"{brings} {worth} gold, and every 1000 is a level: that is worth more to you."


def _give(scene: Scene, action: a.Give) -> str:
    theirs, mine = scene.seat(action.to).level, scene.seat(scene.me).level
    return f"{scene.name(action.to)} is at Level {theirs}, you are at {mine}."


def _offer(scene: Scene, action: a.Offer | a.Counter) -> str:
    terms = action.terms
    if terms.kind == "help" and scene.fight is not None:
        ends = "win" if scene.fight.winning else "lose"
        whose = "Alone you" if scene.fight.seat == scene.me else f"Alone {scene.name(scene.fight.seat)}"
        return f"{whose} {ends if scene.fight.seat == scene.me else f'{ends}s'} {_sums(scene)}."
    return _exchange(scene, terms.wants, terms.gives)


def _exchange(scene: Scene, gets: Sequence[int], gives: Sequence[int]) -> str:
    """Return what a trade changes for this player: what one gets, beside what one gives."""
    if gets and gives:
        return f"You would get {named(scene, gets)}, which is worth more to you than {named(scene, gives)}."
    return f"You would get {named(scene, gets)} for nothing." if gets else f"You part with {named(scene, gives)} only."


def _accept(scene: Scene, action: a.Accept) -> str:
    deal = scene.offer(action.offer)
    if deal is not None and deal.kind == "help":
        gets = f"It pays you {terms_of(scene, deal)}" if scene.fight is None or scene.fight.seat != scene.me else (
            f"It costs you {terms_of(scene, deal)}")  # fmt: skip
        return f"{gets}."
    return _exchange(scene, deal.gives, deal.wants) if deal is not None else ""


def _decline(scene: Scene, action: a.Decline | a.Withdraw) -> str:
    deal, fight = scene.offer(action.offer), scene.fight
    if deal is None:
        return ""
    if deal.kind != "help" or fight is None:
        got = named(scene, deal.gives)
        return f"You would rather keep {named(scene, deal.wants)}." if deal.wants else f"You have no use for {got}."
    if fight.seat == scene.me:
        return f"The price is too high: {terms_of(scene, deal)}."
    name, level = scene.name(fight.seat), min(scene.seat(fight.seat).level + fight.levels, scene.view.win_level)
    return f"With your help {name} could rise to Level {level}; you would get {terms_of(scene, deal)}."


def _discard(scene: Scene, action: a.Discard) -> str:
    kind = scene.card(action.card).identity
    better = [card for card in scene.hand() if kind is not None and scene.card(card).identity == kind]
    return f"It makes room for {named(scene, better)}." if better else _says(scene, action.card)


_REASONS: dict[type, Callable[[Scene, Any], str]] = {
    a.Pass: _pass, a.Kick: _kick, a.Claim: _claim, a.Flee: _flee, a.Roll: _roll, a.Trouble: _trouble, a.Loot: _loot,
    a.EndTurn: _end, a.Done: _ready, a.Equip: _equip, a.Unequip: _unequip, a.Play: _play, a.Use: _use, a.Sell: _sell,
    a.Give: _give, a.Offer: _offer, a.Counter: _offer, a.Accept: _accept, a.Decline: _decline, a.Withdraw: _decline,
    a.Discard: _discard, a.Answer: answer_reason,
}  # fmt: skip
"""Why a good player does something of this kind."""
