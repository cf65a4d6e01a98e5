"""One table without sockets: seats, lifecycle, match, clocks, fair deal, undo votes."""
