"""The watching loop: from a camera's frames to proposals, and from buttons, taps and certainty to the log."""
