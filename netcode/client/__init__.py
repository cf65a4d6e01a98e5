"""The client side, without a screen: staying connected, and the programs that play through it."""
