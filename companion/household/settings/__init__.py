"""companion.toml: what a household sets once. Nothing in it can keep the companion from starting."""

from companion.household.settings.file import (
    LARGEST_SETTINGS_FILE,
    SETTINGS_FILE,
    SETTINGS_VARIABLE,
    LoadedSettings,
    load_settings,
)
from companion.household.settings.sections import (
    CameraSettings,
    LogSettings,
    PageSettings,
    PanelSettings,
    Settings,
    StoreSettings,
    WebSettings,
    all_settings,
)

__all__ = (
    "LARGEST_SETTINGS_FILE",
    "SETTINGS_FILE",
    "SETTINGS_VARIABLE",
    "CameraSettings",
    "LoadedSettings",
    "LogSettings",
    "PageSettings",
    "PanelSettings",
    "Settings",
    "StoreSettings",
    "WebSettings",
    "all_settings",
    "load_settings",
)
