"""Somebody with a browser: keeps cookies, follows nothing, and sends forms as pages do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from html import unescape
from http.client import HTTPConnection, HTTPMessage
from urllib.parse import urlencode

PATIENCE_S = 30.0
"""How long we wait for an answer before we call it none."""

Form = Mapping[str, str | Sequence[str]]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: HTTPMessage
    text: str

    @property
    def location(self) -> str:
        return self.headers.get("Location", "")

    @property
    def notices(self) -> list[str]:
        """What the page tells the person, its pictures and marks left out."""
        found = re.findall(r'<p class="notice[^>]*>.*?<span>(.*?)</span>', self.text, re.DOTALL)
        return [unescape(re.sub(r"<[^>]+>", "", text)).strip() for text in found]


@dataclass
class Visitor:
    """One device and its cookies."""

    port: int
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def post(self, path: str, form: Form | None = None, **headers: str) -> Answer:
        body = urlencode(form or {}, doseq=True).encode()
        return self.ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded", **headers})

    def unlock(self, pin: str) -> Answer:
        return self.post("/unlock", {"pin": pin})

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """One request on a connection of its own; when that breaks, nothing is sent again."""
        sent = {"Connection": "close", **self.headers, **(headers or {})}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)) as connection:
            connection.request(method, path, body, sent)
            with connection.getresponse() as response:
                text = response.read().decode("utf-8", errors="replace")
        for cookie in response.headers.get_all("Set-Cookie", []):
            name, _equals, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(response.status, response.headers, text)
