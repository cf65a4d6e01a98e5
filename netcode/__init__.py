"""The host process, the wire, and the client side of it."""
