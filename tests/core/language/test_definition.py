"""A definition is the same whether or not its texts have been read."""

import copy
import pickle
from collections.abc import Callable

import pytest

from core.language.definition import Def
from tests.blends import fresh_catalog


def unread() -> Def:
    return fresh_catalog(("axe-cop",)).cards[0]


def read() -> Def:
    definition = unread()
    assert definition.parts
    return definition


@pytest.mark.parametrize("made", [unread, read])
@pytest.mark.parametrize("copied", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy])
def test_it_can_be_copied_and_sent_to_another_process(made: Callable[[], Def], copied: Callable[[Def], Def]) -> None:
    definition = made()
    again = copied(definition)
    assert (again.card, again.full_id, again.parts, again.traits) == (
        definition.card, definition.full_id, definition.parts, definition.traits
    )  # fmt: skip
    assert again == definition


def test_it_equals_another_of_the_same_card() -> None:
    assert unread() == read() and read() == unread()
    other = fresh_catalog(("axe-cop",)).cards[1]
    assert unread() != other and read() != other
