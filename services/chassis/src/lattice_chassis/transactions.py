"""Whether the current task has a database transaction open.

It lives apart from the database so that the RPC half can assert on it without importing any driver:
no RPC may start while a transaction is open, or a slow peer would hold the workspace's lock.
"""

from contextvars import ContextVar

transaction_open: ContextVar[bool] = ContextVar("lattice_transaction_open", default=False)
"""Set by whoever opens a transaction, for as long as it is open; reset on commit and on rollback."""


def in_transaction() -> bool:
    """Whether the current context runs inside an open database transaction."""
    return transaction_open.get()
