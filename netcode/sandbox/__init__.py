"""Files that strangers wrote: regular files of bounded size only, parsed in a child process with limits."""
