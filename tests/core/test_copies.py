"""Copies, Twins and Life Partners in random games: every card counts for exactly the monsters for which it should.

The expected effects are computed from the events alone: an enhancer counts for the monsters of the group it was played
on, and for every copy made of one of them afterwards. KICKDOOR_COPIED_GAMES=100 plays that many games.
"""

import os
from collections import Counter

import pytest

from core.language import schema as v
from core.language.catalog import Catalog, load
from core.queries.lookup import find_monster
from core.queries.strength import monster_terms
from core.state import events as ev
from core.state.actions import AnyAction, Legal, Play
from core.state.model import Bonus, State, decode, defn_of, encode
from core.state.reader import Reader
from core.state.views import MonsterView
from core.view import view
from netcode.bots.picks import at_random
from tests.core import invariants
from tests.core.doubling import packs
from tests.core.random_table import RandomTable
from tests.thorough import examples

GAMES = int(os.environ.get("KICKDOOR_COPIED_GAMES", str(examples(6, 2))))
ACTIONS = 900


class DoublingTable(RandomTable):
    """A game whose seats like to play on monsters, copiers and partners first."""

    def chosen(self, rows: list[Legal]) -> AnyAction:
        fight = self.state.fight
        there = [monster.id for monster in fight.monsters] if fight is not None else []
        aimed = [row for row in rows if isinstance(row.action, Play) and row.action.target in there]
        if aimed and self.rng.random() < 0.7:
            doubling = [row for row in aimed if self._doubles(row)]
            return at_random(self.rng.choice(doubling or aimed), self.rng)
        return super().chosen(rows)

    def _doubles(self, row: Legal) -> bool:
        assert isinstance(row.action, Play)
        card = self.catalog.cards[defn_of(row.action.card)]
        return card.card.partner or card.adds


class Ledger:
    """The cards that should count for each monster, computed from events. copied: how many copies there were; apart:
    how often a card counted for one of several monsters of a definition, and not for another."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.copied = self.apart = 0
        self._begin()

    def _begin(self) -> None:
        self.groups: dict[int, int] = {}
        self.enhancers: dict[int, set[int]] = {}
        self.bonuses: list[tuple[Bonus, set[int]]] = []

    def follow(self, event: ev.AnyEvent) -> None:
        match event:
            case ev.FightBegan() | ev.FightEnded():
                self._begin()
            case ev.MonsterCame():
                self._came(event)
            case ev.MonsterLeft():
                del self.groups[event.id]
            case ev.Moved() if event.to == "fight" and self.catalog.cards[defn_of(event.new)].kind == "enhancer":
                self.enhancers[event.new] = {event.on}
            case ev.Moved() if event.frm == "fight":
                if not self.enhancers.get(event.card, set()).intersection(self.groups.values()):
                    self.enhancers.pop(event.card, None)  # else it must stay for now, and its absence is noticed
            case ev.Strengthened() if event.bonus.on:
                self.bonuses.append((event.bonus, {event.bonus.on}))
            case ev.Undone():
                self.bonuses = [(bonus, groups) for bonus, groups in self.bonuses if bonus.card != event.card]
                self.enhancers.pop(event.card, None)

    def _came(self, event: ev.MonsterCame) -> None:
        if event.how != ev.COPIED:
            self.groups[event.id] = event.group
            return
        self.copied += 1
        self.groups[event.id] = event.id
        counts = list(self.enhancers.values())
        counts += [groups for bonus, groups in self.bonuses if bonus.defn != event.defn]
        for groups in counts:
            if event.group in groups:
                groups.add(event.id)

    def check(self, state: State) -> None:
        """Compare the cards that should count with the view of every monster."""
        seen = view(self.catalog, state, -1).fight
        if seen is None or seen.stage not in ("fight", "lost"):
            return
        assert {monster.id: monster.group for monster in seen.monsters} == self.groups
        for monster in seen.monsters:
            self._check_one(state, monster)
        sides = sum(bonus.by for bonus in seen.bonuses if bonus.side == "monsters" and not bonus.on)
        assert seen.foes == sum(monster.strength for monster in seen.monsters) + sides
        assert len({(entry.card, entry.on) for entry in seen.cards}) == len(seen.cards), "an entry twice"
        counted = [frozenset(groups) for groups in self.enhancers.values()]
        there = [monster.group for monster in seen.monsters]
        names = Counter(monster.defn for monster in seen.monsters)
        self.apart += any(groups & set(there) and set(there) - groups for groups in counted) and max(names.values()) > 1

    def _check_one(self, state: State, monster: MonsterView) -> None:
        cards = self.catalog.cards
        played = [card for card, groups in self.enhancers.items() if monster.group in groups]
        added = [bonus for bonus, groups in self.bonuses if monster.group in groups]
        g = Reader(self.catalog, state)
        found = find_monster(g, monster.id)
        assert found is not None
        terms = monster_terms(g, found)
        fixed = [card for card in played if cards[defn_of(card)].card.bonus and not cards[defn_of(card)].strength]
        for card in fixed:
            by = [term.by for term in terms if term.card == card]
            assert by == [cards[defn_of(card)].card.bonus], f"{cards[defn_of(card)].name} counts {by} for {monster}"
        strangers = {term.card for term in terms if term.seat >= 0 and cards[defn_of(term.card)].kind == "enhancer"}
        assert strangers <= {*played, *(bonus.defn for bonus in added)}, f"a card counts for {monster} that should not"
        rolled = Counter((bonus.defn, bonus.by) for bonus in added if bonus.by)
        assert rolled == Counter((term.card, term.by) for term in terms if term.card in {bonus.defn for bonus in added})
        printed = cards[monster.defn].card
        treasures = printed.treasures + sum(cards[defn_of(card)].card.treasures for card in played)
        treasures += sum(bonus.treasures for bonus in added)
        mods = [mod for card in (monster.defn, *map(defn_of, played)) for mod in cards[card].card.mods]
        mods += cards[state.seals_open[-1]].foes if state.seals_open else ()
        rewards = [mod for mod in mods if isinstance(mod, v.Reward)]
        if all(mod.if_ is None for mod in rewards):
            treasures += sum(mod.treasures for mod in rewards)
            assert monster.treasures == max(treasures, min(1, printed.treasures)), f"Treasures for {monster}"
            assert monster.levels == printed.levels + sum(mod.levels for mod in rewards), f"levels for {monster}"
        given = [cards[defn_of(card)].card.gives_tag for card in played]
        assert set(monster.tags) == {*printed.tags, *(tag for tag in given if tag)}, f"tags of {monster}"


@pytest.mark.long
@pytest.mark.proves("combat.copy")
@pytest.mark.proves("combat.clone-own")
def test_every_card_counts_for_the_monsters_it_was_played_on_and_for_copies_made_of_them_later() -> None:
    catalog = load(packs())
    copied = apart = 0
    for seed in range(GAMES):
        table, ledger = DoublingTable(catalog, 3 + seed % 4, seed, interrupts=(0.3, 0.7)[seed % 2]), Ledger(catalog)
        while not table.state.winners and len(table.log) < ACTIONS:
            for event in table.act():
                ledger.follow(event)
            try:
                ledger.check(table.state)
                invariants.check_state(catalog, table.state)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, after action {len(table.log)}: {table.log[-1]}: {error}") from error
            if len(table.log) % 40 == 0:
                table.state = decode(encode(table.state))
        copied, apart = copied + ledger.copied, apart + ledger.apart
    assert copied >= 2 * GAMES, f"this proves nothing: {copied} copies"
    assert apart >= 2 * GAMES, f"this proves nothing: {apart} times a card counted for one of several equal monsters"
