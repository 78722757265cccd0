"""Carcassonne as a camera sees it."""
