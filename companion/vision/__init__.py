"""The eye: settles, locates and names what lies on the table; it knows shapes and labels, never a rule."""
