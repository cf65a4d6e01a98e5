"""Players that are programs: how a bot decides from the view of its seat. It imports nothing but core."""
