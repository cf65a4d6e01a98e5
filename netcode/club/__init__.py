"""A club: hosts that keep their journals in one PostgreSQL database, and their leases on the tables in it.

`journal.py` is the journal of one host; its parts are `connections.py` (to the database, however long that is away),
`lease_clock.py` (how long the host has its tables by its own clock) and `transactions.py` (how commits are written).
`leases.py` and `schema.py` have the statements, `directory.py` what a host knows of the others.

Only this package imports psycopg (the extra `club`). It is loaded for `kickdoor host --club` and `kickdoor club`.
"""
