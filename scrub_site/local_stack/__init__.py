"""The local stack: a real PostgreSQL and a real Redis, and what runs on them, under one supervisor.

    python -m scrub_site.local_stack run [--state DIR] -- COMMAND …
    python -m scrub_site.local_stack demo [--state DIR]

Both servers come as programs inside wheels and keep everything they own in one state folder. Whoever sets
`DATABASE_URL` or `REDIS_URL` brings a server of their own, and that one is not started here. Nothing in this
package imports Django or the settings: the children learn all they need from their environment.
"""


class StackError(Exception):
    """Something a person has to put right. The message says what it is and what to do."""
