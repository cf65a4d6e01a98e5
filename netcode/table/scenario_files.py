"""Scenario files from strangers: read as regular files of bounded size, and parsed in a child process."""

from collections.abc import Sequence
from pathlib import Path

from netcode.sandbox.process import SandboxError, run_limited
from netcode.sandbox.regular_files import FileRefused, read_file
from netcode.sandbox.results import ScenarioFile

FILE_LIMIT = 512 * 1024
"""Bytes of a scenario file."""


class ScenarioTableError(ValueError):
    """This scenario cannot be read; one line for people."""


def read_texts(paths: Sequence[Path]) -> dict[str, bytes]:
    """Return the bytes of scenario files, by their paths as given. Raises ScenarioTableError."""
    try:
        return {str(path): read_file(path, FILE_LIMIT) for path in paths}
    except FileRefused as problem:
        raise ScenarioTableError(str(problem)) from None
    except OSError as problem:
        raise ScenarioTableError(f"{problem.filename} cannot be read: {problem.strerror}") from None


def parsed_scenarios(texts: dict[str, bytes]) -> dict[str, ScenarioFile]:
    """Return the contents of these scenario files, by their names. Raises ScenarioTableError if parsing takes too long;
    errors in a file are part of its result."""
    try:
        return run_limited("scenarios", texts, dict[str, ScenarioFile])
    except SandboxError as problem:
        raise ScenarioTableError(str(problem)) from None
