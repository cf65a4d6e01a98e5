"""The public row of a table in the lobby's list: less than a spectator sees, no names but the owner's, no cards."""

from netcode.host.registry import TableEntry
from netcode.protocol import wire
from netcode.table.admission import Admission


def row_of(entry: TableEntry) -> wire.TableRow:
    """Return the row of a table."""
    table, record = entry.table, entry.record
    seats = table.seating.seats
    owner = table.seating.owner
    states = [seat.state for seat in seats]
    return wire.TableRow(
        record.table, [pack.set_id for pack in record.packs], len(seats), table.seating.humans(), states.count("bot"),
        sum(state in ("open", "gone") for state in states), table.stage, table.pace, record.title,
        seats[owner].name if owner >= 0 else "", len(table.seating.spectators), list(record.options),
        _entry(table.seating.admission),
    )  # fmt: skip


def _entry(admission: Admission) -> str:
    """Return how newcomers get in, see wire.TableRow."""
    if not admission.inviting:
        return "closed"
    if "join" in admission.renewed:
        return "string"
    return "knock" if admission.knocking else "open"
