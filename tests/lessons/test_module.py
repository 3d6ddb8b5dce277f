"""The module of three lessons: slides fit, formulas and marks are right, the quiz gives reasons."""

import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import sympy as sp

from tests.helpers.page_browser import chromium
from workbench._support.errors import InputError
from workbench.pages import registry
from workbench.teaching import deck, lecturer

SIZES = ((1280, 720), (1024, 768), (900, 675))
FRAME = "<!DOCTYPE html><title>live</title><p>live</p>"
# Slides of which something is cut, or reaches beyond the window or into its neighbour.
MISFITS = """() => [...document.querySelectorAll("section")].flatMap((slide, number) => {
  const window = slide.getBoundingClientRect(), cells = [...slide.children];
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const parts = [...slide.querySelectorAll("p, li, td, h1, h2, img, iframe, .katex")];
  const isWide = (part) => part.scrollWidth > part.clientWidth + 1;
  const cut = cells.some((cell) => cell.scrollHeight > cell.clientHeight + 1 || isWide(cell));
  const out = parts.some((part) => {
    const box = part.getBoundingClientRect();
    return box.bottom > window.bottom || box.right > window.right || box.top < window.top || box.left < 0;
  });
  const wide = parts.some((part) => part.tagName !== "SPAN" && part.clientWidth && isWide(part));
  const under = boxes[1].top < boxes[0].bottom - 1;
  const tall = Math.abs(window.height - innerHeight) > 1;
  return cut || out || wide || under || tall ? [[number + 1, { cut, out, wide, under, tall }]] : [];
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the slides, and a stand-in for each live page that they show."""
    place = tmp_path_factory.mktemp("module")
    (place / "live").mkdir()
    for lecture in deck.LECTURES:
        for slide in deck.read(lecture)[1]:
            if slide.kind == "live":
                assert registry.of(slide.words).name in deck.LIVE
                (place / "live" / f"{slide.words}.html").write_text(FRAME, encoding="utf-8")
        (place / f"{lecture}.html").write_text(deck.page(lecture, "live"), encoding="utf-8")
    return place


@pytest.mark.parametrize("lecture", deck.LECTURES)
def test_a_lecture_has_twenty_five_slides_with_an_argument_each(lecture):
    slides = deck.read(lecture)[1]
    assert len(slides) == 25
    for slide in slides:
        assert slide.kind in ("picture", "live"), slide.title
        assert slide.kind == "live" or len(slide.words) > 40, slide.title
        # Sentences, and not a list of words.
        assert len(re.findall(r"[.?:](?:\s|\*|$)", slide.text)) >= 3, slide.title
    assert len({slide.title for slide in slides}) == 25


def test_a_slide_without_its_picture_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(deck, "FOLDER", tmp_path)
    (tmp_path / "lecture-9.md").write_text("# L\n---\n## One\n\nText.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"lecture-9\.md: slide 1 needs"):
        deck.read("lecture-9")


def test_without_live_pages_a_slide_names_the_command():
    (slide,) = [slide for slide in deck.read("lecture-1")[1] if slide.kind == "live"]
    assert "workbench serve conjugates" in deck.framed(slide, None)


@pytest.mark.browser
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("lecture", deck.LECTURES)
def test_every_slide_fits_its_window_and_fetches_nothing(folder, lecture, size):
    requests, errors = [], []
    with chromium() as browser:
        page = browser.new_page(viewport={"width": size[0], "height": size[1]})
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
        page.goto((folder / f"{lecture}.html").as_uri())
        page.evaluate("document.fonts.ready")
        assert page.evaluate(MISFITS) == []
        assert page.locator("section").count() == 25
        assert page.locator(".katex-error").count() == 0
        assert page.locator("math").count() == 0
        # Every slide is reached by the keys, and its live page is shown.
        for number in range(1, 25):
            page.keyboard.press("ArrowRight")
            page.wait_for_function(
                "(k) => Math.abs(document.querySelectorAll('section')[k].getBoundingClientRect().top) < 2",
                arg=number,
            )
        page.frame_locator("iframe").locator("p").wait_for()
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


# --- what slides and marks state, computed anew


def conjugate(p, v, low=-60.0, high=60.0):
    grid = np.linspace(low, high, 1_200_001)
    return np.max(v * grid - p(grid))


def test_conjugates_of_the_slides_are_suprema():
    for v in (-1.0, -0.7, -0.5, 0.0):
        assert conjugate(lambda u: np.maximum(0, 1 - u), v) == pytest.approx(v, abs=1e-4)
        squared = conjugate(lambda u: np.maximum(0, 1 - u) ** 2 / 2, 3 * v)
        assert squared == pytest.approx(3 * v + (3 * v) ** 2 / 2, abs=1e-4)
    for b in (0.1, 0.5, 0.8):
        entropy = b * np.log(b) + (1 - b) * np.log(1 - b)
        assert conjugate(lambda u: np.log1p(np.exp(-u)), -b) == pytest.approx(entropy, abs=1e-6)
    for v in (-0.5, 0.25, 0.5, 1.0):
        corner = conjugate(lambda u: np.where(u < 2, 1 - (u - 2) / 2, u - 1), v)
        assert corner == pytest.approx(2 * v - 1, abs=1e-3)
    for v in (-0.9, 0.3):
        assert conjugate(lambda u: np.sqrt(1 + u**2), v) == pytest.approx(-np.sqrt(1 - v**2), abs=1e-6)
    # The rule of a stretched and shifted function, for p = u²/2.
    a, s, t, v = 2.0, -3.0, 0.7, 1.1
    stretched = conjugate(lambda u: a * (s * u + t) ** 2 / 2, v)
    assert stretched == pytest.approx(a * (v / (a * s)) ** 2 / 2 - t * v / s, abs=1e-6)


def test_brackets_of_ridge_regression_are_squares():
    z, y, alpha = sp.symbols("z y alpha")
    assert sp.expand((z - y) ** 2 + alpha**2 / 4 - alpha * y + alpha * z - (z - y + alpha / 2) ** 2) == 0
    height = -alpha * z - (z - y) ** 2
    (top,) = sp.solve(sp.diff(height, z), z)
    assert sp.expand(height.subs(z, top) - (alpha**2 / 4 - alpha * y)) == 0


def test_the_ratio_of_gap_and_distance_is_as_printed():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 20))
    y = X[:, :3] @ [2, -1, 1] + 1 + 0.3 * rng.standard_normal(60)
    M = np.eye(20) + 2 * X.T @ X / (0.3 * 60)
    best = np.linalg.solve(M, 2 * X.T @ y / (0.3 * 60))
    # P - inf P and, with map (10), G, from their quadratic forms.
    assert (best @ M @ M @ best) / (best @ M @ best) == pytest.approx(8.3, abs=0.05)


def test_the_ball_of_the_lasso_holds_the_best_dual_point():
    """2√(nG) bounds the distance to the dual optimum of CVXPY, and does so nearly sharply somewhere."""
    cp = pytest.importorskip("cvxpy", reason="cvxpy is not installed; make venv")
    rng = np.random.default_rng(3)
    X, y, lam, n = rng.normal(size=(6, 4)), rng.normal(size=6), 0.3, 6
    alpha = cp.Variable(n)
    D = cp.sum(alpha**2 / 4 - cp.multiply(alpha, y)) / n
    problem = cp.Problem(cp.Minimize(D), [cp.abs(X.T @ alpha) <= lam * n])
    problem.solve(solver="CLARABEL")
    shares = []
    for _ in range(200):
        other = alpha.value + rng.normal(size=n) * rng.choice([0.01, 0.3])
        other *= min(1, lam * n / np.abs(X.T @ other).max())
        gap = np.mean(other**2 / 4 - other * y) - problem.value
        shares.append(np.linalg.norm(other - alpha.value) / (2 * np.sqrt(n * gap)))
    assert max(shares) <= 1 + 1e-6
    assert max(shares) > 0.7


def test_the_order_of_the_repairs_is_as_on_the_slides():
    def repaired(X, alpha, order):
        for step in order:
            if step == "mean":
                alpha = alpha - alpha.mean()
            else:
                alpha = alpha * min(1, 2 / max(abs(X @ alpha), 1e-300))
        return alpha

    X, start = np.array([1.0, -1.0]), np.array([3.0, 0.0])
    assert repaired(X, start, ("mean", "scale")) == pytest.approx([1, -1])
    assert repaired(X, start, ("scale", "mean")) == pytest.approx([1, -1])
    X, start = np.array([1.0, -2.0]), np.array([4.0, 2.0])
    assert repaired(X, start, ("scale", "mean")) == pytest.approx([1, -1])
    assert abs(X @ repaired(X, start, ("scale", "mean"))) == 3
    assert abs(X @ repaired(X, start, ("mean", "scale"))) == pytest.approx(2)


def test_marks_of_the_assignment_are_the_numbers_of_its_problems():
    marks = (deck.FOLDER / "lecturer.md").read_text("utf-8")
    half = Fraction(1, 2)

    def machine(w, b1, b2):
        v = half * (2 * b1 + b2)
        P = half * (max(0, 1 - 2 * w) + max(0, 1 - w)) + w**2 / 2
        return P, half * (b1 + b2) - v**2 / 2

    P, bound = machine(half, half, half)
    assert (float(P), float(bound), float(P - bound)) == (0.375, 0.21875, 0.15625)
    assert f"{np.sqrt(2 * float(P - bound)):.3f}" == "0.559"
    assert machine(half, 0, 1) == (P, P)
    X, y = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([3.0, 1.0])

    def lasso(w, lam):
        alpha = -2 * (X @ w - y)
        factor = min(1, 2 * lam / np.abs(X.T @ alpha).max())
        P = np.mean((X @ w - y) ** 2) + lam * np.abs(w).sum()
        return factor, factor * alpha, P, np.mean((factor * alpha) ** 2 / 4 - factor * alpha * y)

    factor, alpha, P, D = lasso(np.zeros(2), 1)
    assert (factor, P, D, P + D) == (0.25, 5, -2.1875, 2.8125)
    assert alpha.tolist() == [1.5, 0.5]
    factor, alpha, P, D = lasso(np.array([1.5, 0.5]), 1)
    assert (factor, alpha.tolist(), P, D) == (1, [2, 0], 2.5, -2.5)
    factor, alpha, P, D = lasso(np.array([0.4, 0]), 3)
    assert (factor, P, D, P + D) == pytest.approx((0.9375, 4.76, -4.74609, 0.01391), abs=5e-6)
    reach = abs(X[:, 1] @ alpha) + 2 * np.sqrt(2 * (P + D)) * np.sqrt(2)
    assert f"{reach:.3f}" == "4.222"
    for number in ("0.15625", "0.559", "2.8125", "0.9375", "4.74609", "0.01391", "4.222"):
        assert number in marks
    # The marks of each part add up to what the assignment promises.
    parts = re.split(r"^\*\*[ABC]\.\*\*", marks.partition("## The assignment")[2], flags=re.MULTILINE)[1:]
    asked = (deck.FOLDER / "assignment.md").read_text("utf-8")
    promised = [int(points) for points in re.findall(r"^## .+\((\d+) points\)", asked, re.MULTILINE)]
    earned = [sum(map(int, re.findall(r"(?<![\w})])\((\d)\)", part.partition("## ")[0]))) for part in parts]
    assert earned == promised
    assert sum(promised) == 30


# --- the quiz


def test_each_choice_of_the_quiz_has_its_reason_and_the_right_one_is_not_the_longest():
    quiz = deck.quiz()
    assert len(quiz) == 10
    for question in quiz:
        assert len(question.choices) == len(set(question.choices)) == 4
        assert all(len(reason) > 15 for _, reason in question.wrong)
    longest = [all(len(q.right) > len(other) for other, _ in q.wrong) for q in quiz]
    assert sum(longest) <= 3
    text = lecturer.gift_pool("module", quiz)
    assert len(re.findall(r"^=", text, re.MULTILINE)) == 10


def test_units_are_in_order_and_name_their_sections():
    text = (deck.FOLDER / "README.md").read_text("utf-8")
    spans = [tuple(map(int, span)) for span in re.findall(r"slides (\d+) to (\d+)", text)]
    for lecture in (spans[:2], spans[2:]):
        assert (lecture[0][0], lecture[-1][1]) == (1, 25)
        assert all(start == end + 1 for (_, end), (start, _) in pairwise(lecture))
    assert all(re.match(r"[35]\.", section) for section in re.findall(r"\| (\d\.\d[^|]*) \|", text))
