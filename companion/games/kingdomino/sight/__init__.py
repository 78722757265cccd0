"""Kingdomino as a camera sees it."""
