"""Sample messages of both directions, to be packed, damaged and unpacked."""

from hypothesis import strategies as st

from core.state.actions import Answer, Kick, Offer, Refusal, Terms
from netcode.protocol import wire

S = b"s" * 16
"""The session of the samples."""

UP_MESSAGES: st.SearchStrategy[wire.Up] = st.sampled_from([
    wire.Hello(wire.WIRE, wire.WIRE, "t", b"t" * 16, "Kim"),
    wire.Act(S, 1, Kick()),
    wire.Act(S, 2, Answer(3, (1, 2))),
    wire.Act(S, 3, Offer(-1, Terms("help", helper=2, treasures=1, gives=(4096,)))),
    wire.Ping(S, 7),
    wire.Say(S, "hello"),
    wire.Set(S, ready=True),
    wire.Admin(S, "kick", 2),
    wire.GetPack(S, "munchkins-and-mazes", 100),
])  # fmt: skip

DOWN_MESSAGES: st.SearchStrategy[wire.Down] = st.sampled_from([
    wire.Ack(1, "applied"),
    wire.Refused(1, Refusal("changed", "Too late.", 1, 5), 1, 37),
    wire.Ticked(wire.Timers(window=5, prompts={0: 9, 3: 7})),
    wire.Welcome(1, S, 0, S, 1, 2000, wire.TableInfo("t", [wire.SeatInfo("Kim", "here")])),
    wire.Talk(0, "Kim", "hi"),
    wire.PackPart("x", 0, 3, b"abc"),
    wire.Bye("kicked", "go"),
    wire.Elsewhere([wire.Place("10.0.0.2", 7788), wire.Place("club.example", 7789)], 3),
    wire.Delta(1, b"public", b"own", timers=wire.Timers(window=5), whole=True),
])  # fmt: skip
