"""Carcassonne: rulebook 001."""
