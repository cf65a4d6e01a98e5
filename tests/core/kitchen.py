"""A small pack with everything that a new pack lacks (Powers, an Ally, an Item Enhancer, a Vehicle, Seals, unusual
effects), and the result of running a scenario with it."""

import tomllib
from collections import Counter
from pathlib import Path

from core.authoring.template import new_pack
from core.language.catalog import load
from core.language.definition import deck_of
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load as load_scenarios
from core.scenario.runner import run_texts
from core.scenario.steps import ScenarioGame

FOLDER = Path(__file__).parent / "scenario" / "kitchen"
"""head.toml: the additions to pack.toml; those in CARDS: the cards; the other files: scenarios."""
CARDS = {
    "others.toml": "cards.toml", "exchange.toml": "exchange.toml", "growth.toml": "growth.toml",
    "trouble.toml": "trouble.toml",
}  # fmt: skip
"""The files with cards: their names in the pack, and in the folder."""


def files() -> dict[str, bytes]:
    """Return the files of the pack, by name."""
    pack = new_pack("Kitchen")
    cards = {name: (FOLDER / file).read_bytes() for name, file in CARDS.items()}
    head = pack["pack.toml"].replace(b"door = 26\ntreasure = 24", _counts(b"".join(cards.values())))
    head = head.replace(b"\n[[tags]]", b"\n" + (FOLDER / "head.toml").read_bytes() + b"\n[[tags]]")
    return {**pack, "pack.toml": head, **cards}


def full_of(file: str) -> dict[str, bytes]:
    """Return the pack with many copies of each card of one of its files, for random games."""
    pack = {name: data for name, data in files().items() if "/" not in name}
    many = pack[file].replace(b"copies = 2\n", b"").replace(b'\nkind = "', b'\ncopies = 8\nkind = "')
    before, after = [_counts(b"".join({**pack, file: cards}[name] for name in CARDS)) for cards in (pack[file], many)]
    return {**pack, "pack.toml": pack["pack.toml"].replace(before, after), file: many}


def _counts(cards: bytes) -> bytes:
    """Return the lines of card counts for pack.toml: the cards of a new pack plus these."""
    counts = Counter(door=26, treasure=24)
    for card in tomllib.loads(cards.decode())["card"]:
        counts[card.get("deck") or deck_of(card["kind"])] += card.get("copies", 1)
    return "\n".join(f"{deck} = {number}" for deck, number in counts.items()).encode()


CATALOG = load([{name: data for name, data in files().items() if "/" not in name}])


def outcome(text: str) -> str:
    """Return "fine", or why the one scenario of this text fails."""
    report = run_texts(lambda sets: CATALOG, {"it.toml": text.encode()}, ("kitchen",))
    return str(report.failures[0]) if report.failures else "fine"


def failures(file: str) -> list[str]:
    """Return why scenarios of a file in FOLDER fail; none if all of them pass."""
    report = run_texts(lambda sets: CATALOG, {file: (FOLDER / file).read_bytes()}, ("kitchen",))
    assert report.scenarios, file
    return [str(failure) for failure in report.failures]


def played(text: str) -> ScenarioGame:
    """Return the game of the one scenario of this text after its steps, none of which may be refused."""
    (scenario,) = load_scenarios(text.encode(), "it.toml")
    cast = Cast(CATALOG, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    for step in scenario.steps:
        assert game.do(step) is None
    return game
