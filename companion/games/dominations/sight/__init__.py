"""Dominations as a camera sees it."""
