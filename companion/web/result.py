"""How a session ended: the ranking, a picture of it to share, and the session as a file."""

from __future__ import annotations

import re
from pathlib import Path

from flask import Blueprint, Response, render_template
from markupsafe import Markup

from companion.core.game import INKS
from companion.web.context import house
from companion.web.play import TallyRow, tally_rows

result_blueprint = Blueprint("result", __name__, url_prefix="/s/<id>")

TOKEN_ART = Path(__file__).parent / "static" / "art.svg"

LETTER = 0.62
"""How wide a letter of a bold text is at most on average, measured by its height."""


@result_blueprint.get("/result", endpoint="show")
def show_result(id: str) -> str:
    session = house().table.session(id)
    return render_template(
        "result.html",
        session=session,
        game=session.game,
        rows=_ranked(id),
        thinking=session.thinking(house().table.clock()),
    )


@result_blueprint.app_template_filter("letters")
def letters(text: str, room: int, largest: int) -> int:
    """The size of letters by which the text fits into that room of a picture."""
    return min(largest, int(room / (LETTER * max(1, len(text)))))


@result_blueprint.get("/result.svg")
def picture(id: str) -> Response:
    """The result as one picture that stands on its own."""
    session = house().table.session(id)
    view = session.game.page(session.position, {})
    drawn = session.game.folder / "static" / "faces.svg"
    faces = Markup(drawn.read_text(encoding="utf-8") if drawn.is_file() else "")
    svg = render_template(
        "result.svg",
        session=session,
        game=session.game,
        view=view,
        rows=_ranked(id),
        faces=faces,
        tokens=_tokens(),
        inks=INKS,
        standalone=True,
    )
    # The picture carries its own style, and may do nothing else.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    return Response(svg, mimetype="image/svg+xml", headers=headers)


@result_blueprint.get("/export")
def export(id: str) -> Response:
    session = house().table.session(id)
    name = f"{session.game.key}-{session.id}.jsonl"
    return Response(
        house().table.export(id),
        mimetype="application/jsonl",
        headers={"Content-Disposition": f"attachment; filename={name}"},
    )


def _tokens() -> Markup:
    """The shapes of the players' colours."""
    drawn = TOKEN_ART.read_text(encoding="utf-8")
    return Markup("".join(re.findall(r'<symbol id="colour-.*?</symbol>', drawn, re.DOTALL)))


def _ranked(id: str) -> list[TallyRow]:
    found = tally_rows(house().table.session(id))
    return sorted(found, key=lambda row: (row.rank, row.number))
