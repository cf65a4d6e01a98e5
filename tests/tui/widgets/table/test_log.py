"""The lines of the log."""

from tests.tui import samples
from tui.scene.cells import plain
from tui.scene.scene import LogLine
from tui.widgets.table.log import lines_of


def test_a_narrow_line_has_the_shape_of_its_seat_unless_that_leaves_no_sentence() -> None:
    """The log of the first turn said "● are male"."""
    scene = samples.scene(samples.idle())
    told = [LogLine("You draw Pickle Spear", seat=samples.ME, who="You"), LogLine("You are male", seat=0, who="You")]
    shown = [plain(lines_of(scene, line, 33)[0]).strip() for line in told]
    assert shown == ["● draw Pickle Spear", "● You are male"]
