"""Short words: the list, the exchange, the process, and what attackers get."""
