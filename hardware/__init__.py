"""The camera above the table and the panel beside it: pictures and button events come in, lamps show state."""
