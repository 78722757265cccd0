"""A table that needs no hardware: pieces anybody can move, seen by a camera that is as bad as real ones are."""
