"""English: what the effects of a card say, and the lines of the log."""
