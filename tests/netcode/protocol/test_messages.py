"""Every message of the wire is complete: its receiver has a handler, and a client's message has a rate."""

from typing import Any, get_args

import msgspec.inspect as types
import pytest

from netcode.client import lobby_client, state_machine
from netcode.host import lobby
from netcode.protocol import wire
from netcode.protocol.limits import Rate
from netcode.table import table
from tests.netcode.protocol.wire_messages import DOWN, UP, name_of

HANDLERS = [
    (wire.TableUp, table.HANDLERS, "HANDLERS in netcode/table/table.py"),
    (wire.LobbyUp, lobby.HANDLERS, "HANDLERS in netcode/host/lobby.py"),
    (wire.Welcome | wire.TableDown | wire.Elsewhere | wire.Error | wire.Bye, state_machine.HANDLERS,
     "HANDLERS in netcode/client/state_machine.py"),
    (wire.LobbyDown | wire.Elsewhere | wire.Error | wire.Bye, lobby_client.HANDLERS,
     "HANDLERS in netcode/client/lobby_client.py"),
]  # fmt: skip


@pytest.mark.parametrize(("messages", "handlers", "where"), HANDLERS, ids=[where for *_, where in HANDLERS])
def test_each_message_has_its_handler(messages: Any, handlers: dict[type, object], where: str) -> None:
    missing = [name_of(message) for message in get_args(messages) if message not in handlers]
    assert not missing, f"no handler for {', '.join(missing)}: add it to {where}"
    unknown = [name_of(message) for message in handlers if message not in get_args(messages)]
    assert not unknown, f"{where} handles {', '.join(unknown)}, which are not sent there"


def test_each_message_of_a_client_has_its_rate() -> None:
    missing = [name_of(message) for message in UP if not isinstance(vars(message).get("rate"), Rate)]
    assert not missing, f"no rate for {', '.join(missing)}: add `rate` to the struct in netcode/protocol/wire.py"


def _unbounded(kind: types.Type, where: str) -> list[str]:
    """Return the places of a type that may be as long as a wire frame."""
    match kind:
        case types.StrType(max_length=most) | types.BytesType(max_length=most):
            return [where] if most is None else []
        case types.ListType(item_type=item, max_length=most) | types.VarTupleType(item_type=item, max_length=most):
            return ([where] if most is None else []) + _unbounded(item, where)
        case types.UnionType(types=options):
            return [place for option in options for place in _unbounded(option, where)]
        case types.StructType(cls=cls, fields=fields):
            return [place for one in fields for place in _unbounded(one.type, f"{cls.__name__}.{one.name}")]
        case types.Metadata(type=inner):
            return _unbounded(inner, where)
        case types.IntType() | types.BoolType() | types.NoneType() | types.LiteralType():
            return []
    return [where]


@pytest.mark.parametrize("message", UP, ids=name_of)
def test_each_text_and_list_of_a_client_has_a_limit(message: Any) -> None:
    found = _unbounded(types.type_info(message), name_of(message))
    assert not found, f"no limit for {', '.join(found)}: whatever a client sends is kept within its type"


def test_each_message_belongs_to_a_table_or_to_a_lobby() -> None:
    sides = {wire.Hello, *get_args(wire.TableUp), *get_args(wire.LobbyUp)}
    assert set(UP) == sides, "netcode/protocol/wire.py: Up is Hello, TableUp and LobbyUp"
    sides = {wire.Welcome, wire.Elsewhere, wire.Error, wire.Bye, *get_args(wire.TableDown), *get_args(wire.LobbyDown)}
    assert set(DOWN) == sides, "wire.py: Down is Welcome, TableDown, LobbyDown, Elsewhere, Error and Bye"


def test_no_two_messages_of_one_direction_share_a_name() -> None:
    for direction in (UP, DOWN):
        names = [name_of(message) for message in direction]
        assert len(names) == len(set(names))
