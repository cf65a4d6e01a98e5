"""From the scene to rows of text."""
