"""`kickdoor`, and `python -m tui`: the process that a command needs is started before the command line is loaded."""

import sys

from netcode.host.early_child import start_early
from netcode.processes.service import loading


def main() -> None:
    """Run the command that the program was called with."""
    early = None
    try:
        early = start_early(sys.argv[1:])
        with loading():
            from tui.cli.main import main as run_command
    except KeyboardInterrupt:  # Ctrl+C while it loads
        if early is not None:
            early.drop()
        sys.exit(1)
    run_command(early)


if __name__ == "__main__":
    main()
