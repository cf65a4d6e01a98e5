"""Options that several commands have."""

import click

from netcode.protocol.table_options import SPELLINGS

DEFAULT_SETS = ("munchkins-and-mazes",)
SETS = click.option("--set", "sets", multiple=True, metavar="ID|DIR",
                    help="A card set: id or folder of a pack. Repeat it to mix sets; the first decides where their "
                    "rules differ.")  # fmt: skip
OPTIONS = click.option("--option", "options", multiple=True, metavar="O", type=click.Choice(SPELLINGS),
                       help=f"A table option; may be repeated: {', '.join(SPELLINGS)}.")  # fmt: skip
