"""`python -m tui` is `kickdoor`."""

from tui.cli.main import main

main()
