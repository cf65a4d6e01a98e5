"""The app: its navigation, and what happens between the start of the program and its end."""
