"""Who somebody is comes from a signature of this attempt and from nothing else: clients made by hand."""

import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("asyncssh", reason="needs the extra serve")

import asyncssh

from netcode.door import identities
from netcode.door.gate import Login
from tests.netcode.door.opened import WORDS, connect, identity_of, make_key, needs_ssh, opened, ssh

pytestmark = [needs_ssh, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door needs Linux")]


PK_OK = 60
"""The answer to an offer of a key: sign (RFC 4252)."""


async def who(connection: Any) -> str:
    """Return the identity with which the door starts a program for this connection."""
    process = await connection.create_process(term_type="xterm", encoding=None)
    read = b""
    while b">>" not in read:
        read += await process.stdout.read(65536)
    process.stdin.write(b"q")
    await process.wait()
    connection.close()
    await connection.wait_closed()
    return read.decode().partition('"identity": "')[2][:32]


async def test_an_offer_of_somebodys_key_without_a_signature_takes_no_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from asyncssh import auth  # as above

    key = make_key(tmp_path / "ann")
    async with opened(tmp_path / "door") as door:
        ann = await ssh(door.port, tmp_path / "ann", key=key, answers=(WORDS,))
        assert (await ann.told())["identity"] == identity_of(key)
        offered: list[bool] = []

        def go_on(client: Any, kind: int, number: int, packet: Any) -> None:
            """Sign nothing although the door would look at a signature; answer its questions instead."""
            offered.append(True)
            client._conn.try_next_auth(next_method=True)

        monkeypatch.setattr(auth._ClientPublicKeyAuth, "_packet_handlers", {PK_OK: go_on})
        stolen = asyncssh.read_private_key(str(key))  # only its public half is ever used
        mallory = await who(await connect(door.port, client_keys=[stolen]))
        assert offered
        assert mallory and mallory != identity_of(key), "the offer says nothing about who is there"
        ann.type("x")
        await ann.until("x")  # and ann's session is not ended
        await ann.leave()


async def test_a_signature_that_is_not_right_says_nothing_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, other = make_key(tmp_path / "ann"), make_key(tmp_path / "mallory")
    async with opened(tmp_path / "door", open=True) as door:
        ann = await ssh(door.port, tmp_path / "ann", key=key)
        assert (await ann.told())["identity"] == identity_of(key)
        liar = asyncssh.load_keypairs([str(other)])[0]
        liar.public_data = asyncssh.read_public_key(f"{key}.pub").public_data  # signed with the other key
        with pytest.raises(asyncssh.PermissionDenied):
            await connect(door.port, client_keys=[liar], preferred_auth="publickey")
        await ann.leave()


async def test_a_key_of_another_user_name_counts_no_more(tmp_path: Path) -> None:
    async with opened(tmp_path / "door") as door:
        login = Login(door.gate, "127.0.0.1")
        login.begin("ann")
        assert not login.signed(b"a key that nobody knows")
        login.begin("ben")
        question = login.question()
        assert isinstance(question, tuple) and "return code" in question[3][0][0], "whoever signed as ann is not ben"
        assert await login.answer([WORDS]) is True
        assert login.entry is not None and login.entry.keyless
        assert login.entry.identity != identities.identity_of(b"a key that nobody knows")
