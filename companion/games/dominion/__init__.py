"""Dominion and Dominion: Intrigue, one engine for both boxes."""
