"""Menus beside the game: leaving the table (and how to come back), and what its owner may do. Pure."""

import shlex

from tui.choices import Command, Entry, Menu
from tui.scene import Scene

PACES = ("book", "quick", "standard", "relaxed")


def quit_menu(solo: bool) -> Menu:
    """What ctrl+q asks."""
    title = "Leave the table? The game is kept." if solo else "Leave the table? Your seat is kept."
    return Menu(
        title,
        (
            Entry("leave", "leave, the seat stays yours", Command("leave")),
            Entry("give-up", "give the seat up to a bot", Command("give-up")),
        ),
    )


def farewell(how: str, join: str, solo: bool, name: str = "") -> str:
    """One line for the shell after leaving. how: left, gone, over; name: if `kickdoor join` would not use it by itself,
    since a seat is kept under the name of its player."""
    if how == "left" and solo:
        return "The game is kept. To go on: kickdoor play --resume"
    if how == "left" and join:
        called = f" --name {shlex.quote(name)}" if name else ""
        return f"Your seat is kept as long as the table stands. To come back: kickdoor join {shlex.quote(join)}{called}"
    if how == "gone":
        return "You gave your seat up; a bot plays on in it."
    return ""


def owner_menu(scene: Scene) -> Menu:
    """What the owner may do: pause, change the pace, decide for who is silent, give a seat to a bot."""
    paused = scene.info.stage == "paused"
    rows = [("resume" if paused else "pause", "let the game go on" if paused else "pause the game", -1, "")]
    rows += [("pace", f"pace: {pace}", -1, pace) for pace in PACES if pace != scene.info.pace]
    for deciding in scene.view.deciding:
        if deciding.seat != scene.me:
            rows.append(("default", f"decide for {scene.label(deciding.seat)}", deciding.seat, ""))
    for at, seat in enumerate(scene.info.seats):
        if at != scene.me and seat.state in ("here", "lost", "away"):
            rows.append(("kick", f"give the seat of {scene.label(at)} to a bot", at, ""))
    entries = [Entry(f"{what}{seat}{value}", words, Command(f"owner:{what}:{seat}:{value}"))
               for what, words, seat, value in rows]  # fmt: skip
    return Menu("The table is yours:", tuple(entries))
