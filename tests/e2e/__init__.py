"""Whole tables in real terminals: tmux, host processes, an SSH server."""
