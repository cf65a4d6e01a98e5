"""The whole game as lines, for screen readers, dumb terminals and pipes: no colours, no cursor, nothing drawn."""
