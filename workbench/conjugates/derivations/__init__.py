"""What pages and the command line ask of the process that derives: tables and drawings of pairs.

Half of the lines draw what was derived: pairs, regions, functions on the simplex.
"""
