"""Where the table lies in the camera's picture, and whether anything moves on it."""
