"""Where others reach a host: what --address says, or the addresses of its machine."""

import pytest

from netcode.host.addresses import reached_at
from netcode.host.config import ConfigError
from netcode.protocol.credentials import parse_join
from tests.netcode.running_host import running_host


def test_an_address_is_a_name_or_an_ip_address_with_or_without_a_port() -> None:
    given = ("otter.example", "otter.example:443", "10.0.0.2:7789", "[2001:db8::7]:1", "[fe80::1%eth0]")
    assert reached_at("0.0.0.0", given, 7788) == [
        ("otter.example", 7788), ("otter.example", 443), ("10.0.0.2", 7789), ("2001:db8::7", 1), ("fe80::1%eth0", 7788),
    ]  # fmt: skip
    assert reached_at("127.0.0.1", (), 7788) == [("127.0.0.1", 7788)]


WRONG = ("", "a b", "otter.example:", "otter.example:0x1", "h:99999", "2001:db8::7", "[::1", "h/t")


@pytest.mark.parametrize("text", WRONG)
def test_anything_else_is_named_in_one_sentence(text: str) -> None:
    with pytest.raises(ConfigError, match="is none: NAME, NAME:PORT"):
        reached_at("0.0.0.0", (text,), 7788)


async def test_the_strings_of_a_host_have_the_addresses_that_it_was_given() -> None:
    async with running_host(addresses=["otter.example:443", "10.0.0.2"]) as host:
        port = parse_join(host.joins[1]).port
        assert [parse_join(one).places for one in host.joins] == [(("otter.example", 443),), (("10.0.0.2", port),)]
        assert parse_join(host.lobby).host == parse_join(host.watch).host == "otter.example"
        client = host.client("Kim", join=host.join.replace("otter.example:443", f"127.0.0.1:{port}"))
        await client.join()
        await client.close()
