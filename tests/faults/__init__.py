"""Damage: hosts killed, suspended, starved and attacked; disturbed networks."""
