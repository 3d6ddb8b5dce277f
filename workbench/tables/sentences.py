"""What is wrong with a file, and how to correct it: one table, which an exported page fills in as well.

Templates of `str.format`; `pages/runtime/wording.js` knows the same forms. Options are spelled as in Python.
"""

TEXTS = {
    # of any file
    "too_large": "{where} has more than {megabytes} MB; take a part of its rows.",
    "unpacks": "{where} unpacks to more than {megabytes} MB; take a part of its rows.",
    "foreign": "{where} is {what} and no table; save the table as CSV or Parquet.",
    "pickle": (
        "{where} is a Python pickle, which is not opened, since it may run code; save the table as CSV or "
        "Parquet."
    ),
    "unreadable": "{where} could not be read by the browser; check that it is a file, and try again.",
    "empty": "{where} is empty; it should hold one sample a line.",
    "count": (
        "{where}{place}: {count:,} {what}, and at most {most:,} are allowed here; take a part of the {part}."
    ),
    "in_line": "{where}, line {line}: {reason}",
    "large_number": (
        "{where}, sample {row}: a number above {largest:g}; write it in another unit, or take the row out."
    ),
    # of its labels
    "empty_target": (
        "{where}: the target {target} is empty in {count} of {n} rows; take these out, or give "
        'missing="drop".'
    ),
    "one_sample": "{where} has one sample; a task needs at least 2.",
    "one_class": (
        "{where}: every sample has the label {label}; classification needs two classes, so choose another "
        "label column or add samples."
    ),
    "many_classes": (
        "{where}: {count:,} different labels, and at most {most} can be classes; choose regression, or "
        "another label column."
    ),
    # of a table
    "table_zero_byte": "{where}, line {line}: a zero byte, so the file is not text; give a table as text.",
    "one_column": (
        "{where} has one column only; a table needs a target and at least one feature, separated by commas, "
        "semicolons or tabs."
    ),
    "no_rows": "{where} has no rows; it should hold one sample a line.",
    "header_only": "{where} has a header but no rows; it should hold one sample a line.",
    "ragged": (
        "{where}, line {line}: {cells} where the first row has {width}; give every row the same columns."
    ),
    "open_quote": (
        "{where}, line {line}: a quotation mark that is not closed; close it, or write two for one within a "
        "cell."
    ),
    "cell": "{count} cell",
    "cells": "{count} cells",
    # of the exported page alone, whose reader takes plain numbers in UTF-8
    "unscalable": "{where}: a column has numbers too large to be scaled; write it in another unit.",
    "utf16": "{where} is in UTF-16; save it as UTF-8.",
    "not_utf8": "{where}, line {line}: a byte that is not UTF-8; save the table as UTF-8.",
    "in_cell": "{where}, line {line}, column {column}: {reason}",
    "cell_empty": "the cell is empty; fill it in or take the row out.",
    "cell_label": "{shown} is not a number; write one, or give positive=LABEL since the target holds texts.",
    "cell_text": "{shown} is not a number; write one, or take the column out if it holds texts.",
    "cell_infinite": "{shown} is not a finite number; fill it in or take the row out.",
    # of LIBSVM
    "svm_zero_byte": "{where}, line {line}: a zero byte, so the file is not text; give a LIBSVM or CSV file.",
    "svm_no_sample": "{where} has no sample, only comments or blank lines; write `label index:value ...`.",
    "svm_no_pair": "{where} has labels but no index:value pair; write `label index:value ...`.",
    "svm_no_label": "it starts with {shown} where the label should stand; write `label index:value ...`.",
    "svm_label": "the label {shown} is not a number; write `label index:value ...`, a table as .csv.",
    "svm_label_infinite": "the label {shown} is not finite; give the sample a label or take it out.",
    "svm_not_pair": "{shown} is not a pair; write index:value.",
    "svm_no_index": "the pair {shown} has no whole number before the colon; write index:value.",
    "svm_no_value": "the pair {shown} has no number after the colon; write index:value.",
    "svm_infinite": "the pair {shown} has a value that is not finite; leave the pair out or write a number.",
    "svm_negative": "the pair {shown} has a negative index; count features from 1.",
    "svm_zero": "the pair {shown} has the index 0, but zero_based=False was given; count features from 1.",
    "svm_above": (
        "the pair {shown} has an index above {limit}, the largest that is allowed here; take the feature out."
    ),
    "svm_repeats": "the pair {shown} repeats the index {index}; write each index once.",
    "svm_order": "the pair {shown} comes after the index {previous}; write the indices in ascending order.",
}


def sentence(name: str, **values) -> str:
    """A sentence of the table with these values."""
    return TEXTS[name].format(**values)
