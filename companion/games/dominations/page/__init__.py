"""What the page of Dominations shows."""
