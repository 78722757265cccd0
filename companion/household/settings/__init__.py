"""companion.toml: what a household sets once. Nothing in it can keep the companion from starting."""

from companion.household.settings.file import FILE, LARGEST_FILE, VARIABLE, Loaded, load_settings
from companion.household.settings.sections import Camera, Log, Page, Panel, Settings, Store, Web, all_settings

__all__ = (
    "FILE",
    "LARGEST_FILE",
    "VARIABLE",
    "Camera",
    "Loaded",
    "Log",
    "Page",
    "Panel",
    "Settings",
    "Store",
    "Web",
    "all_settings",
    "load_settings",
)
