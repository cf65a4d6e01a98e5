"""The commands `kickdoor cards ...` and `kickdoor rules`: card packs and the rules catalogue."""

import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.console import Console

import cards as built_in
from core.authoring import clauses
from core.authoring.drawbacks import drawbacks
from core.authoring.lint import schema as pack_schema
from core.authoring.lint_files import Problem
from core.authoring.template import new_pack
from core.authoring.uses import Uses, uses
from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.errors import PackError
from core.scenario.runner import proofs
from core.scenario.schema import FOLDERS
from core.text.card_text import describe
from netcode.processes.streams import unguarded
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import load_packs
from netcode.protocol.printing import say, say_json
from netcode.sandbox.process import SandboxError, run_limited
from netcode.sandbox.regular_files import FileRefused, read_file, toml_files
from tui.cli.library import library_of
from tui.portraits import gallery as pages
from tui.scene.card_text import facts, shown_bonus
from tui.scene.lexicon import Lexicon

FOLDER_FILES = 500
"""The most TOML files of one folder that `cards check` reads: more than a pack may have, so that it can report an
excess."""
CHECKED_BYTES = 2 * 1024 * 1024
"""The most bytes of one file that `cards check` reads."""
SETS = click.option("--set", "sets", multiple=True, metavar="ID|DIR", help="A card set: id or folder of a pack.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
FIGURES = {
    "monster": ("level", "treasures", "levels", "tags"),
    "enhancer": ("bonus", "treasures", "gives_tag", "partner"),
    "item": ("bonus", "value", "slot", "big", "one_shot"),
    "identity": ("identity",),
    "hireling": ("bonus",),
    "ally": ("bonus",),
    "double": ("serves",),
}
"""Figures of each kind of card that are listed even if they have their default."""
PRINTED = (
    "level", "treasures", "levels", "tags", "bonus", "gives_tag", "partner", "value", "slot", "big", "one_shot",
    "identity", "rank", "serves", "free", "for_ally",
)  # fmt: skip


@click.group()
def cards() -> None:
    """List, show, check and write card packs."""


def load_catalog(sets: tuple[str, ...]) -> Catalog:
    """Return the catalog of these sets (default: the built-in ones). Raises click.UsageError."""
    try:
        return catalog_of([(pack.set_id, pack.files) for pack in load_packs(sets or built_in.BUILT_IN)])
    except PackError as problem:
        raise click.UsageError(str(problem)) from None


def card_row(definition: Def) -> dict[str, Any]:
    """Return one card for JSON: id, name, set, deck, kind, copies, its figures as in the pack, its text."""
    card = definition.card
    row: dict[str, Any] = {
        "id": definition.full_id, "name": card.name, "set": definition.set_id, "deck": definition.deck,
        "kind": card.kind, "copies": card.copies,
    }  # fmt: skip
    usual = FIGURES.get(card.kind, ())
    for name in PRINTED:
        value = getattr(card, name)
        if name in usual or value not in (None, 0, False, (), 1 if name == "levels" else 0):
            row[name] = list(value) if isinstance(value, tuple) else value
    if card.one_shot:
        row["bonus"] = shown_bonus(card)
    return {**row, "text": card.text}


@cards.command("list")
@SETS
@JSON
def list_(sets: tuple[str, ...], as_json: bool) -> None:
    """List every card of the sets."""
    catalog = load_catalog(sets)
    if as_json:
        say_json([card_row(definition) for definition in catalog.cards], 1)
        return
    lexicon = Lexicon(catalog)
    for definition in catalog.cards:
        copies = f"x{definition.card.copies}" if definition.card.copies > 1 else "  "
        figures = facts(definition.card, lexicon.of(definition))
        say(f"{definition.deck:<9}{copies:<4}{definition.name:<42}{figures}")


@cards.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@SETS
@JSON
def show(names: tuple[str, ...], sets: tuple[str, ...], as_json: bool) -> None:
    """Show cards in full: the printed text, and what the effects say."""
    catalog = load_catalog(sets)
    found = [definition for name in names for definition in matching(catalog, name)]
    if as_json:
        say_json([card_row(definition) for definition in found], 1)
        return
    for definition in found:
        head = next(pack for pack in catalog.packs if pack.id == definition.set_id)
        card = definition.card
        say(f"{card.name}  ({definition.full_id}, {definition.deck}, {card.kind}, x{card.copies})")
        say(f"  printed: {card.text or '-'}")
        for ability in card.abilities:
            say(f"           {ability.text}")
        for at, line in enumerate(describe(card, head)):
            say(f"  {'says:    ' if at == 0 else ' ' * 9}{line}")
        keys = ", ".join(drawbacks(card))
        if keys:
            say(f"  drawback of an identity: {keys}")
        say("")


@cards.command()
@SETS
@click.option("--kind", metavar="KIND", help="Only cards of this kind: monster, item, curse, ...")
@click.option("--small", is_flag=True, help="The small portraits of hands and seats.")
@click.option("--svg", "file", type=click.Path(dir_okay=False, path_type=Path), help="Write a picture to this file.")
def gallery(sets: tuple[str, ...], kind: str | None, small: bool, file: Path | None) -> None:
    """Show the portrait of every card on one page."""
    shown = pages.gallery(load_catalog(sets), kind)
    if not shown:
        raise click.UsageError(f"no card of the kind {kind!r}")
    if file is None:
        pages.print_gallery(Console(file=unguarded(sys.stdout)), shown, small)  # safe: packs hold no control characters
        return
    try:
        file.write_text(pages.svg(shown), encoding="utf-8")
    except OSError as problem:
        raise click.ClickException(f"{file} cannot be written: {problem.strerror}") from None
    say(f"{file}: {sum(len(cards) for _, cards in shown)} cards")


def matching(catalog: Catalog, name: str, parts: bool = True) -> list[Def]:
    """Return the cards with this id or printed name. With parts: if there are none, those with this in their id or
    name.

    Raises click.UsageError if there is none.
    """
    wanted = name.lower()
    found = [d for d in catalog.cards if wanted in (d.full_id, d.card.id, d.name.lower())]
    if not found and parts:
        found = [d for d in catalog.cards if wanted in d.name.lower() or wanted in d.full_id]
    if not found:
        near = difflib.get_close_matches(name, [d.name for d in catalog.cards], 1, 0.5)
        raise click.UsageError(f"no card {name!r}" + (f": did you mean {near[0]!r}?" if near else ""))
    return found


@cards.command("uses")
@click.argument("name")
@click.option("--set", "sets", multiple=True, metavar="ID|DIR", help="Search this pack too, besides the built-in sets.")
@JSON
def uses_(name: str, sets: tuple[str, ...], as_json: bool) -> None:
    """List everything that names a card: scenarios, Python tests, screens."""
    packs = tuple(dict.fromkeys((*built_in.BUILT_IN, *sets)))
    catalog = load_catalog(packs)
    library = library_of(packs, catalog)
    found = [uses(catalog, definition, library) for definition in matching(catalog, name, parts=False)]
    if as_json:
        say_json(found, 1)
        return
    for one in found:
        say(f"{one.name}  ({one.card})")
        for line in _use_lines(one):
            say(f"  {line}")


def _use_lines(one: Uses) -> Iterator[str]:
    yield f"scenarios: {len(one.scenarios)}"
    for use in one.scenarios:
        yield f"  {use.file}:{use.line}  {use.title}{'  (proves it)' if use.proves else ''}"
    if one.tests is None or one.goldens is None:
        yield "Python tests and screens are not searched: they are in the source tree only"
        return
    yield f"Python tests: {len(one.tests)}"
    for test in one.tests:
        yield f"  {test.file}:{test.line}  {test.test}".rstrip()
    yield f"screen goldens: {len(one.goldens)}"
    for file in one.goldens:
        yield f"  {file}"


@cards.command()
@click.argument("folder", metavar="DIR|ID")
@click.option("--strict", is_flag=True, help="Fail at advice too, not at mistakes only.")
@JSON
@click.pass_context
def check(context: click.Context, folder: str, strict: bool, as_json: bool) -> None:
    """List every mistake of a pack: line, card, key, hint. Without mistakes, list advice."""
    problems = _problems(folder)
    advice = sum(problem.advice for problem in problems)
    failed = len(problems) > advice or (strict and advice > 0)
    if as_json:
        say_json(problems)
    else:
        for problem in problems:
            say(str(problem))
        say(f"{folder}: {_how_many(len(problems) - advice, advice)}", err=failed)
    context.exit(1 if failed else 0)


def _how_many(mistakes: int, advice: int) -> str:
    if mistakes:
        return f"{mistakes} mistake{'s' if mistakes > 1 else ''}"
    return "no mistakes" + (f", {advice} piece{'s' if advice > 1 else ''} of advice" if advice else "")


def _problems(folder: str) -> list[Problem]:
    """Return every mistake of a pack, or advice if it has none; a child process looks for them. Raises
    click.UsageError."""
    try:
        return run_limited("check", _pack_with_scenarios(folder), list[Problem])
    except SandboxError as problem:
        raise click.UsageError(f"{folder} cannot be checked: {problem}") from None


def _pack_with_scenarios(folder: str) -> dict[str, bytes]:
    """Return the files of a pack by name, scenarios with their folder. Raises click.UsageError."""
    if folder in built_in.BUILT_IN:
        files = built_in.pack_files(folder)
        return files | {
            f"{part}/{name}": data for part in FOLDERS for name, data in built_in.scenario_files(folder, part).items()
        }
    where = Path(folder)
    if not where.is_dir():
        raise click.UsageError(f"{folder} is neither a folder nor a built-in set")
    folders = [where, *(where / name for name in FOLDERS if (where / name).is_dir())]
    try:
        found = [path for one in folders for path in toml_files(one, FOLDER_FILES)]
        return {path.relative_to(where).as_posix(): read_file(path, CHECKED_BYTES) for path in found}
    except FileRefused as problem:
        raise click.UsageError(str(problem)) from None
    except OSError as problem:
        raise click.UsageError(f"{problem.filename or folder} cannot be read: {problem.strerror}") from None


@cards.command()
@click.argument("folder", metavar="DIR")
@click.option("--name", help="The printed name of the set.  [default: from the folder]")
def new(folder: str, name: str | None) -> None:
    """Write a small pack that passes every check."""
    where = Path(folder)
    if where.exists() and (not where.is_dir() or any(where.iterdir())):
        raise click.UsageError(f"{folder} exists and is not empty: name a new folder")
    try:
        files = new_pack(name or where.resolve().name.replace("-", " ").title())
        for file, data in files.items():
            (where / file).parent.mkdir(parents=True, exist_ok=True)
            (where / file).write_bytes(data)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None
    except OSError as problem:
        raise click.UsageError(f"{folder} cannot be written: {problem.strerror}") from None
    say(f"{folder}: a pack with {len(files) - 2} files of cards and one scenario. Next:")
    for command, does in _NEXT:
        say(f"  {command.format(folder):<{max(len(one.format(folder)) for one, _ in _NEXT)}}  {does}")


_NEXT = (
    ("kickdoor cards check {}", "list every mistake, or advice"),
    ("kickdoor cards show NAME --set {}", "compare a printed text with what the effects do"),
    ("kickdoor scenario {}", "run its scenarios"),
    ("python -m tests.mutation --set {}", "find what no scenario proves (in the source tree)"),
    ("kickdoor play --set {}", "play with it"),
)
"""The next commands after `cards new`, with what each does."""


@cards.command()
def schema() -> None:
    """Print a JSON Schema of packs, for editors."""
    say(json.dumps(pack_schema(), indent=1))


@click.command()
@click.argument("ident", required=False, metavar="[ID]")
@JSON
def rules(ident: str | None, as_json: bool) -> None:
    """Show the rules catalogue: every clause, or some of them."""
    texts = {
        f"{set_id}/{name}": data
        for set_id in built_in.BUILT_IN for name, data in built_in.scenario_files(set_id).items()
    }  # fmt: skip
    found = clauses.proven(proofs(texts))
    if ident is not None:
        known = [clause.id for clause in found]
        found = [clause for clause in found if clause.id == ident or clause.id.startswith(f"{ident}.")]
        if not found:
            near = difflib.get_close_matches(ident, known, 1, 0.4)
            raise click.UsageError(f"no clause {ident!r}" + (f": did you mean {near[0]}?" if near else ""))
    if as_json:
        say_json(found, 1)
        return
    for clause in found:
        proof = f"{len(clause.scenarios)} scenarios, {len(clause.tests)} tests"
        say(f"{clause.id}  [{', '.join(clause.sets)}]{' ruling' if clause.kind == 'ruling' else ''}  {proof}")
        say(f"  {clause.text}")
