"""Where squares lie in a photo."""
