"""Changes to players, monsters and Seals that several procedures share, always made through events."""
