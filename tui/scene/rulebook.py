"""What the rules say about what is on the screen: the subjects of a refusal, a card, a moment, a line of the log, and
their pages as lines. Pure; the examples come from examples.py.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.authoring import clauses, subjects
from core.authoring.clauses import Clause
from core.authoring.subjects import Subject
from core.language.definition import Def
from core.state.asks import kind_alone
from core.state.views import FightView
from tui.scene.cells import Glyphs, Line, wrap
from tui.scene.scene import LogLine, Refused, Scene
from tui.scene.sums import source

TERMS = 8
"""The most subjects that the terms of a fight bring."""
NEWEST = 12
"""How many of the newest lines of the log bring subjects."""


class Topic(Struct, frozen=True):
    """One entry of the list. group: the heading above it; name: its own; said: sentences above the rules; clauses:
    those asked for; further: the others of its subject; card: the full id of a card whose examples are told."""

    group: str
    name: str
    said: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    card: str = ""


class Example(Struct, frozen=True):
    """A scenario in words: its name, and what happens."""

    name: str
    lines: tuple[str, ...]


# ------------------------------------------------------------------------------------------------------- what there is
def topics(scene: Scene, refused: Refused | None = None, card: int = 0, log: bool = False) -> list[Topic]:
    """Return what can be looked up in this moment, the most relevant first: a refusal, a card (by its id, or the number
    of its definition), what has happened, what goes on, then every subject."""
    found: list[Topic] = []
    if refused is not None:
        found.append(_of_refusal(scene, refused))
    if log:
        found += _of_log(scene)
    if card:
        found += _of_card(scene, scene.definition(card))
    found += _of_subjects(scene, "In this moment", subjects.of_words(_moment(scene)))
    if scene.fight is not None:
        terms = _of_terms(scene, scene.fight)
        found += _of_subjects(scene, "What counts in this fight", terms)[:TERMS]
    near = {(topic.name, topic.further): topic for topic in reversed(found)}
    kept = [topic for topic in found if near[topic.name, topic.further] is topic]
    return [*kept, *_of_subjects(scene, "All subjects", subjects.load().values())]


def asked(scene: Scene, what: str) -> list[Topic]:
    """Return what can be looked up, first what was asked for: `card:ID`, or a word of the index."""
    card = what.removeprefix("card:")
    if card != what and card.isdigit():
        return topics(scene, card=int(card))
    found = _of_subjects(scene, "What you asked", subjects.of_words((what,)))
    return [*found, *(topic for topic in topics(scene) if replace(topic, group="What you asked") not in found)]


def _of_refusal(scene: Scene, refused: Refused) -> Topic:
    meant = (refused.clause,) if refused.clause in clauses.load() else ()
    found = subjects.of_refusal(refused.clause)
    rest = [clause for subject in found[:1] for clause in subject.clauses]
    held = _held(scene, rest, meant)
    said = [refused.text]
    if not meant:
        said.append("This is no rule of the books, but follows from them:")
    return Topic("Why not", refused.what or "What was refused", tuple(said), meant, held)


def _of_card(scene: Scene, definition: Def) -> list[Topic]:
    """Return a card with the first clause of each of its subjects, then these subjects."""
    found = _of_subjects(scene, "The card is about", subjects.of_words(subjects.words_of(definition)))
    first = tuple(dict.fromkeys(clause for topic in found for clause in topic.clauses[:1]))
    text = definition.card.text
    head = Topic("The card", definition.name, (text,) if text else (), first, card=definition.full_id)
    return [head, *found]


def _of_log(scene: Scene) -> list[Topic]:
    """Return what the newest lines of the log are about, each subject with the newest line that led there."""
    found: list[Topic] = []
    for line in reversed([line for line in scene.log if line.about][-NEWEST:]):
        topics = _of_subjects(scene, "What happened", subjects.of_words((f"event:{line.about}",)))
        found += [replace(topic, said=(_sentence(line),)) for topic in topics]
    return list({topic.name: topic for topic in reversed(found)}.values())[::-1]


def _sentence(line: LogLine) -> str:
    return line.text if line.text.endswith((".", "!", "?")) else f"{line.text}."


def _of_subjects(scene: Scene, group: str, found: Iterable[Subject]) -> list[Topic]:
    """Return these subjects as far as the books of the game have something about them."""
    made = []
    for subject in found:
        held = _held(scene, subject.clauses, ())
        if held:
            made.append(Topic(group, subject.name, clauses=held[:1], further=held[1:]))
    return made


def _held(scene: Scene, found: Iterable[str], without: Sequence[str]) -> tuple[str, ...]:
    """Return the clauses that hold in this game."""
    books = {head.book for head in scene.catalog.packs}
    every = clauses.load()
    return tuple(clause for clause in found if clause not in without and any(map(every[clause].holds_in, books)))


# -------------------------------------------------------------------------------------------------------- this moment
def _moment(scene: Scene) -> Iterator[str]:
    """Yield index words for what goes on, first for what this player is asked."""
    view, fight = scene.view, scene.fight
    if view.winners:
        yield "top:over"
    for ask in scene.you.asks if scene.you is not None else ():
        yield f"ask:{kind_alone(ask.kind)}"
        if ask.card >= 0:
            yield from subjects.words_of(scene.catalog.cards[ask.card])
    if view.window is not None:
        yield f"window:{view.window.kind}"
        yield "event:held"
    if fight is not None:
        if fight.match_point:
            yield "trait:match-point"
        yield f"stage:{fight.stage}"
        yield "ask:hold"
        yield "act:offer" if scene.me == fight.seat else "gate:combat"
    yield f"top:{view.top}"
    if scene.me >= 0 and scene.seat(scene.me).dead:
        yield "stage:dead"


def _of_terms(scene: Scene, fight: FightView) -> list[Subject]:
    """Return the subjects of what counts in a fight: the first of each card, and those of Levels and Seals."""
    found: list[Subject] = []
    for term in (*fight.hero_terms, *fight.foe_terms):
        if term.card:
            found += subjects.of_words(subjects.words_of(scene.definition(source(fight, term))))[:1]
        else:
            found += subjects.of_words(("term:level" if term.seat >= 0 else "term:seal",))
    return list({subject.id: subject for subject in found}.values())


# ------------------------------------------------------------------------------------------------------------ the page
def page(topic: Topic, examples: Sequence[Example] | None, width: int, glyphs: Glyphs) -> list[Line]:
    """Return the page of a topic as lines. examples: None while they are being looked up."""
    every = clauses.load()
    found: list[Line] = [*_wrapped(topic.name, width, glyphs, "bold gold"), ()]
    for said in topic.said:
        found += [*_wrapped(said, width, glyphs, "bold"), ()]
    for clause in topic.clauses:
        found += [*_clause(every[clause], width, glyphs), ()]
    if examples is None:
        found += [*_wrapped("Looking for examples ...", width, glyphs, "dim"), ()]
    for example in examples or ():
        found += _example(example, width, glyphs)
    if topic.further:
        found += [*_wrapped("The rules of this subject", width, glyphs, "bold gold"), ()]
    for clause in topic.further:
        found += [*_clause(every[clause], width, glyphs), ()]
    return found[:-1] if found and found[-1] == () else found


def _clause(clause: Clause, width: int, glyphs: Glyphs) -> list[Line]:
    """Return a clause with where it comes from."""
    whose = "our decision, since the books are silent" if clause.kind == "ruling" else "from the rule book"
    source = _wrapped(f"{clause.id}, {whose}", width, glyphs, "dim", "  ")
    return [*_wrapped(clause.text, width, glyphs, "text"), *source]


def _example(example: Example, width: int, glyphs: Glyphs) -> list[Line]:
    bar = "|" if glyphs.ascii else "▌"
    found = [((f"{bar} ", "info"), (text, "bold info")) for text in wrap(f"Example: {example.name}", width - 2, glyphs)]
    for line in example.lines:
        found += [((f"{bar} ", "info"), (text, "text")) for text in wrap(line, width - 2, glyphs, "  ")]
    return [*found, ()]


def _wrapped(text: str, width: int, glyphs: Glyphs, style: str, indent: str = "") -> list[Line]:
    return [((line, style),) for line in wrap(text, width, glyphs, indent)]
