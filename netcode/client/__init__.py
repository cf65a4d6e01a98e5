"""The client side, without a screen: clients of tables and lobbies, and finding hosts."""
