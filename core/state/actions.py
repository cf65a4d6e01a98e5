"""What a seat may ask of the game, and what the host alone may: the one way in.

Seats are numbers from 0 in turn order, -1 is nobody. Cards are named by the ids a view shows (see model.py), asks,
windows and offers by theirs. `seen` is the `rev` of the view the action was made on; `anyway` says whether a change of
the fight since then matters (None: the card's own default; see docs/architecture.md, arbitration by arrival).
"""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from core.state.numbers import SeatNo

CardId = Annotated[int, Meta(ge=0, le=2**53)]
BoundedSeat = Annotated[SeatNo, Meta(ge=-1, le=11)]
"""A seat as an action from the network names it."""
Ids = Annotated[tuple[CardId, ...], Meta(max_length=64)]


class _Action(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    pass


class Done(_Action, frozen=True, tag="done"):
    """First cards are laid out; or phase 2 is passed over, by who may not loot."""


class Kick(_Action, frozen=True, tag="kick"):
    """Open the door (announced first: the beat)."""


class Trouble(_Action, frozen=True, tag="trouble"):
    """Look for trouble with a monster from hand."""

    card: CardId


class Loot(_Action, frozen=True, tag="loot"):
    """Loot the room; where a card allows it, deck "discard" takes the top discard instead, "door" a Door in spite of
    faster play."""

    deck: Literal["", "discard", "door"] = ""


class Play(_Action, frozen=True, tag="play"):
    """Play a card from hand (a one-shot from the table too), naming what its text asks for."""

    card: CardId
    seat: BoundedSeat = -1
    side: Literal["", "heroes", "monsters"] = ""
    target: CardId = 0
    brought: CardId = 0
    seen: int = -1
    anyway: bool | None = None


class Use(_Action, frozen=True, tag="use"):
    """Use an ability of a card in play, paying with `pay`."""

    card: CardId
    ability: Annotated[int, Meta(ge=0, le=9)] = 0
    pay: Ids = ()
    seat: BoundedSeat = -1
    side: Literal["", "heroes", "monsters"] = ""
    target: CardId = 0
    brought: CardId = 0
    seen: int = -1
    anyway: bool | None = None


class Equip(_Action, frozen=True, tag="equip"):
    """Equip a carried Item; `carrier` is the Hireling or Ally that shall carry it, if any; `both` uses both hands."""

    card: CardId
    carrier: CardId = 0
    both: bool = False


class Unequip(_Action, frozen=True, tag="unequip"):
    """Turn an Item sideways."""

    card: CardId


class Discard(_Action, frozen=True, tag="discard"):
    """Discard an identity (or what else may go at any time)."""

    card: CardId


class Sell(_Action, frozen=True, tag="sell"):
    """Sell Items for levels; `doubled` is the one that counts twice, if a card allows it."""

    cards: Ids
    doubled: CardId = 0


class Give(_Action, frozen=True, tag="give"):
    """Offer Items as a gift; they change hands when `to` accepts."""

    cards: Ids
    to: BoundedSeat


class Terms(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a bargain is about, read from the proposer's side.

    help: `helper` helps the fighter for `treasures` of the monster's (picked first by the helper if `helper_first`),
    the fighter's Items `gives` and the fighter's hand cards `cards`, played on the helper.
    trade: `gives` for `wants`.
    """

    kind: Literal["help", "trade", "gift"]
    helper: BoundedSeat = -1
    treasures: Annotated[int, Meta(ge=0, le=40)] = 0
    helper_first: bool = False
    gives: Ids = ()
    wants: Ids = ()
    cards: Ids = ()


class Offer(_Action, frozen=True, tag="offer"):
    """Propose terms to a seat, or to the table (-1, help only)."""

    to: BoundedSeat
    terms: Terms


class Counter(_Action, frozen=True, tag="counter"):
    """Answer an offer with other terms: a new offer the other way round."""

    offer: int
    terms: Terms


class Accept(_Action, frozen=True, tag="accept"):
    """Take an offer."""

    offer: int


class Decline(_Action, frozen=True, tag="decline"):
    """Refuse an offer made to oneself."""

    offer: int


class Withdraw(_Action, frozen=True, tag="withdraw"):
    """Take one's own offer back."""

    offer: int


class Claim(_Action, frozen=True, tag="claim"):
    """Say that the fight is won."""


class Flee(_Action, frozen=True, tag="flee"):
    """Give the fight up."""


class Roll(_Action, frozen=True, tag="roll"):
    """Run from this monster now."""

    monster: CardId


class Answer(_Action, frozen=True, tag="answer"):
    """Answer an ask with lo..hi different ones of its options."""

    ask: int
    picks: Annotated[tuple[int, ...], Meta(max_length=64)] = ()


class Pass(_Action, frozen=True, tag="pass"):
    """Have nothing to say to this window."""

    window: int


class Hold(_Action, frozen=True, tag="hold"):
    """Freeze this window for a moment."""

    window: int


class EndTurn(_Action, frozen=True, tag="end_turn"):
    """Be done with the turn; charity follows."""


class Close(_Action, frozen=True, tag="close"):
    """Host only: the window's time is up."""

    window: int


class Default(_Action, frozen=True, tag="default"):
    """Host only: the time for this ask of this seat is up; it takes its default."""

    seat: BoundedSeat
    ask: int


class StepBack(_Action, frozen=True, tag="step_back"):
    """Host only: the table has agreed to take back what was done last, as this seat asked (see stepback.py)."""

    seat: BoundedSeat


Action = (
    Done | Kick | Trouble | Loot | Play | Use | Equip | Unequip | Discard | Sell | Give | Offer | Counter | Accept
    | Decline | Withdraw | Claim | Flee | Roll | Answer | Pass | Hold | EndTurn
)  # fmt: skip
HostAction = Close | Default | StepBack
AnyAction = Action | HostAction
HOST_ONLY = get_args(HostAction)


class Pick(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The field of an action that is a set still to be filled: lo..hi different ones of `among`.

    sum_at_least: the Gold Pieces they must reach together, `worth` giving each one's.
    """

    field: Literal["pay", "cards", "picks", "gives", "wants"]
    among: tuple[int, ...]
    lo: int = 0
    hi: int = 1
    sum_at_least: int = 0
    worth: tuple[int, ...] = ()


class Legal(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing a seat may do now: an action, whole, or but for one set-valued field."""

    action: Action
    pick: Pick | None = None


class Refusal(Struct, gc=False, frozen=True):
    """Why an action was not taken: the clause that forbids it (or a word of reasons.PSEUDO) and a sentence."""

    clause: str
    text: str
    by: SeatNo = -1
    """The seat whose play came first, if that is the reason."""
    at: int = -1
    """The rev at which it changed the fight."""
