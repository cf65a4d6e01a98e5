"""What `kickdoor simulate --json` printed, held against what it promises: every game ended, nothing was refused.

    python .ci/check_games.py GAMES.json HOW_MANY [WHICH...]
"""

import json
import sys
from pathlib import Path

TOLD = ("games", "finished", "refused", "games_per_second", "decisions_per_second", "turns")


def main() -> int:
    """Exit code 1 if a game did not end, or an action was refused that was listed as legal."""
    games = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    print(*sys.argv[3:], json.dumps({key: games[key] for key in TOLD}))
    for fault in games["unfinished"] + games["refusals"]:
        print(fault, file=sys.stderr)
    return 0 if games["games"] == games["finished"] == int(sys.argv[2]) and games["refused"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
