"""The wire: messages, codec, sockets, credentials."""
