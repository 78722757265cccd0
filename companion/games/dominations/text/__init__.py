"""Dominations in words: notation, sentences for people, documents."""
