"""Every screen of the program, tried for what no single test of a screen looks for."""
