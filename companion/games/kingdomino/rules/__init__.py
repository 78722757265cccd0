"""The rules of Kingdomino: positions, events and what they bring; nothing of words, pages or cameras."""
