"""A small pack with everything that a new pack lacks (Powers, an Ally, an Item Enhancer, a Vehicle, Seals, unusual
effects), and the result of running a scenario with it."""

from pathlib import Path

from core.authoring.template import new_pack
from core.language.catalog import load
from core.scenario.runner import run_texts

FOLDER = Path(__file__).parent / "scenario" / "kitchen"
"""head.toml: what pack.toml lacks; cards.toml: the cards; the other files: scenarios."""


def files() -> dict[str, bytes]:
    """Return the files of the pack, by name."""
    pack = new_pack("Kitchen")
    head = pack["pack.toml"].replace(b"door = 26\ntreasure = 24", b"door = 36\ntreasure = 34\nseal = 12")
    head = head.replace(b"\n[[tags]]", b"\n" + (FOLDER / "head.toml").read_bytes() + b"\n[[tags]]")
    return {**pack, "pack.toml": head, "others.toml": (FOLDER / "cards.toml").read_bytes()}


CATALOG = load([{name: data for name, data in files().items() if "/" not in name}])


def outcome(text: str) -> str:
    """Return "fine", or why the one scenario of this text fails."""
    report = run_texts(lambda sets: CATALOG, {"it.toml": text.encode()}, ("kitchen",))
    return str(report.failures[0]) if report.failures else "fine"
