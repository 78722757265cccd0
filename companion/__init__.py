"""Table Companion: the camera proposes, the people confirm, the log remembers, the rules count."""
