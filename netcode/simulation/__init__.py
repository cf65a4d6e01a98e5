"""Many whole games between bots in one process, and the report on them."""
