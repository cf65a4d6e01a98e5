"""Everything between the rules and the screen: host, wire, clients, bots, recordings, simulation."""
