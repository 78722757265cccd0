"""The rules of Carcassonne: positions, events and what they bring; nothing of words, pages or cameras."""
