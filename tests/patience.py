"""How long tests wait for what has to come. A test says what it waits for; this time only ends a test that hangs.

The gate runs many tests behind everything else, where a command that uses three seconds of a core may take more than a
minute.
"""

PATIENCE_S = 300.0
