"""One table without sockets: seats, match, clocks, fair deal, votes."""
