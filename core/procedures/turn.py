"""A turn: kick open the door, look for trouble or loot the room, charity.

The steps, in order (`_STEPS`, at the end of the file):

    laid out: before the first turn, the texts of first cards are gathered (setup.order)
    first texts: these texts run, from the first player on (setup.order)
    begin: the dead return (death.return)
    new hand: a new character draws its first cards (death.new-hand)
    start: effects that waited for this turn begin, and phase 0 of faster play (fast.listen-face-down)
    texts: the texts of the player's cards for the start of the turn run (turn.texts)
    kick: the player kicks the door; after the kick window comes
    door: the top Door card is turned face up (turn.kick-door, turn.door-curse)
    trouble: look for trouble, or loot the room, if no monster was met (turn.trouble, turn.loot)
    loot fight: some players may fight a monster drawn while looting (turn.loot-fight)
    end: the player ends the turn
    charity: cards over the limit are given away (turn.charity)
    over: the next player's turn begins (turn.next), or an extra turn (turn.extra)
"""

from core.language import schema as v
from core.operations.dice import roll_for
from core.operations.monsters import begin_fight
from core.operations.players import arm, end_lasting, strike
from core.operations.seals import open_seal
from core.procedures.texts import cards_with, run_next
from core.queries.modifiers import forbidden, mods_of
from core.state.events import NewHand, OfferClosed, PhaseBegan, ReceivedOver, Returned, Rolled, TurnBegan
from core.state.game import Game, draw, oblige, standing_ask, to_hand, turn_up, valid_picks
from core.state.model import Charity, Combat, TurnFrame, Zone

_FOR_THE_DEAD = ("laid out", "first texts", "begin", "over")
"""Steps that run although the player of the turn is dead."""


def run_turn(g: Game, f: TurnFrame) -> bool:
    """Run one step of the turn; return True while its player has to choose."""
    if g.state.seats[f.seat].dead and f.step not in _FOR_THE_DEAD:
        f.step = "over"
    return _STEPS[f.step](g, f)


def _laid_out(g: Game, f: TurnFrame) -> bool:
    """Gather the texts of first cards, from the first player on (setup.order)."""
    seats = len(g.state.seats)
    f.texts = cards_with(g, "play", [(f.seat + at) % seats for at in range(seats)])
    f.step = "first texts"
    return False


def _first_texts(g: Game, f: TurnFrame) -> bool:
    """Run the texts of first cards one by one (setup.order)."""
    if not run_next(g, "play", f.texts, range(len(g.state.seats))):
        f.step = "begin"
    return False


def _begin(g: Game, f: TurnFrame) -> bool:
    """The dead return (death.return)."""
    for seat, player in enumerate(g.state.seats):
        if player.dead:
            g.emit(Returned(seat))
    f.step = "new hand"
    return False


def _new_hand(g: Game, f: TurnFrame) -> bool:
    """A new character draws four cards of each deck (death.new-hand)."""
    player = g.state.seats[f.seat]
    f.step = "start"
    if player.bare:
        g.emit(NewHand(f.seat))
        draw(g, f.seat, "door", 4)
        draw(g, f.seat, "treasure", 4)
    return False


def _start(g: Game, f: TurnFrame) -> bool:
    """Effects that waited for this turn begin, and with Listen At The Door a Door card is drawn
    (fast.listen-face-down)."""
    f.step = "texts"
    arm(g, f.seat, "next-turn")
    f.texts = cards_with(g, "turn_start", [f.seat])
    if g.state.options.listen:
        draw(g, f.seat, "door", 1)
    if g.state.options.seal_die and g.state.seals:
        _seal_die(g, f.seat)
    return False


def _texts(g: Game, f: TurnFrame) -> bool:
    """Run the texts of the player's cards for the start of the turn, one by one (turn.texts)."""
    if not run_next(g, "turn_start", f.texts, [f.seat]):
        f.step = "kick"
    return False


def _seal_die(g: Game, seat: int) -> None:
    """Option: a die is rolled at the start of each turn, and a 1 opens a Seal (blend.seal-die)."""
    number = roll_for(g, seat)
    g.emit(Rolled(seat, number, "the Seals"))
    if number == 1:
        open_seal(g, seat)


def _kick(g: Game, f: TurnFrame) -> bool:
    """The player must kick open the door (turn.kick-door); the window that follows leads to the step "door"."""
    _phase(g, f, "start")
    oblige(g, f, f.seat, "kick")
    return True


def _door(g: Game, f: TurnFrame) -> bool:
    """Turn the top Door card face up: a monster is fought, a curse strikes, any other card goes to the hand
    (turn.kick-door, turn.door-curse)."""
    f.asks = []
    f.step = "trouble"
    g.emit(PhaseBegan(f.seat, "kick"))
    g.emit(ReceivedOver(-1))
    card = turn_up(g, f.seat)
    if not card:
        return False
    definition = g.of(card)
    if definition.kind == "monster":
        g.state.stack.append(Combat(step="fight"))
        begin_fight(g, f.seat, card, "limbo", "found")
    elif definition.kind == "curse":
        strike(g, f.seat, card)
    else:
        to_hand(g, card, Zone("limbo"), f.seat, "found")
    return False


def _trouble(g: Game, f: TurnFrame) -> bool:
    """Phase 2, only if no monster was met (turn.trouble, turn.loot).

    A player who may not loot is asked even without a monster in hand, so that the question does not reveal what the
    hand holds.
    """
    if g.state.turn.met:
        f.step = "end"
        return False
    _phase(g, f, "trouble")
    if forbidden(g, "trouble", f.seat) and forbidden(g, "loot", f.seat):
        f.step = "end"
        return False
    oblige(g, f, f.seat, "trouble")
    return True


def look_for_trouble(g: Game, f: TurnFrame, card: int) -> None:
    """Begin a fight with a monster from hand, as if it had been behind the door (turn.trouble)."""
    f.asks = []
    f.step = "end"
    g.state.stack.append(Combat(step="fight"))
    begin_fight(g, f.seat, card, "hand", "trouble")


def loot(g: Game, f: TurnFrame, deck: str) -> None:
    """Draw a card face down: a Door, or a Treasure with faster play (turn.loot, fast.loot-treasure). deck: as in the
    action Loot."""
    f.asks = []
    f.step = "end"
    g.emit(PhaseBegan(f.seat, "loot"))
    usual = "treasure" if g.state.options.listen else "door"
    usual = "door" if deck == "door" else usual
    before = len(g.state.seats[f.seat].hand)
    if deck == "discard":
        pile = g.state.treasure_out if usual == "treasure" else g.state.door_out
        to_hand(g, pile[-1], Zone(usual), f.seat, "recovered")
    else:
        draw(g, f.seat, usual, 1)
    more = sum(mod.by for mod, _, _ in mods_of(g, f.seat, v.ExtraCards))
    if more > 0:
        draw(g, f.seat, usual, more)
    if usual == "door" and mods_of(g, f.seat, v.LootFight):
        f.drawn = g.state.seats[f.seat].hand[before:]
        f.step = "loot fight"


def _loot_fight(g: Game, f: TurnFrame) -> bool:
    """Some players may at once fight a monster drawn while looting (turn.loot-fight).

    They are asked even if they drew no monster, so that the question does not reveal the card.
    """
    able = bool(mods_of(g, f.seat, v.LootFight))  # a curse may have taken it while the seat was asked
    hand = g.state.seats[f.seat].hand
    monsters = [card for card in f.drawn if able and card in hand and g.of(card).kind == "monster"]
    options = [0, *monsters]
    answer = f.answers.get(f.seat)
    if answer is None or not valid_picks(options, 1, 1, answer):
        f.answers = {}
        f.asks = [standing_ask(g, f, f.seat, "loot fight", options)]
        return True
    f.asks, f.answers, f.drawn = [], {}, []
    f.step = "end"
    if answer[0]:
        g.state.stack.append(Combat(step="fight"))
        begin_fight(g, f.seat, answer[0], "hand", "loot")
    return False


def _end(g: Game, f: TurnFrame) -> bool:
    """The player may still do what is allowed in its own turn, and must end it."""
    _phase(g, f, "end")
    oblige(g, f, f.seat, "end")
    return True


def _charity(g: Game, f: TurnFrame) -> bool:
    """Cards over the limit go to the players with the lowest Level (turn.charity)."""
    f.asks = []
    f.step = "over"
    g.emit(PhaseBegan(f.seat, "charity"))
    g.state.stack.append(Charity(step="excess", seat=f.seat))
    return False


def _over(g: Game, f: TurnFrame) -> bool:
    """Effects that last for a turn end, open offers lapse, and the next turn begins: an extra one that a card has given
    (turn.extra), or that of the next player (turn.next)."""
    f.asks = []
    for seat, player in enumerate(g.state.seats):
        if player.lasting:
            end_lasting(g, seat, "turn", "the turn is over")
    end_lasting(g, f.seat, "next-turn", "the turn is over")
    for offer in list(g.state.offers):
        g.emit(OfferClosed(offer.no, "lapsed", -1))
    turn = g.state.turn
    after = f.seat if turn.extra >= 0 else -1
    last = f.seat if turn.after < 0 else turn.after  # the seat whose turn it was in the order of the table
    f.seat = turn.extra if turn.extra >= 0 else (last + 1) % len(g.state.seats)
    f.step = "begin"
    g.emit(TurnBegan(f.seat, turn.no + 1, after))
    return False


def _phase(g: Game, f: TurnFrame, phase: str) -> None:
    if g.state.turn.phase != phase:
        g.emit(PhaseBegan(f.seat, phase))


_STEPS = {
    "laid out": _laid_out, "first texts": _first_texts, "begin": _begin, "new hand": _new_hand, "start": _start,
    "texts": _texts, "kick": _kick, "door": _door, "trouble": _trouble, "loot fight": _loot_fight, "end": _end,
    "charity": _charity, "over": _over,
}  # fmt: skip
