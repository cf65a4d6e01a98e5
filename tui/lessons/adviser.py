"""What a good player would do: the decision of the best bot on a seat's own view."""

import random

from core.language.catalog import Catalog
from core.state.actions import Action
from core.state.views import View
from netcode.bots.card_values import CardValues
from netcode.bots.makers import make_player
from netcode.bots.player import Observation

LEVEL = "hard"


class Adviser:
    """Advises one seat. It knows what that seat knows; nothing is kept from one view to the next."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._values: CardValues | None = None

    def advice(self, view: View) -> Action | None:
        """Return what to do now, None if nothing. Takes some milliseconds, the first time more: call it in a thread."""
        if self._values is None:
            self._values = CardValues(self._catalog)
        player = make_player(LEVEL, self._catalog, random.Random(view.rev), self._values)
        return player.decide(Observation(view, hurry=True), 0)
