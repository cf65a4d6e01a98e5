"""Who may come in, and who they are: with the real ssh."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("asyncssh", reason="needs the extra serve")

from tests.netcode.door.opened import WORDS, identity_of, make_key, needs_ssh, opened, ssh, table_of

pytestmark = [needs_ssh, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door needs Linux")]


async def test_a_new_key_is_asked_once_for_the_words_and_keeps_its_name(tmp_path: Path) -> None:
    key = make_key(tmp_path / "ann")
    async with opened(tmp_path / "door") as door:
        first = await ssh(door.port, tmp_path / "ann", key=key, answers=("Otter lamp 42",))
        told = await first.told()
        assert "table's words" in first.asked and "return code" not in first.asked
        assert told["identity"] == identity_of(key) and told["name"] == "ann" and not told["code"]
        assert table_of(told) == "first" and told["door"] == f"ssh -p {door.port} 127.0.0.1"
        assert door.tables.labels == ["127.0.0.1"], "the host counts tries for the address of the ssh client"
        Path(told["folder"], "seats").mkdir()
        Path(told["folder"], "seats", "ann.0.json").write_text("{}")
        await first.leave()
        again = await ssh(door.port, tmp_path / "elsewhere", key=key, user="robert")
        assert (await again.told())["name"] == "ann", "the seat is kept under the name"
        assert not again.asked and len(door.tables.labels) == 1
        await again.leave()
    async with opened(tmp_path / "door") as door:
        after_restart = await ssh(door.port, tmp_path / "elsewhere", key=key)
        assert (await after_restart.told())["identity"] == told["identity"] and not after_restart.asked
        await after_restart.leave()
        logged = door.logged
        assert f"in {told['identity'][:16]} 127.0.0.1" in logged and f"out {told['identity'][:16]}" in logged
        assert "otter" not in logged and "ssh-ed25519" not in logged and "kickdoor://" not in logged


async def test_wrong_words_let_nobody_in_and_rest_after_five_tries(tmp_path: Path) -> None:
    key = make_key(tmp_path / "ann")
    async with opened(tmp_path / "door") as door:
        slip = await ssh(door.port, tmp_path / "ann", key=key, answers=("oter lamp 42", "otter lamp 42"))
        await slip.told()
        assert not door.tables.wrong, "a slip costs no try"
        await slip.leave()
        for number, tries in enumerate((3, 2)):
            home = tmp_path / f"guess{number}"
            guess = await ssh(door.port, home, key=make_key(home), answers=("lamp-lamp-42",) * tries)
            code, out = await guess.end()
            assert code == 255 and "Permission denied" in out
        assert door.tables.wrong[WORDS] == 5
        late = tmp_path / "late"
        late_guest = await ssh(door.port, late, key=make_key(late), answers=(WORDS,))
        assert (await late_guest.end())[0] == 255, "the words rest"
        known = await ssh(door.port, tmp_path / "ann", key=key)
        await known.told()
        await known.leave()


async def test_a_password_a_file_of_keys_or_an_open_door_decide_instead(tmp_path: Path) -> None:
    ann, ben = make_key(tmp_path / "ann"), make_key(tmp_path / "ben")
    async with opened(tmp_path / "door", password="a long password") as door:
        wrong = await ssh(door.port, tmp_path / "ann", key=ann, answers=("a short password", "x", "y"))
        assert (await wrong.end())[0] == 255
        right = await ssh(door.port, tmp_path / "ann", key=ann, answers=("a long password",))
        assert (await right.told())["identity"] == identity_of(ann)
        await right.leave()
    listed = tmp_path / "keys"
    listed.write_text(f"# friends\n{Path(f'{ben}.pub').read_text()}")
    async with opened(tmp_path / "door", keys=str(listed)) as door:
        refused = await ssh(door.port, tmp_path / "ann", key=ann, answers=(WORDS,))
        assert (await refused.end())[0] == 255, "the file decides alone, whoever was here before"
        taken = await ssh(door.port, tmp_path / "ben", key=ben)
        assert (await taken.told())["name"] == "ann 2", "ann was here, and may come again"
        await taken.leave()
        friend = Path(f"{ben}.pub").read_text()
        for line in (Path(f"{ann}.pub").read_text(), f'from="10.0.0.1" {friend}'):
            listed.write_text(line)
            door.gate.read_keys()
            assert (await (await ssh(door.port, tmp_path / "ben", key=ben)).end())[0] == 255, line
    async with opened(tmp_path / "door2", open=True) as door:
        anybody = await ssh(door.port, tmp_path / "ben", key=ben)
        assert (await anybody.told())["identity"] == identity_of(ben) and not anybody.asked
        await anybody.leave()


async def test_a_guest_without_a_key_returns_by_a_code(tmp_path: Path) -> None:
    async with opened(tmp_path / "door") as door:
        first = await ssh(door.port, tmp_path / "cat", user="cat", answers=(WORDS,))
        told = await first.told()
        assert told["name"] == "cat" and told["code"].count("-") == 2
        assert "return code" in first.asked
        await first.leave()
    async with opened(tmp_path / "door") as door:
        home = tmp_path / "elsewhere"
        back = await ssh(door.port, home, user="x", answers=(told["code"].replace("-", " ").upper(),))
        again = await back.told()
        assert again["identity"] == told["identity"] and again["code"] == told["code"]
        assert not door.tables.labels, "a code is no business of the host"
        await back.leave()
        number = told["code"].rpartition("-")[2]
        for tries in (3, 2):
            guess = await ssh(door.port, home, user="x", answers=(f"abacus-abacus-{number}",) * tries)
            assert (await guess.end())[0] == 255
        right = await ssh(door.port, home, user="x", answers=(told["code"],))
        assert (await right.end())[0] == 255, "the code rests"
        door.identities.let_codes_be_tried()
        right = await ssh(door.port, home, user="x", answers=(told["code"],))
        assert (await right.told())["identity"] == told["identity"]
        await right.leave()
    async with opened(tmp_path / "door", keyless=False) as door:
        barred = await ssh(door.port, home, user="cat", answers=(WORDS, WORDS, WORDS))
        code, out = await barred.end()
        assert code == 255 and "ssh-keygen" in out and not door.tables.labels


async def test_names_are_unique_and_clean(tmp_path: Path) -> None:
    async with opened(tmp_path / "door", open=True) as door:
        names = []
        for number, user in enumerate(("ann", "Ann", "\u0430nn", "12", "a[red]b")):
            home = tmp_path / f"g{number}"
            guest = await ssh(door.port, home, user=user, key=make_key(home))
            names.append((await guest.told())["name"])
            await guest.leave()
        assert names == ["ann", "Ann 2", "\u0430nn 2", "guest", "a(red)b"] or names[2:3] == ["\u0430nn 3"], names
