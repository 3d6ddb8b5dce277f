"""What stands between the network and the pages: the routes, the names, the places and the headers."""
