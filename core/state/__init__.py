"""What a game is: plain data, the actions that go in, the events that come out, and the only code that applies an
event."""
