"""What pieces look like: drawn, shipped, and taught by the household."""
