"""Cards as objects: the face of a card of the hand, the large card, and what a card would do now."""
