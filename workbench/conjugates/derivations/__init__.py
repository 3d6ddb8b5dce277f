"""Requests of pages and the command line to the process that derives: tables and drawings of pairs."""
