"""Players that are programs: what a bot decides from the view of its seat. It imports nothing but core."""
