"""A client without a host, for bots: its messages come from a test."""

from collections.abc import Callable

from core.state.views import View


class ScriptedClient:
    """A client that gets messages from a test, and records what a bot sets."""

    def __init__(self, view: View) -> None:
        self.view, self.preferences, self.stage = view, list[dict[str, object]](), "synced"

    def subscribe(self, callback: Callable[[object], None]) -> None:
        self.hear = callback

    def set(self, **preferences: object) -> None:
        self.preferences.append(preferences)
