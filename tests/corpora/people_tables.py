"""Files as people have them, each with the columns that a careful person reads by hand.

`READ` has for a file its bytes, the arguments of `wb.data.read` and each column's values: a list of numbers
or of texts, None where a cell is empty. `REFUSED` has words of the sentence that refuses a file.
"""

import io

import pandas as pd

from tests.corpora.table_corpus import TABLE, archive, gz

NAN = None
PLAIN = {"a": [1, 2, 3], "b": [2.5, 1.5, 0.5], "y": [0, 1, 0]}
SHORT = b"a,b,y\n1,2.5,0\n2,1.5,1\n3,0.5,0\n"
SALES = "a;r;d;y\n1.000,5;0.25;24.12.2024;0\n2,5;0.75;01.01.2025;1\n3,5;1.25;02.02.2025;1\n"
DATES = ["24.12.2024", "01.01.2025", "02.02.2025"]
SPACED = "p;y\n1{0}234,56;0\n2,25;1\n"
ARFF = b"@relation r\n@attribute a numeric\n@attribute c {red,blue}\n@attribute y numeric\n@data\n"


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
    # not a number
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
    "old-russian.csv": (
        "город,y\nМосква,1\n".encode("koi8_r"),
        {"encoding": "koi8-r"},
        {"город": ["Москва"], "y": [1]},
    ),
    "utf32.csv": (SHORT.decode().encode("utf-32"), {}, PLAIN),
    # lines that are not of the table
    "preamble.csv": (b"Sales report 2024\nExported on 1 May\n\n" + SHORT, {}, PLAIN),
    "padded-title.csv": (b"Sales report;;\n;;\n" + SHORT.replace(b",", b";"), {}, PLAIN),
    "told-preamble.csv": (b"x,1,2\nz,3,4\n" + SHORT, {"skip": 2}, PLAIN),
    "comments.csv": (b"# made here\n# on, two, three\n" + SHORT.replace(b"2,1", b"# note\n2,1"), {}, PLAIN),
    "named-by-a-comment.csv": (b"#" + SHORT, {}, PLAIN),
    "ends-with-separators.csv": (SHORT.replace(b"\n", b",\n"), {}, PLAIN),
    "ends-with-separators-below.csv": (SHORT.replace(b"0\n", b"0,\n").replace(b"1\n", b"1,\n"), {}, PLAIN),
    "ends-with-empty-cells.csv": (
        b"\xef\xbb\xbf" + SHORT.replace(b"\n", b",,,\r\n") + b",,,,,\r\n,,,,,\r\n",
        {},
        PLAIN,
    ),
    "of-r.txt": (b'"a" "b" "y"\n"1" 1 2.5 0\n"2" 2 1.5 1\n"3" 3 0.5 0\n', {}, PLAIN),
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
    "below-a-title.xlsx": (excel(pd.DataFrame(PLAIN), startrow=3, startcol=1), {}, PLAIN),
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
}
REFUSED = {
    "text.arff": (
        ARFF.replace(b"numeric", b"string", 1) + b"'x',red,0\n",
        "the attribute a is of the type string",
    ),
    "sparse.arff": (ARFF + b"{0 1, 1 red}\n", "sparse rows, which are not read from ARFF; save it as LIBSVM"),
    "two.zip": (
        archive(**{"a.csv": TABLE, "b.csv": TABLE}),
        r"holds 2 files \(a.csv, b.csv\); pack one table",
    ),
    "book-within.zip": (archive(**{"a.xlsx": excel(pd.DataFrame(PLAIN))}), "an Excel file in an archive"),
    "archive-within.zip": (archive(**{"a.csv": gz(TABLE)}), "a file packed with gzip"),
    "page.csv": (b"<!DOCTYPE html>\n<html><body>Log in</body></html>", "is a web page and no table"),
    "stata.dta": (b"<stata_dta><header>\0\0\0\0", "is a Stata file and no table"),
    "one-cell-more.csv": (b"a,b\n7,2,0\n3,4,1\n", "line 2: 3 cells where the first row has 2"),
    "damaged.xlsx": (archive(**{"xl/workbook.xml": "<workbook/>"}), "is not an Excel file"),
}
