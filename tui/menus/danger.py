"""Choices that are asked once more, since a player rarely means them, each with its question. Pure."""

from collections.abc import Callable, Iterable
from typing import Any

from core.language.schema import Kill, Look, Op, OpenSeal, Option
from core.language.tree import walk
from core.queries.flight import chance
from core.state import actions as a
from core.state.actions import Action
from tui.menus.excess import going_words
from tui.scene.arrival import only_carried_words
from tui.scene.fight import need
from tui.scene.outlook import of_action
from tui.scene.scene import Scene
from tui.scene.seal_lines import opens_seal, would_win
from tui.scene.situation import LAST_SEAL


def danger_of(scene: Scene, action: object) -> str:
    """Return what to ask before this action is sent; empty if there is nothing to ask."""
    asked = (ask(scene, action) for kinds, ask in _QUESTIONS if isinstance(action, kinds))
    return next(filter(None, asked), "")


def gist(question: str) -> str:
    """Return what a question before something dangerous is about: its part before the colon, or all of it."""
    return question.partition(": ")[0].rstrip("?")


def harms_target(scene: Scene, action: Action) -> bool:
    """Return whether a card or ability is bad for the player at whom it is aimed: a Curse, or a text that costs its
    target more than it brings. A text that gives its player a choice is bad if every choice is."""
    if isinstance(action, a.Play):
        text: tuple[Op, ...] = scene.card(action.card).play
        if scene.card(action.card).kind == "curse":
            return True
    elif isinstance(action, a.Use):
        text = scene.definition(action.card).abilities[action.ability].do
    else:
        return False
    from netcode.bots.effect_values import read  # the numbers of bots: loaded when they are needed

    texts = [choice.do for op in text if isinstance(op, Option) and op.by == "you" for choice in op.of]
    found = [read(one) for one in texts or [text]]
    return all(one.victim < 0 or one.heroes < 0 for one in found)


def only_looks(scene: Scene, action: Action) -> bool:
    """Return whether a card or ability only shows somebody's hand: it is useless to the owner of that hand."""
    if isinstance(action, a.Play):
        text: tuple[Op, ...] = scene.card(action.card).play
    elif isinstance(action, a.Use):
        text = scene.definition(action.card).abilities[action.ability].do
    else:
        return False
    return bool(text) and all(isinstance(op, Look) for op in text)


def harms_own_side(scene: Scene, action: object) -> bool:
    """Return whether a card is played for the monsters that the player fights."""
    fight = scene.fight
    mine = fight is not None and scene.me in (fight.seat, fight.helper)
    return mine and getattr(action, "side", "") == "monsters"


def _own_target(scene: Scene, action: Action) -> str:
    if not (getattr(action, "seat", -1) == scene.me >= 0 and harms_target(scene, action)):
        return ""
    return f"Play {scene.title(getattr(action, 'card', 0))} on yourself?"


def _giving_level(scene: Scene, action: a.Play) -> str:
    """Return the question to ask before a Level that the player could gain goes to somebody else."""
    if scene.you is None or scene.card(action.card).kind != "level" or action.seat in (-1, scene.me):
        return ""
    plays = [row.action for row in scene.you.legal if isinstance(row.action, a.Play) and not row.vain]
    mine = any((one.card, one.seat) == (action.card, scene.me) for one in plays)
    who = scene.name(action.seat)
    return f"You could gain this Level yourself. Let {who} have it all the same?" if mine else ""


def _discarding(scene: Scene, action: a.Discard) -> str:
    if place_of(scene, action.card) != "equipped":
        return ""
    return f"Discard {scene.title(action.card)}, which is in use?"


def _fleeing(scene: Scene, action: a.Flee) -> str:
    fight = scene.fight
    if fight is None or not fight.winning:
        return ""
    return f"You win {fight.heroes} to {fight.foes}: give the fight up all the same?"


def _ready(scene: Scene, action: a.Done) -> str:
    you = scene.you
    if scene.view.top != "setup" or you is None:
        return ""
    return "There is something in your hand to play: be ready all the same?" if _of_use(scene) else ""


def _of_use(scene: Scene) -> set[int]:
    """Return the cards in hand that would be of use now; an Item that would only be carried is not."""
    you = scene.you
    plays = {row.action.card for row in you.legal if isinstance(row.action, a.Play) and not row.vain} if you else set()
    return {card for card in plays & set(scene.hand()) if not only_carried_words(scene, card)}


def left_undone(scene: Scene) -> str:
    """Return what is left to do before the turn ends, as a sentence without a full stop; empty if nothing is. A Curse
    can be played in the turns of others as well, so it counts only if cards of the hand are given away now."""
    you = scene.you
    if you is None:
        return ""
    could = {card for card in _of_use(scene) if going_words(scene, you.seat) or scene.card(card).kind != "curse"}
    sells = any(isinstance(option.action, a.Sell) for option in you.legal)
    return "You can play a card" if could else "You can sell Items" if sells else ""


def _passing(scene: Scene, action: a.Pass) -> str:
    """Return the question to ask before a pass that lets somebody else win the game, if this player could act."""
    winner = winner_now(scene)
    return f"Let {winner} win the game?" if winner and could_act(scene) else ""


def winner_now(scene: Scene) -> str:
    """Return who else wins the game if everybody passes now; empty if nobody does, or the player wins too."""
    fight, window = scene.fight, scene.view.window
    if fight is None or window is None or window.kind not in _PAYING or not fight.match_point:
        return ""
    return _others(scene, _paid_out(scene) or {fight.seat})


_PAYING = ("claim", "removed", "reward")
"""The windows after which a fight pays."""


def _paid_out(scene: Scene) -> set[int]:
    """Return the seats that win the game with what this fight pays if it is won, as far as the view tells."""
    fight, goal = scene.fight, scene.view.win_level
    if fight is None:
        return set()
    found = {fight.seat} if fight.levels and fight.win_level >= goal else set()
    if fight.helper >= 0:
        alone = fight.helper_levels > 0 and scene.seat(fight.helper).level + fight.helper_levels >= goal
        if alone or (found and _shares(scene)):
            found.add(fight.helper)
    return found


def _shares(scene: Scene) -> bool:
    """Return whether a helper wins along with the fighter at this table."""
    return "shared-victory" in scene.info.options


def _others(scene: Scene, winners: set[int]) -> str:
    """Return the names of these winners; empty if the player is one of them; `somebody` if nobody is known."""
    if scene.me in winners:
        return ""
    return " and ".join(scene.name(seat) for seat in sorted(winners)) or "somebody"


def _claiming(scene: Scene, action: a.Claim) -> str:
    """Return the question to ask before claiming a kill that wins the game for the helper only."""
    fight = scene.fight
    if fight is None or not fight.match_point:
        return ""
    winner = _others(scene, _paid_out(scene) or {scene.me})
    return f"Let {winner} win the game by your kill?" if winner else ""


def _winning(scene: Scene, action: Action) -> str:
    """Return the question to ask before an action that would let somebody else win the fight, and with it the game."""
    winner = _wins_by(scene, action)
    return f"{winner} would win the game by it: do it all the same?" if winner else ""


def _wins_by(scene: Scene, action: Action) -> str:
    """Return who else would win the game by an action that changes a fight, if it has not been won already. An offer of
    help is judged as if it were accepted; without a forecast of the host, the worst is assumed."""
    fight = scene.fight
    if fight is None or (fight.winning and fight.match_point):
        return ""
    helper = _helper_by(scene, action)
    judged = of_action(scene, action).forecast
    if isinstance(action, a.Counter):
        judged = of_action(scene, a.Accept(action.offer)).forecast
    if judged is not None and judged.fate == "sums":
        if not (judged.wins and judged.match_point):
            return ""
        winners = {judged.fighter} if judged.level >= scene.view.win_level else {judged.helper} - {-1}
        if judged.helper >= 0 and winners and _shares(scene):
            winners.add(judged.helper)
        return _others(scene, winners)
    return _others(scene, {fight.seat}) if helper == scene.me >= 0 and fight.match_point else ""


def _helper_by(scene: Scene, action: Action) -> int:
    """Return who would help by an offer, a counter-offer or an answer to one; -1: nobody, or not known yet."""
    if isinstance(action, a.Offer | a.Counter):
        return action.terms.helper if action.terms.kind == "help" else -1
    deal = scene.offer(action.offer) if isinstance(action, a.Accept) else None
    if deal is None or deal.kind != "help":
        return -1
    return deal.helper if deal.helper >= 0 else scene.me


def _last_seal(scene: Scene, action: a.Play | a.Use) -> str:
    """Return the question to ask before playing a card that may open the last Seal, which ends the game."""
    opens = _before_last_seal(scene) and opens_seal(scene, action)
    return f"This may open the last Seal, which ends the game. {_winner(scene)} Do it all the same?" if opens else ""


def _caught(scene: Scene, action: a.Flee) -> str:
    """Return the question to ask before a fight is given up in which whoever is caught may open the last Seal: by a
    text, or by dying."""
    fight = scene.fight
    if fight is None or not _before_last_seal(scene):
        return ""
    runners = [seat for seat in (fight.seat, fight.helper) if seat >= 0]
    chasing = [
        monster for monster in fight.monsters if any(chance(need(scene, seat, monster)) < 1 for seat in runners)
    ]
    texts = (scene.catalog.cards[monster.defn].card.bad for monster in chasing)
    if not any(isinstance(piece, OpenSeal | Kill) for text in texts for _, piece in walk(text)):
        return ""
    return f"Whoever is caught may open the last Seal, which ends the game. {_winner(scene)} Give up all the same?"


def _before_last_seal(scene: Scene) -> bool:
    return bool(scene.view.seals) and len(scene.view.seals_open) + 1 >= LAST_SEAL


def _winner(scene: Scene) -> str:
    said = would_win(scene)
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _parting(scene: Scene, action: Action) -> str:
    """Return the question to ask before equipped cards are given away, promised or traded."""
    cards: Iterable[int] = ()
    if isinstance(action, a.Give):
        cards = action.cards
    elif isinstance(action, a.Offer | a.Counter):
        cards = action.terms.gives
    else:
        deal = scene.offer(action.offer) if isinstance(action, a.Accept) else None
        cards = (*deal.gives, *deal.wants) if deal is not None else ()
    return paying_danger(scene, cards)


def could_act(scene: Scene) -> bool:
    """Return whether the player can play or use anything now, other than managing gear and offers."""
    return scene.you is not None and any(isinstance(option.action, a.Play | a.Use) for option in scene.you.legal)


_QUESTIONS: tuple[tuple[tuple[type, ...], Callable[[Scene, Any], str]], ...] = (
    ((a.Play, a.Use), _own_target), ((a.Play,), _giving_level), ((a.Discard,), _discarding), ((a.Flee,), _fleeing),
    ((a.Flee,), _caught), ((a.Done,), _ready), ((a.Pass,), _passing), ((a.Claim,), _claiming),
    ((a.Play, a.Use, a.Discard, a.Answer, a.Accept, a.Offer, a.Counter), _winning), ((a.Play, a.Use), _last_seal),
    ((a.Give, a.Offer, a.Counter, a.Accept), _parting),
)
"""The dangerous kinds of actions, with the functions that make their questions. The first function that returns a
question decides."""


# ------------------------------------------------------------------------------------------------------ what is paid
def place_of(scene: Scene, card: int) -> str:
    """Return where a card of the player lies: hand, equipped or carried; empty if the player does not have it."""
    if scene.you is not None and card in scene.you.hand:
        return "hand"
    if scene.me < 0:
        return ""
    placed = next((placed for placed in scene.seat(scene.me).table if placed.card == card), None)
    return "" if placed is None else "equipped" if placed.up else "carried"


def paying_danger(scene: Scene, cards: Iterable[int]) -> str:
    """Return what to ask before these cards are handed in: empty unless some of them are in use."""
    worn = [scene.title(card) for card in cards if place_of(scene, card) == "equipped"]
    return f"Part with {' and '.join(worn)}, which {'are' if len(worn) > 1 else 'is'} in use?" if worn else ""
