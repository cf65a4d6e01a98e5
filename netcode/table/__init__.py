"""One table without sockets: seats, stages, match, clocks, fair deal, undo votes."""
