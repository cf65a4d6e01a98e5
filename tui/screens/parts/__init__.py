"""What the table is composed of beside its widgets: plain objects with one job each (docs/architecture.md)."""
