"""What the page of Kingdomino shows."""
