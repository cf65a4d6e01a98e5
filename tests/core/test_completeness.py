"""Each action, frame, ask and clause has an entry in every table of core that needs one.

A failure names what is missing and the file to edit.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import core
from core import engine, execute
from core.authoring.clauses import load
from core.moves import legal, timeouts, timing, validate
from core.state import actions, asks, refusals
from core.state.model import AnyFrame
from core.text import log

CORE = Path(core.__file__).parent
ACTIONS = get_args(actions.Action)
HOST_ACTIONS = get_args(actions.HostAction)
FRAMES = get_args(AnyFrame)
ASKERS = {"choose", "oblige", "standing_ask", "picked", "ask"}
"""Functions whose fourth argument is the kind of an ask."""
ASKING = re.compile(rf"\b({'|'.join(sorted(ASKERS))})\(")
"""Stands in every file that asks: to parse all of core takes half a second."""


def missing(wanted: tuple[type, ...], there: Mapping[type, object], where: str) -> list[str]:
    """Return the missing and the surplus entries of a table, each with the file to edit."""
    lacking = [f"{kind.__name__} is missing in {where}" for kind in wanted if kind not in there]
    return lacking + [f"{kind.__name__} does not belong in {where}" for kind in there if kind not in wanted]


# ------------------------------------------------------------------------------------------------------------- actions
def test_every_action_has_its_validation() -> None:
    of_seats = {**validate.AWAITED, **validate.FREE}
    assert missing(ACTIONS, of_seats, "AWAITED or FREE, core/moves/validate.py") == []
    assert missing(HOST_ACTIONS, validate.HOST, "HOST, core/moves/validate.py") == []
    assert not set(validate.AWAITED) & set(validate.FREE), "an action has two validations, core/moves/validate.py"


def test_every_action_is_carried_out() -> None:
    """StepBack is carried out by core/undo.py, which has the earlier states; submit always refuses it."""
    here = tuple(kind for kind in (*ACTIONS, *HOST_ACTIONS) if kind is not actions.StepBack)
    assert missing(here, execute.EXECUTE, "EXECUTE, core/execute.py") == []


def test_every_action_of_a_seat_has_words() -> None:
    """The host's actions have none: the log tells the events that follow from them."""
    assert missing(ACTIONS, log.ACTIONS, "ACTIONS, core/text/log.py") == []


# -------------------------------------------------------------------------------------------------------------- frames
def test_every_frame_has_its_runner() -> None:
    assert missing(FRAMES, engine.RUN, "RUN, core/engine.py") == []


def test_every_frame_says_who_may_play_while_it_is_on_top() -> None:
    assert missing(FRAMES, timing.MODES, "MODES, core/moves/timing.py") == []


# ---------------------------------------------------------------------------------------------------------------- asks
def kinds_of_asks() -> set[str]:
    """Return every kind of ask that core asks, read from the calls that ask."""
    found: set[str] = set()
    for path in sorted(CORE.rglob("*.py")):
        text = path.read_text("utf-8")
        for function in ast.walk(ast.parse(text)) if ASKING.search(text) else ():
            if isinstance(function, ast.FunctionDef):
                found.update(_asked_in(function))
    return found


def _asked_in(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the kinds of asks of one function; "" stands for the variable part of a kind that is put together."""
    names = {
        node.targets[0].id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ASKERS:
            kind = node.args[3]
            for part in _parts(kind, names):
                if isinstance(part, ast.Constant):
                    yield str(part.value)
                elif isinstance(part, ast.JoinedStr):
                    fixed = [str(piece.value) for piece in part.values if isinstance(piece, ast.Constant)]
                    yield from [word.strip() for word in fixed if not word.endswith(" blind")]


def _parts(kind: ast.expr, names: dict[str, ast.expr]) -> Iterator[ast.expr]:
    """Yield the possible values of an expression: both sides of a condition, and the values of a name."""
    value = names.get(kind.id, kind) if isinstance(kind, ast.Name) else kind
    if isinstance(value, ast.IfExp):
        yield from _parts(value.body, names)
        yield from _parts(value.orelse, names)
    else:
        yield value


def test_every_ask_has_a_default_for_a_silent_seat() -> None:
    kinds = kinds_of_asks()
    assert len(kinds) > 20, f"only these kinds of asks are found in core: {sorted(kinds)}"
    answered = set(legal.OWN_ACTIONS) | set(timeouts.SILENCE)
    lacking = [f"{kind!r} is missing in SILENCE, core/moves/timeouts.py" for kind in sorted(kinds - answered)]
    unused = [f"{kind!r} is asked nowhere, but answered in core/moves" for kind in sorted(answered - kinds)]
    assert not lacking + unused, "\n".join(["", *lacking, *unused])


def test_asks_answered_by_an_action_of_their_own_are_the_same_everywhere() -> None:
    assert set(legal.OWN_ACTIONS) == asks.BY_ACTION, "OWN_ACTIONS (core/moves/legal.py), BY_ACTION (core/state/asks.py)"


# ------------------------------------------------------------------------------------------------------------- clauses
@cache
def refused_with() -> dict[str, str]:
    """Return every clause and word with which core refuses, each with a place: the results of functions that are
    annotated to return a Clause."""
    found: dict[str, str] = {}
    for path in sorted(CORE.rglob("*.py")):
        text = path.read_bytes()
        for function in ast.walk(ast.parse(text)) if b"Clause" in text else ():
            if isinstance(function, ast.FunctionDef) and "Clause" in ast.unparse(function.returns or ast.Constant("")):
                for node in ast.walk(function):
                    if isinstance(node, ast.Return | ast.Assign) and node.value is not None:
                        where = f"{path.relative_to(CORE.parent)}:{node.lineno}"
                        found.update(dict.fromkeys(_clauses_of(node.value), where))
    return found


def _clauses_of(value: ast.expr) -> Iterator[str]:
    """Yield the clauses that may be the value of an expression; a clause with a kind of identity in it once for each
    kind."""
    if isinstance(value, ast.IfExp):
        yield from [*_clauses_of(value.body), *_clauses_of(value.orelse)]
    elif isinstance(value, ast.BoolOp):
        for part in value.values:
            yield from _clauses_of(part)
    elif isinstance(value, ast.Constant) and isinstance(value.value, str):
        if value.value in load() or value.value in refusals.PSEUDO:
            yield value.value
    elif isinstance(value, ast.JoinedStr):
        before, after = (str(part.value) if isinstance(part, ast.Constant) else "" for part in value.values[::2])
        yield from [clause for clause in load() if clause.startswith(before) and clause.endswith(after)]


def test_every_clause_that_core_refuses_with_has_a_sentence() -> None:
    cited = refused_with()
    assert len(cited) > 40, f"only these clauses are found in core: {sorted(cited)}"
    lacking = [
        f"{clause} (cited in {where}) is missing in SENTENCES, core/state/refusals.py"
        for clause, where in cited.items()
        if clause not in refusals.SENTENCES
    ]
    unused = [f"{clause} is in core/state/refusals.py, and nothing cites it" for clause in refusals.SENTENCES
              if clause not in cited]  # fmt: skip
    assert not lacking + unused, "\n".join(["", *lacking, *unused])


def test_every_refusal_is_a_sentence_for_people() -> None:
    """This includes the clause of a kind of identity that only some pack defines."""
    for clause in {*refused_with(), *refusals.PSEUDO}:
        sentence = refusals.reason(clause)
        assert sentence[0].isupper() and sentence[-1] == "." and f"({clause})" not in sentence, (clause, sentence)
    assert refusals.reason("self.guild-one").startswith("One Guild at a time, unless a card allows two")


def test_each_sentence_of_a_refusal_belongs_to_a_clause_or_to_a_reason_without_one() -> None:
    assert set(refusals.PSEUDO) <= set(refusals.SENTENCES), "PSEUDO, core/state/refusals.py"
    assert not set(refusals.PSEUDO) & set(load()), "PSEUDO (core/state/refusals.py) names a clause of the catalogue"
    unknown = set(refusals.SENTENCES) - set(load()) - set(refusals.PSEUDO)
    assert not unknown, f"{unknown}: SENTENCES (core/state/refusals.py) names what is neither a clause nor in PSEUDO"
