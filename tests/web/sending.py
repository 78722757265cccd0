"""Photos sent as a browser's form sends them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from tests.web.visitor import Answer, Visitor

BOUNDARY = "----a-photo"


def send(
    visitor: Visitor, path: str, data: bytes, name: str = "photo.jpg", fields: Mapping[str, str] | None = None
) -> Answer:
    """Send a photo; the second field is empty, for the other way to choose one."""
    words = "".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
        for field, value in (fields or {}).items()
    ).encode()
    parts = b"".join(
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="{file}"\r\n'.encode()
        + b"Content-Type: image/jpeg\r\n\r\n"
        + content
        + b"\r\n"
        for file, content in ((name, data), ("", b""))
    )
    whole = words + parts + f"--{BOUNDARY}--\r\n".encode()
    return visitor.ask("POST", path, whole, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"})


def hidden(page: Answer, name: str) -> str:
    """What a form carries unseen."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert found, name
    return unescape(found[1])
