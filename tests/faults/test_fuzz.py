"""Frames and card packs from strangers are read or refused: cleanly, quickly, in little memory."""

import asyncio
import random
import time
import tracemalloc
from collections.abc import Callable

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.authoring.lint import check_pack
from core.language.catalog import load
from core.language.errors import PackError
from core.state.actions import Refusal
from netcode.client.client import Client, ClientError
from netcode.protocol import codec, limits, wire
from netcode.protocol.codec import WireError
from netcode.protocol.pack_files import built_in_pack, open_blob
from tests.faults.attacker import BOMBS
from tests.netcode.protocol.sample_messages import DOWN_MESSAGES, UP_MESSAGES
from tests.thorough import examples

DECODERS: list[Callable[[bytes], object]] = [codec.unpack_up, codec.unpack_down]
FIGURES = ["9" * 400, "-1", "1e308", "true", '"x"', "[]", "{}", '"\\u001b[2J"', "1979-05-27", "nan", f'"{"y" * 5000}"']
ORDERS = {chr(at) for at in (*range(32), *range(0x7F, 0xA0))} | set("[]\u202e\u2066")


# ------------------------------------------------------------------------------------------------------------- frames
@pytest.mark.long
@settings(max_examples=examples(300, 10), deadline=None)
@given(st.one_of(UP_MESSAGES, DOWN_MESSAGES), st.data())
def test_a_frame_changed_anywhere_is_a_message_or_an_error(message: wire.Up | wire.Down, data: st.DataObject) -> None:
    frame = bytearray(codec.pack(message))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(frame)))
        match data.draw(st.integers(0, 2)):
            case 0 if at < len(frame):
                frame[at] = data.draw(st.integers(0, 255))
            case 1:
                del frame[at:]
            case _:
                frame[at:at] = data.draw(st.binary(max_size=12))
    for unpack in DECODERS:
        try:
            unpack(bytes(frame))
        except WireError as error:
            assert error.code in ("bad_frame", "bad_schema")


def bombs() -> list[bytes]:
    """Return frames of the greatest length that is unpacked, with headers that claim many entries."""
    rng, heads = random.Random(2), (b"\xdd\x00\x00\x03\xff", b"\xdc\x03\xff", b"\xdc\x00\x40", b"\x9f", b"\xde\x00\x20")
    made = [*BOMBS]
    for head in heads:
        made.append((head * 70_000)[: limits.DOWN_BYTES])
        made.append((head + b"\xc0" * 1023) * 60)
    made += [bytes(rng.choice(b"\x91\x81\xdc\xde\xc4\xa1\x00\x01") for _ in range(limits.DOWN_BYTES)) for _ in range(4)]
    return made


@pytest.mark.parametrize("unpack", DECODERS)
def test_bombs_take_little_time_and_memory(unpack: Callable[[bytes], object]) -> None:
    for bomb in bombs():
        tracemalloc.start()
        began = time.process_time()
        with pytest.raises(WireError):
            unpack(bomb[: limits.DOWN_BYTES])
        took, peak = time.process_time() - began, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert took < 0.25 and peak < 20e6, (bomb[:8], took, peak)


@pytest.mark.long
@settings(max_examples=examples(100), deadline=None)
@given(st.text(max_size=400), st.text(max_size=300))
def test_no_text_of_a_host_or_a_player_controls_the_terminal(name: str, text: str) -> None:
    table = wire.TableInfo(text[:24], [wire.SeatInfo(name, bot=text)], machine=text)
    messages = [wire.Talk(0, name, text), wire.Bye("x", text), wire.Error("x", text), wire.Info(table)]
    messages.append(wire.Refused(1, Refusal("bad", text)))
    for message in messages:
        try:
            shown = codec.unpack_down(msgpack.packb(codec.msgspec.to_builtins(message, str_keys=True)))
        except (WireError, UnicodeEncodeError):
            continue
        for field in _texts(codec.msgspec.to_builtins(shown)):
            assert not ORDERS & set(field)


def _texts(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [value] if isinstance(value, str) else []


# -------------------------------------------------------------------------------------------------------------- packs
def small_pack() -> dict[str, bytes]:
    """Return a pack with some cards of each kind."""
    whole = built_in_pack("munchkins-and-mazes")
    pack = {"pack.toml": whole["pack.toml"]}
    for name, data in whole.items():
        if name != "pack.toml":
            pack[name] = b"[[card]]" + b"[[card]]".join(data.split(b"[[card]]")[1:5])
    return pack


def damaged(text: str, rng: random.Random) -> str:
    """Return the text with a few lines damaged."""
    lines = text.splitlines()
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(lines))
        key, equals, value = lines[at].partition(" = ")
        lines[at] = rng.choice([
            "", lines[at] * 2, lines[rng.randrange(len(lines))], f"{key}{equals}{rng.choice(FIGURES)}",
            f"{key}x = {value}", value, lines[at][: rng.randrange(len(lines[at]) + 1)], f"[{lines[at]}]",
            f"{key} = {{ {key} = {value} }}", lines[at].replace("do = ", "not = "), "\u202e" + lines[at],
            "x = " + "[" * 3000,
        ])  # fmt: skip
    return "\n".join(lines)


@pytest.mark.long(0)
def test_a_damaged_pack_is_played_or_refused_with_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    rng, whole, refused = random.Random(4), small_pack(), 0
    load([whole])
    for number in range(120):
        name = rng.choice(sorted(whole))
        data = damaged(whole[name].decode(), rng).encode()
        if number % 10 == 0:
            data = bytes(rng.choice(data) ^ rng.choice((0, 0, 0, 0x80)) for _ in range(len(data)))
        began = time.process_time()
        try:
            load([{**whole, name: data}])
        except PackError as fault:
            refused += 1
            assert name in str(fault) or "pack.toml" in str(fault)
        check_pack({**whole, name: data})
        assert time.process_time() - began < 3
    assert 50 < refused < 120


@pytest.mark.parametrize("sign", ["\\u001b[31m", "\\u0007", "\\u202e", "\\u009b2J", "\\u200b"])
def test_a_pack_cannot_control_the_terminal(sign: str) -> None:
    pack = small_pack()
    name = next(name for name in pack if name != "pack.toml")
    first = pack[name].decode().split('name = "', 1)
    pack[name] = f'{first[0]}name = "{sign}{first[1]}'.encode()
    with pytest.raises(PackError, match=rf"{name}.*invisible character U\+"):
        load([pack])
    invisible = [problem for problem in check_pack(pack) if "invisible character" in problem.message]
    assert [problem for problem in invisible if problem.file == name]


@pytest.mark.long
@settings(max_examples=examples(150), deadline=None)
@given(st.binary(max_size=300))
def test_a_pack_that_differs_from_its_announced_hash_is_refused(blob: bytes) -> None:
    with pytest.raises(ValueError, match=r"pack|files|unpacked|hash|big|holds"):
        open_blob(blob, "0" * 32)


async def test_a_client_refuses_a_pack_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client("kickdoor://127.0.0.1:1/t#" + "A" * 43 + "." + "A" * 22, "Kim", keep=False)
    client.info = wire.TableInfo("t", [], packs=[wire.PackInfo("endless", "0" * 32, built_in=False)])
    asked = 0

    def endless(message: wire.Up) -> bool:
        nonlocal asked
        asked += 1
        assert isinstance(message, wire.GetPack)
        part = wire.PackPart(message.set_id, message.offset, limits.PACK_BYTES * 2, bytes(32 * 1024))
        asyncio.get_running_loop().call_soon(client._on_part, part)
        return True

    monkeypatch.setattr(client, "_send", endless)
    with pytest.raises(ClientError, match="pieces of endless"):
        await client.packs()
    assert asked == 1, "a pack that is announced as too big is not fetched"
