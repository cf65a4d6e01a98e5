"""`python -m tui` is `kickdoor`."""

from tui.cli import main

main()
