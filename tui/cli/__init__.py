"""The commands of `kickdoor`."""
