"""What an option would lead to, in words: for cards of the hand, menus, buttons. Pure; the host has worked it out.

    outlook = of_card(scene, card)            # a card: the best of what it can do, or why it cannot be played now
    outlook = of_action(scene, action)        # one action (also one whose price is chosen, or an offer just written)
    outlook = of_legals(scene, legals)        # several rows of `you.legal`, as a menu groups them: the best of them
    tui.menus.outlooks.of_entry(scene, entry) # an entry of a menu, whatever it leads to

    outlook.fitted(17, scene.glyphs)          # "✓ 18:22 Bo loses", or less of it; sums and sign are never cut
    outlook.sums                              # "18 : 22"; "" if they are not known
    outlook.words                             # ("Bo loses", "■ loses"): the longest first; () if nothing is to be said;
                                              # for a card for either side, also what the other one leads to
    outlook.verdict                           # "good" or "bad" for this player, "" if neither
    outlook.style                             # the colour: hero, foe or dim
    outlook.sign(scene.glyphs)                # "✓ ", "✗ " or ""
    outlook.more                              # its price, and what winning brings: "pay 2 cards, level 7, 3 Treasures"
    if outlook: ...                           # False: nothing to say (no fight, or the host sends no forecasts)

Good is what helps the side that the player wants to win: the heroes if the player would be one of them; the monsters if
the fight would win somebody else the game. Otherwise neither is.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.language.schema import Flee, RollIs
from core.language.tree import walk
from core.state import actions as a
from core.state.actions import Action, Legal
from core.state.forecasts import Forecast
from core.text.grammar import counted
from tui.scene.cells import Glyphs
from tui.scene.deciders import choices_of, chooser, luck_words
from tui.scene.foreseen import (
    Verdict,
    averts,
    away_words,
    called,
    company_words,
    gain_words,
    lead_of,
    on_die,
    rolls_beside,
    shift,
    unchanged,
    verdict_of,
    winner_words,
    wish,
    without_words,
)
from tui.scene.mine import level_words, raises_me, share_words
from tui.scene.not_now import why_not
from tui.scene.scene import Scene
from tui.scene.seal_lines import brings_to_seal, opens_seal

_UNKNOWN = {
    "over": ("this ends the fight", "ends the fight", "ends it"),
    "chance": ("this depends on luck", "luck decides", "luck"),
    "choice": ("somebody chooses what comes of it", "somebody chooses", "they choose", "a choice"),
    "hidden": ("this depends on hidden cards", "hidden cards", "hidden"),
}  # fmt: skip
"""Words for an outcome without sums, by its fate; the longest first."""
NOTHING_CHANGES = ("the fight stays as it is", "fight stays as is", "no change")
THEN_LUCK = ("then luck decides", "then luck", "luck")
"""Words after sums that luck may still change."""
_A_SEAL = {
    THEN_LUCK: ("then a Seal opens", "then a Seal", "a Seal"), _UNKNOWN["chance"]: ("a Seal opens", "a Seal"),
}  # fmt: skip
"""What takes the place of luck where a card opens a Seal."""
ROLL_CHANGES = ("changes a roll to run", "a roll to run", "run roll")


TURNS, ASKED, GAINS, UNKNOWN, SAME, HARMS = 3, 2, 1, 0, -1, -2
"""What an option changes for the player. TURNS: the fight ends as they want. ASKED: so it does if somebody else agrees.
GAINS: that comes nearer, or is surer. UNKNOWN: not known. SAME: nothing. HARMS: that is lost, or less sure."""


class Outlook(Struct, frozen=True):
    """What an option would lead to; the module's docstring describes the attributes."""

    sums: str = ""
    words: tuple[str, ...] = ()
    verdict: Verdict = ""
    more: str = ""
    beside: str = ""
    """`more` without what winning brings."""
    forecast: Forecast | None = None
    """The forecast of the host; None if this outlook says why a card cannot be played."""
    lead: int = 0
    """By how much the side that the player wants to win would be ahead, to compare outlooks; without such a side, 1 if
    another one would win."""
    gain: int | None = None
    """What it changes for the player now, from TURNS to HARMS; None: as its verdict says."""
    share: tuple[str, ...] = ()
    """What the reader gets as a helper, or the Level that another player gets, the longest words first; it matters more
    than sums where there is no room for both."""
    tells: int = 0
    """How many of its words, the first ones, say what the text of an ability says too."""

    def __bool__(self) -> bool:
        return bool(self.sums or self.words)

    @property
    def style(self) -> str:
        """Return the colour token of the verdict."""
        return {"good": "hero", "bad": "foe", "": "dim"}[self.verdict]

    def sign(self, glyphs: Glyphs) -> str:
        """Return the sign of the verdict and a blank, "" without a verdict."""
        signs = {"good": "ok ", "bad": "no "} if glyphs.ascii else {"good": "✓ ", "bad": "✗ "}
        return signs.get(self.verdict, "")

    def fitted(self, width: int, glyphs: Glyphs) -> str:
        """Return it in at most `width` cells: sign and sums, then as long words as there is room for, or the share in
        their place."""
        start = self.sign(glyphs) + self.sums.replace(" ", "")
        ways = [f"{start} {words}".strip() if self.sums else start + words for words in self.words]
        ways += self.share
        return next((text for text in ways if len(text) <= width), start.strip() if self.sums else "")


NOTHING = Outlook()
"""There is nothing to say."""


# ------------------------------------------------------------------------------------------------------ what is asked
def of_action(scene: Scene, action: Action) -> Outlook:
    """Return what an action would lead to; NOTHING if the host has not said."""
    you = scene.you
    if you is None:
        return NOTHING
    if not scene.forecasts:
        return _with_levels(scene, action, NOTHING)
    rows = [at for at, row in enumerate(you.legal) if _same(row, action)]
    return _best(scene, rows, _paid(action), action)


def of_legals(scene: Scene, legals: Sequence[Legal]) -> Outlook:
    """Return what the best of these rows of `you.legal` would lead to; NOTHING if the host has not said."""
    you = scene.you
    if you is None:
        return NOTHING
    if not scene.forecasts:
        mine = [row.action for row in legals if raises_me(scene, row.action) and not row.vain]
        return best_of([_with_levels(scene, action, NOTHING) for action in mine])
    wanted = set(map(id, legals))
    rows = [at for at, row in enumerate(you.legal) if id(row) in wanted]
    return _best(scene, rows)


def of_card(scene: Scene, card: int) -> Outlook:
    """Return what playing or using a card would lead to at best; for a card in hand that cannot be played now, why not;
    else NOTHING."""
    you = scene.you
    if you is None:
        return NOTHING
    rows = [row for row in you.legal if getattr(row.action, "card", 0) == card]
    rows += [row for row in you.legal if isinstance(row.action, a.Answer) and card in row.action.picks]
    if rows:
        return of_legals(scene, rows)
    sets = [ask.options for ask in you.asks] + [row.pick.among for row in you.legal if row.pick is not None]
    if card not in you.hand or any(card in among for among in sets):
        return NOTHING
    return Outlook(words=why_not(scene, card))


def best_of(outlooks: Sequence[Outlook]) -> Outlook:
    """Return the best of these for the player, the first of equals; NOTHING if there is nothing to say."""
    return max(filter(None, outlooks), key=rank, default=NOTHING)


def best_of_sides(sided: Sequence[tuple[str, Outlook]], winning: bool | None) -> Outlook:
    """Return the best of these for the player; if none is good or bad for them, one that changes who wins. Where a card
    could go to either side of the fight, its words also say what the other side leads to. sided: each with its side, ""
    for none. winning: whether the heroes win now, None without a fight."""
    best = best_of([outlook for _, outlook in sided])
    if winning is not None and not best.verdict and not _turns(best, winning):
        best = best_of([outlook for _, outlook in sided if _turns(outlook, winning) and not outlook.verdict]) or best
    side = next((side for side, outlook in sided if outlook is best), "")
    if side not in _OTHER or not best.words:
        return best
    other = best_of([outlook for one, outlook in sided if one == _OTHER[side]])
    if not other:
        return best
    then = f"{other.sums} {other.words[0] if other.words else ''}".strip()
    now = best.words[0]
    more = [f"{now}; for the {_OTHER[side]} {then}", f"{now} or {then}"]
    if other.sums:
        more += [f"{now} or {other.sums}", f"or {other.sums.replace(' ', '')}"]
    return replace(best, words=(*more, *best.words))


def _turns(outlook: Outlook, winning: bool) -> bool:
    """Return whether another side would win."""
    then = outlook.forecast
    return bool(outlook.sums) and then is not None and not then.sides and then.wins != winning


_OTHER = {"heroes": "monsters", "monsters": "heroes"}
"""The other side of a fight."""


def rank(outlook: Outlook) -> tuple[int, int, int, int]:
    """Return how much an outlook is wanted, as a sort key: what decides the fight before gains, unknown results, what
    changes nothing, and harm. Of what decides it, the cheapest comes first, then the largest lead of that side."""
    usual = {"good": TURNS, "bad": HARMS}.get(outlook.verdict, SAME if outlook.words == NOTHING_CHANGES else UNKNOWN)
    gain = usual if outlook.gain is None else outlook.gain
    price = outlook.forecast.pays if outlook.forecast is not None and gain == TURNS else 0
    return gain, int(gain == UNKNOWN and bool(outlook.sums)), -price, outlook.lead


LEFT_ALONE = (SAME, 0, 0, 0)
"""The rank of a choice without an outlook."""


def _same(row: Legal, action: Action) -> bool:
    """Return whether a row is this action, whatever set the row leaves open. Offers of help with the same helper count
    as the same, since promises do not change the fight; an offer to everybody counts as one to each."""
    own = row.action
    if type(own) is not type(action):
        return False
    if isinstance(own, a.Offer) and isinstance(action, a.Offer):
        return action.to in (own.to, -1) and own.terms.kind == action.terms.kind == "help"
    open_field = row.pick.field if row.pick is not None else ""
    fields = [name for name in own.__struct_fields__ if name not in (open_field, "seen", "anyway")]
    return all(getattr(own, name) == getattr(action, name) for name in fields)


def _paid(action: Action) -> int:
    """Return how many cards an action pays, -1 if it pays none or if the number is still open."""
    return len(action.pay) or -1 if isinstance(action, a.Use) else -1


def _best(scene: Scene, rows: Iterable[int], paid: int = -1, written: Action | None = None) -> Outlook:
    """Return the best outlook of these rows, the first of equals. paid: only with this price; -1: with any.
    written: the action with the open parts of its row filled in, None if these are not known."""
    outlooks: list[tuple[Action, Outlook]] = []
    legal = scene.you.legal if scene.you is not None else []
    for at in rows:
        found = [one for one in scene.forecasts if at in one.rows and (paid < 0 or one.pays in (0, paid))]
        for forecast in found:
            chosen = sum(one.pays == forecast.pays for one in found) > 1
            action = written or legal[at].action
            outlook = _named(scene, action, _outlook(scene, forecast, chosen), chosen)
            if outlook.words == NOTHING_CHANGES and _bears_on_rolls(scene, at):
                outlook = replace(outlook, words=ROLL_CHANGES)
            outlook = _with_share(scene, forecast, action, outlook)
            if isinstance(action, a.Offer) and outlook.verdict != "bad" and (told := without_words(scene, forecast)):
                gets = [f"{told[0]}; {share}" for share in outlook.share[:1]]
                outlook = replace(NOTHING, words=(*gets, *told), forecast=forecast, gain=SAME)
            if isinstance(action, a.Offer) and outlook.gain == TURNS:
                outlook = replace(outlook, gain=ASKED)
            outlooks.append((action, _with_levels(scene, action, outlook)))
        if not found:
            outlooks.append((written or legal[at].action, _with_levels(scene, written or legal[at].action, NOTHING)))
    return best_of_actions(scene, outlooks)


def best_of_actions(scene: Scene, found: Sequence[tuple[Action, Outlook]]) -> Outlook:
    """Return the best of these for the player. That somebody outside the fight chooses what comes of a card is left
    out, unless nothing else is known. found: each outlook with the action that leads to it."""
    heroes = (scene.fight.seat, scene.fight.helper) if scene.fight is not None else ()
    known = [
        (action, one) for action, one in found
        if one.forecast is not None and (one.forecast.fate != "choice" or getattr(action, "seat", -1) in heroes)
    ]  # fmt: skip
    winning = scene.fight.winning if scene.fight is not None else None
    return best_of_sides([(getattr(action, "side", ""), one) for action, one in known or found], winning)


def _named(scene: Scene, action: Action, outlook: Outlook, chosen: bool) -> Outlook:
    """Return an outlook with the name of whoever chooses what comes of it, if somebody does, with the Seal that opens,
    if it depends on that, or with the die or the draw in place of luck. chosen: whether the reader chooses it on the
    way."""
    if outlook.words in _A_SEAL and (opens_seal(scene, action) or brings_to_seal(scene, action)):
        words = _A_SEAL[outlook.words]
        return replace(outlook, words=(f"{words[0]}, if you choose", *words) if chosen else words)
    if outlook.words in _A_SEAL and (luck := luck_words(scene, action)):
        then = "then " if outlook.sums else ""
        return replace(outlook, words=(*(f"{then}{words}" for words in luck), luck[-1]))
    seat = chooser(scene, action) if outlook.words == _UNKNOWN["choice"] else -1
    if seat < 0:
        return outlook
    who = ("you choose",) if seat == scene.me else tuple([f"{one} chooses" for one in called(scene, seat)])
    ways = " or ".join(choices_of(scene, action)) if seat != scene.me else ""
    told = [f"{one}: {ways}" for one in who] if ways else []
    return replace(outlook, words=(*told, f"{who[0]} what comes of it", *who, outlook.words[-1]), tells=len(told))


def _with_share(scene: Scene, forecast: Forecast, action: Action, outlook: Outlook) -> Outlook:
    """Return an outlook with what the reader gets as a helper, after how much they bring if the table shows another
    number."""
    share = share_words(scene, forecast, action)
    if not share:
        return outlook
    whole = f"{outlook.words[0]}; {share[0]}"
    if outlook.verdict == "bad":  # the share alone would hide what it costs
        return replace(outlook, words=(whole, *outlook.words))
    company = company_words(scene, forecast)
    brings = (f"{words}; {gets}" for words in (company if len(company) > 1 else ()) for gets in share[:2])
    return replace(outlook, words=(whole, *brings, *share), share=share)


def _with_levels(scene: Scene, action: Action, outlook: Outlook) -> Outlook:
    """Return an outlook that begins with the Levels that the action gives the reader, or another seat."""
    told = level_words(scene, action)
    if not told:
        return outlook
    good = raises_me(scene, action)
    if not outlook or outlook.words == NOTHING_CHANGES:
        return replace(outlook, words=told, verdict="good" if good else "", gain=TURNS if good else SAME)
    then = outlook.words[0] if outlook.words else ""
    if not good:
        said = tuple(f"{words}; {then}" for words in told) if then else told
        if outlook.verdict:
            return replace(outlook, words=(*said, *outlook.words))
        return replace(outlook, words=said, share=told)
    words = (f"{told[0]}; {then}", *told) if then else told
    bad = outlook.verdict == "bad"
    return replace(outlook, words=words, verdict="" if bad else "good", gain=UNKNOWN if bad else TURNS)


def _bears_on_rolls(scene: Scene, at: int) -> bool:
    """Return whether a row of `you.legal` plays text that changes a roll to run away, which no sum shows."""
    action = scene.you.legal[at].action if scene.you is not None else None
    if isinstance(action, a.Play):
        text: object = scene.card(action.card).play
    elif isinstance(action, a.Use):
        text = scene.definition(action.card).abilities[action.ability].do
    else:
        return False
    return any(isinstance(piece, Flee | RollIs) for _, piece in walk(text))


# ------------------------------------------------------------------------------------------------------------ in words
def _outlook(scene: Scene, forecast: Forecast, chosen: bool) -> Outlook:
    """Return a forecast of the host as it is shown. chosen: the player still chooses on the way whether this
    happens."""
    price = f"pay {counted(forecast.pays, 'card', 'cards')}" if forecast.pays else ""
    price = ", ".join(filter(None, (price, "as you choose" if chosen else "")))
    if forecast.fate == "over" and scene.fight is not None and not scene.fight.monsters:
        return Outlook(words=NOTHING_CHANGES, more=price, forecast=forecast)  # no monster is left: it is over anyway
    if forecast.sides:
        rolled = SAME if rolls_beside(scene, forecast) else _rolled(scene, forecast)
        return Outlook(words=on_die(scene, forecast), more=price, forecast=forecast, gain=rolled)
    if forecast.fate == "chance" and forecast.fighter >= 0 and not unchanged(scene, replace(forecast, fate="sums")):
        return Outlook(f"{forecast.heroes} : {forecast.foes}", THEN_LUCK, more=price, forecast=forecast)
    if forecast.fate != "sums":
        changed = _ended(scene) if forecast.fate == "over" else UNKNOWN
        return Outlook(words=_UNKNOWN.get(forecast.fate, ()), more=price, forecast=forecast, gain=changed)
    if unchanged(scene, forecast):
        return Outlook(words=away_words(scene, forecast) or NOTHING_CHANGES, more=price, forecast=forecast)
    verdict = verdict_of(scene, forecast)
    gain = gain_words(scene, forecast) if forecast.wins else ""
    words, company = winner_words(scene, forecast), company_words(scene, forecast)
    if company:
        words = (*(f"{one}: {words[0]}" for one in company), *(words if verdict == "bad" else company[-2:]))
    running = away_words(scene, forecast)[1:2]
    return Outlook(
        f"{forecast.heroes} : {forecast.foes}", words, verdict,
        ", ".join(filter(None, (price, gain, *running))), ", ".join(filter(None, (price, *running))), forecast,
        wish(scene, forecast) * lead_of(forecast.heroes, forecast.foes, forecast.wins) or _turned(scene, forecast),
        _changed(scene, forecast, verdict),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------- what it changes
def _turned(scene: Scene, forecast: Forecast) -> int:
    return int(scene.fight is not None and scene.fight.winning != forecast.wins)


def _changed(scene: Scene, forecast: Forecast, verdict: Verdict) -> int:
    """Return what known sums change for the player."""
    wanted, fight = wish(scene, forecast), scene.fight
    if not wanted or verdict == "bad":
        return UNKNOWN if not wanted else HARMS
    if verdict == "good" and (fight is None or fight.winning != forecast.wins or averts(scene, forecast)):
        return TURNS
    by = shift(scene, forecast) * wanted
    return GAINS if by > 0 else SAME if by == 0 else HARMS


def _rolled(scene: Scene, forecast: Forecast) -> int:
    """Return what a die changes for the player: it is a chance for whoever loses, a risk for whoever wins."""
    wanted, fight = wish(scene, forecast), scene.fight
    if not wanted or fight is None:
        return UNKNOWN
    goes_well = len(forecast.wins_on) if wanted > 0 else forecast.sides - len(forecast.wins_on)
    if fight.winning == (wanted > 0):
        return SAME if goes_well == forecast.sides else HARMS
    return GAINS if goes_well else SAME


def _ended(scene: Scene) -> int:
    """Return what it changes for the player that the fight ends now, whoever is ahead."""
    fight = scene.fight
    if fight is None:
        return UNKNOWN
    wanted = wish(scene, Forecast([], "sums", 0, fight.seat, fight.helper, match_point=fight.match_point))
    if not wanted:
        return UNKNOWN
    return HARMS if fight.winning == (wanted > 0) else TURNS if wanted < 0 else GAINS
