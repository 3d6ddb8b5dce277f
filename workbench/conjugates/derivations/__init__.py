"""What pages and the command line ask of the process that derives: tables and drawings of pairs."""
