"""Whole games between bots, many of them, in process; and the report on them."""
