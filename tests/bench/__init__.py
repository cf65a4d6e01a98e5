"""Benchmarks: python -m tests.bench prints one JSON line for each figure (docs/benchmarks.md explains the figures)."""
