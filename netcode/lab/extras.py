"""The extras of the installation: libraries that only some commands need."""

from importlib.util import find_spec

LIBRARIES = {"lab": ("distributed", "pyarrow", "sklearn"), "rl": ("pettingzoo", "gymnasium", "numpy")}
"""The modules of each extra (pyproject.toml), by its name."""


def need(extra: str, what: str) -> None:
    """Raise ValueError, with one line for people, if this extra is not installed. what: the subject of the sentence."""
    if any(find_spec(name) is None for name in LIBRARIES[extra]):
        raise ValueError(
            f"{what} needs the extra {extra!r}: pip install 'kickdoor[{extra}]' (in a source tree: '.[{extra}]')"
        )
