"""Character in play: what each trait of a personality changes at each choice. All such effects are here.

A trait decides only between choices that are about equally good by the bot's own reckoning. How far apart these may be
is in data/tuning.toml under [personality], what somebody is like in data/personalities.toml. A bot without a
personality, or with even traits, chooses as its level does. docs/bots.md has the table.
"""

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from netcode.bots.personalities import Personality
from netcode.bots.tuning import TUNING, Style

_NUMBERS = TUNING.personality


class Leanings(Struct, frozen=True):
    """How a bot decides between choices that are about equal. The defaults are those of a level without a personality.

    curse: it throws a curse at once if keeping it would be worth at most this many points more; None: it throws a
    curse only when charity would take it. forbears: how many points more a curse must cost a rival to be thrown.
    lays_out: it lays out Items that it does not use. rushes: it does nothing in its turn before it has opened the
    door. keeps_levels: it plays a Go Up a Level card only with few Levels to go. restless: how many points less
    another identity must be better to be exchanged for; above 0, also soon after the last one. company: how many
    points a fight won with help counts more than one won with its own cards. volunteers: it offers its help unasked.
    gives_first: its helper takes Treasures first; wants_first: as a helper it takes them first. gives: it gives
    Items that it cannot use to somebody who has helped it. trades: how many points less a trade must bring each side
    to be offered. strikes, spares: how much more harm to somebody who has hurt it counts, and how much less harm to
    somebody who has helped it, at most. allies: how much less harm to all others counts while one seat is far ahead
    of them (alliances.py). holds: how often it holds a window as a bluff; holds_small: the same in a fight that is
    not big; holds_foe: the same for somebody who has hurt it."""

    curse: float | None = None
    forbears: float = 0.0
    lays_out: bool = False
    rushes: bool = False
    keeps_levels: bool = False
    restless: float = 0.0
    company: float = 0.0
    volunteers: bool = False
    gives_first: bool = False
    wants_first: bool = False
    gives: bool = False
    trades: float = 0.0
    strikes: float = 0.0
    spares: float = 0.0
    allies: float = 0.0
    holds: float = 0.0
    holds_small: float = 0.0
    holds_foe: float = 0.0


PLAIN = Leanings()
"""Those of a bot without a personality."""


def leanings_of(personality: Personality | None) -> Leanings:
    """Return how a personality chooses."""
    if personality is None:
        return PLAIN
    who, even = personality, _NUMBERS.even
    greed = who.greed - even
    return Leanings(
        curse=_NUMBERS.curse * (who.temper - even) if who.temper > even else None,
        forbears=_NUMBERS.forbears * max(0.0, even - who.temper),
        lays_out=who.show > even,
        rushes=who.risk > _NUMBERS.rushes,
        keeps_levels=who.show < _NUMBERS.keeps_levels,
        restless=_NUMBERS.restless * (who.whim - even),
        company=_NUMBERS.company * (who.company - even),
        volunteers=who.company > _NUMBERS.unasked,
        gives_first=greed < -_NUMBERS.first_pick,
        wants_first=greed > _NUMBERS.first_pick,
        gives=who.loyalty > _NUMBERS.gives,
        trades=_NUMBERS.trades * (who.barter - even),
        strikes=_NUMBERS.strikes * who.grudge,
        spares=_NUMBERS.spares * who.loyalty,
        allies=_NUMBERS.allies * max(0.0, who.company - even),
        holds=who.bluff,
        holds_small=_NUMBERS.holds_small * max(0.0, who.spite - even) / (1.0 - even),
        holds_foe=_NUMBERS.holds_foe * max(0.0, who.grudge - even) / (1.0 - even),
    )


def style_of(personality: Personality, style: Style) -> Style:
    """Return the numbers of a level as a personality has them."""
    who, even = personality, _NUMBERS.even
    traits = (who.greed, who.risk, who.thrift, who.spite, who.company)
    greed, risk, thrift, spite, company = (trait - even for trait in traits)
    sells_within = style.sells_within
    if thrift > 0:
        sells_within = min(sells_within, round(_NUMBERS.sells_within / thrift))
    return replace(
        style,
        highest_share=style.highest_share - _NUMBERS.share * greed,
        own_price=style.own_price + _NUMBERS.price * greed - _NUMBERS.helps * company,
        fear=style.fear - _NUMBERS.fear * risk,
        trouble_margin=style.trouble_margin - _NUMBERS.margin * risk,
        interference_cost=style.interference_cost - _NUMBERS.interference * spite,
        card_cost=style.card_cost + _NUMBERS.card_cost * thrift,
        level_sale=style.level_sale - _NUMBERS.level_sale * thrift,
        sells_within=sells_within,
    )


def moods(
    leanings: Leanings, hurt: Mapping[int, float], helped: Mapping[int, float], allies: Collection[int] = ()
) -> dict[int, float]:
    """Return the factor for harm to each seat that has hurt or helped somebody, or is allied. hurt, helped: how much of
    each seat's deeds is unforgiven or unthanked, from 0 to 1."""
    return {
        seat: (1.0 + leanings.strikes * hurt.get(seat, 0.0) - leanings.spares * helped.get(seat, 0.0))
        * (1.0 - leanings.allies * (seat in allies))
        for seat in sorted({*hurt, *helped, *allies})
    }  # fmt: skip
