"""Why a helper would bring another number than the table shows: the terms that count only in this fight. Pure."""

from collections.abc import Iterable

from core.knowledge.public_facts import strengths, terms_with
from core.state.forecasts import Forecast
from core.state.views import Term
from tui.scene.gear import noun
from tui.scene.scene import Scene

NAMED = 2
"""At most this many terms are named; the others of a side are added up."""


def help_words(scene: Scene, forecast: Forecast) -> tuple[str, ...]:
    """Return what a new helper's strength is made of in this fight, beginning with the number that the table shows, and
    what changes on the monsters' side: `Cyd 10 + Boots of the Wrong Company 1, Drill Abbot +3`, `Cyd 10 + Boots 1,
    Abbot +3`; () if nothing else counts, or if it depends on what the view does not show."""
    fight, helper = scene.fight, forecast.helper
    if fight is None or fight.helper >= 0:
        return ()
    ours, theirs = terms_with(scene.catalog, scene.view, helper)
    alone, shown = strengths(scene.catalog, scene.view)[helper], scene.seat(helper).strength
    if (_sum(ours), _sum(theirs), _sum(alone)) != (forecast.heroes, forecast.foes, shown):
        return ()
    heroes = _named(_changes([*fight.hero_terms, *alone], ours))
    foes = _named(_changes(fight.foe_terms, theirs))
    if not heroes and not foes:
        return ()
    forms = []
    for called in (str, noun):
        added = [f"{'-' if by < 0 else '+'} {called(name)} {abs(by)}" for name, by in heroes]
        changed = [f"{called(name)} {by:+d}" for name, by in foes]
        forms.append(", ".join([" ".join([scene.who(helper), str(shown), *added]), *changed]))
    return tuple(dict.fromkeys(forms))


def _sum(terms: Iterable[Term]) -> int:
    return sum(term.by for term in terms)


def _changes(before: Iterable[Term], after: Iterable[Term]) -> list[tuple[str, int]]:
    """Return the names of the terms that change, and by how much, the largest first."""
    found: dict[str, int] = {}
    for terms, sign in ((after, 1), (before, -1)):
        for term in terms:
            found[term.label] = found.get(term.label, 0) + sign * term.by
    return sorted(((name, by) for name, by in found.items() if by), key=lambda one: -abs(one[1]))


def _named(changes: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return a few changes; the smallest of many as one."""
    rest = sum(by for _, by in changes[NAMED:])
    return [*changes[:NAMED], *([("others", rest)] if rest else [])]
