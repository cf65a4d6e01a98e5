"""Ask whether an advisory names a package of the locks, in the version that they have.

    PYTHON .ci/audit.py

PYTHON is that of an environment installed from requirements.lock, which has pip-audit. Exit codes: 0 every package was
looked up and no advisory names one; 1 advisories were found; 2 the audit cannot be made, and the sentence says why; 3
the advisories of some or all packages cannot be reached from here, so nothing is known.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LOCKS = (ROOT / "requirements.lock", ROOT / "requirements-extras.lock")
CLEAN, FOUND, IMPOSSIBLE, UNREACHED = 0, 1, 2, 3
TIMEOUT_S, ANSWER_S = 300, 10
"""How long the whole audit and one answer may take (s)."""
AUDIT = ("-m", "pip_audit", "--disable-pip", "--require-hashes", "--format", "json", "--progress-spinner", "off")
OFFLINE = ("requests.exceptions.", "urllib3.exceptions.", "vulnerability feed", "your network may be blocking")
"""What pip-audit writes to standard error when the network is the trouble, not the lock."""


def main() -> int:
    """Print what was found, and return the exit code."""
    command = [sys.executable, *AUDIT, "--timeout", str(ANSWER_S)]
    for lock in LOCKS:
        command += ["--requirement", str(lock)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return _unreached(f"no answer within {TIMEOUT_S} s")
    return verdict(done.stdout, done.stderr)


def verdict(report: str, errors: str) -> int:
    """Print what pip-audit's report (JSON; empty if it failed) and its standard error say; return the exit code.

    A package that pip-audit skipped, because no advisories came for it, counts as unreached: pip-audit alone calls that
    clean."""
    if not report.strip():
        last = (errors.strip().splitlines() or ["pip-audit said nothing"])[-1]
        if any(words in errors for words in OFFLINE):
            return _unreached(last)
        print(f"the audit cannot be made: {last}", file=sys.stderr)
        return IMPOSSIBLE
    packages: list[dict[str, Any]] = json.loads(report)["dependencies"]
    found = [(one, advisory) for one in packages for advisory in one.get("vulns", ())]
    for one, advisory in found:
        fixed = ", ".join(advisory["fix_versions"]) or "no version yet"
        print(f"{one['name']} {one['version']}: {advisory['id']}, fixed in {fixed}", file=sys.stderr)
    if found:
        print("take newer versions of these packages with .ci/lock --upgrade-package NAME", file=sys.stderr)
        return FOUND
    if skipped := sum("skip_reason" in one for one in packages):
        return _unreached(f"nothing was found there of {skipped} of {len(packages)} packages")
    print(f"{len(packages)} packages of the locks: no advisory names one")
    return CLEAN


def _unreached(why: str) -> int:
    print(f"NOT AUDITED, the advisories cannot be reached from here: {why}", file=sys.stderr)
    return UNREACHED


if __name__ == "__main__":
    sys.exit(main())
