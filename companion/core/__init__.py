"""Values everybody speaks; standard library only, no input or output."""
