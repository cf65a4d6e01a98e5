"""The stage in parts: they cover all changes, are placed where they are drawn, and a new sum paints no portrait."""

import pytest

from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import table
from tests.tui.widgets.table.stage_rows import CLOCK, scene_of
from tui.scene.cells import plain
from tui.scene.clock import Clock
from tui.widgets.pane import Pane
from tui.widgets.table import stage
from tui.widgets.table.stage_parts import flowed, listed_rows

SIZES = ((54, 11), (64, 21), (116, 32), (60, 4), (80, 15), (90, 24))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["own-combat", "crowded", "interrupt", "running", "idle", "first-cards"])
def test_the_parts_put_together_are_the_stage(name: str, size: tuple[int, int]) -> None:
    scene = scene_of(name)
    rows = [list(plain(line)) for line in stage.draw(scene, CLOCK, *size)]
    found = stage.parts(scene, CLOCK, *size)
    assert found[0].name == stage.BACK and {part.name for part in found} <= set(stage.PARTS)
    above = found[1:]
    for at, part in enumerate(above):
        assert part.height > 0 and all(not part.region.overlaps(other.region) for other in above[:at])
        for y, line in enumerate(stage.lines_of(part, scene, CLOCK)):
            assert "".join(rows[part.y + y][part.x : part.x + part.width]) == plain(line), (part.name, y)


async def test_a_new_sum_paints_the_sums_and_no_portrait() -> None:
    view = samples.own_combat()
    async with table(view, (120, 40)) as pilot:
        drawn: set[str] = set()
        for pane in pilot.screen.query("Stage Pane").results(Pane):
            pane.refresh = lambda *_, ident=pane.id, **more: drawn.add(ident)
        assert view.fight is not None
        view.fight.heroes, view.fight.bonuses = view.fight.heroes + 2, []
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        assert {"stage-sums", "stage-verdict"} <= drawn and "stage-back" not in drawn


async def test_the_panes_lie_where_the_parts_are_after_a_change_of_size() -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        for size in ((80, 24), (200, 60), (120, 40)):
            await pilot.textual.resize_terminal(*size)
            await pilot.settle()
            shown = pilot.screen.query_one(stage.Stage)
            parts = stage.parts(pilot.model.now, Clock(), *shown.size)  # no clock runs in this game
            for part in parts:
                pane = pilot.screen.query_one(f"#stage-{part.name}", Pane)
                assert pane.region == part.region.translate(shown.region.offset), (size, part.name)


def test_a_comma_stays_with_its_word_when_a_line_is_full() -> None:
    """A row began with ", or else"."""
    scene = scene_of("idle")
    spans = (("run on a 6", ""), (" (17 %)", "bold"), (", or else: ", "dim"), ("lose a level.", ""))
    for width in range(10, 40):
        lines = [plain(line) for line in flowed(spans, width, scene, 2)]
        assert not any(line.lstrip().startswith(",") for line in lines), lines
        assert all(len(line) <= width for line in lines), lines
        assert " ".join(" ".join(lines).split()) == "run on a 6 (17 %), or else: lose a level."


def test_the_shape_of_a_player_stays_with_the_name() -> None:
    spans = (("if lost: ", "dim"), ("● You", "bold"), (" run on a 6, ", ""), ("■ Bo", "bold"), (" on 5+", ""))
    rows = [plain(line) for line in flowed(spans, 28, scene_of("own-combat"))]
    assert rows == ["if lost: ● You run on a 6,", "■ Bo on 5+"]


def test_a_sentence_of_which_only_a_word_would_fit_is_left_to_the_key_that_tells_it() -> None:
    scene = scene_of("own-combat")
    items = [(" Bo takes 2 cards from Cid.", ""), (" Dee takes Portable Hole from Bo.", ""), (" Dee dies.", "")]
    rows = [plain(line) for line in listed_rows(items, 1, 40, scene, "table.recap")]
    assert rows == ["Bo takes 2 cards from Cid.… r 2 more"]
    wide = [plain(line) for line in listed_rows(items, 1, 66, scene, "table.recap")]
    assert wide[0].startswith("Bo takes 2 cards from Cid. Dee takes Port"), wide
