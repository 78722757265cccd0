"""Alembic runs this for every migration; the connection comes from `companion.sessions.database`."""

from __future__ import annotations

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
