"""What the page of Carcassonne shows."""
