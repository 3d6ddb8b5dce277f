"""Your data without a browser: uploads in pieces, a model and its files, and what the Dual lab gets of it."""

import asyncio
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

import workbench as wb
from tests.helpers import coroutines
from tests.helpers.node_engine import missing
from tests.helpers.uploads import solved
from workbench._support.errors import InputError
from workbench.data import store
from workbench.data.tables import child, limits
from workbench.pages import bundling
from workbench.pages.dual_lab.declaration import DualLab
from workbench.pages.hosts import blocks
from workbench.pages.your_data import model as your_data
from workbench.pages.your_data import taken
from workbench.pages.your_data.declaration import YourData
from workbench.pages.your_data.pieces import Upload

FRAMES = Path(__file__).parents[1] / "hosts" / "your_data.test.mjs"
PEOPLE = "id,colour,dose,age,outcome\n" + "".join(
    f"{j},{'red' if j % 3 else 'blue'},{'' if j == 7 else j % 7},{j % 5},{'ill' if j % 7 > 3 else 'well'}\n"
    for j in range(60)
)
SMALL = limits.Limits(megabytes=1)


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    place = store.Store(tmp_path, caps=SMALL)
    monkeypatch.setattr(store, "_opened", [place])
    store.upload_of.cache_clear()
    return place


@pytest.fixture(autouse=True)
def here(request, monkeypatch):
    """Read and fit in this process, except where a test is about the other one."""

    async def run(function, *arguments, **limits):
        return function(*arguments)

    if "apart" not in request.node.name:
        monkeypatch.setattr(child, "run", run)


def answered(page, **message):
    """The answer of a page, whether it comes at once or later."""

    async def answer():
        value = page.answer(message)
        return await value if asyncio.iscoroutine(value) else value

    return coroutines.run(answer())


def sent(page, content, name="people.csv", purpose="table", step=1000):
    """The answer to the last piece of a file."""
    answer = {}
    for start in range(0, max(len(content), 1), step):
        piece = np.frombuffer(content[start : start + step], dtype=np.uint8)
        answer = answered(
            page, type="piece", purpose=purpose, name=name, size=len(content), start=start, piece=piece
        )
    return answer


def test_upload_takes_pieces_in_their_order_alone(shelf):
    upload = Upload("../x.csv", 4)
    upload.add(0, np.zeros(3, np.uint8))
    for start, piece in (
        (0, np.zeros(1, np.uint8)),
        (3, np.zeros(2, np.uint8)),
        (3, np.zeros(1)),
        (3, np.zeros((1, 1), np.uint8)),
        (3, b"x"),
        ("3", np.zeros(1, np.uint8)),
    ):
        with pytest.raises(InputError, match=r"x\.csv arrived damaged; send it again"):
            upload.add(start, piece)
    assert not upload.is_whole
    upload.add(3, np.zeros(1, np.uint8))
    assert upload.is_whole
    for size in (2**20 + 1, -1, 1.0, None, True, float("nan")):
        with pytest.raises(InputError, match="large has more than 1 MB"):
            Upload("large", size)


def test_file_is_read_apart_and_goes_to_the_store(shelf):
    page = YourData()
    page.visitor = "10.0.0.1"
    for name, content, words in (
        ("empty.csv", b"", "empty.csv is empty"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n", "picture.csv is an image, not a table"),
        ("ragged.csv", b"a,b\n1,2\n3\n", "ragged.csv, line 3: 1 cell where most rows have 2"),
    ):
        with pytest.raises(InputError, match=words):
            sent(page, content, name)
    assert list(shelf.folder.iterdir()) == []
    answer = sent(page, PEOPLE.encode())
    assert (answer["name"], answer["loss"]) == ("people.csv", "Logistic")
    record = shelf.get(answer["data"])
    assert (record.content, record.choices["name"]) == (PEOPLE.encode(), "people.csv")
    # What it holds is not for the Dual lab, which has samples of its own.
    lab, source = DualLab(), f"upload-{answer['data']}"
    lab.offer(source)
    with pytest.raises(InputError):
        lab.answer({"type": "data", "source": source, "signed": False})
    for k in range(6):
        sent(page, PEOPLE.encode(), f"{k}.csv")
    assert len(list(shelf.folder.iterdir())) == 4


@pytest.mark.parametrize("task", ["labels", "numbers"])
def test_noise_is_not_clearly_better_than_its_baseline(shelf, task):
    rng = np.random.default_rng(3)
    X, z = rng.normal(size=(120, 4)), rng.normal(size=120)
    y = np.where(z > 0.0, "yes", "no") if task == "labels" else z
    text = "a,b,c,d,y\n" + "".join(f"{','.join(map(str, x))},{t}\n" for x, t in zip(X, y, strict=True))
    page = YourData()
    token = sent(page, text.encode())["data"]
    for state in ({"holdout": True}, {"chooses_lam": True, "holdout": False}):
        score = answered(page, type="model", **page.settings() | {"data": token} | state)["score"]
        assert score["is_clear"] is False
        assert "not clearly better than" in score["line"]


def test_settings_decide_the_problem(shelf):
    page = YourData()
    token = sent(page, PEOPLE.encode())["data"]

    def problem(**settings):
        state = page.settings() | {"data": token, "missing": "mean"} | settings
        answer = answered(page, type="model", **state)
        assert answer["refusal"] == ""
        return page.fit.model, answer

    model, answer = problem()
    assert answer["score"]["rows"] == 15
    assert [column["use"] for column in answer["file"]["columns"]] == [
        "left out",
        "used",
        "used",
        "used",
        "target",
    ]
    assert model.run.problem.lam == 0.01
    assert model.solution.relative_gap <= 1e-4
    balanced, _ = problem(class_weight="balanced", lam=0.1)
    y, weight = balanced.run.problem.y, balanced.run.problem.weight
    assert weight[y > 0].sum() == pytest.approx(weight[y < 0].sum())
    quantile, answer = problem(target=3, task="regression", loss="Quantile", tau=0.9, leave_out="colour, id")
    assert quantile.run.problem.loss == wb.losses.get("quantile:tau=0.9")
    assert quantile.features.columns == ["dose"] or "dose" in quantile.features.columns
    assert answer["tests"]["below"] >= 0.6
    # One that does not suit the labels gives way to one that does.
    _, answer = problem(target=3, task="regression", loss="Hinge")
    assert answer["loss"] == "Squared"
    chosen, answer = problem(chooses_lam=True, loss="Logistic")
    assert len(answer["path"]) > 3
    assert chosen.choice.lam == answer["lam"]


def test_refusal_names_controls_and_leaves_the_columns_in_view(shelf):
    page = YourData()
    token = sent(page, PEOPLE.encode())["data"]
    answer = answered(page, type="model", **(page.settings() | {"data": token}))
    assert "empty cells in dose (1); go on with “Empty cells”: mean" in answer["refusal"]
    assert len(answer["file"]["columns"]) == 5
    for message in ({"type": "take", "what": "model"}, {"type": "lab"}, {"type": "explain", "row": 0}):
        with pytest.raises(InputError, match="empty cells in dose"):
            answered(page, **message, **(page.settings() | {"data": token}))
    with pytest.raises(InputError, match="no longer on the server"):
        answered(page, type="model", **(page.settings() | {"data": "0" * 32}))


@pytest.mark.parametrize(
    "settings",
    [
        {"missing": "mean"},
        {"missing": "indicator", "leave_out": "age", "standardize": False, "holdout": False},
        {"missing": "drop", "target": 3, "task": "regression", "loss": "Huber", "regularizer": "Squared ℓ2"},
        {"missing": "mean", "regularizer": "Normalized entropy", "loss": "Logistic"},
        {"missing": "median", "target": 0, "task": "regression", "loss": "Squared"},
    ],
)
def test_dual_lab_opens_the_very_problem(shelf, tmp_path, settings):
    page = YourData()
    token = sent(page, PEOPLE.encode())["data"]
    state = page.settings() | {"data": token} | settings
    answer = answered(page, type="lab", **state)
    lab = DualLab()
    lab.offer(answer["settings"]["source"])
    lab.change(answer["settings"])
    model = page.fit.model
    theirs = model.run.problem
    ours = lab.problem({"source": lab.source, "signed": theirs.embed is not None})
    one, other = (np.column_stack([p.rows.toarray(), p.y]) for p in (ours, theirs))
    assert np.array_equal(one[np.lexsort(one.T)], other[np.lexsort(other.T)])
    assert (lab.lam, lab.loss, lab.regularizer) == (theirs.lam, state["loss"], state["regularizer"])
    # The code that the Dual lab shows loads the same samples.
    (tmp_path / "people.csv").write_text(PEOPLE)
    loaded = wb.data.load(tmp_path / "people.csv", **taken.loading(model))
    for name in ("X", "y", "X_test", "y_test"):
        one, other = (getattr(data_set, name) for data_set in (loaded, taken.samples(model)))
        assert (one is None) == (other is None)
        # Means are summed in another order.
        assert one is None or np.allclose(one, other, rtol=0.0, atol=1e-12)


def test_dual_lab_says_what_it_has_no_control_for(shelf):
    page = YourData()
    for settings, words in (
        ({"class_weight": "balanced"}, "^the Dual lab has no control for sample weights"),
        ({"loss": "Multinomial"}, "^the Dual lab has no"),
    ):
        with pytest.raises(InputError, match=words):
            answered(page, type="lab", **(page.settings() | settings))


def test_page_takes_nothing_strange():
    page = YourData()
    for message, words in (
        (
            {"type": "piece", "purpose": "x", "name": "a", "size": 1, "start": 0, "piece": 0},
            "unknown purpose",
        ),
        ({"type": "piece", "purpose": "rows", "name": "a", "size": 1, "start": 1, "piece": 0}, "damaged"),
        ({"type": "take", "what": "all"}, "unknown file 'all'"),
        ({"type": "explain", "row": "0"}, "is not a row; give a whole number"),
        ({"type": "explain", "row": 10**6}, "there is no row 1000000"),
        ({"type": "model", "nothing": 1}, "unknown setting 'nothing'"),
        ({"type": "model", "lam": 7.0}, "lam = 7.0 is refused"),
    ):
        with pytest.raises(InputError, match=words):
            answered(page, **message)


def test_files_that_are_taken(shelf, tmp_path):
    page = YourData(loss="Multinomial")
    made = {what: answered(page, type="take", what=what, **page.settings()) for what in taken.FILES}
    path = tmp_path / made["model"]["name"]
    path.write_bytes(made["model"]["content"])
    model = wb.Model.load(path)
    assert model.task.labels == ("setosa", "versicolor", "virginica")
    lines = made["predictions"]["content"].decode().splitlines()
    assert len(lines) == 151
    assert [line.split(",")[1] for line in lines[1:]] == model.predict(page.fit.model.table)["label"].tolist()
    assert "iris.csv" in made["report"]["content"].decode()


def test_new_rows_are_predicted_by_the_model_of_the_settings(shelf):
    page = YourData()
    assert "ready" in answered(page, type="rows", unknown=False, **page.settings())["text"]
    _, content = your_data.example(page.example)
    sent(page, content, "new.csv", "rows", 3000)
    one = answered(page, type="rows", unknown=False, **page.settings())
    assert "150 rows predicted" in one["text"]
    other = answered(page, type="rows", unknown=False, **(page.settings() | {"lam": 1.0}))
    assert one["csv"] != other["csv"]
    assert list(shelf.folder.iterdir()) == []


def test_usual_losses_are_those_of_fit():
    for name in list(your_data.EXAMPLES)[:3]:
        file, content = your_data.example(name)
        model = solved(content, file, lam=0.1)
        assert model.task.loss in ("multinomial", "squared")


def test_frames_and_sending_hold_under_node(tmp_path):
    if bundling.node() is None:
        missing("there is no Node")
    page, models = YourData(), {}
    for name, settings in {
        "labels": {},
        "several": {"loss": "Multinomial"},
        "numbers": {"example": "A table for regression", "loss": "Squared", "chooses_lam": True},
    }.items():
        answer = answered(page, type="model", **(page.settings() | settings))
        models[name] = {"settings": settings, "answer": answer}
    facts = page.answer({"type": "page"})
    facts = {name: fact for name, fact in facts.items() if name not in ("figures", "styles")}
    (tmp_path / "your_data.block").write_bytes(blocks.packed({"facts": facts, "models": models}))
    command = [bundling.node(), "--test", FRAMES]
    run = subprocess.run(command, env=os.environ | {"DRAWN": str(tmp_path)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
