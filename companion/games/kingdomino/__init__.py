"""Kingdomino: rulebook 002."""
