"""What coverage of intervals is tried on: simulated studies, what is true of them, and tables of what was found."""
