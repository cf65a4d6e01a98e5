"""Reads files that strangers wrote: only regular files of bounded size, parsed in a child process with limits."""
