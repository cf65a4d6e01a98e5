"""How long tests wait for something that must happen. A test says what it waits for; this time only ends a test that
hangs.

It is long because the gate runs many tests at a low priority, where a command that uses three seconds of a core may
take more than a minute.
"""

PATIENCE_S = 300.0
