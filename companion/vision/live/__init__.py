"""What lies where on a table that a camera looks at all the time."""
