"""A file as people have it, from its first bytes to a certified model, predictions and a report.

limits, formats, text, libsvm   the content of a file, counted before memory is taken for it
reading, in_memory              the one reader, by a path, by bytes or of a DataFrame; arrays and frames
sentences                       faults of a file, and how to correct them
columns                         cells, and the rules by which columns become numbers
preparation, training           scikit-learn's transformers; the rows that a model learns from
targets                         the problem that the target asks for
samples, uploads                a data set of a table; the content of the page Your data
choice, fitting, warm_start     lambda by cross-validation, and the fit, from another model if need be
model, explain, report          the result, the reasons for its predictions, and a page about it
child                           the reading and the fitting of visitors' files in a process with limits
"""
