"""What each verb of card text does: one handler for each verb, in a table by the verb's type."""
