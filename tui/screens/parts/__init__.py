"""The parts of a table besides its widgets: plain objects with one job each (docs/architecture.md)."""
