"""Programs that make what is shipped in `models` from pictures anyone can take."""
