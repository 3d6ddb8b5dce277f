"""The server between the network and the pages: the routes, the names, the places and the headers.

Panel serves. The lines here decide who comes in, how many and from where, and what a browser may do with a
page.
"""
