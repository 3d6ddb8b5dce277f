"""A file as people have it, from its first bytes to a certified model, predictions and a report.

limits, formats, text, libsvm   what stands in a file, counted before memory is taken for it
remarks                         which columns of text look like numbers, and what converts them
reading                         the one reader, by a path, by bytes or of a DataFrame
sentences                       what is wrong with a file, and how to correct it
preparation, training           rules by which columns become numbers; the rows that a model learns from
targets, in_memory              which problem the target asks for; arrays and frames in memory
samples, uploads                a data set of a table; what the page Your data shows
choice, fitting                 lambda by cross-validation, and the fit
model, explain, report          what is kept of it, what it predicts and why, and a page about it
child                           the reading and the fitting of visitors' files in a process with limits
"""
