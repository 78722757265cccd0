"""Who may import whom: the table of rooms, and a reader of sources that says where the table is not kept."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

PACKAGES = ("companion", "hardware", "calibration", "models")


@dataclass(frozen=True)
class Room:
    """What the modules under one name may import besides themselves and the standard library."""

    name: str
    ours: tuple[str, ...] = ()
    """Rooms with everything in them; `=` before a name means that one module and nothing beneath it."""
    others: tuple[str, ...] = ()


CORE = "companion.core"
GAMES = "=companion.games"  # the list, never one game
# The most particular name that fits a module is its room. Only app, cli and the commands see the whole house.
ROOMS = (
    Room("companion.core"),
    Room("companion.games", (CORE,)),
    Room("companion.games.*", (CORE,)),
    Room("companion.store", (CORE,), ("alembic", "sqlalchemy")),
    Room(
        "companion.vision",
        (CORE, "calibration", "hardware.camera", "models"),
        ("cv2", "numpy"),
    ),
    Room(
        "companion.virtual", (CORE, "calibration.mat", "hardware"), ("cv2", "gpiozero", "numpy", "resvg_py")
    ),
    Room("companion.watch", (CORE, "companion.table", "companion.vision", "hardware.camera"), ("cv2",)),
    Room("companion.rig", PACKAGES),
    Room(
        "companion.contradictions", (CORE, "calibration", "companion.games.*", "companion.vision"), ("numpy",)
    ),
    Room(
        "companion.photos",
        (CORE, "calibration", "companion.contradictions", "companion.games.*", "companion.vision"),
    ),
    Room(
        "companion.believing",
        (
            CORE,
            "calibration",
            "companion.contradictions",
            "companion.games.*",
            "companion.photos",
            "companion.vision",
        ),
        ("numpy",),
    ),
    Room(
        "companion.photo_desk",
        (
            CORE,
            "companion.believing",
            "companion.games.*",
            "companion.photo_shelf",
            "companion.photos",
            "companion.vision",
            "companion.workbench",
        ),
    ),
    Room("companion.photo_shelf", (CORE, "companion.games.*", "companion.vision")),
    Room(
        "companion.box_desk",
        (
            CORE,
            "calibration",
            "companion.box_view",
            "companion.contradictions",
            "companion.games.*",
            "companion.vision",
            "companion.workbench",
        ),
        ("numpy",),
    ),
    Room("companion.box_view", (CORE, "calibration", "companion.games.*", "companion.vision")),
    Room("companion.workbench", (CORE,)),
    Room("companion.settings", (CORE,)),
    Room("companion.logs", ("companion.settings",)),
    Room("companion.words", (CORE,)),
    Room("companion.own", (CORE, GAMES, "companion.settings")),
    Room("companion.table", (CORE, GAMES, "companion.store")),
    Room("companion.keys", (CORE, "companion.words")),
    Room("companion.demo", (CORE, "companion.table", "companion.virtual", "companion.watch")),
    Room(
        "companion.web",
        (
            "=companion",
            CORE,
            GAMES,
            "companion.settings",
            "companion.table",
            "companion.words",
            "companion.watch.state",
            "companion.virtual.control",
            "calibration.printed",  # the sheet of markers, drawn only when somebody prints it
        ),
        ("babel", "flask", "jinja2", "markupsafe", "segno", "werkzeug"),
    ),
    Room("companion.commands", PACKAGES, ("waitress",)),
    Room("companion.app", PACKAGES, ("segno", "waitress")),
    Room("companion.cli", PACKAGES),
    Room("companion.__main__", ("companion.cli",)),
    Room("=companion"),
    Room("hardware", (CORE,), ("cv2", "gpiozero", "lgpio", "numpy", "picamera2")),
    Room("calibration", (CORE,), ("cv2", "numpy")),
    Room("models", (CORE,), ("numpy", "onnxruntime")),
    Room(
        "models.train",
        (CORE, "calibration", "companion.vision", "models"),
        ("cv2", "numpy", "onnx", "onnxruntime", "torch"),
    ),
)
STANDARD = sys.stdlib_module_names | {"_typeshed"}  # names for type checkers only, never imported by Python
LAZY = ("picamera2", "gpiozero", "lgpio")
"""Imported inside functions only: another computer has no such hardware."""

PURE = ("companion.core", "companion.games.*")
"""No input or output, no clock, no threads: the same log gives the same tally everywhere."""
IMPURE_MODULES = frozenset(
    "asyncio concurrent http logging multiprocessing os secrets select shutil signal socket sqlite3 ssl"
    " subprocess tempfile threading time urllib uuid".split()
)
IMPURE_CALLS = frozenset({"open", "print", "input", "now", "today", "utcnow"})


@dataclass(frozen=True)
class Import:
    target: str
    line: int
    lazy: bool


def within(module: str, name: str) -> bool:
    if name.startswith("="):
        return module == name[1:]
    depth = name.count(".") + 1
    return fnmatchcase(".".join(module.split(".")[:depth]), name)


def room_of(module: str) -> Room | None:
    fitting = [room for room in ROOMS if within(module, room.name)]
    return max(fitting, key=lambda room: room.name.count("."), default=None)


def home_of(module: str, room: Room) -> str:
    """Return the name under which everything belongs to the module's own room."""
    if room.name.startswith("="):
        return room.name
    depth = room.name.count(".") + 1
    return ".".join(module.split(".")[:depth])


def imports(module: str, source: str, modules: frozenset[str]) -> Iterator[Import]:
    """Every import in a source, as the module it reaches; `modules` are those of the house."""
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while todo:
        node, lazy = todo.pop()
        for target in targets(node, module, modules):
            yield Import(target, node.lineno, lazy)  # type: ignore[attr-defined]  # imports and calls have a line
        inside = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        todo += [(child, inside) for child in ast.iter_child_nodes(node)]


def targets(node: ast.AST, module: str, modules: frozenset[str]) -> list[str]:
    match node:
        case ast.Import(names):
            return [alias.name for alias in names]
        case ast.ImportFrom(name, names, level):
            package = module.split(".") if module in packages(modules) else module.split(".")[:-1]
            above = package[: len(package) - (level or 1) + 1] if level else []
            base = ".".join([*above, *([name] if name else [])])
            return [full if (full := f"{base}.{alias.name}") in modules else base for alias in names]
        case ast.Call(ast.Name("import_module" | "__import__"), [ast.Constant(str(name)), *_]):
            return [name]
        case ast.Call(ast.Attribute(attr="import_module"), [ast.Constant(str(name)), *_]):
            return [name]
    return []


def packages(modules: frozenset[str]) -> frozenset[str]:
    return frozenset(name.rpartition(".")[0] for name in modules)


def violations(module: str, source: str, modules: frozenset[str]) -> list[str]:
    """Say, line by line, where a source breaks the dependency rule."""
    room = room_of(module)
    if room is None:
        return [f"{module} is in no room: give it one in tests/dependency_rule.py"]
    pure = any(within(module, name) for name in PURE)
    found = {
        (i.line, reason) for i in imports(module, source, modules) if (reason := objection(i, module, room))
    }
    if pure:
        found |= set(impurities(source))
    return [f"{module}:{line} {reason}" for line, reason in sorted(found)]


def objection(found: Import, module: str, room: Room) -> str | None:
    top = found.target.partition(".")[0]
    if top in PACKAGES:
        home = home_of(module, room)
        allowed = within(found.target, home) or any(within(found.target, name) for name in room.ours)
    else:
        allowed = top in STANDARD or top in room.others
    if not allowed:
        return f"may not import {found.target}"
    if not found.lazy and any(within(found.target, name) for name in LAZY):
        return f"may import {found.target} only inside a function"
    return None


def impurities(source: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names) if bad := {a.name.partition(".")[0] for a in names} & IMPURE_MODULES:
                yield node.lineno, f"may not use {min(bad)}"
            case ast.ImportFrom(str(name), _, 0) if (top := name.partition(".")[0]) in IMPURE_MODULES:
                yield node.lineno, f"may not use {top}"
            case ast.Call(ast.Name(name) | ast.Attribute(attr=name)) if name in IMPURE_CALLS:
                yield node.lineno, f"may not call {name}()"
