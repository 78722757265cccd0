"""The page on the tablet."""

from companion.web.factory import House, create_app

__all__ = ["House", "create_app"]
