"""Admission: new strings, knocks, kicks with a pause, mutes, and an owner whose table nobody can take away."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from netcode.client.state_machine import Role
from netcode.protocol import limits, wire
from netcode.protocol.credentials import fingerprint
from netcode.table.session import Out
from tests.netcode.offline_table import JOIN, OWNER, WATCH, OfflineTable, Player, at_the_fight
from tests.netcode.restored_table import journal_rows, restored_table


def ask(player: Player, what: str, seat: int = -1, value: str = "", **more: Any) -> str:
    """Make a request of the owner; return why it is refused, or ""."""
    before = len(player.received(wire.Error))
    fields = {"k": "admin", "s": player.session.s, "what": what, "seat": seat, "value": value, **more}
    player.send(msgspec.convert(fields, wire.Admin))
    return " ".join(error.text for error in player.received(wire.Error)[before:])


class Door:
    """A person outside a table, who says hello and keeps the answers."""

    def __init__(self, offline: "Doors", name: str, token: bytes = JOIN, role: Role = "player") -> None:
        self.offline, self.name, self.token, self.role = offline, name, token, role
        self.answers: list[wire.Down] = []
        offline.doors.append(self)

    def hello(self) -> Player | wire.Down:
        """Say hello; return the player, or the answer."""
        return self.offline.hello(self.name, self.token, self.role, key=f"key of {self.name}")


class Doors(OfflineTable):
    """A table whose answers to people outside are kept."""

    def __init__(self, *more: Any, **config: Any) -> None:
        self.doors: list[Door] = []
        super().__init__(*more, **config)

    def sent(self, out: list[Out]) -> None:
        for one in out:
            for door in self.doors:
                if one.session is None and one.address == door.name.encode():
                    door.answers.append(one.message)


def owned(**config: Any) -> tuple[Doors, Player]:
    """Return a table without a game and its owner, who came with the owner string."""
    offline = Doors(None, **config)
    kim = back(offline, "Kim", OWNER)
    return offline, kim


def back(offline: OfflineTable, name: str, token: bytes = JOIN) -> Player:
    """Let somebody in again."""
    player = offline.hello(name, token)
    assert isinstance(player, Player), player
    return player


def owner_of(offline: OfflineTable) -> tuple[int, bool]:
    """Return the seat that decides for the table, and whether it only acts for the owner."""
    info = offline.table.info()
    return info.owner, info.acting


# ------------------------------------------------------------------------------------------------------------- strings
@pytest.mark.parametrize(("name", "old", "role"), [("join", JOIN, "player"), ("watch", WATCH, "watch")])
def test_after_a_new_string_the_old_one_lets_nobody_new_in(name: str, old: bytes, role: Any) -> None:
    offline, kim = owned()
    inside = offline.hello("Roger", old, role)
    assert isinstance(inside, Player)
    token = inside.received(wire.Welcome)[-1].token
    assert kim.received(wire.Strings) == [wire.Strings(JOIN, WATCH)] and not inside.received(wire.Strings)
    assert ask(kim, "renew", value=name) == ""
    new = getattr(kim.received(wire.Strings)[-1], name)
    assert new != old and not inside.received(wire.Strings)
    refused = offline.hello("Ross", old, role)
    assert isinstance(refused, wire.Error) and refused.code == "bad_token"
    assert isinstance(offline.hello("Roger", token, role), Player), "a resume token stays valid"
    assert isinstance(offline.hello("Ann", new, role), Player)
    assert isinstance(offline.hello("Kim", OWNER), Player), "the owner string stays valid"


def test_only_the_owner_gets_the_strings_and_a_new_owner_gets_them_too() -> None:
    offline, kim = owned()
    roger, ross = offline.sit("Roger", "Ross")
    wes = offline.spectator()
    assert "only the table's owner" in ask(roger, "renew", value="join")
    assert ask(kim, "owner", roger.seat) == ""
    assert roger.received(wire.Strings) and not ross.received(wire.Strings) and not wes.received(wire.Strings)
    assert ask(kim, "renew", value="join") and "name the string" in ask(roger, "renew", value="owner")


def test_a_private_table_has_no_strings_to_show() -> None:
    offline = OfflineTable(None, solo=True, bots=2)
    kim = back(offline, "Kim", OWNER)
    assert not kim.received(wire.Strings) and not kim.received(wire.Knocks)


def test_no_config_or_admission_shows_its_tokens_in_a_log() -> None:
    offline, kim = owned()
    ask(kim, "renew", value="join")
    shown = repr(offline.table.config) + repr(offline.table.seating.admission)
    for token in (JOIN, WATCH, OWNER, kim.received(wire.Strings)[-1].join):
        assert repr(token) not in shown and token.hex() not in shown


# --------------------------------------------------------------------------------------------------------------- knocks
def test_a_newcomer_knocks_and_comes_in_when_the_owner_says_yes() -> None:
    offline, kim = owned(knock=True)
    sam = Door(offline, "Sam")
    first = sam.hello()
    assert first == wire.Knocked(limits.KNOCK_MS)
    assert kim.received(wire.Knocks)[-1].knocks == [wire.KnockInfo(1, "Sam", fingerprint("key of Sam"))]
    assert sam.hello() == wire.Knocked(limits.KNOCK_MS) and len(kim.received(wire.Knocks)) == 1, "one for each key"
    assert ask(kim, "admit", number=1) == ""
    assert sam.answers[-1] == wire.Knocked(0, True) and kim.received(wire.Knocks)[-1].knocks == []
    inside = sam.hello()
    assert isinstance(inside, Player) and inside.seat == 1
    assert ask(kim, "admit", number=1) == "they do not knock any more"


def test_a_knock_tells_nothing_of_the_table_and_nobody_but_the_owner_of_it() -> None:
    offline, kim = owned(knock=True)
    sam, like_kim = Door(offline, "Sam"), Door(offline, "Кim")
    roger = back(offline, "Roger", OWNER)
    assert ask(roger, "owner", kim.seat) == ""
    for door in (sam, like_kim):
        assert door.hello() == wire.Knocked(limits.KNOCK_MS), "a name that looks like one inside changes nothing"
    assert not [knocks for knocks in roger.received(wire.Knocks) if knocks.knocks]


def test_a_knocker_comes_in_under_the_name_and_the_role_that_the_owner_was_shown() -> None:
    offline, kim = owned(knock=True)
    sam = Door(offline, "Kirn")
    sam.hello()
    assert kim.received(wire.Knocks)[-1].knocks[0].like == "Kim"
    ask(kim, "admit", number=1)
    watching = Door(offline, "Kirn", WATCH, "watch")
    assert isinstance(watching.hello(), wire.Knocked), "somebody let in as a player knocks again as a spectator"
    inside = offline.hello("Roger", key="key of Kirn")
    assert isinstance(inside, Player) and offline.table.seating.seats[1].name == "Kirn 2"


def test_whoever_is_refused_or_leaves_or_waits_too_long_stops_knocking() -> None:
    offline, kim = owned(knock=True)
    sam, ann, bob = (Door(offline, name) for name in ("Sam", "Ann", "Bob"))
    for door in (sam, ann, bob):
        door.hello()
    assert ask(kim, "refuse", number=1, pause_s=30) == ""
    assert sam.answers[-1].text == "the table's owner does not let you in: you may knock again in 30 seconds"
    again = sam.hello()
    assert isinstance(again, wire.Error) and (again.code, again.retry_ms) == ("kicked", 30_000)
    for _ in range(0, limits.KNOCK_MS - 5000, 5000):
        offline.wait(5000)
        bob.hello()
    assert [knock.name for knock in kim.received(wire.Knocks)[-1].knocks] == ["Bob"], "Ann has gone"
    offline.wait(6000)
    assert bob.answers[-1].text.startswith("nobody at the table has answered") and not kim.session.knocks.knocks
    assert isinstance(sam.hello(), wire.Knocked), "the pause is over"


def test_knocks_are_bounded_and_cost_the_table_nothing() -> None:
    offline, kim = owned(knock=True)
    answers = [Door(offline, f"Sam {number}").hello() for number in range(200)]
    assert sum(isinstance(answer, wire.Knocked) for answer in answers) == limits.KNOCKS
    crowded = answers[-1]
    assert isinstance(crowded, wire.Error) and crowded.retry_ms == limits.KNOCK_RETRY_MS
    assert len(kim.received(wire.Knocks)) == limits.KNOCKS
    assert ask(kim, "renew", value="join") == "" and not offline.table.seating.admission.knocks
    friend = Door(offline, "Ann", kim.received(wire.Strings)[-1].join)
    offline.wait(2000)
    assert isinstance(friend.hello(), wire.Knocked)


def test_the_owner_opens_the_door_or_closes_it_for_all_who_wait() -> None:
    offline, kim = owned()
    assert ask(kim, "knock") == "" and offline.table.info().knocking
    sam = Door(offline, "Sam")
    sam.hello()
    assert ask(kim, "no_knock") == "" and sam.answers[-1] == wire.Knocked(0, True)
    assert isinstance(sam.hello(), Player)
    ask(kim, "knock")
    ann = Door(offline, "Ann")
    ann.hello()
    assert ask(kim, "close") == "" and ann.answers[-1].code == "not_allowed"
    assert isinstance(ann.hello(), wire.Error)
    ask(kim, "open")
    bob = Door(offline, "Bob")
    bob.hello()
    assert ask(kim, "ban", 1) == "" and bob.answers[-1].code == "not_allowed", "a ban closes the table too"


def test_nobody_is_let_in_where_no_seat_is_free() -> None:
    offline, kim = owned(knock=True, seats=3, bots=2)
    sam = Door(offline, "Sam")
    sam.hello()
    assert ask(kim, "admit", number=1) == "every seat is taken: free one, then let them in"
    ask(kim, "kick", 1)
    assert ask(kim, "admit", number=1) == "" and isinstance(sam.hello(), Player)


# ------------------------------------------------------------------------------------------------- kick, ban, squatters
def test_a_kicked_key_is_out_for_the_time_that_the_kick_names() -> None:
    offline, kim = owned()
    (roger,) = offline.sit("Roger")
    assert ask(kim, "kick", roger.seat, pause_s=90) == ""
    bye = roger.received(wire.Bye)[-1]
    assert (bye.reason, bye.text) == ("kicked", "the table's owner sent you away: you may come again in 90 seconds")
    offline.wait(60_000)
    refused = offline.hello("Roger")
    assert isinstance(refused, wire.Error) and (refused.code, refused.retry_ms) == ("kicked", 30_000)
    assert refused.text == "the table's owner sent you away: you may come again in 30 seconds"
    offline.wait(30_000)
    assert isinstance(offline.hello("Roger"), Player)


def test_the_pause_is_five_minutes_if_the_kick_names_none() -> None:
    offline, kim = owned()
    (roger,) = offline.sit("Roger")
    ask(kim, "kick", roger.seat)
    assert roger.received(wire.Bye)[-1].text.endswith("you may come again in 5 minutes")


@pytest.mark.parametrize("remedy", ["knock", "renew"])
def test_a_squatter_with_endless_keys_is_kept_out_by_one_request(remedy: str) -> None:
    offline, kim = owned(seats=6)
    keys = iter(range(10_000))

    def squat() -> int:
        got = [offline.hello(f"Eve {key}", key=f"squatter {key}") for key, _ in zip(keys, range(12))]
        offline.wait(1000)
        return sum(isinstance(one, Player) for one in got)

    assert squat() == 5, "the squatter takes every free seat"
    for seat in range(1, 6):
        ask(kim, "kick", seat)
    assert squat() == 0, "as long as somebody is kept out, newcomers knock: the next keys are fresh"
    offline.wait(limits.KICK_PAUSE_S * 1000)
    assert squat() == 5, "a kick helps for its time only"
    assert ask(kim, remedy, value="join" if remedy == "renew" else "") == ""
    for seat in range(1, 6):
        offline.wait(250)
        assert ask(kim, "kick", seat) == ""
    assert [squat() for _ in range(20)] == [0] * 20
    assert [seat.state for seat in offline.table.seating.seats[1:]] == ["open"] * 5
    friend = Door(offline, "Ann", kim.received(wire.Strings)[-1].join)
    offline.wait(limits.KNOCK_MS)
    friend.hello()
    (number,) = [one.number for one in kim.session.knocks.knocks if one.fingerprint == fingerprint("key of Ann")]
    assert ask(kim, "admit", number=number) == ""  # with the new string too: people were sent away since
    assert isinstance(friend.hello(), Player)


# ------------------------------------------------------------------------------------------------------------- mutes
def test_the_owner_mutes_a_seat_and_the_spectators() -> None:
    offline, kim = owned()
    (roger,) = offline.sit("Roger")
    wes = offline.spectator()
    assert ask(kim, "mute", roger.seat) == "" and offline.table.info().seats[1].muted
    assert ask(kim, "mute") == "" and offline.table.info().spectators_muted
    for muted in (roger, wes):
        muted.send(wire.Say(muted.session.s, "blah"))
        assert muted.received(wire.Error)[-1].text == "the table's owner has muted you: nobody reads what you say"
    assert not kim.received(wire.Talk)
    token = roger.received(wire.Welcome)[-1].token
    roger = back(offline, "Roger", token)
    assert offline.table.info().seats[1].muted, "a mute goes with the key"
    ask(kim, "unmute", 1)
    ask(kim, "unmute")
    for talking in (roger, wes):
        talking.send(wire.Say(talking.session.s, "hello"))
    assert [talk.text for talk in kim.received(wire.Talk)] == ["hello"] * 2
    assert "only the table's owner" in ask(roger, "mute", kim.seat)


# --------------------------------------------------------------------------------------------------------- the owner
def away(offline: OfflineTable, player: Player) -> None:
    """Cut a player's connection until a bot plays for them."""
    player.present = False
    offline.table.unreachable(player.session, offline.stamp)
    offline.wait(limits.LOST_MS + limits.AWAY_MS + 2000)


def test_nobody_takes_the_table_from_an_owner_who_is_away() -> None:
    offline = OfflineTable()
    kim, roger, ross = at_the_fight(offline, "Kim", "Roger", "Ross")
    offline.wait(1)
    token = kim.received(wire.Welcome)[-1].token
    away(offline, kim)
    assert owner_of(offline) == (roger.seat, True)
    forbidden = "you act for the table's owner, who is away: only they can do that"
    for request in (
        ("kick", kim.seat), ("ban", kim.seat), ("kick", ross.seat), ("ban", ross.seat), ("owner", roger.seat),
        ("renew", -1, "join"), ("open",), ("no_knock",), ("mute", ross.seat), ("kick", -1),
    ):  # fmt: skip
        assert ask(roger, *request) == forbidden, request
        offline.wait(250)
    for request in (("pause",), ("resume",), ("pace", -1, "relaxed"), ("close",)):
        assert ask(roger, *request) == "", request
    kim = back(offline, "Kim", token)
    kim.set(ready=True)
    assert owner_of(offline) == (kim.seat, False)
    assert ask(kim, "open") == "" and ask(kim, "kick", roger.seat) == ""


def test_nobody_sends_the_owner_away_and_nobody_bans_the_bearer_of_the_owner_string() -> None:
    offline, kim = owned()
    (roger,) = offline.sit("Roger")
    assert ask(kim, "kick", kim.seat) == "nobody can send the table's owner away"
    assert ask(kim, "owner", roger.seat) == ""
    assert "they always come back" in ask(roger, "ban", kim.seat)
    assert ask(roger, "kick", kim.seat) == ""
    kim = back(offline, "Kim", OWNER)
    assert owner_of(offline) == (kim.seat, False), "the owner string comes in all the same"


def test_an_owner_who_lost_the_seat_comes_back_and_owns_the_table_again() -> None:
    offline, kim = owned(seats=3)
    offline.sit("Roger")
    away(offline, kim)
    assert offline.table.seating.seats[0].state == "open" and owner_of(offline) == (1, True)
    kim = back(offline, "Kim")
    assert owner_of(offline) == (kim.seat, False), "the join string is enough"


def test_the_last_seat_is_kept_for_the_owner() -> None:
    offline, kim = owned(seats=3)
    (roger,) = offline.sit("Roger")
    away(offline, kim)
    eve = offline.hello("Eve")
    assert isinstance(eve, Player), "two seats are free"
    refused = offline.hello("Eva")
    assert isinstance(refused, wire.Error) and (refused.code, "kept for the table's owner" in refused.text) == (
        "table_full", True,
    )  # fmt: skip
    ask(roger, "close")
    kim = back(offline, "Kim", b"any old string..")
    assert owner_of(offline) == (kim.seat, False)


def test_the_owner_string_makes_room_at_a_table_full_of_strangers() -> None:
    offline = OfflineTable(None, seats=3)
    first, _, last = (offline.hello(name) for name in ("Eve", "Eva", "Evi"))
    assert isinstance(first, Player) and isinstance(last, Player) and owner_of(offline) == (0, False)
    kim = back(offline, "Kim", OWNER)
    assert owner_of(offline) == (kim.seat, False)
    assert last.received(wire.Bye)[-1].text == "the table's owner needs your seat"


def test_the_owner_string_takes_the_owner_s_own_seat_back_before_anybody_else_s() -> None:
    """The owner comes from another terminal, and the host has not yet noticed for good that the first one is gone."""
    offline, kim = owned(seats=3)
    roger, ada = (back(offline, name) for name in ("Roger", "Ada"))
    kim.present = False
    offline.table.unreachable(kim.session, offline.stamp)
    offline.wait(limits.LOST_MS + 1000)
    assert offline.table.seating.seats[kim.seat].state == "lost"
    again = back(offline, "Kimberley", OWNER)
    assert (again.seat, owner_of(offline)) == (kim.seat, (kim.seat, False))
    assert not [*roger.received(wire.Bye), *ada.received(wire.Bye)]


def test_an_owner_back_in_a_game_takes_the_seat_of_a_bot_of_the_host() -> None:
    offline = Doors(None, seats=3, bots=1, pace="relaxed")
    kim = back(offline, "Kim", OWNER)
    offline.seat_own_bots()
    offline.sit("Roger")
    away(offline, kim)
    assert ask(offline.players[-1], "start") == ""
    offline.seat_own_bots()
    assert offline.table.stage == "playing" and offline.table.seating.seats[0].state == "bot"
    kim = back(offline, "Kim", OWNER)
    assert owner_of(offline) == (kim.seat, False)
    assert offline.table.seating.seats[kim.seat].state == "here"


def test_a_newcomer_in_a_lower_seat_does_not_become_the_owner() -> None:
    offline = OfflineTable(None, seats=3)
    kim, roger = offline.sit("Kim", "Roger")
    kim.send(wire.Leave(kim.session.s))
    assert owner_of(offline) == (roger.seat, False)
    eve = offline.hello("Eve")
    assert isinstance(eve, Player) and eve.seat == 0 and owner_of(offline) == (roger.seat, False)


def test_an_owner_who_gives_the_seat_up_gives_the_table_up() -> None:
    offline, kim = owned()
    (roger,) = offline.sit("Roger")
    kim.send(wire.Leave(kim.session.s))
    assert owner_of(offline) == (roger.seat, False) and ask(roger, "kick", -1) == "there are no spectators"


# ------------------------------------------------------------------------------------------------------- the journal
def test_a_restarted_host_knows_who_may_come_in(tmp_path: Path) -> None:
    offline, kim = owned(knock=True)
    roger = back(offline, "Roger", OWNER)
    ask(roger, "owner", kim.seat)
    ask(kim, "kick", roger.seat, pause_s=100)
    sam = Door(offline, "Sam")
    sam.hello()
    ask(kim, "admit", number=1)
    inside = sam.hello()
    assert isinstance(inside, Player)
    ask(kim, "mute", inside.seat)
    ask(kim, "mute")
    ask(kim, "renew", value="join")
    offline.wait(40_000)
    ask(kim, "renew", value="watch")
    new = kim.received(wire.Strings)[-1]
    saved = journal_rows(offline, tmp_path)
    table = restored_table(offline, saved)
    seating = table.seating
    assert (seating.admission.join, seating.admission.watch) == (new.join, new.watch)
    assert seating.admission.renewed == {"join", "watch"} and seating.admission.knocking
    assert seating.admission.accepted == {"key of Sam": ("Sam", "player")}
    assert seating.admission.paused == {"Roger": offline.now + 60_000}
    assert seating.ownership == offline.table.seating.ownership and seating.ownership.key == "Kim"
    assert seating.muted == ["key of Sam"] and seating.spectators_muted
    hello = wire.Hello(wire.WIRE, wire.WIRE, "t", new.join, "Ann")
    assert table.hello(hello, "Ann", b"Ann", offline.stamp) is None
    assert [one.message for one in table.take()[1] if one.address == b"Ann"] == [wire.Knocked(limits.KNOCK_MS)]


# ------------------------------------------------------------------------------------------- guests of an SSH door
GUEST = "ssh-3fa9c1d2e4b5a697"


def comes(offline: Doors, name: str, key: str, where: str) -> Any:
    """Say hello with this key, from here; return the session, or the answer."""
    address = f"{name} {key}".encode()
    hello = wire.Hello(wire.WIRE, wire.WIRE, "t", JOIN, name, "player")
    got = offline.table.hello(hello, key, address, offline.stamp, where)
    return got or next(one.message for one in offline.deliver() if one.address == address)


@pytest.mark.parametrize("what", ("kick", "ban"))
def test_a_guest_who_is_sent_away_stays_out_with_another_key_and_name(what: str) -> None:
    """The label names the person; an address may have many people behind it."""
    offline, kim = owned()
    ann = comes(offline, "Ann", "first key", GUEST)
    far = comes(offline, "Far", "a key", "192.168.1.9")
    for session in (ann, far):
        assert ask(kim, what, session.seat, pause_s=600) == ""
    assert ask(kim, "open") == "" if what == "ban" else True
    answer = comes(offline, "Annika", "other key", GUEST)
    assert answer.code == {"kick": "kicked", "ban": "banned"}[what]
    assert getattr(comes(offline, "Neighbour", "their key", "192.168.1.9"), "code", "") != answer.code
    assert getattr(comes(offline, "Other", "one more key", "ssh-0000000000000000"), "code", "") != answer.code


def test_the_owner_reads_where_a_guest_comes_from() -> None:
    offline, kim = owned(knock=True)
    for name, where in (("Ann", GUEST), ("Far", "2001:db8:1234:5678:9abc:def0:1234:5678")):
        comes(offline, name, f"key of {name}", where)
    offline.wait(1000)
    knocks = kim.received(wire.Knocks)[-1].knocks
    assert [knock.where for knock in knocks] == ["ssh (guest 3fa9c1d2)", "2001:db8:1234:5678:9abc:def0:1234:5678"]
