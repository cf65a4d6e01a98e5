"""Tables, hosts, clients and bots, offline and over real sockets on loopback."""
