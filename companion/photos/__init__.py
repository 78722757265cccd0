"""Photos put before the companion: read, put right, recorded, learned from."""
