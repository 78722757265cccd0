"""From a camera's frame to the table seen from above, in millimetres and in true colours."""
