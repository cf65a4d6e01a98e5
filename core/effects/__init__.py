"""What each verb of card text does: one handler a verb, in a table by its struct."""
