"""What is loaded before a guest's client is forked, so that it only has to draw, and shares the memory with all others.

No thread, no socket, no key and nothing random may come from here: every guest would have the same.
"""

import gc
import importlib
import pkgutil

from rich.cells import cell_len

import tui
from cards import BUILT_IN
from netcode.bots.personalities import personalities
from netcode.protocol.pack_cache import keep_at_hand
from netcode.protocol.pack_files import built_in_hash, built_in_pack
from tui.portraits.drawings import drawings

NOT_OF_GUESTS = ("tui.cli", "tui.guest", "tui.lessons", "tui.__main__")
"""What a guest never uses."""
OTHERS = (
    "concurrent.futures.thread", "getpass", "netcode.bots.standing", "netcode.protocol.qr",
    "netcode.protocol.string_files", "netcode.recording.career", "netcode.recording.recorder",
    "netcode.recording.review", "netcode.sandbox.process", "netcode.sandbox.tasks", "rich._emoji_codes",
    "textual.drivers.headless_driver", "textual.drivers.linux_driver", "textual.layouts.factory",
    "textual.layouts.stream", "textual.pilot", "textual.system_commands", "textual.widgets._label",
)  # fmt: skip
"""Modules that the program and its toolkit load when they need them; the test of this file finds further ones."""


def modules() -> list[str]:
    """Return the names of the modules of the screen that guests use."""
    found = [name for _, name, _ in pkgutil.walk_packages(tui.__path__, "tui.")]
    return [name for name in found if not name.startswith(NOT_OF_GUESTS)]


def prepare() -> None:
    """Load the client and the built-in cards, and keep both out of the way of the garbage collector, which would write
    to the memory that is shared."""
    for name in (*modules(), *OTHERS):
        importlib.import_module(name)
    for ident in BUILT_IN:
        keep_at_hand(built_in_pack(ident), built_in_hash(ident))
    cell_len("漢")  # loads a table of the widths of characters
    drawings()
    personalities()
    gc.collect()
    gc.freeze()
