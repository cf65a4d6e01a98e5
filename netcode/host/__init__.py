"""The host process: sockets, fair queue, registry of tables, lobby, supervisor, recovery."""
