"""The process that has loaded the program of the guests and forks it, once for each of them.

It has one thread and holds no secret: no key of a host, no token, no journal, no socket but the one to the listener."""
