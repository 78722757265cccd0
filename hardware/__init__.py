"""The camera above the table and the panel beside it: pictures and button presses come in, lamps light up."""
