"""Bargains in the menus: entries that answer an offer, and the editor that writes one. Pure."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Action, Terms
from core.state.model import Bargain
from tui.menus.offer_text import offer_words, terms_of
from tui.scene.scene import Scene


class Draft(Struct, frozen=True):
    """An offer being written.

    to: a seat, -1 for the whole table. helper: the seat that would help, -1 for whoever accepts first.
    answers: the number of the offer it counters, 0 if none.
    """

    kind: Literal["help", "trade"]
    to: int
    helper: int = -1
    treasures: int = 0
    helper_first: bool = False
    gives: tuple[int, ...] = ()
    wants: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    answers: int = 0

    @property
    def says_something(self) -> bool:
        """Whether the offer can be sent. A trade needs something to give or to want; help may be asked for without a
        reward."""
        return self.kind == "help" or bool(self.gives or self.wants)

    def action(self) -> Action:
        """Return the action that sends this offer; a trade that wants nothing back is a gift."""
        terms = Terms(
            self.kind, self.helper, self.treasures, self.helper_first, self.gives, self.wants, self.cards
        )  # fmt: skip
        if self.answers:
            return a.Counter(self.answers, terms)
        if self.kind == "trade" and self.gives and not self.wants:
            return a.Give(self.gives, self.to)
        return a.Offer(self.to, terms)


def chosen(terms: Terms | Draft, name: str) -> tuple[int, ...]:
    """Return one of the sets of an offer. name: gives, wants or cards."""
    return {"gives": terms.gives, "wants": terms.wants, "cards": terms.cards}[name]


Row = tuple[str, str, "Action | Draft"]


def bargain_entries(scene: Scene) -> list[Row]:
    """Return key, words and action for every offer that concerns this seat, then for each offer that it can make, then
    for taking back its own."""
    rows: list[Row] = []
    for deal in scene.view.offers:
        if concerns(scene, deal):
            words = f"accept {scene.name(deal.frm)}: {terms_of(scene, deal)}"
            rows.append((f"accept:{deal.no}", words, a.Accept(deal.no)))
            if can_offer(scene, "help" if deal.kind == "help" else "trade"):
                rows.append((f"counter:{deal.no}", "other terms..", counter(scene, deal)))
            if deal.to == scene.me:
                rows.append((f"decline:{deal.no}", "decline", a.Decline(deal.no)))
    mine = [deal for deal in scene.view.offers if deal.frm == scene.me]
    backs: list[Row] = [(f"withdraw:{deal.no}", f"take back: {offer_words(scene, deal)}", a.Withdraw(deal.no))
                        for deal in mine]  # fmt: skip
    return rows + _openers(scene) + backs


def concerns(scene: Scene, deal: Bargain) -> bool:
    """Return whether this seat may accept the offer."""
    return deal.frm != scene.me and deal.to in (scene.me, -1) and scene.me >= 0


def _openers(scene: Scene) -> list[Row]:
    rows: list[Row] = []
    draft = help_draft(scene)
    if draft is not None and can_offer(scene, "help"):
        mine = scene.fight is not None and scene.fight.seat == scene.me
        words = "ask for help.." if mine else f"offer {scene.name(draft.to)} help.."
        rows.append(("help", words, draft))
    partners = _traders(scene)
    if partners and can_offer(scene, "trade"):
        rows.append(("trade", "trade..", Draft("trade", partners[0])))
    return rows


def _traders(scene: Scene) -> list[int]:
    """Return the other seats that can trade: whoever is in a combat or dead cannot (item.trade)."""
    fighting = (scene.fight.seat, scene.fight.helper) if scene.fight is not None else ()
    return [one.seat for one in scene.view.seats if one.seat not in (scene.me, *fighting) and not one.dead]


def can_offer(scene: Scene, kind: str) -> bool:
    """Return whether offers of this kind are among the legal actions. kind: help or trade."""
    you = scene.you
    return you is not None and any(
        isinstance(option.action, a.Offer) and option.action.terms.kind == kind for option in you.legal
    )


def help_draft(scene: Scene) -> Draft | None:
    """Return the first draft of an offer of help for one Treasure; None if there is nobody to help or to ask.

    The fighter asks the whole table; all others offer the fighter their help.
    """
    fight = scene.fight
    if fight is None or scene.me < 0 or fight.helper >= 0:
        return None
    treasures = min(1, fight.treasures)
    if fight.seat != scene.me:
        return Draft("help", fight.seat, scene.me, treasures)
    others = [seat for seat in scene.view.seats if seat.seat != scene.me and not seat.dead]
    return Draft("help", -1, -1, treasures) if others else None


def counter(scene: Scene, deal: Bargain) -> Draft:
    """Return the terms of an offer, seen from this seat, as a draft of a counter-offer."""
    if deal.kind == "help":
        helper = deal.helper if deal.helper >= 0 else scene.me
        return Draft(
            "help", deal.frm, helper, deal.treasures, deal.helper_first, tuple(deal.gives), (), (), deal.no
        )  # fmt: skip
    return Draft("trade", deal.frm, -1, 0, False, tuple(deal.wants), tuple(deal.gives), (), deal.no)


def sentence(scene: Scene, draft: Draft) -> str:
    """Return the offer as one sentence."""
    to = scene.who(draft.to) if draft.to >= 0 else "the table"
    deal = Bargain(0, scene.me, draft.to, draft.kind, draft.helper, draft.treasures, draft.helper_first,
                list(draft.gives), list(draft.wants), list(draft.cards), 0)  # fmt: skip
    if draft.kind == "trade" and not draft.says_something:
        return f"What do you give {to}, and what do you want for it?"
    if draft.kind == "trade":
        return f"To {to}: you give {terms_of(scene, deal)}"
    if draft.helper == scene.me:
        return f"To {to}: you help for {terms_of(scene, deal)}"
    return f"To {to}: {terms_of(scene, deal)} for help"


def items_of(scene: Scene, seat: int) -> tuple[int, ...]:
    """Return the Items a seat has in play, which can be promised or traded; none for the table (-1)."""
    if not 0 <= seat < len(scene.view.seats):
        return ()
    return tuple(placed.card for placed in scene.seat(seat).table if scene.card(placed.card).kind == "item")


def to_next_seat(scene: Scene, draft: Draft) -> Draft:
    """Return the same offer to the next possible seat; a request for help goes to the whole table after the last."""
    seats = _receivers(scene, draft)
    if not seats:
        return draft
    return _sent_to(draft, seats[(seats.index(draft.to) + 1) % len(seats)] if draft.to in seats else seats[0])


def addressed(scene: Scene, draft: Draft, partner: int) -> Draft:
    """Return a new offer, addressed to this player if it can be. An answer and an offer of help stay as they are."""
    asks = draft.kind == "trade" or draft.helper != scene.me
    if draft.answers or not asks or partner not in _receivers(scene, draft):
        return draft
    return _sent_to(draft, partner)


def _receivers(scene: Scene, draft: Draft) -> list[int]:
    """Return to whom an offer can be made; a request for help also to the whole table (-1)."""
    if draft.kind == "help":
        return [*(one.seat for one in scene.view.seats if one.seat != scene.me and not one.dead), -1]
    return _traders(scene)


def _sent_to(draft: Draft, to: int) -> Draft:
    return replace(draft, to=to, helper=to) if draft.kind == "help" else replace(draft, to=to, wants=())


def rows_of(scene: Scene, draft: Draft) -> list[tuple[str, str, "Draft | str"]]:
    """Return the rows of the editor: key, words, and the changed draft or the name of the set to pick."""
    rows: list[tuple[str, str, Draft | str]] = []
    asks_help = draft.kind == "help" and draft.helper != scene.me
    if not draft.answers and (draft.kind == "trade" or asks_help):
        rows.append(("to", f"to: {scene.who(draft.to) if draft.to >= 0 else 'the table'}", to_next_seat(scene, draft)))
    if draft.kind == "help":
        rows += _help_rows(scene, draft, asks_help)
        labels = {"gives": "your Items" if asks_help else "the fighter's Items", "cards": "your hand cards"}
    else:
        labels = {"gives": "you give", "wants": "you want"}
    for name, label in labels.items():
        if (name != "cards" or asks_help) and among(scene, draft, name):
            rows.append((name, f"{label}.. ({len(chosen(draft, name)) or 'none'} chosen)", name))
    return rows


def _help_rows(scene: Scene, draft: Draft, asks_help: bool) -> list[tuple[str, str, "Draft | str"]]:
    """Return the rows for the Treasures promised for help, as far as they matter."""
    rows: list[tuple[str, str, Draft | str]] = []
    most, now = scene.fight.treasures if scene.fight else 0, draft.treasures
    if now < most:
        rows.append(("more", f"add a Treasure ({now} of {most})", replace(draft, treasures=now + 1)))
    if now > 0:
        left = "" if now < most else f" ({now} of {most})"
        rows.append(("less", f"take a Treasure off{left}", replace(draft, treasures=now - 1)))
    if 0 < now < most:  # otherwise one of the two has nothing to pick
        fighter = scene.who(scene.fight.seat) if scene.fight else "the fighter"
        helper = scene.who(draft.helper) if draft.helper >= 0 else "the helper"
        first = helper if draft.helper_first else fighter
        rows.append(("first", f"first to pick: {first}", replace(draft, helper_first=not draft.helper_first)))
    return rows


def sending_words(scene: Scene, draft: Draft) -> str:
    """Return what sending the offer does."""
    nothing = not (draft.treasures or draft.gives or draft.cards)
    if draft.kind == "help" and nothing:
        return "offer your help for nothing" if draft.helper == scene.me else "ask for help for nothing"
    if draft.kind == "trade" and not draft.wants:
        return "give it away"
    return "send this offer"


def among(scene: Scene, draft: Draft, name: str) -> tuple[int, ...]:
    """Return the Items or cards that can be picked for a set of the draft. name: gives, wants or cards."""
    if name == "gives":
        fighter = scene.fight.seat if scene.fight and draft.kind == "help" else scene.me
        return items_of(scene, fighter)
    if name == "wants":
        return items_of(scene, draft.to)
    return tuple(scene.hand())
