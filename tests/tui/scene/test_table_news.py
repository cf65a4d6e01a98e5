"""What players read of the code with which a seat goes to another machine."""

import pytest

from netcode.protocol.wire import SeatCode
from tui.scene.table_news import code_news


@pytest.mark.parametrize(("left_ms", "minutes"), [(600_000, 10), (600_001, 11), (599_999, 10), (540_000, 9)])
def test_a_begun_minute_of_a_seat_code_counts(left_ms: int, minutes: int) -> None:
    assert f"once within {minutes} minutes: kickdoor join STRING --code" in code_news(SeatCode("ABCDEFGH", left_ms))
