"""The end of a game: level curves, facts, a line for each seat, on the screen and as a picture."""
