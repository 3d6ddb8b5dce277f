"""Fifty things a lecturer wants to show, each in a fresh visit with at most three clicks from its page.

    python tests/long/score_tasks.py [--only 4,8] [FOLDER]

Prints done, part or not for each, with the clicks and what was missing, and writes a picture of each into the
folder. A task is done where all of its sentences stand on the page, in part where some do; where no
page can do a thing, a sentence is asked for that would stand there.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Error

from tests.helpers.page_browser import chromium, served

MOST_CLICKS, WAIT_MS = 3, 15_000


def preset(name, label="Preset"):
    """Choose from a list: two clicks."""

    def do(page):
        page.get_by_role("combobox", name=label).first.click()
        page.get_by_role("menuitem", name=name, exact=True).click()

    return 2, do


def typed(formula):
    """Type a function and derive it: one click, since the keyboard goes from field to button."""

    def do(page):
        page.get_by_role("textbox", name="p(u)").fill(formula)
        page.get_by_role("button", name="Derive").click()

    return 1, do


def pressed(name, role="button"):
    """One click."""
    return 1, lambda page: page.get_by_role(role, name=re.compile(name)).first.click()


def keyed(*names, on=None):
    """Keys, of the page or of a slider, to which one tabs."""

    def do(page):
        if on:
            page.get_by_role("slider", name=re.compile(on)).first.focus()
        else:
            ended()[1](page)
        for name in names:  # as fast as a hand that looks at the page
            page.keyboard.press(name)
            page.evaluate("() => globalThis.wb_page?.settled()")

    return len(names), do


def ended():
    """Wait for the end of a run: no click."""
    status = re.compile("reached|stopped|diverged", re.IGNORECASE)
    return 0, lambda page: page.locator(".wb-status", has_text=status).first.wait_for(timeout=6 * WAIT_MS)


def field(name, text):
    """Type into a field, and Enter."""

    def do(page):
        box = page.get_by_role("textbox", name=name)
        box.fill(text)
        box.press("Enter")

    return 1, do


def dragged(figure):
    """A drag in a figure, which is one click."""

    def do(page):
        page.wait_for_function(CURVED, arg=figure)
        box = page.locator(".wb-hand").first
        box.scroll_into_view_if_needed()
        place = box.bounding_box()
        page.mouse.move(place["x"] + 12, place["y"] + 12)
        page.mouse.down()
        page.mouse.move(place["x"] + 60, place["y"] + 40, steps=6)
        page.mouse.up()

    return 1, do


class Title(NamedTuple):
    """What is to stand above a figure, within it."""

    figure: str
    pattern: str


# Whether a figure has something that can be dragged.
PLOT = """Bokeh.documents.flatMap((each) => [...each._all_models.values()])
  .find((plot) => plot.type === "Figure" && plot.name === name)"""
CURVED = f"""(name) => {PLOT}?.renderers
  .some(({{ glyph, data_source }}) => glyph?.tags.includes("handle") && data_source.length)"""
TITLED = f"([name, pattern]) => new RegExp(pattern).test({PLOT}?.title.text)"
PAIR = "Pair"
# Number, what is to be seen, page, what is done, and what then stands there.
TASKS = (
    (1, "the tangent of slope v meets the axis at -q(v)", "conjugates", (), ("meets the axis at −q",)),
    (
        2,
        "the hinge's conjugate, tangents at the kink",
        "conjugates",
        (preset("Hinge", PAIR),),
        ("of 7 slopes, a fan of them at each kink",),
    ),
    (
        3,
        "the class's own function, with steps",
        "conjugates",
        (typed("log(1 + exp(2*u))"),),
        ("Your own function", "What is asked"),
    ),
    (
        4,
        "not convex: the biconjugate is the envelope",
        "conjugates",
        (typed("u**4 - u**2"),),
        ("lies above it", "convex envelope of p"),
    ),
    (5, "the Fenchel-Young gap", "conjugates", (), ("never below 0",)),
    (
        6,
        "smoothing against strong convexity, overlaid",
        "conjugates",
        (
            typed("abs(u)"),
            pressed("Pin the curves of p and its"),
            typed("piecewise((u**2/2, abs(u) <= 1), (abs(u) - 1/2, True))"),
        ),
        ("Your own function", r"pinned: .*abs\(u\)"),
    ),
    (
        7,
        "why l1 gives zeros: transfer functions",
        "transfer",
        (pressed("Pin the curves of The map"), preset("Squared ℓ2", "Regularizer")),
        ("In one dimension v = ", "pinned: Elastic net"),
    ),
    (
        8,
        "balls touch contours of the loss",
        "transfer",
        (preset("Why a corner is where contours touch"),),
        ("touches the ball", "is exactly 0"),
    ),
    (
        9,
        "the lasso path: which enters when",
        "transfer",
        (preset("Why a corner is where contours touch"),),
        ("solutions over λ", "enters at λ"),
    ),
    (10, "group lasso", "norms", (pressed("more figures"),), ("every other group is hatched",)),
    (
        11,
        "the gap closing step by step",
        "dual-lab",
        (keyed("r", "ArrowRight", "ArrowRight"),),
        ("Paused after 2 steps", "The gap is .* after 2 steps"),
    ),
    (
        12,
        "Gauss-Seidel and PGS at once",
        "roads",
        (preset("A smooth loss: all methods but one"),),
        ("of 8 methods have certified",),
    ),
    (
        13,
        "Gauss-Seidel, Frank-Wolfe and PDHG over one saddle",
        "roads",
        (),
        ("is the saddle point", "methods have certified"),
    ),
    (
        14,
        "weak duality for any w and α, by hand",
        "roads",
        (dragged("saddle"),),
        ("is the saddle point", r"P\(w\) ≥ R\(w, α\) ≥ −D\(α\)", Title("saddle", "P.* ≥ R .* ≥ −D")),
    ),
    (
        15,
        "strong duality failing, no Slater point",
        "conjugates",
        (preset("No Slater point", PAIR),),
        ("the gap of 1 stays", "Slater's condition"),
    ),
    (
        16,
        "the gap as a sum of terms, one a sample",
        "dual-lab",
        ((1, lambda page: page.get_by_text("Why is this certain?").first.click()),),
        ("These lines add up to the gap",),
    ),
    (
        17,
        "what C does to support vectors",
        "svm-gaps",
        (keyed("ArrowRight", on="^C "),),
        (r"[1-9]\d* of 50 points are support vectors",),
    ),
    (
        18,
        "a sample that is no support vector does not matter",
        "dual-lab",
        (field("Sample", "1"),),
        ("Sample 1, α = ",),
    ),
    (
        19,
        "complementary slackness",
        "dual-lab",
        (pressed("more figures"),),
        ("samples are support vectors", "against the margin"),
    ),
    (
        20,
        "the dual of a kernel machine",
        "svm-gaps",
        (preset("Crossed classes, a Gaussian kernel"),),
        ("points are support vectors", "dual of the kernel machine"),
    ),
    (
        21,
        "an outlier against a hard margin",
        "svm-gaps",
        (preset("One outlier against a hard margin"),),
        ("points are support vectors",),
    ),
    (22, "the gap with an intercept, Σα = 0", "svm-gaps", (), ("the sum stays zero", "G is least at b")),
    (
        23,
        "a multiplier that diverges",
        "bias",
        (preset("η too large: the multiplier oscillates"),),
        ("[Dd]iverged|oscillat",),
    ),
    (
        24,
        "hinge, logistic and squared on the same points",
        "dual-lab",
        (pressed("Compare", "switch"), preset("Squared", "B: Loss")),
        ("A: The gap is|A: .* B: ", "C: "),
    ),
    (
        25,
        "bad scaling",
        "your-data",
        (pressed("Scale every column", "switch"), pressed("^Use it")),
        ("Reached|Stopped|Running", "before, to epoch"),
    ),
    (
        26,
        "early stopping as regularization",
        "transfer",
        (preset("Stopping early is a regularizer"),),
        ("stopping early is a regularizer", "least held-out loss"),
    ),
    (27, "more data, fewer steps (inverse time)", "inverse-time", (), ("PGS, median and quartiles",)),
    (
        28,
        "λ against held-out loss",
        "transfer",
        (preset("Stopping early is a regularizer"),),
        ("has the least held-out loss",),
    ),
    (29, "softmax to sparsemax, live", "simplex", (keyed("End", on="^α"),), ("is exactly 0",)),
    (30, "the perceptron's mistakes under their bound", "online", (), ("mistakes.*bound|bound.*mistakes",)),
    (
        31,
        "Huber: slopes stop, so q lives in a box",
        "conjugates",
        (preset("Huber", PAIR),),
        ("slopes stop at", "Appendix E"),
    ),
    (
        32,
        "powers: as r falls, q becomes a box",
        "conjugates",
        (preset("Power of a norm", PAIR), keyed("Home", on="^r")),
        ("r = 2 is its own conjugate", r"r = 1\.0"),
    ),
    (
        33,
        "a barrier and its conjugate",
        "conjugates",
        (preset("Negative logarithm", PAIR),),
        ("q is a barrier again",),
    ),
    (
        34,
        "a conjugate without a closed form",
        "conjugates",
        (preset("No closed form", PAIR),),
        ("solving it numerically",),
    ),
    (
        35,
        "an entropy: every weight is positive",
        "transfer",
        (preset("A softmax is bounded"),),
        ("none is negative", r"w = ∇h\(v\) = "),
    ),
    (
        36,
        "ℓ1 on real data: how many weights are left",
        "transfer",
        (preset("Why the elastic net is sparse"),),
        (r"weights .* are not zero \(",),
    ),
    (
        37,
        "a lead that costs nothing: loss exactly 0",
        "simplex",
        (preset("A lead that costs nothing"),),
        (r"L\(θ; 1\) = 0\.",),
    ),
    (
        38,
        "a class never gets share 0 with softmax",
        "simplex",
        (preset("Softmax: nothing is ever 0"),),
        ("still positive",),
    ),
    (
        39,
        "Winnow among 97 features that say nothing",
        "online",
        (preset("97 features that say nothing: Winnow"),),
        ("On the same stream: .*Perceptron",),
    ),
    (
        40,
        "a stream that meets the bound",
        "online",
        (preset("Orthonormal points: the bound is met"),),
        ("mistake", "bound"),
    ),
    (
        41,
        "a raw gap that is infinite, repaired",
        "norms",
        (keyed("r"),),
        ("The raw gap is infinite", "Repaired, it is"),
    ),
    (
        42,
        "above λ_max all weights are zero",
        "norms",
        (preset("All weights are zero: λ above λ_max"),),
        ("All .* weights are zero",),
    ),
    (
        43,
        "too large a step of the multiplier",
        "bias",
        (ended(), preset("Far too large: it diverges"), ended()),
        ("diverged; the multipliers swing",),
    ),
    (
        44,
        "a step that is too long diverges",
        "dual-lab",
        (ended(), preset("Too long a step diverges"), ended()),
        ("Diverged after .*the step is too large",),
    ),
    (
        45,
        "the cheapest bound far above the gap",
        "svm-gaps",
        (preset("The cheapest bound far above the truth"),),
        ("≤ cheapest bound",),
    ),
    (
        46,
        "features discarded safely, one by one",
        "screening",
        (ended(),),
        ("discarded", "Reached a relative gap"),
    ),
    (
        47,
        "hinge: no ball, so no screening",
        "screening",
        (preset("Refused: the hinge has no ball"),),
        ("Lipschitz|smooth",),
    ),
    (
        48,
        "a suboptimality that more data do not speed up",
        "inverse-time",
        (preset("Suboptimality does not profit"),),
        ("say nothing about this measure|requires", "Median"),
    ),
    (
        49,
        "a table for regression, certified",
        "your-data",
        (preset("A table for regression"),),
        ("diabetes", "Reached"),
    ),
    (
        50,
        "a vote of the class on the question",
        "svm-gaps",
        (pressed("Let the class vote"),),
        ("Round 1: 0 answers", "vote="),
    ),
)


def seen(page, pattern):
    """Whether a sentence stands on the page, or comes within a while."""
    try:
        if isinstance(pattern, Title):
            page.wait_for_function(TITLED, arg=list(pattern), timeout=WAIT_MS)
        else:
            page.get_by_text(re.compile(pattern)).first.wait_for(timeout=WAIT_MS)
    except Error:
        return False
    return True


def score(browser, address, task, folder):
    """done, part or not, with the number of clicks and what is missing."""
    number, _, name, steps, sentences = task
    page = browser.new_page(viewport={"width": 1440, "height": 1200})
    page.set_default_timeout(2 * WAIT_MS)
    try:
        page.goto(f"{address}/{name}")
        page.locator(".wb-status, .wb-line").first.wait_for(state="attached")
        for _, do in steps:
            do(page)
        missing = [each for each in sentences if not seen(page, each)]
        page.screenshot(path=folder / f"task-{number:02}.png", full_page=True)
    except Error as error:
        missing = [*sentences, str(error).splitlines()[0]]
    finally:
        page.close()
    clicks = sum(count for count, _ in steps)
    found = len(sentences) - len(missing)
    verdict = "not" if found <= 0 or clicks > MOST_CLICKS else "part" if missing else "done"
    return verdict, clicks, missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/tasks"))
    parser.add_argument("--only", default="", help="numbers of tasks, by commas")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    only = {int(each) for each in given.only.split(",") if each}
    counts = {"done": 0, "part": 0, "not": 0}
    with served() as home, chromium() as browser:
        address = home.rsplit("/", 1)[0]
        for task in TASKS:
            if only and task[0] not in only:
                continue
            verdict, clicks, missing = score(browser, address, task, given.folder)
            counts[verdict] += 1
            print(f"{task[0]:2} {verdict:4} {clicks} {task[1]}", *(f"[missing: {each}]" for each in missing))
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
