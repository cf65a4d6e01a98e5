"""What a seat knows of hidden things: what it has seen, veiled states, imagined games, and forecasts made from them."""
