"""Dominations: rulebook 004."""
