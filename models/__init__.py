"""The trained weights and galleries that seeing uses, each with a card that says what it was measured on."""
