"""The site has the repository's pages at the very places where they lie, so that every link holds in both."""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

HOUSE = Path(__file__).parents[1]
SHOWN = (
    "*.md",
    "LICENSE",
    "docs/*.md",
    "docs/*.css",
    "docs/pictures/*.png",
    "companion/games/*/README.md",
    "companion/games/kingdomino/RULES.md",
    "companion/games/dominion/rulings/README.md",
    "companion/web/static/icon.svg",
    "hardware/wiring.md",
    "hardware/board.toml",
    "models/train/README.md",
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Keep what the theme brought; name the rest from the top of the repository instead of from docs/."""
    kept = [file for file in files if file.src_dir != config.docs_dir]
    return Files(kept + [_file(path, config) for pattern in SHOWN for path in sorted(HOUSE.glob(pattern))])


def _file(path: Path, config: MkDocsConfig) -> File:
    name = path.relative_to(HOUSE).as_posix()
    return File(name, str(HOUSE), config.site_dir, config.use_directory_urls)
