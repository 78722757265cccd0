"""The rules of Dominations: positions, events and what they bring; nothing of words, pages or cameras."""
