"""The actions that a seat may submit to the game, and those that only the host may.

Seats are numbers from 0 in turn order, -1 is nobody. Cards are named by the ids a view shows (see model.py), asks,
windows and offers by theirs. `seen` is the `rev` of the view the action was made on; `anyway` says whether a change of
the fight since then matters (None: the card's own default; see docs/architecture.md, arbitration by arrival).
"""

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from core.state.numbers import CardNo, Option, Ordinal, SeatNo, ShortTuple, Small, Sum, Text

Ids = Annotated[tuple[CardNo, ...], Meta(max_length=64)]


class _Action(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    pass


class Done(_Action, frozen=True, tag="done"):
    """Finish laying out first cards, or skip phase 2 (only for a seat that may not loot)."""


class Kick(_Action, frozen=True, tag="kick"):
    """Kick open the door; it is announced, and the kick window comes first."""


class Trouble(_Action, frozen=True, tag="trouble"):
    """Look for trouble with a monster from hand."""

    card: CardNo


class Loot(_Action, frozen=True, tag="loot"):
    """Loot the room. deck, if a card allows it: "discard" takes the top discard instead, "door" a Door in spite of
    faster play."""

    deck: Literal["", "discard", "door"] = ""


class Play(_Action, frozen=True, tag="play"):
    """Play a card from hand (a one-shot from the table too), naming what its text asks for."""

    card: CardNo
    seat: SeatNo = -1
    side: Literal["", "heroes", "monsters"] = ""
    target: CardNo = 0
    brought: CardNo = 0
    seen: Ordinal = -1
    anyway: bool | None = None


class Use(_Action, frozen=True, tag="use"):
    """Use an ability of a card in play, paying with `pay`."""

    card: CardNo
    ability: Annotated[int, Meta(ge=0, le=9)] = 0
    pay: Ids = ()
    seat: SeatNo = -1
    side: Literal["", "heroes", "monsters"] = ""
    target: CardNo = 0
    brought: CardNo = 0
    seen: Ordinal = -1
    anyway: bool | None = None


class Equip(_Action, frozen=True, tag="equip"):
    """Equip a carried Item. carrier: the Hireling or Ally to carry it (0: none). both: use it with both hands."""

    card: CardNo
    carrier: CardNo = 0
    both: bool = False


class Unequip(_Action, frozen=True, tag="unequip"):
    """Turn an Item sideways."""

    card: CardNo


class Discard(_Action, frozen=True, tag="discard"):
    """Discard an identity, or another card that may be discarded at any time."""

    card: CardNo


class Sell(_Action, frozen=True, tag="sell"):
    """Sell Items for levels. doubled: the Item that counts twice, if a card allows it (0: none). also: further Items
    that count twice, if several cards allow it; ids above `doubled`, in ascending order."""

    cards: Ids
    doubled: CardNo = 0
    also: Ids = ()

    @property
    def twice(self) -> tuple[int, ...]:
        """The Items that count twice."""
        return (self.doubled, *self.also) if self.doubled or self.also else ()


class Give(_Action, frozen=True, tag="give"):
    """Offer Items as a gift; they change hands when `to` accepts."""

    cards: Ids
    to: SeatNo


class Terms(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The terms of a bargain, read from the proposer's side.

    help: `helper` helps the fighter for `treasures` of the monster's (picked first by the helper if `helper_first`),
    the fighter's Items `gives` and the fighter's hand cards `cards`, played on the helper.
    trade: `gives` for `wants`.
    """

    kind: Literal["help", "trade", "gift"]
    helper: SeatNo = -1
    treasures: Annotated[int, Meta(ge=0, le=40)] = 0
    helper_first: bool = False
    gives: Ids = ()
    wants: Ids = ()
    cards: Ids = ()


class Offer(_Action, frozen=True, tag="offer"):
    """Propose terms to a seat, or to the table (-1, help only)."""

    to: SeatNo
    terms: Terms


class Counter(_Action, frozen=True, tag="counter"):
    """Answer an offer with other terms: a new offer in the opposite direction."""

    offer: Ordinal
    terms: Terms


class Accept(_Action, frozen=True, tag="accept"):
    """Accept an offer."""

    offer: Ordinal


class Decline(_Action, frozen=True, tag="decline"):
    """Decline an offer that was made to this seat."""

    offer: Ordinal


class Withdraw(_Action, frozen=True, tag="withdraw"):
    """Withdraw an offer of this seat."""

    offer: Ordinal


class Claim(_Action, frozen=True, tag="claim"):
    """Say that the fight is won."""


class Flee(_Action, frozen=True, tag="flee"):
    """Give the fight up."""


class Roll(_Action, frozen=True, tag="roll"):
    """Run from this monster now."""

    monster: CardNo


class Answer(_Action, frozen=True, tag="answer"):
    """Answer an ask with lo to hi different options of it."""

    ask: Ordinal
    picks: Annotated[tuple[Option, ...], Meta(max_length=64)] = ()


class Pass(_Action, frozen=True, tag="pass"):
    """Pass this window: do nothing before the result is final."""

    window: Ordinal


class Hold(_Action, frozen=True, tag="hold"):
    """Freeze this window for a moment."""

    window: Ordinal


class EndTurn(_Action, frozen=True, tag="end_turn"):
    """End the turn; charity follows."""


class Close(_Action, frozen=True, tag="close"):
    """Host only: the window's time is up."""

    window: Ordinal


class Default(_Action, frozen=True, tag="default"):
    """Host only: the time for this ask of this seat is up; it gets the default answer."""

    seat: SeatNo
    ask: Ordinal


class StepBack(_Action, frozen=True, tag="step_back"):
    """Host only: undo the last action, at the request of this seat and with the consent of the table (core/undo.py).
    to: instead go back to the state before the action of this number, at the request of this seat, which is alone with
    bots."""

    seat: SeatNo
    to: Ordinal = -1


Action = (
    Done | Kick | Trouble | Loot | Play | Use | Equip | Unequip | Discard | Sell | Give | Offer | Counter | Accept
    | Decline | Withdraw | Claim | Flee | Roll | Answer | Pass | Hold | EndTurn
)  # fmt: skip
HostAction = Close | Default | StepBack
AnyAction = Action | HostAction
HOST_ONLY = get_args(HostAction)
NO_RESPONSE = (Pass, Hold, Offer, Give, Equip, Unequip, Discard, Withdraw, Decline, Counter, Sell)
"""Actions that do not respond to the subject of a window. A seat that can do only these may be passed automatically."""


class Pick(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The field of an action that is a set still to be filled: lo to hi different members of `among`.

    sum_at_least: the Gold Pieces they must be worth together. worth: the Gold Pieces of each member of `among`.
    """

    field: Literal["pay", "cards", "picks", "gives", "wants"]
    among: ShortTuple[Option]
    lo: Small = 0
    hi: Small = 1
    sum_at_least: Sum = 0
    worth: ShortTuple[Sum] = ()


class Legal(Struct, gc=False, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One thing a seat may do now: a whole action, or an action with one set left open (pick). vain: it is allowed but
    would have no effect. unhelped: it would have other effects, but nobody can be made to help as its text says."""

    action: Action
    pick: Pick | None = None
    vain: bool = False
    unhelped: bool = False


class Refusal(Struct, gc=False, frozen=True):
    """Why an action was not taken: the clause that forbids it (or a word of refusals.PSEUDO) and a sentence."""

    clause: Text
    text: Text
    by: SeatNo = -1
    """The seat whose play came first, if that is the reason; -1 if not."""
    at: Ordinal = -1
    """The rev at which that play changed the fight."""
