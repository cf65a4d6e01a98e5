"""The data files of bots (the folder data): one way to read them, and one line for people when one is broken."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Data = TypeVar("Data")

FOLDER = Path(__file__).parent / "data"
REMEDIES = {"evaluation.toml": "`kickdoor lab fit` writes it anew (docs/lab.md)"}
"""The remedy for a broken file, by its name."""
REMEDY = "mend it, or install kickdoor again"
"""The remedy for all other files."""


class BrokenData(ValueError):
    """A data file of bots is missing or broken; the text is one line that names it, the place and what to do."""


def read_data(name: str, read: Callable[[str], Data]) -> Data:
    """Return what `read` makes of the text of a data file. Raises BrokenData, also for a ValueError of `read`."""
    path = FOLDER / name
    try:
        return read(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = "there is no such file"
    except OSError as error:
        problem = f"it cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        problem = f"not TOML: byte {error.start} is no UTF-8"
    except ValueError as error:
        problem = " ".join(str(error).removeprefix(f"{name}: ").split())
    raise BrokenData(f"{path}: {problem}: {REMEDIES.get(name, REMEDY)}")
