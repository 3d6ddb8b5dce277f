"""Requests of pages and the command line to the process that derives: tables and drawings of pairs."""

from workbench._support.system import extras

extras.need("proofs", "deriving and proving")
