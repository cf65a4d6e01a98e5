"""Measure and print figures: one JSON line for each, with the mark that it should reach."""

import json
import time
from collections.abc import Callable
from statistics import median


def line(name: str, value: float, unit: str, mark: str = "", **more: object) -> None:
    """Print one figure as a JSON line. mark: its target, in the same unit."""
    print(json.dumps({"name": name, "value": round(value, 3), "unit": unit, "mark": mark, **more}), flush=True)


def microseconds(work: Callable[[], object], times: int = 2000, rounds: int = 5) -> float:
    """Return the microseconds of CPU that one call takes, in the best of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        for _ in range(times):
            work()
        best = min(best, time.process_time() - began)
    return best / times * 1e6


def spread(figures: list[float]) -> dict[str, float]:
    """Return the median, the 99th percentile and the worst of these figures."""
    ordered = sorted(figures)
    return {
        "p50": round(median(ordered), 3),
        "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 3),
        "worst": round(ordered[-1], 3),
    }
