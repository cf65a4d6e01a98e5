"""The client side, without a screen."""
