"""Record what every reader of tables makes of the corpus: python tests/corpora/golden_readers.py --record

    read      wb.data.read, then .X and .y             upload   "Use it" of Your data: uploads.read and .task
    load      wb.data.load, for LIBSVM and CSV         drop     "Fit it" of Your data: reading.read_upload
    fit       wb.fit                                   rows     rows to predict on Your data
    solve, predict, certify     the commands           browser  custom_file.js of the exported Dual lab (Node)

An outcome is one line: the refusal, or how many rows, columns and non-zeros were read, sums of X and y in
which every entry has a factor of its own, the names, and what the target asks for. Where two readers
contradict each other, or one crashes, the record shows it until that is mended and recorded again.
"""

import base64
import contextlib
import functools
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse
from typer.main import get_command

import workbench as wb
from tests.corpora import table_corpus
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.data.tables import reading, uploads
from workbench.pages import browser, bundling
from workbench.pages.dual_lab import export as export_dual_lab
from workbench.pages.wasm import bundle
from workbench.pages.your_data import new_rows

RECORD = Path(__file__).parent / "golden" / "readers.json"
BY_PATH = ("read", "load", "fit", "solve", "certify", "predict")
BY_BYTES = ("upload", "drop", "rows", "browser")
# Closer than any digit that is recorded of a prediction, whatever solver makes the model.
CLOSE = {"lam": 0.1, "tol": 1e-12}
# A library's own words, which change with its version, in a sentence of ours.
LIBRARY = re.compile(
    r"(not a Parquet file|no plain arrays|no JSON|a complete \.\w+ file|read as a table) \(.*\)(?=[;,])"
)
NODE = """
let text = "";
process.stdin.on("data", (piece) => { text += piece; });
process.stdin.on("end", async () => {
  const { rules, files } = JSON.parse(text), answers = {};
  for (const [name, content] of files) {
    try {
      const own = await CustomFile.read(rules, new File([Buffer.from(content, "base64")], name));
      const { y, classes } = new CustomData(rules, own), { n, d, names, label } = own;
      const rows = own.sparse ?? { dense: Array.from(own.dense) };
      answers[name] = { n, d, names, label, classes, y: Array.from(y), ...rows };
    } catch (error) {
      answers[name] = error.constructor === Error ? error.message : `crash: ${error}`;
    }
  }
  console.log(JSON.stringify(answers));
});
"""


class Readers:
    """The readers, on the corpus in the working folder."""

    def __init__(self):
        for name, content in table_corpus.CORPUS.items():
            if content is ...:
                os.mkdir(name)
            elif content is not None:
                Path(name).write_bytes(content)
        os.mkdir("made")
        self.models = {}
        for name, content in (("table", table_corpus.TABLE), ("pairs", table_corpus.PAIRS)):
            Path("made", name).write_bytes(content)
            self.models[name] = wb.fit(Path("made", name), **CLOSE)
            self.models[name].save(f"made/{name}.npz")
        np.save("made/zeros.npy", np.zeros(2))
        self.command = get_command(app)  # once, since typer looks at every annotation each time

    def outcome(self, reader, name):
        """One line."""
        said = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                for part in getattr(self, reader)(name, table_corpus.TARGETS.get(name)):
                    said.append(str(part))
            except InputError as error:
                said.append(str(error))
            except Exception as error:
                said.append(f"crash: {type(error).__name__}: {error}")
        said += sorted({f"warns: {warning.category.__name__}: {warning.message}" for warning in caught})
        return LIBRARY.sub(r"\1 (...)", " | ".join(said)).replace("\n", "\\n").replace(os.getcwd(), ".")

    # By a path

    def read(self, name, target):
        return _table(wb.data.read(name, target))

    def load(self, name, target):
        dataset = wb.data.load(name, **({} if target is None else {"target": target}))
        yield described(dataset.X, dataset.y, dataset.feature_names)

    def fit(self, name, target):
        model = wb.fit(name, target, lam=1.0, tol=1e-2)
        yield described(model.X, model.run.problem.y, model.features.names)
        yield from model.notes

    def solve(self, name, target):
        options = ("--lam", "1", "--tol", "0.01", "--out", "made/model.npz", "--force")
        return self._json("solve", name, target, *options)

    def certify(self, name, target):
        return self._json("certify", name, target, "--loss", "squared", "--coef", "made/zeros.npy")

    def predict(self, name, target):
        text, refusal = self._run("predict", f"made/{_kind(name)}.npz", name)
        lines = text.splitlines()
        labels = [line.split(",")[1] if "," in line else line for line in lines[:8]]
        yield refusal or f"{len(lines)} lines: {', '.join(labels)}"

    def _json(self, command, name, target, *options):
        """Yield what a command tells of its data, whatever a solver reaches."""
        asked = () if target is None else ("--target", str(target))
        text, refusal = self._run(command, name, *options, *asked, "--json")
        if refusal:
            yield refusal
            return
        answer = json.loads(text)
        yield "{n} x {d}, {nonzeros} non-zeros".format(**answer["data"])
        if command == "solve":
            labels = ", ".join(map(str, answer["labels"]))
            yield f"{answer['loss']}, target {answer['target']!r}, labels {labels}"
        else:
            yield f"primal {_rounded(answer['primal'])}"

    def _run(self, *arguments):
        """Return what a command prints, or its refusal where it prints nothing or an error alone."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                self.command.main(arguments, prog_name="workbench")
            except SystemExit as end:
                code = end.code
        text = out.getvalue()
        is_refusal = not text or text.startswith('{"error"')
        return text, f"exit {code}: {err.getvalue().strip()}" if is_refusal else ""

    # By its bytes

    def upload(self, name, target):
        table = uploads.read(table_corpus.CORPUS[name], name, target)
        label = table.columns[table.target] if table.columns else None
        yield f"{table.suggested} by {label!r}"
        yield described(table.X, uploads.task(table, table.suggested).y, table.names)

    def drop(self, name, target):
        try:
            yield from _table(reading.read_upload(table_corpus.CORPUS[name], name, target))
        except InputError as error:
            yield new_rows.for_the_page(str(error))

    def rows(self, name, target):
        prediction = new_rows.predicted(self.models[_kind(name)], table_corpus.CORPUS[name], name)
        yield f"{len(prediction.table)} rows, {', '.join(prediction.new_columns)}"
        yield from prediction.sentences[:-1]

    def browser(self, name, target):
        answer = in_node()[name]
        if isinstance(answer, str):
            yield answer
            return
        shape, y = (answer["n"], answer["d"]), np.array(answer["y"], dtype=float)
        if "dense" in answer:
            X = np.array(answer["dense"], dtype=float).reshape(shape)
        else:
            X = sparse.csr_array((answer["values"], answer["indices"], answer["offsets"]), shape, dtype=float)
        yield f"{'classification' if answer['classes'] else 'regression'} by {answer['label']!r}"
        yield described(X, y, answer["names"])


def _table(table):
    """A table of `tables`, as far as it goes."""
    yield repr(table)
    yield from table.notes
    yield described(table.X, table.y, table.feature_names)
    yield table.task().sentence


def _kind(name):
    """Return the kind of the model that predicts the rows of a file."""
    return "pairs" if ".svm" in name or "pairs" in name else "table"


@functools.cache
def in_node():
    """Return what the exported page's reader makes of all files."""
    stems = ("bundles/wording", "vendor/papaparse", "dual_lab/custom_file", "dual_lab/custom_data")
    source = "".join((browser.FOLDER / f"{stem}.js").read_text("utf-8") for stem in stems)
    contents = {name: content for name, content in table_corpus.CORPUS.items() if isinstance(content, bytes)}
    files = [(name, base64.b64encode(content).decode()) for name, content in contents.items()]
    request = json.dumps({"rules": bundle.plain(export_dual_lab._own()), "files": files}).encode()
    command = [bundling.node(), "-e", source + NODE]
    return json.loads(subprocess.run(command, input=request, capture_output=True, check=True).stdout)


def described(X, y, names):
    """Sizes, sums in which each entry has a factor of its own, and the first names."""
    X = sparse.coo_array(X)
    with np.errstate(all="ignore"):
        x = _rounded(X.data @ np.cos(X.row + 0.7 * X.col + 1.0))
        y = _rounded(y @ np.cos(np.arange(len(y)) + 1.0))
    sizes = f"{X.shape[0]} x {X.shape[1]}, {np.count_nonzero(X.data)} non-zeros"
    return f"{sizes}, X {x}, y {y}: {', '.join(map(str, names[:6]))}"


def _rounded(number):
    return f"{round(float(number), 9) + 0.0:.9g}"


def cases():
    """(reader, name of the file) of all outcomes; a file without bytes is passed by its path alone."""
    with_bytes = {name: isinstance(content, bytes) for name, content in table_corpus.CORPUS.items()}
    return [
        (reader, name)
        for name, has in with_bytes.items()
        for reader in (*BY_PATH, *(BY_BYTES if has else ()))
    ]


def recorded():
    """{name of the file: {reader: outcome}}."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def record():
    outcomes = {name: {} for name in table_corpus.CORPUS}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        readers = Readers()
        for reader, name in cases():
            outcomes[name][reader] = readers.outcome(reader, name)
    RECORD.parent.mkdir(exist_ok=True)
    RECORD.write_text(json.dumps(outcomes, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--record"]:
        sys.exit(__doc__)
    record()
