"""The process that announces a host on the local network, apart from the loop that serves tables: whatever others send
to the group of multicast DNS is read here."""
