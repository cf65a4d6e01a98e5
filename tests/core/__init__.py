"""The rules and the cards, proved through `submit`, `view` and scenario files."""
