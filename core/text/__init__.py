"""English: card text from effects, log lines from events."""
