"""What all rooms use: errors, names, the system, and the display of results."""
