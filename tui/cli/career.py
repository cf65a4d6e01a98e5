"""`kickdoor career`: print a player's own statistics, or export them as JSON or CSV."""

from pathlib import Path

import click

from netcode.protocol.printing import say
from netcode.recording.career import CareerError, career_path, open_career
from netcode.recording.career_figures import NO_GAMES, career_rows, exported, figures


@click.command()
@click.option("--export", "target", metavar="FILE",
              help="Write every counted game to a file: FILE.csv: a line for each; else JSON with all figures.")
@click.option("--json", "as_json", is_flag=True, help="Print every counted game and all figures as JSON.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@click.pass_context
def career(context: click.Context, target: str | None, as_json: bool, force: bool) -> None:
    """Your games so far: wins, streaks, dice, what killed you. Only you can read them.

    Every game counts that you play to its end, unless an undo showed you what you should not have known."""
    try:
        games, problem = open_career(career_path())
    except CareerError as error:
        raise click.ClickException(str(error)) from None
    if problem:
        say(problem, err=True)
    if target is not None:
        _export(context, Path(target), exported(games, Path(target).suffix), force)
        say(f"{len(games)} games are in {target}.")
        return
    if as_json:
        say(exported(games).rstrip())
        return
    if not games:
        say(NO_GAMES)
    for number, (title, rows) in enumerate(career_rows(figures(games))):
        say(f"{'' if not number else chr(10)}{title}")
        width = max(len(label) for label, _ in rows)
        for label, words in rows:
            say(f"  {label:{width}}  {words}")


def _export(context: click.Context, target: Path, text: str, force: bool) -> None:
    """Write a file, readable by its owner only; another file is not overwritten unless `force`."""
    try:
        if force:
            target.unlink(missing_ok=True)
        target.touch(mode=0o600, exist_ok=False)
        target.write_text(text, "utf-8")
    except FileExistsError:
        raise click.UsageError(f"{target} exists already: name another file, or add --force", context) from None
    except OSError as problem:
        raise click.ClickException(f"{target} cannot be written: {problem.strerror}") from None
