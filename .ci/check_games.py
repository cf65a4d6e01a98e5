"""Check what `kickdoor simulate --json` printed: every game ended, and nothing was refused.

    python .ci/check_games.py GAMES.json COUNT [WORD...]

COUNT: how many games there must be. The words are printed in front of the figures.
"""

import json
import sys
from pathlib import Path

FIGURES = ("games", "finished", "refused", "games_per_second", "decisions_per_second", "turns")


def main() -> int:
    """Return 0, or 1 if a game did not end or an action was refused that was listed as legal."""
    games = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    print(*sys.argv[3:], json.dumps({key: games[key] for key in FIGURES}))
    for fault in games["unfinished"] + games["refusals"]:
        print(fault, file=sys.stderr)
    return 0 if games["games"] == games["finished"] == int(sys.argv[2]) and games["refused"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
