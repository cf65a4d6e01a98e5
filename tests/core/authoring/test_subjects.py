"""The index of the rules: every clause and every word of the language, of the moment and of the log is in it."""

from typing import get_args

import pytest

import cards
from core.authoring import clauses, subjects
from core.language import catalog as catalogs
from core.language import schema, selectors
from core.moves.timeouts import SILENCE
from core.scenario.parts import EVENTS, TAGS
from core.state.refusals import PSEUDO, SENTENCES
from core.text.log import SENTENCES as TOLD

WORDS = {
    *(f"verb:{op.__struct_config__.tag}" for op in get_args(schema.Op)),
    *(f"mod:{mod.__struct_config__.tag}" for mod in get_args(schema.Mod)),
    *(f"kind:{kind}" for kind in get_args(selectors.Kind)),
    *(f"slot:{slot}" for slot in get_args(selectors.Slot) if slot != "none"),
    *(f"gate:{gate}" for gate in (*get_args(selectors.When), "special", "identity", "monster")),
    *(f"ask:{kind}" for kind in (*SILENCE, "kick", "trouble", "fight", "end", "roll", "ready", "hold")),
    *(f"window:{kind}" for kind in ("kick", "claim", "lost", "removed", "reward")),
    *(f"stage:{stage}" for stage in ("fight", "won", "lost", "dead")),
    *(f"act:{tag}" for tag in TAGS),
    *(f"event:{name}" for name, kind in EVENTS.items() if kind in TOLD),
    *(f"refusal:{word}" for word in (*PSEUDO, "withdrawn", "internal")),
    "term:level", "term:seal", "trait:match-point",
}  # fmt: skip
"""Every word that a card, a moment, a line of the log or a refusal can have, except tags, traits and procedures."""


def test_every_clause_is_in_the_index_and_no_other() -> None:
    listed = {clause for subject in subjects.load().values() for clause in subject.clauses}
    missing, unknown = sorted(set(clauses.load()) - listed), sorted(listed - set(clauses.load()))
    file = "core/authoring/subjects.toml"
    assert not missing, f"no subject has {', '.join(missing)}: name it in the clauses = [...] of a subject in {file}"
    assert not unknown, f"{file} names {', '.join(unknown)}: core/authoring/rules.toml has no such clause"


def test_every_word_leads_to_a_subject() -> None:
    known = {word for subject in subjects.load().values() for word in subject.words}
    missing = sorted(WORDS - known - {"ask:fight"})  # fights have stages
    assert not missing, f"no subject in core/authoring/subjects.toml has {', '.join(missing)} among its words = [...]"
    free = ("tag:", "trait:", "top:", "ask:lose blind", "ask:take blind", "ask:give blind")
    assert [word for word in sorted(known - WORDS) if not word.startswith(free)] == [], "words that nothing has"


def test_no_subject_says_anything_twice() -> None:
    for subject in subjects.load().values():
        assert len(set(subject.clauses)) == len(subject.clauses), subject.id
        assert len(set(subject.words)) == len(subject.words), subject.id
        assert subject.clauses, subject.id


@pytest.mark.parametrize("clause", [*SENTENCES, "withdrawn", "internal", "self.guild-one", "a word of tomorrow"])
def test_every_refusal_leads_to_a_subject(clause: str) -> None:
    found = subjects.of_refusal(clause)
    assert found
    if clause in clauses.load():
        assert clause in found[0].clauses


def test_every_card_leads_to_what_it_is() -> None:
    catalog = catalogs.load([cards.pack_files(set_id) for set_id in cards.BUILT_IN])
    for definition in catalog.cards:
        found = subjects.of_words(subjects.words_of(definition))
        assert found and f"kind:{definition.kind}" in found[0].words, definition.full_id


def test_tags_of_cards_that_let_monsters_join_are_in_the_index() -> None:
    catalog = catalogs.load([cards.pack_files(set_id) for set_id in cards.BUILT_IN])
    joining = {tag.id for head in catalog.packs for tag in head.tags if tag.joins}
    assert joining and all(subjects.of_words((f"tag:{tag}",)) for tag in joining)
