"""A visitor's own file in the Dual lab, in every host: read, scaled, solved and refused as Python does."""

import base64
import json

import numpy as np
import pytest

from tests.helpers import uploads
from tests.helpers.amounts import few
from tests.helpers.node_engine import module_script, printed
from tests.helpers.page_browser import becomes
from tests.pages.hosts import carriers
from workbench import data, losses, regularizers, solvers
from workbench._support.errors import InputError
from workbench.data.tables import sentences
from workbench.pages import terms
from workbench.pages.dual_lab import model, own_data
from workbench.pages.dual_lab.declaration import TERMS as CHOICES
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.dual_lab.model import format_text
from workbench.pages.wasm import bundle
from workbench.problems import Problem
from workbench.solvers.run import Run

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

READY = "() => globalThis.workbenchPages?.length > 0"
DROP = """async ([name, text]) => {
    const page = await workbenchPages[0], carried = new DataTransfer();
    carried.items.add(new File([text], name));
    const drop = new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true });
    page.view.box.dispatchEvent(drop);
}"""
OPEN = "async () => { const page = await workbenchPages[0]; await page.settled(); %s }"
READ_PAGE = """return {
    code: page.view.parts.code.querySelector("pre").textContent, status: page.status,
    lines: Object.fromEntries(Object.entries(page.view.lines).map(([name, line]) => [name,
        line.textContent])),
    rows: page.tracks.shown[0].rows, weights: Array.from(page.state.w), names: page.state.problem.names,
};"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    text = DualLab(source="Breast cancer").html()
    with carriers.file(browser, tmp_path_factory.mktemp("own"), text, READY) as view:
        yield view


def on_page(view, script):
    """Return the value of a script on the page once it is drawn, as `page`."""
    return view.evaluate(OPEN % script)


def _table(seed=0, n=60):
    """Texts as labels in a column that is not the last, quotes, a constant column, Windows' line ends."""
    draw = np.random.default_rng(seed)
    rows = ['"width, mm",class,b,constant,e']
    for _ in range(n):
        a, b, e = (draw.normal(size=3) * [1.0, 100.0, 1e-3]).tolist()
        kind = ["red", "green", "blue"][int(np.argmax(draw.normal((a, 0.01 * b, 0.0))))]
        rows.append(f'{a:.5g},"{kind}",{b:.4g},7.5,{e!r}')
    return "\r\n".join(rows)


def _pairs(seed=1, n=50, d=8):
    """LIBSVM with comments, an empty row, a written zero and labels 0 and 3."""
    draw = np.random.default_rng(seed)
    lines = ["# made here", "0", "3 1:0 8:2"]
    for _ in range(n):
        columns_present = np.flatnonzero(draw.uniform(size=d) < 0.4)
        values = draw.normal(size=columns_present.size).round(3)
        label = 3 if values.sum() + 0.3 * draw.normal() > 0 else 0
        lines.append(
            " ".join([str(label), *(f"{j + 1}:{v}" for j, v in zip(columns_present, values, strict=True))])
        )
    return "\n".join(lines) + "\n"


def _measured(seed=2, n=40):
    """Numbers without a header; the last column is measured."""
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(n, 3))
    y = X @ [1.0, -2.0, 0.5] + 0.1 * draw.normal(size=n)
    return "\n".join(";".join(f"{x:.6g}" for x in row) for row in np.column_stack([X, y]))


# The file, what `wb.data.load` is told of it, and the problem.
SIMPLEX = {"loss": "Logistic", "regularizer": "Normalized entropy", "mu": 1}
CASES = {
    "classes.csv": (_table, {"positive": "red", "target": 1}, {}),
    "pairs.libsvm": (_pairs, {"positive": 3}, SIMPLEX),
    "measured.txt.csv": (_measured, {}, {"loss": "Huber", "regularizer": "q-norm", "q": 1.5}),
}
TERMS = {
    "Hinge": "hinge",
    "Logistic": "logistic",
    "Huber": "huber",
    "Elastic net": "elastic-net:epsilon=0.1",
    "Normalized entropy": "normalized-entropy:mu=1",
    "q-norm": "q-norm:q=1.5",
}


def give(page, name, content):
    content = content if isinstance(content, bytes) else content.encode()
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content}
    )


def said(page):
    return on_page(page, "return page.ownFile.line.textContent;")


def _problem(path, options, settings):
    dataset = data.load(path, standardize=True, **options)
    loss, regularizer = (
        TERMS[settings.get(*setting)] for setting in (("loss", "Hinge"), ("regularizer", "Elastic net"))
    )
    signed = regularizers.get(regularizer).entry["lower"] == 0.0
    embed = "balanced" if signed else None
    return dataset, Problem(dataset.X, dataset.y, loss, regularizer, 0.01, bias="constant", embed=embed)


@pytest.mark.parametrize("name", few(CASES, 1))
def test_a_file_is_solved_as_python_solves_it(name, page, tmp_path):
    make, options, settings = CASES[name]
    (tmp_path / name).write_text(make(), newline="")
    dataset, problem = _problem(tmp_path / name, options, settings)
    run = Run(problem, solvers.GaussSeidel(), seed=0)
    run.record()
    chosen = json.dumps(settings | {"lam": 0.01, "epsilon": 0.1})
    on_page(page, f"await page.change({{ ...page.facts.defaults, source: 'Breast cancer', ...{chosen} }});")
    page.evaluate(DROP, [name, make()])
    n, d = dataset.X.shape
    summary = f"{name}: {n} samples, {d} features"
    assert becomes(lambda: said(page).startswith(summary), True)
    assert "All samples train" in said(page)
    drawn = on_page(page, READ_PAGE)
    on_page(page, "await page.ownFile.leave();")
    assert drawn["status"] == "converged"
    assert "No sample" in drawn["lines"]["held_out"]
    # The code that the page shows makes Python's numbers, and those are the page's.
    (line,) = [block for block in drawn["code"].split("\n\n") if block.startswith("d = ")]
    loaded = eval(
        line.partition("p = ")[0].removeprefix("d = ").replace(f"'{name}'", repr(str(tmp_path / name))),
        {"wb": type("wb", (), {"data": data})},
    )
    np.testing.assert_array_equal(loaded.y, dataset.y)
    while not run.last.relative_gap <= 1e-4:
        run.epoch()
        run.record()
    assert len(drawn["rows"]) == len(run.rows)
    for key in ("primal", "dual"):
        expected = [row[key] for row in run.rows]
        np.testing.assert_allclose([row[key] for row in drawn["rows"]], expected, rtol=1e-10, atol=1e-12)
    # A sum of terms near zero, each with the rounding of numbers of the size of the primal.
    gaps = [row["gap"] for row in drawn["rows"]]
    np.testing.assert_allclose(gaps, [row["gap"] for row in run.rows], rtol=1e-6, atol=1e-12)
    objective = format_text("objective", primal=run.last.primal, dual=run.last.dual)
    assert drawn["lines"]["objective"] == objective.replace("-", "−")
    w, _ = problem.split(run.last.w)
    np.testing.assert_allclose(drawn["weights"], w, rtol=1e-6, atol=1e-9)
    assert drawn["names"] == list(dataset.feature_names)


BROKEN = {
    "empty.csv": b"\n \n",
    "header.csv": b"a,b\n",
    "narrow.csv": b"a\n1\n2\n",
    "one.csv": b"a,y\n1,1\n",
    "ragged.csv": b"a,b\n1,2\n1\n",
    "wide.csv": b"a,b,c\n1,2,3\n\n1,2,3,4\n",
    "word.csv": b"a,y\n1,1\nx'y,0\n",
    "hole.csv": b"a,,y\n1,2,1\n1,,0\n",
    "nan.csv": b"a,y\n1,1\nnan,0\n",
    "infinite.csv": b"a,y\n1,1\n1e999,0\n",
    "same.csv": b"a,y\n1,1\n2,1\n",
    "texts.csv": b"a,y\n1,no\n2,no\n",
    "label.csv": b"y,a\n1,1\n,2\n",
    "huge.csv": b"a,y\n1,1\n2e100,0\n",
    "tab.tsv": b"a\tb\n1\t2\t3\n",
    "classes.csv": b"a,y\n" + b"".join(b"%d,k%d\n" % (k, k) for k in range(40)),
    "latin.csv": "a,y\n1,1\nä,0\n".encode("latin-1"),
    "sixteen.csv": "a,y\n1,1\n".encode("utf-16"),
    "zero.csv": b"a,y\n1,1\n\0,0\n",
    "large.csv": b"1,2\n" * 1_400_000,
    "lines.csv": b"1,2\n" * 250_000,
    "columns.csv": b"1," * 10_001 + b"1\n",
    "numbers.csv": (b"1," * 999 + b"1\n") * 1001,
    "label.libsvm": b"1 1:1\n1:2 2:1\n",
    "word.libsvm": b"1 1:1\nred 1:2\n",
    "nan.libsvm": b"1 1:1\nnan 1:2\n",
    "twice.libsvm": b"1 1:1\n0 2:1 2:1\n",
    "pair.libsvm": b"1 1:1\n0 2\n",
    "index.libsvm": b"1 1:1\n0 a:1\n",
    "value.libsvm": b"1 1:1\n0 2:b\n",
    "holes.libsvm": b"1 1:1\n0 2:inf\n",
    "minus.libsvm": b"1 1:1\n0 -2:1\n",
    "order.libsvm": b"1 1:1\n0 3:1 2:1\n",
    "far.libsvm": b"1 1:1\n0 100001:1\n",
    "nothing.libsvm": b"# only\n",
    "bare.libsvm": b"1\n0\n",
    "zero.libsvm": b"1 1:1\n\0\n",
    "huge.libsvm": b"1 1:1\n0 1:2e100\n",
    "long.libsvm": b"1 1:1\n0 " + b"x" * 100 + b"\n",
}
# A file with too many labels, bytes, rows, columns and numbers for the page.
LARGE = ("classes.csv", "large.csv", "lines.csv", "columns.csv", "numbers.csv")
# The page takes plain numbers in UTF-8 alone; Python reads these.
READ_BY_PYTHON = ("word.csv", "hole.csv", "nan.csv", "label.csv", "latin.csv", "sixteen.csv")


def outcome(name, content):
    """The data set that Python makes of a file, or the sentence that refuses it."""
    try:
        return read(name, content)
    except InputError as error:
        return str(error)


def read(name, content):
    return uploads.dataset(content, name, own_data.CAPS)


def test_files_are_refused_and_the_way_back_is_shown(page):
    """A file, or labels that a loss cannot take: a sentence, and all else stays."""
    on_page(page, "await page.change({ ...page.facts.defaults, source: 'Breast cancer', lam: 0.1 });")
    assert said(page) == "Data: Breast cancer."
    numbers = page.locator(".wb-formula").all_inner_texts()
    for name in ("ragged.csv", *LARGE):
        give(page, name, BROKEN[name])
        (expected,) = page_reads([(name, BROKEN[name])])
        assert expected.endswith(format_text("custom_elsewhere", where=name))
        assert becomes(lambda: said(page), expected) == expected
    give(page, "packed.csv.gz", b"anything")
    assert becomes(lambda: "packed.csv.gz is packed" in said(page), True)
    assert page.locator(".wb-formula").all_inner_texts() == numbers
    give(page, "measured.csv", _measured())
    assert becomes(lambda: "its numbers are predicted" in said(page), True)
    # The first loss for measurements is chosen; one for classes is refused.
    assert on_page(page, "return [page.settings.loss, page.status];") == ["Squared", "converged"]
    page.get_by_label("Loss", exact=True).select_option("Logistic")
    refused = "return page.view.parts.status.textContent;"
    assert becomes(lambda: "two classes; choose “Squared”" in on_page(page, refused), True)
    page.get_by_role("button", name="back to the data of the page").click()
    assert becomes(lambda: said(page), "Data: Breast cancer.") == "Data: Breast cancer."
    drawn = on_page(page, READ_PAGE)
    assert "'breast-cancer'" in drawn["code"]
    assert "Held-out score" in drawn["lines"]["weights"]
    page.evaluate("() => { Blob.prototype.arrayBuffer = () => Promise.reject(new Error('a folder')); }")
    give(page, "folder", b"1,2\n")
    expected = sentences.sentence("unreadable", where="folder")
    assert becomes(lambda: said(page), expected) == expected


# Runs the page's reader on many files at once; what is refused is a sentence.
READ = """(async () => {
    const facts = JSON.parse(terms, revived);
    const plain = (value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
    const each = (table, change) => Object.fromEntries(
      Object.entries(table).map(([name, value]) => [name, change(value)]));
    const tell = (data, regularizers) => ({
      ...each(data, plain),
      regularizers: each(regularizers, (facts) => {
        const one = factsAt(facts, facts.bound, data);
        return [one.theta, one.weights, one.curvature].map(plain);
      }),
    });
    const read = async ([name, text]) => {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      try {
        const data = new CustomData(own, await CustomFile.read(own, new File([bytes], name)));
        return { names: data.names, ...Object.fromEntries(Object.entries(facts).map(([side, one]) => (
          [side, tell(data.data(side === "signed"), one)]))) };
      } catch (error) {
        return error.message;
      }
    };
    console.log(JSON.stringify(await Promise.all(files.map(read))));
})();"""
# The facts that a registry takes of each regularizer, by whether weights are mirrored.
NAMES = {
    side: [
        name
        for term, name in terms.term_names(CHOICES["regularizer"], DualLab.grids)
        if term["is_signed"] is signed
    ]
    for side, signed in (("plain", False), ("signed", True))
}


def page_reads(files, sides=("plain",)):
    """Read {name: content} by the page's reader: a sentence, or the message "data" as lists.

    With the facts of regularizers on the sides that are named; else of none.
    """
    page, place = DualLab(), model.PLANE
    terms = {
        side: {name: page.answer_regularizer(place, side == "signed", name) for name in NAMES[side]}
        if len(sides) > 1
        else {}
        for side in sides
    }
    constants = {
        "own": bundle.plain(own_data.rules()),
        "terms": json.dumps(bundle.plain(terms)),
        "files": [[name, base64.b64encode(content).decode()] for name, content in files],
    }
    return printed(
        "\n".join(
            [
                module_script("wasm/javascript/page", "dual_lab/custom_file", "dual_lab/custom_data"),
                *(f"const {name} = {json.dumps(value)};" for name, value in constants.items()),
                READ,
            ]
        )
    )


def test_broken_files_are_refused_in_a_sentence_that_names_them():
    for (name, content), answer in zip(BROKEN.items(), page_reads(BROKEN.items()), strict=True):
        assert isinstance(answer, str), name
        assert answer.startswith(name)
        if name not in READ_BY_PYTHON:
            assert isinstance(outcome(name, content), str), name


def test_facts_are_those_that_python_packs():
    contents = [("classes.csv", _table().encode()), ("pairs.libsvm", _pairs().encode())]
    answers = page_reads(contents, ("plain", "signed"))
    for (name, content), answer in zip(contents, answers, strict=True):
        dataset = read(name, content)
        for side, embed in (("plain", None), ("signed", "balanced")):
            facts_of_page, own = answer[side], {term: regularizers.get(term) for term in NAMES[side]}
            first = next(iter(own.values()))
            problem = Problem(dataset.X, dataset.y, "hinge", first, 1.0, bias="constant", embed=embed)
            expected = bundle.data(problem)
            for key in ("n", "d", "offsets", "indices", "y", "weight"):
                np.testing.assert_array_equal(facts_of_page[key], expected[key], err_msg=key)
            # Scaled values are near 1; one near 0 has the rounding of the mean that was taken off.
            np.testing.assert_allclose(facts_of_page["values"], expected["values"], rtol=1e-14, atol=1e-15)
            for term, regularizer in own.items():
                facts = bundle.regularizer_facts(regularizer, problem)
                theta, weights, curvature = facts_of_page["regularizers"][term]
                np.testing.assert_allclose(theta, facts["theta"], rtol=1e-14)
                np.testing.assert_allclose(weights, facts["weights"], rtol=1e-14)
                if facts["curvature"] is None:
                    assert curvature is None
                else:
                    np.testing.assert_allclose(curvature, facts["curvature"], rtol=1e-12)


def _spoiled(draw, content):
    """The text with a few of its places changed, doubled or left out."""
    text = bytearray(content)
    for _ in range(draw.integers(1, 4)):
        at = int(draw.integers(len(text)))
        mark = b',;\t"\n\r 0-.e:#x_'[int(draw.integers(15))]
        text[at : at + int(draw.integers(2))] = bytes([mark] * int(draw.integers(3)))
    return bytes(text)


def test_spoiled_files_are_read_alike():
    """Both readers read the same numbers of hundreds of spoiled files, and the page reads no more.

    Labels that are nearly numbers are texts to the page, about which Python asks.
    """
    draw, made = np.random.default_rng(3), []
    whole = [("t.csv", _table(n=6)), ("p.libsvm", _pairs(n=6)), ("m.csv", _measured(n=5)), ("u", _pairs(n=4))]
    for k in range(600):
        name, content = whole[k % len(whole)]
        made.append((name, _spoiled(draw, content.encode())))
    answers = page_reads(made)
    read_whole = asked = 0
    for (name, content), answer in zip(made, answers, strict=True):
        dataset = outcome(name, content)
        if isinstance(answer, str):
            assert answer.startswith(name), content
            continue
        if isinstance(dataset, str):
            asked += 1
            continue
        read_whole += 1
        problem = Problem(dataset.X, dataset.y, losses.Squared(), "squared-l2", 1.0, bias="constant")
        expected = bundle.data(problem)
        assert answer["names"] == list(dataset.feature_names), content
        for key in ("offsets", "indices", "y", "values"):
            np.testing.assert_allclose(answer["plain"][key], expected[key], rtol=1e-12, err_msg=str(content))
    assert 100 < read_whole < 500
    assert asked < 12
