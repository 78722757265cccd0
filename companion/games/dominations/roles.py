"""What the Roles are called."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.message import Message
from companion.core.message import message as _

ROLE_NAMES: Mapping[str, Message] = {
    "governor": _("Governor"),
    "high_priest": _("High Priest"),
    "diplomat": _("Diplomat"),
    "merchant": _("Merchant"),
    "inventor": _("Inventor"),
    "worker": _("Worker"),
}
