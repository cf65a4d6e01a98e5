"""Nothing happens unseen: what others do to the reader or to a fight, and each die, is seen before the next answer,
in games of every set and at every size."""

import pytest

import cards
from core.language import catalog as catalogs
from tests.tui.silence import read_game

MAZES, SMALL = "munchkins-and-mazes", (80, 24)
DECISIONS = 110
"""How many decisions of each game are played; the benchmark `silence` plays whole games."""
GAMES = [(MAZES, SMALL, True, 40), (MAZES, SMALL, True, DECISIONS), (MAZES, (60, 20), True, DECISIONS)]
GAMES += [(MAZES, size, True, DECISIONS // 2) for size in ((120, 40), (200, 60))]
GAMES += [(name, SMALL, True, DECISIONS) for name in ("axe-cop", "apocalypse", "warhammer-40k")]
GAMES += [(MAZES, SMALL, False, DECISIONS)]
BURSTS = [(MAZES, SMALL, 5), (MAZES, (60, 20), 7), ("warhammer-40k", (60, 20), 10), ("apocalypse", SMALL, 6)]


@pytest.mark.painted
@pytest.mark.long(9, turns=2)
@pytest.mark.parametrize(("set_id", "size", "alone", "most"), GAMES, ids=str)
async def test_what_concerns_the_reader_is_seen_before_a_key_answers_the_next_question(
    set_id: str, size: tuple[int, int], alone: bool, most: int
) -> None:
    catalog = catalogs.load([cards.pack_files(set_id)])
    told = await read_game(catalog, 5, size, alone=alone, most=most)
    assert told.looked_at >= 2, "hardly anything happened"
    assert not told.silent, "\n".join(told.silent)


@pytest.mark.painted
@pytest.mark.long(0, turns=2)
@pytest.mark.parametrize(("set_id", "size", "seed"), BURSTS, ids=str)
async def test_what_comes_at_once_among_people_is_seen_too_whatever_is_open(
    set_id: str, size: tuple[int, int], seed: int
) -> None:
    """Where there is no room for all of it, the screen says how much more there is, and names the key that tells it."""
    catalog = catalogs.load([cards.pack_files(set_id)])
    told = await read_game(catalog, seed, size, alone=False, bursts=True, most=280)
    assert told.looked_at >= 10 and told.opened, "hardly anything came at once"
    assert not told.silent, "\n".join(told.silent)
