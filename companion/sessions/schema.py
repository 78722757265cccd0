"""The tables, as the newest migration leaves them."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, UniqueConstraint

metadata = MetaData()

HEAD = "0001"
"""The newest migration in `migrations/versions`; a test keeps it true."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("created", String(32), nullable=False),
)

entries = Table(
    "entries",
    metadata,
    # Numbered over all sessions, so that another process's entries can be noticed with one cheap question.
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("session", String(32), ForeignKey("sessions.id"), nullable=False),
    Column("seq", Integer, nullable=False),
    Column("time", String(32), nullable=False),
    Column("source", String(16), nullable=False),
    Column("event", String, nullable=False),
    UniqueConstraint("session", "seq", name="one_entry_per_number"),
)
