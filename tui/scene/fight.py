"""A fight in figures and words: who wins and by how much, what it pays and costs, the odds to run. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from core.language.schema import Forbid, Spares
from core.queries.flight import ALWAYS, NEED, NEVER, best_order, chance
from core.state.views import FightView, Flight, MonsterView
from tui.scene.card_text import bonus_by_tag, shown_bonus
from tui.scene.cells import count
from tui.scene.gear import noun
from tui.scene.scene import Scene

# ------------------------------------------------------------------------------------------------------- who wins
_LOST = {
    "lost": ("runs away", "You run away"), "fled": ("has lost the fight", "You have lost the fight"),
    "died": ("is dead", "You are dead"),
}  # fmt: skip
"""What the fighter of a lost fight does, by the stage of the fight; and the same said to the fighter."""


class Verdict(Struct, frozen=True):
    """Who wins now. by: the lead of the winning side; 0 at a tie. turns: what the other side has to add."""

    heroes: bool
    by: int
    turns: int


def verdict_of(fight: FightView) -> Verdict:
    """Return who wins if nobody does anything more."""
    lead = fight.heroes - fight.foes
    if fight.winning:
        return Verdict(True, lead, max(1, lead + (1 if fight.wins_ties else 0)))
    return Verdict(False, -lead, max(1, -lead + (0 if fight.wins_ties else 1)))


def verdict(scene: Scene) -> tuple[str, str]:
    """Return who is winning and what the other side needs, and the style; empty without a fight."""
    fight = scene.fight
    if fight is None:
        return "", ""
    mine, name = fight.seat == scene.me, scene.name(fight.seat)
    if fight.stage in _LOST:
        does, done = _LOST[fight.stage]
        return done if mine else f"{name} {does}", "bad"
    if not fight.monsters:
        return "no monster is left", "good"
    ties = " (wins ties)" if fight.wins_ties else ""
    found = verdict_of(fight)
    if found.heroes:
        return f"{'You WIN' if mine else f'{name} WINS'}{ties}: +{found.turns} to the monsters turns it", "good"
    return f"{'You LOSE: you need' if mine else f'{name} LOSES: needs'} +{found.turns} to win{ties}", "bad"


def margin_words(fight: FightView) -> tuple[str, str]:
    """Return who is ahead in two parts: `ahead`, `by 1`."""
    found = verdict_of(fight)
    if not found.by:
        return "a tie", "and wins it" if found.heroes else "that loses"
    return "ahead" if found.heroes else "behind", f"by {found.by}"


def reached(scene: Scene) -> int:
    """Return the Level that wins the game if this fight pays it, else the Level that the fighter would reach."""
    fight = scene.fight
    if fight is None:
        return 0
    return scene.view.win_level if fight.match_point else fight.win_level


# ---------------------------------------------------------------------------------------------- what it pays and costs
def prize(scene: Scene) -> str:
    """Return what the kill is worth: levels and Treasures; empty without a fight."""
    fight = scene.fight
    if fight is None:
        return ""
    text = f"if won: {gain(fight)}"
    if fight.helper_levels:
        text += f", helper {count(fight.helper_levels, 'level')}"
    return text + (" = THE GAME" if fight.match_point else "")


def kept(fight: FightView) -> int:
    """Return how many Treasures are left for the fighter after those promised to the helper."""
    promised = fight.bargain.treasures if fight.bargain is not None and fight.helper >= 0 else 0
    return max(0, fight.treasures - promised)


def gain(fight: FightView) -> str:
    """Return levels and Treasures that the fight pays: `1 level, 3 Treasures`."""
    return f"{count(fight.levels, 'level')}, {count(fight.treasures, 'Treasure')}"


def bonus_now(scene: Scene, card: int) -> tuple[int, str]:
    """Return what a card of the hand adds now, and the tag of a monster that decides it: 4 and `Undead`; the usual
    number and "" if none does."""
    printed = scene.card(card)
    there = {tag for monster in scene.fight.monsters for tag in monster.tags} if scene.fight is not None else set()
    by, tag = bonus_by_tag(printed, there)
    return (by, scene.catalog.tag_names.get(tag, tag.capitalize())) if by else (shown_bonus(printed), "")


def tags_of(scene: Scene, monster: MonsterView) -> str:
    """Return the tags of a monster, including those that cards gave it: `Undead, Santa`."""
    return ", ".join(scene.catalog.tag_names.get(tag, tag.capitalize()) for tag in monster.tags)


# ------------------------------------------------------------------------------------------------------- running away
def flight(scene: Scene, seat: int, monster: MonsterView) -> Flight:
    """Return what the die must show for a seat to get away from a monster: 1 or less always, 7 or more never."""
    told = scene.fight.flights if scene.fight is not None else []
    usual = NEED - scene.seat(seat).run - monster.run
    return next(
        (one for one in told if (one.seat, one.monster) == (seat, monster.id)),
        Flight(seat, monster.id, usual, usual),
    )


def need(scene: Scene, seat: int, monster: MonsterView) -> int:
    """Return what the die must show for a seat that runs from this monster next."""
    return flight(scene, seat, monster).need


def left(scene: Scene, seat: int) -> list[MonsterView]:
    """Return the monsters from which a seat has not run yet."""
    monsters = scene.fight.monsters if scene.fight is not None else []
    return [monster for monster in monsters if outcome(scene, seat, monster) is None]


def later(scene: Scene, seat: int, monster: MonsterView) -> int | None:
    """Return what the die must show if a seat runs from this monster after another one, None if that comes to the same
    or if no other is left."""
    one = flight(scene, seat, monster)
    others = [flight(scene, seat, other) for other in left(scene, seat) if other.id != monster.id]
    return one.later if chance(one.later) != chance(one.need) and any(other.spends for other in others) else None


def outcome(scene: Scene, seat: int, monster: MonsterView) -> bool | None:
    """Return whether a seat has escaped from a monster, None if it has not run from it yet."""
    met = scene.fight.met if scene.fight is not None else []
    return next((one.escaped for one in reversed(met) if (one.seat, one.monster) == (seat, monster.id)), None)


def odds_words(needed: int) -> str:
    """Return what the die must show, with its chance where luck decides: `on 5 or 6 (33 %)`, `always`."""
    return on_words(needed) + (f" ({percent(chance(needed))})" if 1 < needed <= 6 else "")


def percent(share: float) -> str:
    """Return a chance: `33 %`."""
    return f"{round(share * 100)} %"


def shares(numbers: Sequence[int]) -> list[str]:
    """Return each number as a percentage of their sum. The percentages add up to 100: those with the largest remainders
    are rounded up."""
    total = sum(numbers)
    whole = [number * 100 // total for number in numbers]
    most_cut = sorted(range(len(numbers)), key=lambda at: -(numbers[at] * 100 % total))
    for at in most_cut[: 100 - sum(whole)]:
        whole[at] += 1
    return [f"{number} %" for number in whole]


def run_causes(scene: Scene, seat: int, monster: MonsterView | None = None) -> tuple[str, ...]:
    """Return what changes the roll with which a seat runs away, from this monster or from any, the longest words first:
    `Lead Boots -2, Orc +1`, `Boots -2, Orc +1`, `Boots -2, 1 more`. () if nothing does, or if that is not known."""
    by_name: dict[str, int] = {}
    for term in scene.run_bonuses[seat]:
        by_name[term.label] = by_name.get(term.label, 0) + term.by
    usual = NEED - sum(by_name.values()) - (monster.run if monster is not None else 0)
    needed = need(scene, seat, monster) if monster is not None else NEED - scene.seat(seat).run
    if chance(needed) != chance(usual):
        return _other_causes(scene, monster, needed) if monster is not None else ()
    if monster is not None:
        by_name[scene.monster(monster.id)] = monster.run
    parts = sorted(((name, by) for name, by in by_name.items() if by), key=lambda part: -abs(part[1]))
    if needed == NEED or not parts:
        return ()
    full = ", ".join(f"{name} {by:+d}" for name, by in parts)
    nouns = [f"{noun(name)} {by:+d}" for name, by in parts]
    brief = (f"{nouns[0]}, {len(nouns) - 1} more",) if len(nouns) > 1 else ()
    return tuple(dict.fromkeys((full, ", ".join(nouns), *brief)))


def _other_causes(scene: Scene, monster: MonsterView, needed: int) -> tuple[str, ...]:
    """Return why a roll to run from a monster is in vain or not needed, whatever is added to it; () if that is not
    known."""
    definition = scene.catalog.cards[monster.defn]
    if needed >= NEVER and any(isinstance(mod, Forbid) and mod.what == "escape" for mod in definition.card.mods):
        return ("it lets nobody escape",)
    if needed <= ALWAYS and definition.by_type.get(Spares):
        return ("it does not pursue",)
    return ()


def caused(words: str, causes: Sequence[str]) -> list[str]:
    """Return the odds of a run with their causes in brackets, the longest form first, and at last without them."""
    return [*(f"{words} ({why})" for why in causes), words]


def usual_odds(scene: Scene, seat: int) -> list[str]:
    """Return what the die must show for a seat to get away from a monster that changes nothing about it, and why, the
    longest form first: `on a 6 (17 %) with Lead Boots -1`, `not possible with Lead Boots -2`."""
    needed, causes = NEED - scene.seat(seat).run, run_causes(scene, seat)
    odds = odds_words(needed) if needed < NEVER else "not possible"
    return [*(f"{odds} with {why}" for why in causes), odds]


def away_words(scene: Scene, seat: int, monster: MonsterView) -> list[str]:
    """Return the odds of a seat against a monster, the longest form first: `on 5 or 6 (33 %)`, `never (Lead Boots -2)`,
    or `on a 6 if first, later on 5 or 6` where something counts for the first monster only."""
    needed, after = need(scene, seat, monster), later(scene, seat, monster)
    if after is None:
        sure = not ALWAYS < needed < NEVER
        return caused(odds_words(needed), run_causes(scene, seat, monster) if sure else ())
    forms = [f"{on_words(needed)} if first, later {words}" for words in (odds_words(after), on_words(after))]
    return [*forms, brief_odds(scene, seat, monster)]


def brief_odds(scene: Scene, seat: int, monster: MonsterView) -> str:
    """Return what the die must show in few characters: `5+`, `6`, `always`, `5+ first, 3+ later`."""
    needed, after = need(scene, seat, monster), later(scene, seat, monster)
    return _plus(needed) if after is None else f"{_plus(needed)} first, {_plus(after)} later"


def worst(scene: Scene, seat: int, monster: MonsterView) -> int:
    """Return what the die must show at most, whichever monster comes first."""
    after = later(scene, seat, monster)
    return max(need(scene, seat, monster), after if after is not None else 0)


def brief_chance(needed: int, cause: str = "", share: bool = True) -> str:
    """Return what the die must show in few characters with its chance: `on 5+ (33 %)`. cause: what changes the roll,
    which stands beside the chance: `on 4+ (50 %, Boots +1)`. share: with its chance."""
    beside = [percent(chance(needed))] if share and 1 < needed <= 6 else []
    beside += [cause] if cause else []
    number = f"on {_plus(needed)}" if 1 < needed < 6 else on_words(needed)
    return f"{number} ({', '.join(beside)})" if beside else number


def _plus(needed: int) -> str:
    """Return what the die must show in the fewest characters: `5+`, `6`, `always`, `never`."""
    return f"{needed}+" if 1 < needed < 6 else on_words(needed).removeprefix("on a ")


def on_words(needed: int) -> str:
    """Return what the die must show: `on 5 or 6`, `on 3 or more`, `on a 6`, `always`, `never`."""
    if needed <= 1:
        return "always"
    if needed > 6:
        return "never"
    return {6: "on a 6", 5: "on 5 or 6"}.get(needed, f"on {needed} or more")


def run_chance(scene: Scene, seat: int) -> str:
    """Return what a seat needs on the die to run away: `on 5 or 6 (33 %)`, or a range if the monsters differ."""
    fight = scene.fight
    if fight is None:
        return ""
    needs = sorted({need(scene, seat, monster) for monster in fight.monsters}) or [NEED]
    return " to ".join(dict.fromkeys(odds_words(needed) for needed in (needs[0], needs[-1])))


def run_sentence(scene: Scene, seat: int) -> str:
    """Return as a sentence to a player what the die must show to run away."""
    monsters = left(scene, seat)
    needs = sorted({need(scene, seat, monster) for monster in monsters}) or [NEED - scene.seat(seat).run]
    causes = run_causes(scene, seat, monsters[0]) if len(monsters) == 1 else ()
    why = f": {causes[0]}" if causes else ""
    if needs[0] >= NEVER:
        return f"No number on the die gets you away{why}."
    if needs[-1] <= ALWAYS:
        return f"You get away whatever the die shows{why}."
    if len(needs) == 1:
        return f"You get away {odds_words(needs[0])}{why}."
    return f"You get away {on_words(needs[0])} from one, {on_words(needs[-1])} from another."


def together(scene: Scene, seat: int, monsters: Sequence[MonsterView]) -> list[float]:
    """Return the chances of a seat to get away from none of these monsters, from one, two ..., if it runs first from
    the one that makes getting away from all most likely: a bonus that counts once is spent on that monster."""
    return spread(best_order([flight(scene, seat, monster) for monster in monsters]))


def spread(needs: Sequence[int]) -> list[float]:
    """Return the chances that none, one, two ... of several dice show what they must."""
    found = [1.0]
    for share in map(chance, needs):
        found = [
            (found[at] if at < len(found) else 0.0) * (1 - share) + (found[at - 1] * share if at else 0.0)
            for at in range(len(found) + 1)
        ]
    return found


def runner(scene: Scene) -> int:
    """Return the seat whose odds to run matter: who runs now, or you if you help, else the fighter."""
    fight, view = scene.fight, scene.view
    if fight is None:
        return -1
    running = [deciding.seat for deciding in view.deciding if deciding.kind in ("roll", "pay roll", "vehicle")]
    if view.throw is not None and view.throw.monster:
        running.insert(0, view.throw.seat)
    if running and running[0] in (fight.seat, fight.helper):
        return running[0]
    return fight.helper if fight.helper == scene.me >= 0 and fight.stage == "fight" else fight.seat
