"""The clock in words: how much time is left and whose it is, or why none runs. Pure."""

from msgspec import Struct

from netcode.protocol.wire import Timers
from tui.scene.scene import Scene


class Clock(Struct, frozen=True):
    """What the stage shows of the clocks. left, full: milliseconds of the open window for a bar; -1: there is no bar.
    said: the words to be read aloud, where those of the stage are too short for it."""

    words: str = ""
    left: int = -1
    full: int = -1
    said: str = ""


NO_CLOCK = "no time limit"


def clock_of(scene: Scene, timers: Timers) -> Clock:
    """Return the clock that matters now; empty if there is none."""
    if scene.view.winners:
        return Clock()
    if scene.info.vote is not None or scene.info.stage == "paused":
        paused = scene.info.stage == "paused" and timers.pause > 0
        return Clock(f"anybody can resume in {minutes(timers.pause)}" if paused else "the clock is stopped")
    window = scene.view.window
    if timers.hold >= 0:
        who = scene.who(window.holder) if window is not None and window.holder >= 0 else "somebody"
        return Clock(f"held by {who}: {seconds(timers.hold)}")
    if window is not None and timers.window >= 0:
        return Clock(seconds(timers.window), timers.window, timers.window_full)
    if window is not None:
        return Clock(_all_must_pass(scene.me, window.passed, timers))
    for seat in sorted(timers.prompts, key=lambda seat: seat != scene.me):
        have = "you have" if seat == scene.me else f"{scene.name(seat)} has"
        prompt, bank = timers.prompts[seat], timers.banks.get(seat, -1)
        said = f"{have} {minutes(prompt)} to answer, and {minutes(bank)} in this turn in all"
        return Clock(f"{have} {_left(prompt, bank)}", said=said if bank > prompt else "")
    over = [seat for seat, left in sorted(timers.banks.items()) if left == 0]
    if not over or scene.solo:
        return Clock()
    return Clock("your time is over" if scene.me in over else f"the time of {scene.name(over[0])} is over")


def can_resume(scene: Scene) -> str:
    """Return who can resume a paused game, as a sentence."""
    owner = scene.info.owner
    who = "You" if scene.me == owner >= 0 else scene.name(owner) if owner >= 0 else "Its owner"
    return f"{'Anybody' if scene.timers.pause == 0 else who} can resume it."


def limited(timers: Timers) -> bool:
    """Return whether a window ends by itself: its clock runs, or the time banks of those who are asked."""
    return timers.window >= 0 or bool(timers.banks)


def _all_must_pass(me: int, passed: bool, timers: Timers) -> str:
    """Return what a window without a clock waits for, with this seat's time bank, or else the fullest one."""
    if not passed:
        left = timers.banks.get(me, max(timers.banks.values(), default=-1))
        return f"all must pass: {minutes(left)}" if left >= 0 else NO_CLOCK
    left = max((bank for seat, bank in timers.banks.items() if seat != me), default=-1)
    return f"the others have {minutes(left)}" if left >= 0 else NO_CLOCK


def _left(prompt: int, bank: int) -> str:
    """Return the time left for an ask, and the time bank that it is taken from if that holds more: `0:41 of 3:20`."""
    return f"{minutes(prompt)} of {minutes(bank)}" if bank > prompt else seconds(prompt)


def minutes(ms: int) -> str:
    """Return milliseconds as minutes and seconds: `3:20`."""
    return f"{ms // 60_000}:{ms // 1000 % 60:02}"


def seconds(ms: int) -> str:
    """Return milliseconds as seconds: `1.6 s` below ten seconds, `12 s` above."""
    return f"{ms / 1000:.1f} s" if ms < 10_000 else f"{ms // 1000} s"
