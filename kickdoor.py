"""`kickdoor`, and `python -m kickdoor`: put the program's own folder first, then start it.

Its packages have common names, and another folder that is searched for modules (a foreign `PYTHONPATH`) may have a
`tui` or a `core` too. Only a module whose name is ours alone can put that right: a foreign `tui` would be loaded first.
"""

import os
import sys


def main() -> None:
    """Run the command that the program was called with."""
    root = os.path.dirname(os.path.abspath(__file__))
    if sys.path[:1] != [root]:
        sys.path.insert(0, root)
    from tui.__main__ import main as run  # found in our folder only from here on

    run()


if __name__ == "__main__":
    main()
