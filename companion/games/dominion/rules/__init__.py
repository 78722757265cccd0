"""The rules of Dominion: positions, events and what they bring; nothing of words, pages or cameras."""
