"""The client of a guest who came by ssh: what is loaded before it is forked, and the way from `Start` to the app."""
