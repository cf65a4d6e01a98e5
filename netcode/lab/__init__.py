"""Where bots are measured and their numbers fitted."""
