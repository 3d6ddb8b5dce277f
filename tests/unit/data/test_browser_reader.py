"""The exported page's reader gives for a file what Python reads, or names the served page, which reads it."""

import base64
import json
import subprocess

import numpy as np
from scipy import sparse

from tests.corpora import table_cases
from tests.helpers import node_engine
from workbench.data.tables import reading
from workbench.pages import bundling
from workbench.pages.dual_lab import own_data
from workbench.pages.dual_lab.model import format_text
from workbench.pages.wasm import bundle

NODE = """
let text = "";
process.stdin.on("data", (piece) => { text += piece; });
process.stdin.on("end", async () => {
  const { rules, files } = JSON.parse(text), answers = {};
  for (const [name, content] of files) {
    try {
      const file = new File([Buffer.from(content, "base64")], name);
      const { dense, labels, ...own } = await CustomFile.read(rules, file);
      answers[name] = { dense: Array.from(dense ?? []), labels: Array.from(labels), ...own };
    } catch (error) {
      answers[name] = error.constructor === Error ? error.message : `crash: ${error.stack}`;
    }
  }
  console.log(JSON.stringify(answers));
});
"""
# Tables that the browser reads; it refuses all others of the people's.
PLAIN = {
    "points-of-three.csv": table_cases.READ["points-of-three.csv"],
    "plain.csv": (table_cases.SHORT, {}, table_cases.PLAIN),
    "marked.csv": (b"\xef\xbb\xbf" + table_cases.SHORT, {}, table_cases.PLAIN),
    "windows.csv": (table_cases.SHORT.replace(b"\n", b"\r\n"), {}, table_cases.PLAIN),
    "semicolons.csv": (table_cases.SHORT.replace(b",", b";"), {}, table_cases.PLAIN),
    "tabs.tsv": (table_cases.SHORT.replace(b",", b"\t"), {}, table_cases.PLAIN),
    "bars.txt": (table_cases.SHORT.replace(b",", b"|"), {}, table_cases.PLAIN),
    "words.csv": (b'"a, mm",y\n1,"no, not"\n2,yes\n', {}, {"a, mm": [1, 2], "y": ["no, not", "yes"]}),
    "label-first.csv": (b"label,a\nyes,1\nno,2\n", {}, {"label": ["yes", "no"], "a": [1, 2]}),
    "no-header.csv": (b"1,2\n3,4.5\n", {}, {"column 0": [1, 3], "column 1": [2, 4.5]}),
}


def asked(files):
    """The answers of the browser's reader by name."""
    if bundling.node() is None:
        node_engine.missing("no node on this machine; run: make venv")
    encoded = [
        (name, base64.b64encode(content if isinstance(content, bytes) else content.encode()).decode())
        for name, content in files.items()
    ]
    request = json.dumps({"rules": bundle.plain(own_data.rules()), "files": encoded}).encode()
    command = [bundling.node(), "-e", node_engine.module_script("dual_lab/custom_file") + NODE]
    return json.loads(subprocess.run(command, input=request, capture_output=True, check=True).stdout)


def table_of(answer):
    """The columns of an answer, the label's with them."""
    X = np.array(answer["dense"]).reshape(answer["n"], answer["d"])
    return dict(zip(answer["names"], X.T.tolist(), strict=True)) | {answer["label"]: answer["labels"]}


def test_plain_tables_have_the_same_values():
    answers = asked({name: content for name, (content, *_) in PLAIN.items()})
    assert {name: table_of(answer) for name, answer in answers.items()} == {
        name: columns for name, (_, _, columns) in PLAIN.items()
    }


def is_ambiguous(name):
    content, options, _ = table_cases.READ[name]
    content = content if isinstance(content, bytes) else content.encode()
    notes = reading.open_upload(content, name, labelled=False).notes
    starts = ("column ", "the point is decimal", "read as")
    return bool(options) or any(note.startswith(starts) for note in notes)


def test_what_may_be_read_in_two_ways_is_left_to_the_served_page():
    files = {name: content for name, (content, *_) in table_cases.READ.items() if is_ambiguous(name)}
    for name, answer in asked(files).items():
        if name == "dates.csv":  # the served page reads the same texts
            continue
        assert isinstance(answer, str), name
        assert answer.startswith(name)
        assert answer.endswith(format_text("custom_elsewhere", where=name))


def test_no_file_that_python_refuses_is_read():
    for name, answer in asked({name: content for name, (content, _) in table_cases.REFUSED.items()}).items():
        assert isinstance(answer, str), name
        assert answer.startswith(name)


def test_every_case_has_the_values_that_python_reads():
    files = {name: content for name, (content, *_) in (table_cases.READ | table_cases.LIBSVM).items()}
    answers, count = asked(files), 0
    for name, answer in answers.items():
        if isinstance(answer, str):
            assert answer.startswith(name), answer
            continue
        count += 1
        content = files[name] if isinstance(files[name], bytes) else files[name].encode()
        content = reading.open_upload(content, name, labelled=False)
        if content.frame is None:
            rows = [answer["sparse"][part] for part in ("values", "indices", "offsets")]
            X = sparse.csr_array(tuple(rows), shape=(answer["n"], answer["d"])).toarray()
            np.testing.assert_array_equal(X, content.matrix.toarray(), err_msg=name)
            assert answer["labels"] == content.y.tolist(), name
            continue
        frame = content.frame
        assert table_of(answer) == {column: frame[column].tolist() for column in frame}, name
    assert count > 15
