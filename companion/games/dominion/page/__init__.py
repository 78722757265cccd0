"""What the page of Dominion shows."""
