"""The pages: a room each, and what they share.

Three fifths of the lines are the rooms of fourteen pages, and more than a third is JavaScript, since runs are
computed and drawn in the browser, served and in files.
"""
