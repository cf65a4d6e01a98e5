"""A club: hosts that keep their journals in one PostgreSQL database, and their leases on the tables in it.

Only this package imports psycopg (the extra `club`). It is loaded for `kickdoor host --club` and `kickdoor club`.
"""
