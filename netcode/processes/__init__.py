"""Processes of ours: how they are started, watched and ended, and what each of them needs before it does anything."""
