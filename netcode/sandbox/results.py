"""What the child process hands back, as types by which its parent validates it."""

import msgspec

from core.scenario.schema import Scenario


class ScenarioFile(msgspec.Struct, omit_defaults=True):
    """A scenario file: its scenarios; or what is wrong, and the name of the scenario it is wrong in ("": the file
    itself)."""

    scenarios: tuple[Scenario, ...] = ()
    name: str = ""
    wrong: str = ""
