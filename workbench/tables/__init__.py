"""A file as people have it, from its first bytes to a certified model, predictions and a report.

text, reading     what stands in the file, and what was found out about it
columns, targets  what its columns are, and which problem the target asks for
features          columns as numbers: categories, empty cells, scales
choice, fitting   lambda by cross-validation, and the fit
model, report     what is kept of it, what it predicts, and a page about it
"""
