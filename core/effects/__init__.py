"""What each verb of card text does."""
