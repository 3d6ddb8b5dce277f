"""Tables, each with what a careful person reads in it by hand: the same cases for every reader.

`READ` has for a file its bytes, the arguments of `wb.data.read` and the values of each column: numbers or
texts, None where a cell is empty. `LIBSVM` has bytes, rows and labels. `REFUSED` has words of the sentence
that refuses a file.
"""

import bz2
import functools
import gzip
import io
import lzma
import math
import zipfile

import numpy as np
import pandas as pd

NAN = None
TABLE = b"a,b,y\n1,2.5,0\n2,1.5,1\n3,0.5,0\n4,3.5,1\n5,1,0\n6,2,1\n"
SIX = {"a": [1, 2, 3, 4, 5, 6], "b": [2.5, 1.5, 0.5, 3.5, 1, 2], "y": [0, 1, 0, 1, 0, 1]}
PLAIN = {"a": [1, 2, 3], "b": [2.5, 1.5, 0.5], "y": [0, 1, 0]}
SHORT = b"a,b,y\n1,2.5,0\n2,1.5,1\n3,0.5,0\n"
PAIRS = b"1 1:0.5 2:2\n-1 1:1\n1 2:1.5\n-1 1:2 2:0.25\n"
PAIRS_X, PAIRS_Y = [[0.5, 2], [1, 0], [0, 1.5], [2, 0.25]], [1, -1, 1, -1]
OBJECTS = b'{"a": 1, "b": 2.5, "y": 0}\n{"a": 2, "b": 1.5, "y": 1}\n{"a": 3, "b": 0.5, "y": 0}\n'
NUMBERS = np.array([[1, 2.5, 0], [2, 1.5, 1], [3, 0.5, 0], [4, 3.5, 1]])
FOUR = {f"column {j}": NUMBERS[:, j].tolist() for j in range(3)}
X, Y = NUMBERS[:, :2], NUMBERS[:, 2]
FRAME = pd.DataFrame(NUMBERS, columns=["a", "b", "y"])
FRAMED = {"a": [1, 2, 3, 4], "b": [2.5, 1.5, 0.5, 3.5], "y": [0, 1, 0, 1]}
# More than an upload may unpack to.
LARGE = 21 * 2**20
SALES = "a;r;d;y\n1.000,5;0.25;24.12.2024;0\n2,5;0.75;01.01.2025;1\n3,5;1.25;02.02.2025;1\n"
DATES = ["24.12.2024", "01.01.2025", "02.02.2025"]
SPACED = "p;y\n1{0}234,56;0\n2,25;1\n"
ARFF = b"@relation r\n@attribute a numeric\n@attribute c {red,blue}\n@attribute y numeric\n@data\n"


gz = functools.partial(gzip.compress, mtime=0)


def array(values):
    file = io.BytesIO()
    np.save(file, values)
    return file.getvalue()


def arrays(**members):
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


def excel(frame, **options):
    file = io.BytesIO()
    frame.to_excel(file, index=False, **options)
    return file.getvalue()


READ = {
    # one decimal mark for the file; a column in another notation is text
    "sales.csv": (
        SALES,
        {},
        {"a": ["1.000,5", "2,5", "3,5"], "r": [0.25, 0.75, 1.25], "d": DATES, "y": [0, 1, 1]},
    ),
    "sales-told.csv": (
        SALES,
        {"thousands": ".", "decimal": ","},
        {"a": [1000.5, 2.5, 3.5], "r": ["0.25", "0.75", "1.25"], "d": DATES, "y": [0, 1, 1]},
    ),
    "known-comma.csv": (
        "p;n;y\n1,5;1.002;0\n2,25;999;1\n",
        {},
        {"p": [1.5, 2.25], "n": ["1.002", "999"], "y": [0, 1]},
    ),
    "known-comma-told.csv": (
        "p;n;y\n1,5;1.002;0\n2,25;999;1\n",
        {"thousands": "."},
        {"p": [1.5, 2.25], "n": [1002, 999], "y": [0, 1]},
    ),
    "unknown-mark.csv": (
        "n;y\n1.234;0\n999;1\n12.500;1\n",
        {},
        {"n": ["1.234", "999", "12.500"], "y": [0, 1, 1]},
    ),
    "unknown-comma.csv": ("n;y\n1,050;0\n2,300;1\n", {}, {"n": ["1,050", "2,300"], "y": [0, 1]}),
    # two notations in one file: 6,562 may be a whole number of English, beside a decimal comma
    "comma-of-three.csv": (
        "n;m;y\n1,050;0,5;0\n2,300;1,5;1\n",
        {},
        {"n": ["1,050", "2,300"], "m": [0.5, 1.5], "y": [0, 1]},
    ),
    "comma-and-whole.tsv": (
        "n\tm\ty\n6,562\t0,5\t0\n999\t1,5\t1\n",
        {},
        {"n": ["6,562", "999"], "m": [0.5, 1.5], "y": [0, 1]},
    ),
    "quoted-comma-of-three.csv": (
        'n,m,y\n"6,562","0,5",0\n"7,120","1,5",1\n',
        {},
        {"n": ["6,562", "7,120"], "m": [0.5, 1.5], "y": [0, 1]},
    ),
    "comma-of-three-told.csv": (
        "n;m;y\n6,562;0,5;0\n7,120;1,5;1\n",
        {"decimal": ","},
        {"n": [6.562, 7.12], "m": [0.5, 1.5], "y": [0, 1]},
    ),
    "thousands-told.csv": (
        "n;m;y\n6,562;0,5;0\n999;1,5;1\n",
        {"thousands": ","},
        {"n": [6562, 999], "m": ["0,5", "1,5"], "y": [0, 1]},
    ),
    "point-of-three.csv": (
        "n;m;y\n6.562;0.5;0\n7.120;1.5;1\n",
        {},
        {"n": [6.562, 7.12], "m": [0.5, 1.5], "y": [0, 1]},
    ),
    "points-of-three.csv": ("n,y\n1.234,0\n999,1\n12.500,1\n", {}, {"n": [1.234, 999, 12.5], "y": [0, 1, 1]}),
    "space.csv": (SPACED.format(" "), {}, {"p": ["1 234,56", "2,25"], "y": [0, 1]}),
    "space-told.csv": (SPACED.format(" "), {"thousands": " "}, {"p": [1234.56, 2.25], "y": [0, 1]}),
    "doubtful-beside-spaces.csv": (
        "n;p;y\n1.234;1 000;0\n999;2 000;1\n",
        {"thousands": " "},
        {"n": ["1.234", "999"], "p": [1000, 2000], "y": [0, 1]},
    ),
    "no-break-space.csv": (SPACED.format("\u00a0"), {"thousands": " "}, {"p": [1234.56, 2.25], "y": [0, 1]}),
    "narrow-space.csv": (SPACED.format("\u202f"), {"thousands": " "}, {"p": [1234.56, 2.25], "y": [0, 1]}),
    "apostrophe.csv": ("p,y\n1’234.5,0\n2'000,1\n", {"thousands": "'"}, {"p": [1234.5, 2000], "y": [0, 1]}),
    "not-of-three.csv": (
        "p;y\n1.2.24;0\n0.25;1\n",
        {"thousands": "."},
        {"p": ["1.2.24", "0.25"], "y": [0, 1]},
    ),
    "quoted-commas.csv": (
        'l,d,y\n"12,5",1.25,0\n"13,75",2.5,1\n',
        {},
        {"l": ["12,5", "13,75"], "d": [1.25, 2.5], "y": [0, 1]},
    ),
    # texts that are not numbers
    "units.csv": ('w,y\n"1,050 kg",0\n"2,300 kg",1\n', {}, {"w": ["1,050 kg", "2,300 kg"], "y": [0, 1]}),
    "money.csv": ('w,y\n"$1,050.50",0\n"$2,300.00",1\n', {}, {"w": ["$1,050.50", "$2,300.00"], "y": [0, 1]}),
    "per-cent.csv": ("w,y\n5%,0\n10%,1\n", {}, {"w": ["5%", "10%"], "y": [0, 1]}),
    "versions.csv": ("w,y\n1.2.3,0\n1.10.0,1\n", {}, {"w": ["1.2.3", "1.10.0"], "y": [0, 1]}),
    "addresses.csv": (
        "w,y\n10.0.0.1,0\n192.168.1.1,1\n",
        {},
        {"w": ["10.0.0.1", "192.168.1.1"], "y": [0, 1]},
    ),
    "post-codes.csv": ("w,y\n01067,0\n80331,1\n", {}, {"w": ["01067", "80331"], "y": [0, 1]}),
    "times.csv": ("w,y\n10:30,0\n9:05,1\n", {}, {"w": ["10:30", "9:05"], "y": [0, 1]}),
    "word-among-numbers.csv": (
        "w,y\n1,0\nnone yet,1\n3,1\n",
        {},
        {"w": ["1", "none yet", "3"], "y": [0, 1, 1]},
    ),
    "long-whole-numbers.csv": (
        "w,y\n1152921504606846977,0\n,1\n",
        {},
        {"w": ["1152921504606846977", None], "y": [0, 1]},
    ),
    "long-and-full.csv": (
        "w,y\n1152921504606846977,0\n1,1\n",
        {},
        {"w": [1152921504606846977, 1], "y": [0, 1]},
    ),
    "true-and-empty.csv": ("w,y\ntrue,0\n,1\nfalse,1\n", {}, {"w": ["true", None, "false"], "y": [0, 1, 1]}),
    # encodings
    "polish.csv": (
        "miasto;y\nŁódź;1,5\nGdańsk;2,5\n".encode("cp1250"),
        {},
        {"miasto": ["Łódź", "Gdańsk"], "y": [1.5, 2.5]},
    ),
    "czech.csv": (
        "město,y\nPlzeň,1\nPřerov,2\n".encode("cp1250"),
        {},
        {"město": ["Plzeň", "Přerov"], "y": [1, 2]},
    ),
    "hungarian.csv": (
        "név,y\nGyőr,1\nKecskemét,2\n".encode("cp1250"),
        {},
        {"név": ["Győr", "Kecskemét"], "y": [1, 2]},
    ),
    "french.csv": (
        "année,y\nà côté,1\nété,2\n".encode("cp1252"),
        {},
        {"année": ["à côté", "été"], "y": [1, 2]},
    ),
    "spanish.csv": (
        "a,y\n¿Qué año?,1\nEspaña,2\n".encode("cp1252"),
        {},
        {"a": ["¿Qué año?", "España"], "y": [1, 2]},
    ),
    "japanese.csv": (
        "都道府県,人口\n東京都,1\n大阪府,2\n".encode("shift_jis"),
        {},
        {"都道府県": ["東京都", "大阪府"], "人口": [1, 2]},
    ),
    "russian.csv": (
        "город,y\nМосква,1\nКазань,2\n".encode("cp1251"),
        {},
        {"город": ["Москва", "Казань"], "y": [1, 2]},
    ),
    "russian-words.csv": (
        "слово;y\nМосква;0\nдом;1\nкрасный;2\nгород;3\n".encode("cp1251"),
        {},
        {"слово": ["Москва", "дом", "красный", "город"], "y": [0, 1, 2, 3]},
    ),
    "greek.csv": (
        "λέξη;y\nΑθήνα;0\nκόσμος;1\nνερό;2\n".encode("cp1253"),
        {},
        {"λέξη": ["Αθήνα", "κόσμος", "νερό"], "y": [0, 1, 2]},
    ),
    "portuguese.csv": (
        "cidade;y\nSão Paulo;0\nação;1\ncoração;2\nnão;3\n".encode("cp1252"),
        {},
        {"cidade": ["São Paulo", "ação", "coração", "não"], "y": [0, 1, 2, 3]},
    ),
    "old-russian.csv": (
        "город,y\nМосква,1\n".encode("koi8_r"),
        {"encoding": "koi8-r"},
        {"город": ["Москва"], "y": [1]},
    ),
    "utf32.csv": (SHORT.decode().encode("utf-32"), {}, PLAIN),
    # lines that are not of the table
    "told-preamble.csv": (b"x,1,2\nz,3,4\n" + SHORT, {"skip": 2}, PLAIN),
    "spaces-and-commas.txt": (
        "a b y\n1,5 2,5 0\n2,5 3,5 1\n",
        {},
        {"a": [1.5, 2.5], "b": [2.5, 3.5], "y": [0, 1]},
    ),
    "commas-and-spaces.csv": (
        "1, 2, 3\n4, 5, 6\n",
        {},
        {"column 0": [1, 4], "column 1": [2, 5], "column 2": [3, 6]},
    ),
    "millions.csv": ("m;y\n1.234.567;0\n2.000.000;1\n", {}, {"m": ["1.234.567", "2.000.000"], "y": [0, 1]}),
    "negative.csv": (
        "m;n;y\n-1.234,50;-1,5;0\n-2,00;2,5;1\n",
        {},
        {"m": ["-1.234,50", "-2,00"], "n": [-1.5, 2.5], "y": [0, 1]},
    ),
    "named-by-years.csv": (
        "2019;2020;y\n1,5;2,5;a\n2,5;3,5;b\n",
        {},
        {"2019": [1.5, 2.5], "2020": [2.5, 3.5], "y": ["a", "b"]},
    ),
    "named-by-whole-years.csv": (
        "2019,2020,y\n1,2,a\n2,3,b\n",
        {},
        {"2019": [1, 2], "2020": [2, 3], "y": ["a", "b"]},
    ),
    "years-as-data.csv": (
        "2019;2020;a\n2001;2004;b\n1999;2003;a\n",
        {},
        {"column 0": [2019, 2001, 1999], "column 1": [2020, 2004, 2003], "column 2": ["a", "b", "a"]},
    ),
    "comments.csv": (b"# made here\n# on, two, three\n" + SHORT, {}, PLAIN),
    "named-by-numpy.csv": (b"# a,b,y\n" + SHORT.partition(b"\n")[2], {}, PLAIN),
    "named-by-a-comment.csv": (b"#" + SHORT, {}, PLAIN),
    "ends-with-separators.csv": (SHORT.replace(b"\n", b",\n"), {}, PLAIN),
    "ends-with-empty-cells.csv": (
        b"\xef\xbb\xbf" + SHORT.replace(b"\n", b",,,\r\n") + b",,,,,\r\n,,,,,\r\n",
        {},
        PLAIN,
    ),
    # packed, and other formats
    "of-the-finder.zip": (
        archive(**{"t.csv": SHORT, "__MACOSX/._t.csv": b"\0\5\x16\7", ".DS_Store": b"\0\0\0\1Bud1"}),
        {},
        PLAIN,
    ),
    "tabs-within.zip": (archive(**{"folder/t.tsv": SHORT.replace(b",", b"\t")}), {}, PLAIN),
    "mark.csv.gz": (gz(b"\xef\xbb\xbf" + SHORT), {}, PLAIN),
    "a.arff": (
        ARFF + b"1,red,0\n?,blue,1\n3,?,0\n",
        {},
        {"a": [1, NAN, 3], "c": ["red", "blue", None], "y": [0, 1, 0]},
    ),
    "a.xlsx": (
        excel(
            pd.DataFrame(
                {"a": [1, 2.5, None], "t": ["x", None, "01"], "f": [True, False, True], "y": [0, 1, 0]}
            )
        ),
        {},
        {"a": [1, 2.5, NAN], "t": ["x", None, "01"], "f": [True, False, True], "y": [0, 1, 0]},
    ),
    "below-a-title.xlsx": (excel(pd.DataFrame(PLAIN), startrow=3, startcol=1), {"skip": 3}, PLAIN),
    "below-empty-rows.xlsx": (excel(pd.DataFrame(PLAIN), startrow=3, startcol=1), {}, PLAIN),
    "texts.xlsx": (
        excel(pd.DataFrame({"p": ["1.234,5", "2,5"], "y": [0, 1]})),
        {},
        {"p": ["1.234,5", "2,5"], "y": [0, 1]},
    ),
    "told-texts.xlsx": (
        excel(pd.DataFrame({"p": ["1.234,5", "2,5"], "y": [0, 1]})),
        {"thousands": "."},
        {"p": [1234.5, 2.5], "y": [0, 1]},
    ),
    "texts.jsonl": (b'{"p": "1.5", "y": 0}\n{"p": "2,5", "y": 1}\n', {}, {"p": ["1.5", "2,5"], "y": [0, 1]}),
    "narrow.csv": (b"y\n1\n2\n", {}, {"y": [1, 2]}),
    "word.csv": (b"a,b,y\n1,2,0\nred,3,1\n", {}, {"a": ["1", "red"], "b": [2, 3], "y": [0, 1]}),
    "hole.csv": (b"a,b,y\n1,,0\n,2,1\n3,4,1\n", {}, {"a": [1, None, 3], "b": [None, 2, 4], "y": [0, 1, 1]}),
    "nan.csv": (b"a,y\n1,0\nnan,1\nNaN,0\n", {}, {"a": [1, None, None], "y": [0, 1, 0]}),
    "inf.csv": (b"a,y\n1,0\ninf,1\n-Infinity,0\n", {}, {"a": [1, math.inf, -math.inf], "y": [0, 1, 0]}),
    "overflow.csv": (b"a,y\n1,0\n1e999,1\n", {}, {"a": [1, math.inf], "y": [0, 1]}),
    "underscore.csv": (b"a,y\n1_000,0\n2_000,1\n3,0\n", {}, {"a": ["1_000", "2_000", "3"], "y": [0, 1, 0]}),
    "hexadecimal.csv": (b"a,y\n0x10,0\n0x11,1\n3,0\n", {}, {"a": ["0x10", "0x11", "3"], "y": [0, 1, 0]}),
    "dates.csv": (
        b"a,y\n2024-01-05,0\n2024-02-05,1\n2024-03-05,0\n",
        {},
        {"a": ["2024-01-05", "2024-02-05", "2024-03-05"], "y": [0, 1, 0]},
    ),
    "units-below-names.csv": (
        b"a,b,y\ncm,kg,\n1,2,0\n3,4,1\n",
        {},
        {"a": ["cm", "1", "3"], "b": ["kg", "2", "4"], "y": [None, 0, 1]},
    ),
    "footer.csv": (
        b"a,b,y\n1,2,0\n3,4,1\ntotal,6,\n",
        {},
        {"a": ["1", "3", "total"], "b": [2, 4, 6], "y": [0, 1, None]},
    ),
    "quote-in-cell.csv": (b'a,b,y\n1,2"5,0\n3,4,1\n', {}, {"a": [1, 3], "b": ['2"5', "4"], "y": [0, 1]}),
    "utf16.csv": (TABLE.decode().encode("utf-16"), {}, SIX),
    "infinite.jsonl": (b'{"a": Infinity, "y": 0}\n{"a": 1, "y": 1}\n', {}, {"a": [math.inf, 1], "y": [0, 1]}),
    "uneven.jsonl": (
        OBJECTS + b'{"a": 4, "y": 1}\n',
        {},
        {"a": [1, 2, 3, 4], "b": [2.5, 1.5, 0.5, None], "y": [0, 1, 0, 1]},
    ),
    "holes.npy": (
        array(np.where(NUMBERS == 1.5, np.nan, NUMBERS)),
        {},
        {"column 0": [1, 2, 3, 4], "column 1": [2.5, None, 0.5, 3.5], "column 2": [0, 1, 0, 1]},
    ),
    "mark.csv": (b"\xef\xbb\xbf" + TABLE, {}, SIX),
    "windows.csv": (TABLE.replace(b"\n", b"\r\n"), {}, SIX),
    "old-mac.csv": (TABLE.replace(b"\n", b"\r"), {}, SIX),
    "blank-lines.csv": (b"\n" + TABLE.replace(b"\n3", b"\n\n \n3"), {}, SIX),
    "no-header.csv": (
        TABLE.partition(b"\n")[2],
        {},
        {
            "column 0": [1, 2, 3, 4, 5, 6],
            "column 1": [2.5, 1.5, 0.5, 3.5, 1, 2],
            "column 2": [0, 1, 0, 1, 0, 1],
        },
    ),
    "semicolons.csv": (TABLE.replace(b",", b";"), {}, SIX),
    "decimal-commas.csv": (TABLE.replace(b",", b";").replace(b".", b","), {}, SIX),
    "tabs.tsv": (TABLE.replace(b",", b"\t"), {}, SIX),
    "bars.csv": (TABLE.replace(b",", b"|"), {}, SIX),
    "spaces.dat": (TABLE.replace(b",", b"  "), {}, SIX),
    "commas.txt": (TABLE, {}, SIX),
    "UPPER.CSV": (TABLE, {}, SIX),
    "größe.csv": (TABLE, {}, SIX),
    "quoted.csv": (
        b'"width, mm","say ""b""",y\n"1","2",0\n"3","4",1\n"5","7",0\n',
        {},
        {"width, mm": [1, 3, 5], 'say "b"': [2, 4, 7], "y": [0, 1, 0]},
    ),
    "break-in-name.csv": (b'"a\nb",y\n1,0\n2,1\n3,0\n', {}, {"a\nb": [1, 2, 3], "y": [0, 1, 0]}),
    "spaced.csv": (
        b"a , b , y\n 1 , 2 , 0\n 3 , 4 , 1\n 5 , 9 , 0\n",
        {},
        {"a": [1, 3, 5], "b": [2, 4, 9], "y": [0, 1, 0]},
    ),
    "comment.csv": (b"# made here\n" + TABLE, {}, SIX),
    "separator-named.csv": (b"sep=;\n" + TABLE.replace(b",", b";"), {}, SIX),
    "index.csv": (b",a,b,y\n0,0.5,0,0\n1,1.5,1,1\n", {}, {"a": [0.5, 1.5], "b": [0, 1], "y": [0, 1]}),
    "label-first.csv": (
        b"label,a\nyes,1\nno,2\nyes,3\nno,4\n",
        {},
        {"label": ["yes", "no", "yes", "no"], "a": [1, 2, 3, 4]},
    ),
    "booleans.csv": (
        b"a,b,y\ntrue,1,yes\nfalse,2,no\ntrue,3,yes\n",
        {},
        {"a": [True, False, True], "b": [1, 2, 3], "y": ["yes", "no", "yes"]},
    ),
    "tiny.csv": (b"a,y\n1e-310,0\n5e-324,1\n-0.0,0\n", {}, {"a": [1e-310, 5e-324, -0.0], "y": [0, 1, 0]}),
    "whole.csv": (
        b"a,y\n9007199254740993,0\n-12345678901234567890,1\n3,0\n",
        {},
        {"a": ["9007199254740993", "-12345678901234567890", "3"], "y": [0, 1, 0]},
    ),
    "objects.jsonl": (OBJECTS, {}, PLAIN),
    "list.json": (b"[" + OBJECTS.strip().replace(b"\n", b",") + b"]", {}, PLAIN),
    "numbers.npy": (array(NUMBERS), {}, FOUR),
    "members.npz": (
        arrays(X=X, y=Y),
        {},
        {"column 0": [1, 2, 3, 4], "column 1": [2.5, 1.5, 0.5, 3.5], "y": [0, 1, 0, 1]},
    ),
    "only-samples.npz": (arrays(X=NUMBERS), {}, FOUR),
    "whole.npy": (
        array(NUMBERS.astype(">i2")),
        {},
        {"column 0": [1, 2, 3, 4], "column 1": [2, 1, 0, 3], "column 2": [0, 1, 0, 1]},
    ),
    "named.npy": (array(FRAME.to_records(index=False).view(np.ndarray)), {}, FRAMED),
    "frame.parquet": (parquet(FRAME), {}, FRAMED),
    "indexed.parquet": (
        parquet(FRAME.set_index("b")),
        {},
        {"b": [2.5, 1.5, 0.5, 3.5], "a": [1, 2, 3, 4], "y": [0, 1, 0, 1]},
    ),
    "dated.parquet": (
        parquet(FRAME.assign(b=pd.to_datetime("2024-01-05"))),
        {},
        {
            "a": [1, 2, 3, 4],
            "b": ["2024-01-05 00:00:00", "2024-01-05 00:00:00", "2024-01-05 00:00:00", "2024-01-05 00:00:00"],
            "y": [0, 1, 0, 1],
        },
    ),
    "packed.csv.gz": (gz(TABLE), {}, SIX),
    "packed.csv.bz2": (bz2.compress(TABLE), {}, SIX),
    "packed.csv.xz": (lzma.compress(TABLE), {}, SIX),
    "packed.zip": (archive(**{"a.csv": TABLE}), {}, SIX),
}
LIBSVM = {
    "one-class.svm": (b"1 1:1\n1 2:1\n", [[1, 0], [0, 1]], [1, 1]),
    "pairs.txt": (PAIRS, PAIRS_X, PAIRS_Y),
    "pairs": (PAIRS, PAIRS_X, PAIRS_Y),
    "from-zero.svm": (b"1 0:1 2:2\n-1 1:1\n1 0:3\n", [[1, 0, 2], [0, 1, 0], [3, 0, 0]], [1, -1.0, 1]),
    "commented.svm": (b"# head\n1 1:1 # note\n\n-1 2:1\n", [[1, 0], [0, 1]], [1, -1.0]),
    "ranked.svm": (b"1 qid:1 1:1\n-1 qid:1 2:1\n", [[1, 0], [0, 1]], [1, -1.0]),
    "written-zero.svm": (b"1 1:0 3:1\n-1 2:1\n0\n", [[0, 0, 1], [0, 1, 0], [0, 0, 0]], [1, -1.0, 0]),
    "packed.svm.gz": (gz(PAIRS), PAIRS_X, PAIRS_Y),
}
REFUSED = {
    "text.arff": (
        ARFF.replace(b"numeric", b"string", 1) + b"'x',red,0\n",
        "numbers and nominal attributes and no sparse rows .*String attributes not supported",
    ),
    "sparse.arff": (ARFF + b"{0 1, 1 red}\n", r"no sparse rows .*\{0 1.*; save the table as CSV"),
    "two.zip": (
        archive(**{"a.csv": TABLE, "b.csv": TABLE}),
        r"holds 2 files \(a.csv, b.csv\); pack one table",
    ),
    "book-within.zip": (archive(**{"a.xlsx": excel(pd.DataFrame(PLAIN))}), "an Excel file in an archive"),
    "archive-within.zip": (archive(**{"a.csv": gz(TABLE)}), "a file packed with gzip"),
    "page.csv": (b"<!DOCTYPE html>\n<html><body>Log in</body></html>", "is a web page, not a table"),
    "stata.dta": (b"<stata_dta><header>\0\0\0\0", "is a Stata file, not a table"),
    "one-cell-more.csv": (b"a,b\n7,2,0\n3,4,1\n", "line 1: 2 cells where most rows have 3"),
    "damaged.xlsx": (archive(**{"xl/workbook.xml": "<workbook/>"}), "is not an Excel file"),
    "preamble.csv": (
        b"Sales report 2024\nExported on 1 May\n\n" + SHORT,
        "line 1: 1 cell where most rows have 3; .* skip=1",
    ),
    "note-within.csv": (SHORT.replace(b"2,1", b"# note\n2,1"), "line 3: 1 cell where most rows have 3"),
    "short-head.txt": (b'"a" "b"\n"1" 1 2.5\n"2" 2 1.5\n', "line 1: 2 cells where most rows have 3"),
    "empty.csv": (b"", "is empty"),
    "blank.csv": (b"\n \n\t\n", "is empty"),
    "header.csv": (b"a,b,y\n", "has a header but no rows"),
    "short-row.csv": (b"a,b,y\n1,2,0\n3,1\n", "line 3: 2 cells where most rows have 3"),
    "long-row.csv": (b"a,y\n1,0\n2,1,3\n", "line 3: 3 cells where most rows have 2"),
    "doubled-names.csv": (b"a,a,y\n1,2,0\n3,4,1\n", "columns 1, 2 are all named 'a'"),
    "doubled-by-a-space.csv": (b"a, a,y\n1,2,0\n3,4,1\n", "columns 1, 2 are all named 'a'"),
    "open-quote.csv": (b'a,b,y\n1,"2,0\n3,4,1\n', "line 2: a quotation mark that is not closed"),
    "null.csv": (b"a,y\n1,0\n\0,1\n", "line 3: a zero byte, so the file is not text"),
    "null.svm": (b"1 1:1\n\0\n", "line 2: a zero byte, so the file is not text"),
    "utf16-without-mark.csv": (
        TABLE.decode().encode("utf-16-le"),
        "line 1: a zero byte, so the file is not text",
    ),
    "picture.csv": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is an image, not a table"),
    "from-zero-and-minus.svm": (b"1 0:1 1:2\n-1 -1:1\n", "line 2: '-1:1' does not fit"),
    "descending.svm": (b"1 1:1\n-1 3:1 2:1\n", "line 2: '2:1' does not fit"),
    "repeated.svm": (b"1 1:1\n-1 2:1 2:1\n", "line 2: '2:1' does not fit"),
    "no-colon.svm": (b"1 1:1\n-1 2\n", "line 2: '2' does not fit"),
    "nan.svm": (b"1 1:1\n-1 1:nan\n", "line 2: '1:nan' does not fit"),
    "index-word.svm": (b"1 1:1\n-1 a:1\n", "line 2: 'a:1' does not fit"),
    "no-label.svm": (b"1 1:1\n1:2 2:1\n", "line 2: '1:2' does not fit"),
    "bare.svm": (b"1\n-1\n", "has labels but no index:value pair"),
    "comments.svm": (b"# only\n", "has no sample, only comments or blank lines"),
    "far.svm": (b"1 1:1\n-1 100001:1\n", "line 2: '100001:1' does not fit"),
    "beyond.svm": (b"1 1:1\n-1 3000000000:1\n", "line 2: '3000000000:1' does not fit"),
    "huge.svm": (b"1 1:1\n-1 1:2e100\n", "sample 2: a number above 1e.100"),
    "underscore.svm": (b"1 1:1\n-1 1:1_0\n", "line 2: '1:1_0' does not fit"),
    "several-labels.svm": (b"1,2 1:1\n2 1:2\n", "line 1: '1,2' does not fit"),
    "table.svm": (TABLE, "line 1: 'a,b,y' does not fit"),
    "broken.jsonl": (OBJECTS + b'{"a": 1,\n', "line 4: not JSON"),
    "nested.jsonl": (
        b'{"a": {"b": 1}, "y": 0}\n{"a": {"b": 2}, "y": 1}\n',
        "row 1: 'a' holds a list or an object",
    ),
    "list-in-cell.jsonl": (
        b'{"a": [1, 2], "y": 0}\n{"a": [3], "y": 1}\n',
        "row 1: 'a' holds a list or an object",
    ),
    "deep.json": (b"[" * 100_000, "line 1: not JSON"),
    "single.json": (b'{"a": [1, 2], "y": [0, 1]}', "row 1: 'a' holds a list or an object"),
    "broken.json": (b'[{"a": 1, "y": 0},]', "line 1: not JSON"),
    "two-unknown.npz": (arrays(p=X, q=Y), "holds p"),
    "lengths.npz": (arrays(X=X, y=Y[:3]), "holds X"),
    "no-members.npz": (arrays(), "holds nothing"),
    "objects.npy": (array(np.array([{}, 1], dtype=object)), "holds no plain arrays"),
    "objects.npz": (arrays(X=X, y=np.array(["a", None, "b", "a"], dtype=object)), "holds no plain arrays"),
    "cube.npy": (array(X[None]), "holds float64 of shape"),
    "cut.npy": (array(NUMBERS)[:-9], "holds no plain arrays"),
    "broken.parquet": (b"PAR1\0\0\0\0PAR1", "is not a Parquet file"),
    "text.parquet": (TABLE, "is not a Parquet file"),
    "no-rows.parquet": (parquet(FRAME[:0]), "has no rows"),
    "text.csv.gz": (TABLE, "is not a complete .gz file"),
    "cut.csv.gz": (gz(TABLE)[:-9], "is not a complete .gz file"),
    "cut.csv.bz2": (bz2.compress(TABLE)[:-9], "is not a complete .bz2 file"),
    "cut.csv.xz": (lzma.compress(TABLE)[:-9], "is not a complete .xz file"),
    "old.csv.xz": (lzma.compress(TABLE, lzma.FORMAT_ALONE), "is not a complete .xz file"),
    "damaged.csv.gz": (gz(TABLE)[:-8] + bytes(4) + gz(TABLE)[-4:], "is not a complete .gz file"),
    "followed.csv.gz": (gz(TABLE) + b"more", "is not a complete .gz file"),
    "bomb.csv.gz": (gz(b"0" * LARGE), "unpacks to more than 20 MB"),
    "bomb.zip": (archive(zipfile.ZIP_DEFLATED, **{"bomb.csv": b"0" * LARGE}), "unpacks to more than 20 MB"),
    "cut.zip": (archive(**{"a.csv": TABLE})[:-9], "is not a complete .zip file"),
    "more-members.npz": (arrays(X=X, y=Y, names=np.array(["a", "b"])), "holds X"),
}
