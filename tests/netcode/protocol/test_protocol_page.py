"""docs/protocol.md agrees with the code: every message with its fields and its rate, and every limit."""

import pytest

from core.state.forecasts import Forecast
from netcode.protocol import limits, wire
from netcode.protocol.limits import Rate
from netcode.protocol.paces import PACE_LIMITS
from tests.netcode.protocol.protocol_page import fields_of, limit_rows, limits_in_prose, sections, time_bank_rows
from tests.netcode.protocol.wire_messages import DOWN, UP, name_of

PARTS = (
    wire.Timers, wire.Update, wire.NumberedEvent, wire.TableInfo, wire.SeatInfo, wire.PackInfo, wire.UndoInfo,
    wire.VoteInfo, wire.DealInfo, wire.TableRow, wire.KnockInfo, wire.Place, Forecast,
)  # fmt: skip


def rate_text(rate: Rate) -> str:
    """Return a rate as the page writes it."""
    per_second = f"{rate.per_second:g}" if rate.per_second < 10**6 else f"{rate.per_second:.0f}"
    return f"{per_second}/s, {rate.burst} at once"


def limit_text(value: Rate | float) -> str:
    """Return a limit as the page writes it."""
    return rate_text(value) if isinstance(value, Rate) else str(value).removesuffix(".0")


@pytest.mark.parametrize("message", [*UP, *DOWN, *PARTS], ids=name_of)
def test_the_page_lists_the_fields_of_each_message_with_types_and_defaults(message: type) -> None:
    section = sections().get(name_of(message))
    assert section is not None, f"docs/protocol.md has no section for `{name_of(message)}` (netcode/protocol/wire.py)"
    assert section.fields == fields_of(message), f"docs/protocol.md, section `{name_of(message)}`: fields differ"


@pytest.mark.parametrize("message", [*UP, *DOWN], ids=name_of)
def test_the_page_says_the_direction_and_the_rate_of_each_message(message: type) -> None:
    section = sections()[name_of(message)]
    rate = getattr(message, "rate", None)
    expected = ("up", rate_text(rate)) if rate is not None else ("down", "")
    assert (section.direction, section.rate) == expected, f"docs/protocol.md, heading `{section.name}`"


def test_the_page_has_no_message_that_does_not_exist() -> None:
    known = {name_of(message) for message in (*UP, *DOWN, *PARTS)}
    assert not set(sections()) - known, "docs/protocol.md has sections without a struct in netcode/protocol/wire.py"


def test_the_tables_of_limits_are_those_of_the_code() -> None:
    expected = {name: limit_text(value) for name, value in vars(limits).items() if name.isupper()}
    assert limit_rows() == expected, "docs/protocol.md, section Limits, differs from netcode/protocol/limits.py"


def test_the_table_of_time_banks_is_that_of_the_code() -> None:
    expected = {
        pace: (banks.phases_ms // 1000, banks.questions_ms // 1000, banks.match_point_ms // 1000)
        for pace, banks in PACE_LIMITS.items()
    }
    assert time_bank_rows() == expected, "docs/protocol.md, Time banks, differs from netcode/protocol/paces.py"


def test_numbers_in_the_text_are_those_of_the_limits_named_beside_them() -> None:
    found = limits_in_prose()
    assert len(found) >= 6, "docs/protocol.md names limits in its text, as in: 6 s (`LOST_MS`)"
    for name, number in found:
        value = getattr(limits, name) / (1000 if name.endswith("_MS") else 1)
        assert number == value, f"docs/protocol.md says {number} for {name}, the code {value:g}"
