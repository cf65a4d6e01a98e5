"""What the child process does: from the bytes of strangers to typed data, or to one sentence."""

from collections.abc import Callable
from functools import partial

import msgspec

from core.authoring.advice import advise_pack
from core.authoring.lint import Problem, check_pack
from core.authoring.untrusted import parse_untrusted_pack
from core.language.catalog import ParsedPack
from core.language.errors import PackError
from core.scenario.schema import ScenarioError, load
from netcode.sandbox.results import ScenarioFile

Files = dict[str, bytes]
At = Callable[[str], object]
"""Called with the name of each file before it is read."""


class Mistaken(Exception):
    """The data cannot be used. The text is one sentence: file, place and mistake."""


def _packs(packs: list[tuple[str, Files]], at: At) -> list[ParsedPack]:
    """Return these packs as typed data. Each comes with the name by which people know it."""
    found = []
    for name, files in packs:
        try:
            found.append(parse_untrusted_pack(files, partial(_at_pack, at, name)))
        except PackError as problem:
            raise Mistaken(f"the card pack {name} cannot be used: {problem}") from None
    return found


def _at_pack(at: At, name: str, file: str) -> None:
    at(f"the card pack {name} cannot be used: {file}")


def _check(files: Files, at: At) -> list[Problem]:
    """Return every mistake of a pack, or advice if it has none."""
    return check_pack(files, at) or advise_pack(files, at)


def _scenarios(files: Files, at: At) -> dict[str, ScenarioFile]:
    """Return the scenarios of these files by the names of the files."""
    found = {}
    for name, data in files.items():
        at(name)
        try:
            found[name] = ScenarioFile(tuple(load(data, name)))
        except ScenarioError as problem:
            found[name] = ScenarioFile(name=problem.name, wrong=problem.text)
    return found


TASKS: dict[str, tuple[Callable[..., object], object]] = {
    "packs": (_packs, list[tuple[str, Files]]), "check": (_check, Files), "scenarios": (_scenarios, Files),
}  # fmt: skip
"""The tasks by name: each a function, and the type of its argument."""


def run_task(task: str, data: bytes, at: At) -> bytes:
    """Do a task with msgpack and return its result as msgpack. Raises Mistaken."""
    work, takes = TASKS[task]
    return msgspec.msgpack.encode(work(msgspec.msgpack.decode(data, type=takes), at))
