"""`kickdoor`, and `python -m tui`."""

import sys

from netcode.processes.service import loading


def main() -> None:
    """Run the command that the program was called with."""
    try:
        with loading():
            from tui.cli.main import main as run_command  # Ctrl+C meanwhile is handled, and garbage collection is off
    except KeyboardInterrupt:  # Ctrl+C while it loads
        sys.exit(1)
    run_command()


if __name__ == "__main__":
    main()
