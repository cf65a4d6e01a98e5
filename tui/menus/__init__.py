"""From legal actions to choices a player can press."""
