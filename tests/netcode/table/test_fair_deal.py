"""The fair deal: nobody can choose the cards, the game can be proved afterwards, and cheating is found."""

import asyncio
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from core.state.actions import Done
from core.state.events import AnyEvent
from netcode.client.bot_runner import BotPlayer
from netcode.client.deal_commitment import DealCommitment
from netcode.journal import FactRow
from netcode.protocol import codec, limits, wire
from netcode.protocol.deal_seed import PART_BYTES, seed_of
from netcode.protocol.revealed_game import RevealedGame, from_bytes, to_bytes
from netcode.recording.recorder import Recorder
from netcode.recording.recording import Recording, read_recording
from netcode.recording.verify import Finding, failed, verify
from netcode.table.fair_deal import FairDeal
from tests.netcode.offline_table import STRONG, OfflineTable, Player, rules
from tests.netcode.recorded_games import FILES, Listener, finished_game, play_on, recorded, recorder, take_part
from tests.netcode.restored_table import journal_rows, restored_table
from tests.netcode.running_host import running_host, seated, until
from tests.patience import PATIENCE_S

OPEN = {"provable": True, "options": ("open-hands",)}


def sitting(**config: Any) -> tuple[OfflineTable, list[Player]]:
    """Seat three ready players at a table with a provable deal; their clients have sent nothing for it yet."""
    offline = OfflineTable(None, provable=True, **config)
    return offline, offline.sit("Kim", "Roger", "Ross")


def deal(offline: OfflineTable) -> wire.DealInfo:
    shown = offline.table.info().deal
    assert shown is not None
    return shown


def send_hash(player: Player, offline: OfflineTable, nonce: bytes) -> None:
    player.send(wire.Nonce(player.session.s, deal(offline).game, hash=sha256(nonce).digest()))


def send_nonce(player: Player, offline: OfflineTable, nonce: bytes) -> None:
    player.send(wire.Nonce(player.session.s, deal(offline).game, nonce=nonce))


def words(findings: list[Finding], how: str) -> str:
    return " | ".join(finding.text for finding in findings if finding.how == how)


# -------------------------------------------------------------------------------------------------------- the deal
def test_the_seed_is_the_hash_of_all_parts_and_no_nonce_is_shown_before_all_are_committed() -> None:
    offline, players = sitting()
    nonces = [bytes([number]) * PART_BYTES for number in range(3)]
    for number, player in enumerate(players):
        assert offline.table.stage == "lobby" and not deal(offline).nonces
        send_nonce(player, offline, nonces[number])
        assert not deal(offline).nonces, "no nonce is taken before its hash"
        send_hash(player, offline, nonces[number])
    assert deal(offline).asked
    send_hash(players[0], offline, b"another" * 4)
    assert deal(offline).hashes[0] == sha256(nonces[0]).digest(), "a hash cannot be changed any more"
    send_nonce(players[0], offline, b"not what was hashed".ljust(PART_BYTES))
    send_nonce(players[1], offline, nonces[0])
    assert not deal(offline).nonces
    for player, nonce in zip(players, nonces):
        assert offline.table.stage == "lobby"
        send_nonce(player, offline, nonce)
    assert offline.table.stage == "playing" and deal(offline).dealt
    fair = offline.table.dealing.fair
    assert fair is not None and sha256(fair.record.secret).digest() == deal(offline).commitment
    assert deal(offline).nonces == dict(enumerate(nonces))
    seed = next(row.value for row in offline.rows if isinstance(row, FactRow) and row.name == "seed")
    assert seed == seed_of(fair.record.secret, dict(enumerate(nonces)), 3)
    again, _ = rules().deal(3, seed)
    assert offline.table.match is not None and again.save() == offline.table.match.game.save()


def test_every_part_changes_the_seed() -> None:
    secret, other, one, two = (letter * PART_BYTES for letter in (b"s", b"t", b"a", b"c"))
    parts = [
        (secret, {0: one, 2: two}, 3), (other, {0: one, 2: two}, 3), (secret, {0: one, 2: two}, 4),
        (secret, {0: one}, 3), (secret, {0: one, 1: two}, 3),
    ]  # fmt: skip
    seeds = {seed_of(*part) for part in parts}
    assert len(seeds) == 5 and all(len(seed) == 32 for seed in seeds)


def test_a_client_that_sends_no_hash_delays_the_deal_only_briefly() -> None:
    offline, players = sitting()
    take_part(offline, players[:2])
    assert offline.table.stage == "lobby"
    offline.wait(limits.DEAL_WAIT_MS - 1000)
    assert offline.table.stage == "lobby"
    offline.wait(1200)
    take_part(offline, players[:2])
    assert offline.table.stage == "playing" and sorted(deal(offline).nonces) == [0, 1]


def test_a_client_that_withholds_its_nonce_is_left_out_and_named() -> None:
    offline, (kim, roger, ross) = sitting()
    send_hash(ross, offline, b"r" * PART_BYTES)
    take_part(offline, [kim, roger])
    assert offline.table.stage == "lobby" and sorted(deal(offline).nonces) == [0, 1]
    offline.wait(limits.DEAL_WAIT_MS + 100)
    assert offline.table.stage == "playing"
    assert set(deal(offline).hashes) - set(deal(offline).nonces) == {ross.seat}


def test_nobody_can_back_out_once_the_nonces_are_asked_for() -> None:
    offline, (kim, roger, ross) = sitting()
    for player in (kim, roger, ross):
        send_hash(player, offline, bytes([player.seat]) * PART_BYTES)
    assert deal(offline).asked
    send_nonce(kim, offline, bytes(PART_BYTES))
    ross.set(ready=False)
    offline.wait(limits.DEAL_WAIT_MS + 100)
    assert offline.table.stage == "playing"


def test_the_host_commits_again_if_somebody_leaves_during_the_deal() -> None:
    offline, (kim, roger, ross) = sitting()
    first = deal(offline).commitment
    send_hash(ross, offline, b"r" * PART_BYTES)
    take_part(offline, [kim, roger])
    ross.send(wire.Leave(ross.session.s))
    offline.wait(1000)
    assert offline.table.stage == "lobby" and deal(offline).commitment != first and not deal(offline).hashes
    ann = offline.hello("Ann")
    assert isinstance(ann, Player)
    ann.set(ready=True)
    take_part(offline, [kim, roger, ann])
    part = kim.deal_commitment.part
    assert offline.table.stage == "playing" and part is not None and part.again == 1


def test_host_bots_and_spectators_have_no_part() -> None:
    offline = OfflineTable(None, provable=True, bots=2)
    bots = offline.seat_own_bots()
    watcher = offline.spectator()
    (kim,) = offline.sit("Kim")
    for other in (*bots, watcher):
        send_hash(other, offline, b"b" * PART_BYTES)
    assert not deal(offline).hashes
    take_part(offline, [kim])
    assert offline.table.stage == "playing" and list(deal(offline).nonces) == [kim.seat]


def test_every_match_has_a_new_commitment() -> None:
    players = finished_game(**OPEN)
    offline = players[0].offline
    assert deal(offline).game == 2 and not deal(offline).dealt
    for player in players[:3]:
        player.set(ready=True)
    take_part(offline, list(players[:3]))
    assert offline.table.stage == "playing" and (deal(offline).game, deal(offline).dealt) == (2, True)
    finished_game.cache_clear()


def test_a_table_with_a_seed_or_a_scenario_makes_no_commitment() -> None:
    offline = OfflineTable(None)
    offline.sit("Kim", "Roger", "Ross")
    assert offline.table.stage == "playing" and offline.table.info().deal is None


def test_a_client_sends_its_part_three_times_at_most() -> None:
    info, commitment = wire.DealInfo(1, b"c" * 32), DealCommitment()
    sent = [commitment.answer(info, 0, b"s", second) for second in range(20)]
    assert sum(message is not None for message in sent) == 3 and commitment.answer(info, -1, b"s", 30) is None
    assert commitment.answer(wire.DealInfo(2, b"d" * 32), 0, b"s", 40) is not None


# -------------------------------------------------------------------------------------------------- across a crash
@pytest.mark.parametrize("moment", ["committed", "hashed", "asked"])
def test_a_commitment_holds_when_the_host_is_killed_before_the_deal(moment: str, tmp_path: Path) -> None:
    offline, players = sitting()
    nonces = [bytes([number]) * PART_BYTES for number in range(3)]
    for player, nonce in zip(players, nonces):
        if moment != "committed" and (moment == "asked" or player.seat < 2):
            send_hash(player, offline, nonce)
    if moment == "asked":
        send_nonce(players[0], offline, nonces[0])
    before = deal(offline)
    tokens = [player.received(wire.Welcome)[-1].token for player in players]
    offline.table = restored_table(offline, journal_rows(offline, tmp_path))
    assert offline.table.info().deal == before
    for player, token in zip(players, tokens):
        back = offline.hello(player.name, token)
        assert isinstance(back, Player)
        if not deal(offline).asked:
            send_hash(back, offline, nonces[back.seat])
    for player in offline.players[3:]:
        send_nonce(player, offline, nonces[player.seat])
    assert offline.table.stage == "playing"
    assert deal(offline).commitment == before.commitment and deal(offline).nonces == dict(enumerate(nonces))


def test_a_revealed_game_is_still_revealed_after_a_crash(tmp_path: Path) -> None:
    kim = finished_game(**OPEN)[0]
    table = restored_table(kim.offline, journal_rows(kim.offline, tmp_path), ("open-hands",))
    assert table.info().opened == 1
    assert table.dealing.part(wire.GetGame(b"", 1)) == kim.offline.table.dealing.part(wire.GetGame(b"", 1))


# ----------------------------------------------------------------------------------------------- revealing a game
def test_a_game_is_revealed_only_if_all_agree() -> None:
    offline = OfflineTable(None, provable=True)
    players = offline.sit("Kim", "Roger", "Ross")
    take_part(offline, players)
    kim, roger, ross = players
    kim.set(open=True)
    assert [error.text for error in kim.received(wire.Error)] == ["no game is over"]
    play_on(offline, players, 5)
    for player in (kim, roger, roger):
        player.set(open=True)
    kim.send(wire.GetGame(kim.session.s, 1))
    assert kim.received(wire.Error)[-1].text == "this game is not revealed"
    roger.set(open=False)
    ross.set(open=True)
    assert (offline.table.info().agreed, offline.table.info().opened) == ([0, 2], 0)
    roger.set(open=True)
    assert offline.table.info().opened == 1
    kim.send(wire.GetGame(kim.session.s, 1))
    assert kim.received(wire.GamePart)


def test_a_game_cannot_be_revealed_after_a_player_left_or_if_it_began_from_a_scenario() -> None:
    offline = OfflineTable(None, provable=True)
    players = offline.sit("Kim", "Roger", "Ross")
    take_part(offline, players)
    kim, roger, ross = players
    ross.send(wire.Leave(ross.session.s))
    (bot,) = offline.seat_own_bots()
    play_on(offline, [kim, roger, bot], 5)
    for player in (kim, roger):
        player.set(open=True)
    assert offline.table.info().opened == 0
    laid = OfflineTable(STRONG, revealable=False)
    (kim, *_) = laid.sit("Kim", "Roger", "Ross")
    laid.table.lifecycle.set_stage("over")
    kim.set(open=True)
    assert "from a scenario" in kim.received(wire.Error)[-1].text


# ------------------------------------------------------------------------------------------------- what is proved
@pytest.fixture(scope="module")
def revealed_games(tmp_path_factory: pytest.TempPathFactory) -> list[Recording]:
    """Return the recordings of a revealed game, made by three players and a spectator."""
    async def keep(player: Player, folder: Path) -> Recording:
        saved: list[Path] = []
        listener = Listener(player)
        found = recorder(listener, folder, saved)
        listener.catch_up()
        await found.close()
        assert not found.problem, found.problem
        return read_recording(saved[-1])

    folder = tmp_path_factory.mktemp("finished")
    return [asyncio.run(keep(player, folder)) for player in finished_game(**OPEN)]


def test_a_revealed_game_is_proved_in_full(revealed_games: list[Recording]) -> None:
    for recording in revealed_games:
        findings = verify(recording)
        assert not failed(findings), findings
        proved = words(findings, "ok")
        assert "the host's bytes are those that it committed itself to" in proved
        assert "the seed is the hash of the host's bytes and these numbers" in proved
        assert "of this file, byte for byte" in proved
        assert ("this seat's own number is in the deal" in proved) == (recording.header.seat >= 0)


def test_verification_says_what_a_hidden_game_cannot_prove(tmp_path: Path) -> None:
    findings = verify(read_recording(recorded(finished_game(provable=True)[0], tmp_path)))
    assert not failed(findings)
    assert "this seat's own number is in the deal" in words(findings, "ok")
    assert "the game was not revealed" in words(findings, "limit")
    unproved = verify(read_recording(recorded(finished_game()[0], tmp_path)))
    assert "not provable: the host made no commitment" in words(unproved, "limit") and not failed(unproved)


def forged(recording: Recording, change: str) -> Recording:
    """Return the recording as it would be if somebody had cheated in this way."""
    opened: RevealedGame = from_bytes(recording.revealed)
    header = msgspec.structs.replace(recording.header)
    messages = list(recording.messages)
    match change:
        case "another secret":
            opened.secret = bytes(32)
        case "another seed":
            opened.seed = bytes(32)
        case "another nonce":
            opened.nonces[0] = bytes(32)
        case "an action missing":
            del opened.acts[40]
        case "another action":
            opened.acts[40] = (opened.acts[40][0], msgspec.msgpack.encode(Done()))
        case "another commitment":
            header.commitment = bytes(32)
        case "our nonce missing":
            header.nonce = bytes(32)
        case "deal begun again":
            header.again = 2
    wanted = {"another view": wire.Update, "another event": wire.Update, "an event too many": wire.Update}
    if change in wanted:
        at, update = _late_update(messages)
        assert update.view is not None
        if change == "another view":
            update.view.doors += 1
        elif change == "another event":
            told = update.events[-1]
            event = msgspec.structs.replace(told.event)
            field = _numbers(event)[0]
            setattr(event, field, getattr(event, field) + 1)
            update.events[-1] = wire.NumberedEvent(told.no, event)
        else:
            update.events.append(wire.NumberedEvent(update.events[-1].no + 1, update.events[-1].event))
        messages[at] = (messages[at][0], codec.pack(update))
    return Recording(header, recording.packs, to_bytes(opened), messages)


def _late_update(messages: list[tuple[int, bytes]]) -> tuple[int, wire.Update]:
    for at in range(len(messages) - 10, 0, -1):
        message = codec.unpack_told(messages[at][1])
        if isinstance(message, wire.Update) and message.events and _numbers(message.events[-1].event):
            return at, message
    raise AssertionError("nothing happens in this recording")


def _numbers(event: AnyEvent) -> list[str]:
    """Return the names of an event's numeric fields; some events have none."""
    return [name for name in event.__struct_fields__ if type(getattr(event, name)) is int]


@pytest.mark.long(3)
@pytest.mark.parametrize(
    "change",
    [
        "another secret", "another seed", "another nonce", "an action missing", "another action", "another commitment",
        "our nonce missing", "deal begun again", "another view", "another event", "an event too many",
    ],
)  # fmt: skip
def test_every_kind_of_cheating_is_found(change: str, revealed_games: list[Recording]) -> None:
    assert failed(verify(forged(revealed_games[0], change))), change


def test_an_invalid_revealed_game_is_one_finding(revealed_games: list[Recording]) -> None:
    first = revealed_games[0]
    for data in (b"\xc1", b"opened", first.revealed[:-7], to_bytes(RevealedGame(1, 9, ["no such"], b"", {}, b"", []))):
        findings = verify(Recording(first.header, first.packs, data, first.messages))
        assert failed(findings) and all("\n" not in finding.text for finding in findings)


# ------------------------------------------------------------------------------------------------- at a real host
async def test_real_clients_take_part_in_the_deal(tmp_path: Path) -> None:
    async with running_host(options=["open-hands"]) as host, seated(host, "Kim", "Roger", "Ross") as clients:
        for client in clients:
            info = client.info
            assert info is not None and info.deal is not None and info.deal.dealt and "open-hands" in info.options
            part = client.deal_commitment.part
            assert part is not None and part.commitment == info.deal.commitment
            assert info.deal.nonces[client.seat] == part.nonce and len(info.deal.nonces) == 3


async def test_the_commitment_survives_a_killed_host(tmp_path: Path) -> None:
    async with running_host(data=str(tmp_path)) as host:
        kim = host.client("Kim")
        await kim.join()
        await kim.wait_for(lambda one: one.info.deal is not None and 0 in one.info.deal.hashes)
        before = kim.info.deal
        port = kim.target.port
        host.stop(9)
        async with running_host(data=str(tmp_path), port=port) as again:
            await until(lambda: kim.stage == "synced", PATIENCE_S)
            others = [again.client(name) for name in ("Roger", "Ross")]
            for client in others:
                await client.join()
            for client in (kim, *others):
                client.set(ready=True)
            await kim.wait_for(lambda one: one.view is not None)
            dealt = kim.info.deal
            assert before is not None and dealt is not None
            assert dealt.commitment == before.commitment and dealt.hashes[0] == before.hashes[0]
            assert len(dealt.nonces) == 3
            for client in (kim, *others):
                await client.close()


def test_a_deal_from_the_journal_is_unchanged() -> None:
    fair = FairDeal(3)
    fair.take(1, b"s", wire.Nonce(b"s", 3, hash=b"h" * 32))
    again = FairDeal.restored(fair.row().value)
    assert again.info() == fair.info() and again.record.secret == fair.record.secret


async def test_every_recording_of_a_game_at_a_real_host_proves_the_revealed_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("netcode.recording.recorder.REVEAL_S", PATIENCE_S)  # a busy machine needs longer
    saved: list[Path] = []
    async with running_host(options=["open-hands"]) as host:
        guests = [host.client(name, role="bot", level="easy") for name in ("Kim", "Roger", "Ross")]
        players = [BotPlayer(client, "easy", Random(at), {}) for at, client in enumerate(guests)]
        catalog = rules().catalog
        recorders = [Recorder(one, FILES, catalog, tmp_path / one.name, saved.append) for one in guests]
        ends = await asyncio.wait_for(asyncio.gather(*(player.play() for player in players)), 600)
        await until(lambda: len(saved) == 2 * len(recorders), PATIENCE_S)  # the game, then with what was revealed
        for found in recorders:
            await found.close()
        assert ends == ["ended"] * 3 and [found.problem for found in recorders] == [""] * 3
        for client in guests:
            await client.close()
    for path in set(saved):
        findings = verify(read_recording(path))
        assert not failed(findings), findings
        assert "of this file, byte for byte" in words(findings, "ok")
