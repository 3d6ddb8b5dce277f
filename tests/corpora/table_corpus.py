"""Bad tables and unusual good ones: {name of the file: its bytes}, the same in every run.

`BAD` holds what some reader or other should refuse, `UNUSUAL` what people and programs still write.
Some are bad for one reader and good for another; what each makes of them stands in `golden/readers.json`.
"""

import bz2
import functools
import gzip
import io
import lzma
import zipfile

import numpy as np
import pandas as pd

TABLE = b"a,b,y\n1,2.5,0\n2,1.5,1\n3,0.5,0\n4,3.5,1\n5,1,0\n6,2,1\n"
PAIRS = b"1 1:0.5 2:2\n-1 1:1\n1 2:1.5\n-1 1:2 2:0.25\n"
OBJECTS = b'{"a": 1, "b": 2.5, "y": 0}\n{"a": 2, "b": 1.5, "y": 1}\n{"a": 3, "b": 0.5, "y": 0}\n'
NUMBERS = np.array([[1, 2.5, 0], [2, 1.5, 1], [3, 0.5, 0], [4, 3.5, 1]])
X, Y = NUMBERS[:, :2], NUMBERS[:, 2]
FRAME = pd.DataFrame(NUMBERS, columns=["a", "b", "y"])
# More than an upload may unpack to.
LARGE = 21 * 2**20
WORDS = "ash beech cedar elm fir hazel larch maple oak pine rowan spruce".split()  # noqa: SIM905
# The target that is asked for where it is not left to the reader.
TARGETS = {
    "target-unknown.csv": "z",
    "target-beyond.csv": 7,
    "target-twice.csv": "a",
    "target-of-pairs.svm": "y",
    "target-first.csv": "a",
    "target-from-the-end.csv": -3,
}


def rows(count, line, head="a,b,y"):
    """A table of lines that are made of their numbers."""
    return "\n".join([head, *(line.format(i=i, word=WORDS[i % len(WORDS)], k=i % 2) for i in range(count))])


def array(values):
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def arrays(**members):
    """Return the bytes that `np.savez` writes, but with the same date every time."""
    return archive(**{f"{name}.npy": array(values) for name, values in members.items()})


def archive(how=zipfile.ZIP_STORED, **files):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        for name, content in files.items():
            packed.writestr(zipfile.ZipInfo(name), content, how)
    return file.getvalue()


def parquet(frame):
    file = io.BytesIO()
    frame.to_parquet(file, compression=None)
    return file.getvalue()


gz = functools.partial(gzip.compress, mtime=0)

BAD = {
    # no rows, no columns, rows that differ
    "empty.csv": b"",
    "blank.csv": b"\n \n\t\n",
    "header.csv": b"a,b,y\n",
    "narrow.csv": b"y\n1\n2\n",
    "one-row.csv": b"a,y\n1,1\n",
    "short-row.csv": b"a,b,y\n1,2,0\n3,1\n",
    "long-row.csv": b"a,y\n1,0\n2,1,3\n",
    "empty.svm": b"",
    # cells
    "word.csv": b"a,b,y\n1,2,0\nred,3,1\n",
    "words.csv": rows(12, "{word},{i},{k}"),
    "word-among-many.csv": rows(30, "{i},2,{k}") + "\nunknown,1,0\n",
    "hole.csv": b"a,b,y\n1,,0\n,2,1\n3,4,1\n",
    "hole-in-target.csv": b"a,y\n1,0\n2,\n3,1\n",
    "nan.csv": b"a,y\n1,0\nnan,1\nNaN,0\n",
    "inf.csv": b"a,y\n1,0\ninf,1\n-Infinity,0\n",
    "overflow.csv": b"a,y\n1,0\n1e999,1\n",
    "huge.csv": b"a,y\n1,0\n1e200,1\n-1e200,0\n3,1\n",
    "huge-whole.csv": b"a,y\n1,0\n" + b"9" * 400 + b",1\n",
    "underscore.csv": b"a,y\n1_000,0\n2_000,1\n3,0\n",
    "hexadecimal.csv": b"a,y\n0x10,0\n0x11,1\n3,0\n",
    "percent.csv": b"a,y\n5%,0\n10%,1\n15%,0\n",
    "dates.csv": b"a,y\n2024-01-05,0\n2024-02-05,1\n2024-03-05,0\n",
    "only-holes.csv": b"a,y\n,0\n,1\n,0\n",
    "free-text.csv": rows(24, "{i},tree {i} is {word},{k}"),
    "units-below-names.csv": b"a,b,y\ncm,kg,\n1,2,0\n3,4,1\n",
    "footer.csv": b"a,b,y\n1,2,0\n3,4,1\ntotal,6,\n",
    # targets
    "constant-number.csv": b"a,y\n1,3\n2,3\n3,3\n",
    "constant-word.csv": b"a,y\n1,no\n2,no\n3,no\n",
    "dates-as-target.csv": b"a,y\n1,2024-01-05\n2,2024-02-05\n3,2024-03-05\n",
    "index-as-target.csv": rows(20, "{k},1,{i}"),
    "many-words-as-target.csv": rows(40, "{i},1,{word} {i}"),
    "empty-target.csv": b"a,y\n1,\n2,\n",
    "target-unknown.csv": TABLE,
    "target-beyond.csv": TABLE,
    "target-twice.csv": b"a,a,y\n1,2,0\n3,4,1\n5,6,0\n",
    # names, quotes, encodings
    "doubled-names.csv": b"a,a,y\n1,2,0\n3,4,1\n",
    "doubled-by-a-space.csv": b"a, a,y\n1,2,0\n3,4,1\n",
    "open-quote.csv": b'a,b,y\n1,"2,0\n3,4,1\n',
    "quote-in-cell.csv": b'a,b,y\n1,2"5,0\n3,4,1\n',
    "null.csv": b"a,y\n1,0\n\0,1\n",
    "null.svm": b"1 1:1\n\0\n",
    "latin.csv": "größe,€,y\n1,5,0\n2,5,1\n3,7,0\n".encode("cp1252"),
    "utf16.csv": TABLE.decode().encode("utf-16"),
    "utf16-without-mark.csv": TABLE.decode().encode("utf-16-le"),
    "not-utf8.csv": b"a,y\n1,0\n\xc3(,1\n",
    "picture.csv": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    # LIBSVM
    "from-zero-and-minus.svm": b"1 0:1 1:2\n-1 -1:1\n",
    "descending.svm": b"1 1:1\n-1 3:1 2:1\n",
    "repeated.svm": b"1 1:1\n-1 2:1 2:1\n",
    "no-colon.svm": b"1 1:1\n-1 2\n",
    "nan.svm": b"1 1:1\n-1 1:nan\n",
    "index-word.svm": b"1 1:1\n-1 a:1\n",
    "value-word.svm": b"1 1:1\n-1 1:b\n",
    "label-word.svm": b"1 1:1\nred 1:2\n",
    "no-label.svm": b"1 1:1\n1:2 2:1\n",
    "bare.svm": b"1\n-1\n",
    "comments.svm": b"# only\n",
    "far.svm": b"1 1:1\n-1 100001:1\n",
    "beyond.svm": b"1 1:1\n-1 3000000000:1\n",
    "huge.svm": b"1 1:1\n-1 1:2e100\n",
    "underscore.svm": b"1 1:1\n-1 1:1_0\n",
    "one-class.svm": b"1 1:1\n1 2:1\n",
    "several-labels.svm": b"1,2 1:1\n2 1:2\n",
    "target-of-pairs.svm": PAIRS,
    "table.svm": TABLE,
    # JSON
    "broken.jsonl": OBJECTS + b'{"a": 1,\n',
    "nested.jsonl": b'{"a": {"b": 1}, "y": 0}\n{"a": {"b": 2}, "y": 1}\n',
    "lists.jsonl": b"[1, 2]\n[3, 4]\n",
    "no-names.jsonl": b"{}\n{}\n",
    "list-in-cell.jsonl": b'{"a": [1, 2], "y": 0}\n{"a": [3], "y": 1}\n',
    "deep.json": b"[" * 100_000,
    "infinite.jsonl": b'{"a": Infinity, "y": 0}\n{"a": 1, "y": 1}\n',
    "single.json": b'{"a": [1, 2], "y": [0, 1]}',
    "uneven.jsonl": OBJECTS + b'{"a": 4, "y": 1}\n',
    "broken.json": b'[{"a": 1, "y": 0},]',
    # NumPy
    "two-unknown.npz": arrays(p=X, q=Y),
    "lengths.npz": arrays(X=X, y=Y[:3]),
    "no-members.npz": arrays(),
    "objects.npy": array(np.array([{}, 1], dtype=object)),
    "vector.npy": array(Y),
    "objects.npz": arrays(X=X, y=np.array(["a", None, "b", "a"], dtype=object)),
    "cube.npy": array(X[None]),
    "holes.npy": array(np.where(NUMBERS == 1.5, np.nan, NUMBERS)),
    "cut.npy": array(NUMBERS)[:-9],
    # Parquet
    "broken.parquet": b"PAR1\0\0\0\0PAR1",
    "text.parquet": TABLE,
    "no-rows.parquet": parquet(FRAME[:0]),
    # packed
    "text.csv.gz": TABLE,
    "cut.csv.gz": gz(TABLE)[:-9],
    "cut.csv.bz2": bz2.compress(TABLE)[:-9],
    "cut.csv.xz": lzma.compress(TABLE)[:-9],
    "old.csv.xz": lzma.compress(TABLE, lzma.FORMAT_ALONE),
    "damaged.csv.gz": gz(TABLE)[:-8] + bytes(4) + gz(TABLE)[-4:],
    "followed.csv.gz": gz(TABLE) + b"more",
    "bomb.csv.gz": gz(b"0" * LARGE),
    "bomb.zip": archive(zipfile.ZIP_DEFLATED, **{"bomb.csv": b"0" * LARGE}),
    "cut.zip": archive(**{"a.csv": TABLE})[:-9],
    "two.zip": archive(**{"a.csv": TABLE, "b.csv": TABLE}),
    # suffixes, places
    "pairs.csv": PAIRS,
    "book.xlsx": archive(**{"xl/workbook.xml": "<workbook/>"}),
    "folder.csv": ...,
    "missing.csv": None,
    "missing": None,
}

UNUSUAL = {
    "mark.csv": b"\xef\xbb\xbf" + TABLE,
    "windows.csv": TABLE.replace(b"\n", b"\r\n"),
    "old-mac.csv": TABLE.replace(b"\n", b"\r"),
    "blank-lines.csv": b"\n" + TABLE.replace(b"\n3", b"\n\n \n3"),
    "no-header.csv": TABLE.partition(b"\n")[2],
    "semicolons.csv": TABLE.replace(b",", b";"),
    "decimal-commas.csv": TABLE.replace(b",", b";").replace(b".", b","),
    "tabs.tsv": TABLE.replace(b",", b"\t"),
    "thousands.csv": b"a;y\n1.234,5;0\n2.000,25;1\n3,5;0\n",
    "bars.csv": TABLE.replace(b",", b"|"),
    "spaces.dat": TABLE.replace(b",", b"  "),
    "commas.txt": TABLE,
    "UPPER.CSV": TABLE,
    "no-suffix": TABLE,
    "name with spaces.csv": TABLE,
    "größe.csv": TABLE,
    "quoted.csv": b'"width, mm","say ""b""",y\n"1","2",0\n"3","4",1\n"5","7",0\n',
    "break-in-name.csv": b'"a\nb",y\n1,0\n2,1\n3,0\n',
    "spaced.csv": b"a , b , y\n 1 , 2 , 0\n 3 , 4 , 1\n 5 , 9 , 0\n",
    "comment.csv": b"# made here\n" + TABLE,
    "separator-named.csv": b"sep=;\n" + TABLE.replace(b",", b";"),
    "index.csv": rows(6, "{i},{k}.5,{i},{k}", ",a,b,y"),
    "label-first.csv": b"label,a\nyes,1\nno,2\nyes,3\nno,4\n",
    "words-as-target.csv": rows(12, "{i},2.5,yes\n{i},1,no"),
    "three-classes.csv": rows(9, "{i},{k},0\n1,2,1\n2,{i},2"),
    "measured.csv": rows(12, "{i},{k},{i}.25"),
    "booleans.csv": b"a,b,y\ntrue,1,yes\nfalse,2,no\ntrue,3,yes\n",
    "two-targets.csv": b"label,target,a\n0,1,2\n1,0,3\n0,1,5\n",
    "target-first.csv": TABLE,
    "constant.csv": b"a,b,y\n7,1,0\n7,2,1\n7,3,0\n",
    "target-from-the-end.csv": TABLE,
    "tiny.csv": b"a,y\n1e-310,0\n5e-324,1\n-0.0,0\n",
    "whole.csv": b"a,y\n9007199254740993,0\n-12345678901234567890,1\n3,0\n",
    "pairs.txt": PAIRS,
    "pairs": PAIRS,
    "from-zero.svm": b"1 0:1 2:2\n-1 1:1\n1 0:3\n",
    "commented.svm": b"# head\n1 1:1 # note\n\n-1 2:1\n",
    "ranked.svm": b"1 qid:1 1:1\n-1 qid:1 2:1\n",
    "written-zero.svm": b"1 1:0 3:1\n-1 2:1\n0\n",
    "objects.jsonl": OBJECTS,
    "list.json": b"[" + OBJECTS.strip().replace(b"\n", b",") + b"]",
    "words.jsonl": b'{"a": "x", "y": true}\n{"a": "z", "y": false}\n{"a": "x", "y": true}\n',
    "numbers.npy": array(NUMBERS),
    "members.npz": arrays(X=X, y=Y),
    "more-members.npz": arrays(X=X, y=Y, names=np.array(["a", "b"])),
    "only-samples.npz": arrays(X=NUMBERS),
    "columns.npy": array(np.asfortranarray(NUMBERS)),
    "whole.npy": array(NUMBERS.astype(">i2")),
    "named.npy": array(FRAME.to_records(index=False).view(np.ndarray)),
    "frame.parquet": parquet(FRAME),
    "indexed.parquet": parquet(FRAME.set_index("b")),
    "dated.parquet": parquet(FRAME.assign(b=pd.to_datetime("2024-01-05"))),
    "packed.csv.gz": gz(TABLE),
    "packed.csv.bz2": bz2.compress(TABLE),
    "packed.csv.xz": lzma.compress(TABLE),
    "twice.csv.gz": gz(TABLE) + gz(TABLE.partition(b"\n")[2]),
    "packed.zip": archive(**{"a.csv": TABLE}),
    "packed.svm.gz": gz(PAIRS),
}
CORPUS = {name: text.encode() if isinstance(text, str) else text for name, text in (BAD | UNUSUAL).items()}
