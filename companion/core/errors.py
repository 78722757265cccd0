"""Everything that can go wrong, in words a person can act upon."""

from __future__ import annotations

from companion.core.message import Message


class CompanionError(Exception):
    """Base of all our errors: it carries a message that can be said in any language."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


class IllegalEvent(CompanionError, ValueError):
    """The rules, or the pieces in the box, do not allow this event now."""


class NotationError(CompanionError, ValueError):
    """A text is not a move, a position, a session or a document we know."""


class StoreError(CompanionError, OSError):
    """The log could not be read or written; nothing was recorded."""


class StaleSession(CompanionError, RuntimeError):
    """The session moved on since the sender last looked at it."""


class UnknownSession(CompanionError, LookupError):
    """There is no session of that name."""


class CameraError(CompanionError, OSError):
    """There is no picture from the camera, for now or at all."""


class PanelError(CompanionError, OSError):
    """The buttons and lamps cannot be reached."""


class ModelError(CompanionError, RuntimeError):
    """A file that is shipped with the companion is missing or damaged."""


class BusyError(CompanionError, RuntimeError):
    """Too many ask for the same at a time; a little later there is room again."""
