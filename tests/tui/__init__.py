"""The screen: scenes drawn to text, keys through a pilot, real pseudo terminals."""
