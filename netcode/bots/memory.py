"""What a bot remembers from one decision to the next."""

from dataclasses import dataclass, field, replace

from core.state.actions import Action, Offer
from netcode.bots.character import PLAIN, Leanings
from netcode.bots.combat_moves import Move
from netcode.bots.gear import Gear
from netcode.bots.reputation import Reputation
from netcode.bots.trials import GameStanding

ITEM_OFFERED = -2
"""The mark in `Memory.tried`, with a seat, for an Item offered to that seat for its help in this turn."""


@dataclass(slots=True)
class Memory:
    """Notes that keep a bot from looping and stalling, and results (gear, moves) that it reuses while they are valid.

    start_decision() drops what belonged to an earlier turn or fight."""

    turn_no: int = -1
    fight_no: int = -1
    turned: set[tuple[int, ...]] = field(default_factory=set)
    """Ways in which Items were equipped or unequipped in this turn (see own_turn)."""
    tried: set[tuple[int, ...]] = field(default_factory=set)
    """Actions tried in this turn (see own_turn)."""
    offered: dict[int, int] = field(default_factory=dict)
    """By seat: the most Treasures offered to it for its help in this fight."""
    refusing: set[int] = field(default_factory=set)
    """Seats that have refused to help in this fight for what this bot would pay."""
    offers_made: int = 0
    """Offers and counter-offers made in this fight."""
    waits: int = 0
    """Decisions spent waiting for an answer to its offers."""
    patient: bool = False
    """It waits for an answer without a time limit."""
    waiting: bool = False
    """The last decision was to wait for an answer."""
    reputation: Reputation | None = None
    """The deeds of others towards it, if its personality remembers them."""
    leanings: Leanings = PLAIN
    """How its personality chooses between choices that are about equal."""
    free_acts: int = 0
    """Free actions of this turn."""
    identities: dict[int, int] = field(default_factory=dict)
    """By definition: the turn in which it played an identity."""
    asked: dict[tuple[object, ...], GameStanding | None] = field(default_factory=dict)
    """Answers of the rules in this turn about Level cards and sales (see own_turn)."""
    traded: set[tuple[int, int]] = field(default_factory=set)
    """Trades that it has offered in this game: its own Item, and the other one."""
    gear: Gear | None = None
    """Its gear as last examined."""
    moves_key: tuple[object, ...] = ()
    """The inputs of `moves` at the time they were listed."""
    moves: list[Move] = field(default_factory=list)
    """The moves in a fight of its own."""
    winning_moves: list[Move] | None = None
    """The moves that win the fight; None until they are needed."""

    def copy(self) -> "Memory":
        """Return a copy with independent notes; results are shared."""
        return replace(
            self, turned=set(self.turned), tried=set(self.tried), offered=dict(self.offered),
            refusing=set(self.refusing), identities=dict(self.identities), asked=dict(self.asked),
            traded=set(self.traded),
        )  # fmt: skip

    def start_decision(self, turn_no: int, fight_no: int) -> None:
        """Drop what belonged to another turn or fight. fight_no: -1 if there is no fight."""
        if turn_no != self.turn_no:
            self.turn_no = turn_no
            self.free_acts = 0
            self.turned.clear()
            self.tried.clear()
            self.asked.clear()
        if fight_no != self.fight_no:
            self.fight_no = fight_no
            self.offered.clear()
            self.refusing.clear()
            self.offers_made = self.waits = 0

    def note_proposal(self, action: Action) -> None:
        """Note an offer or counter-offer that is made in the bot's name although the bot did not choose it."""
        self.offers_made += 1
        self.waits = 0
        if isinstance(action, Offer):
            self.offered[action.to] = action.terms.treasures
