"""Home: its groups and pictures, the numbers of its story by other means, and the texts of lessons."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.svm import LinearSVC

from workbench._support.errors import InputError
from workbench.pages import bundling, lectures, registry
from workbench.pages.home import declaration, pictures
from workbench.pages.home.declaration import STORY, Home, sections
from workbench.pages.hosts import links

FRAMES = Path(__file__).parents[1] / "hosts" / "home.test.mjs"
CARDS = [name for name, page in registry.pages().items() if page.sentence]


@pytest.mark.parametrize("page", CARDS)
def test_every_card_has_curves(page):
    curves = pictures.curves_of(registry.of(page))
    for x, y, stroke in curves:
        assert x.size == y.size > 2
        assert np.isfinite(x).all()
        assert np.isfinite(y).all()
        assert stroke in pictures.DASHES


@pytest.mark.parametrize("page", [name for name in CARDS if registry.of(name).picture])
def test_recorded_pictures_are_those_of_the_pages(page):
    recorded, paths = pictures.recorded()[page], pictures.paths_of(registry.of(page))
    assert [dash for _, dash in recorded] == [dash for _, dash in paths]
    for (text, _), (path, _) in zip(recorded, paths, strict=True):
        places = [np.array(re.findall(r"[-0-9.]+", line), float) for line in (text, path)]
        np.testing.assert_allclose(*places, atol=0.5, err_msg="run python -m workbench.pages.home.pictures")


def test_record_has_no_page_that_is_gone():
    assert set(pictures.recorded()) <= set(CARDS)


@pytest.mark.parametrize("name", ["x", None, ["dual-lab"]])
def test_unknown_lesson_is_refused(name):
    with pytest.raises(InputError, match="unknown lesson"):
        Home().answer({"type": "lesson", "name": name})


def test_groups_have_all_pages_in_the_order_of_the_menu():
    groups = registry.grouped(registry.pages().values())
    assert [group for group, _ in groups] == ["Home", "Learn", "Dual lab", "Solvers", "Your data"]
    assert [page.name for _, members in groups for page in members] == list(registry.pages())
    table = dict(groups)
    assert [page.name for page in table["Learn"]] == ["conjugates", "transfer", "simplex"]
    assert {"bias", "svm-gaps", "norms", "inverse-time", "online"} <= {page.name for page in table["Solvers"]}


def test_home_has_three_sections():
    shown = sections([registry.of(name) for name in CARDS])
    assert [len(members) for _, members in shown][:2] == [3, 2]
    assert [title for title, _ in shown] == ["Learn", "Dual lab · Your data", "Solvers"]
    assert sorted(page.name for _, members in shown for page in members) == sorted(CARDS)


def test_unknown_group_is_refused():
    with pytest.raises(InputError, match=r"page x: unknown group 'Leisure'; expected one of Learn, Dual lab"):
        registry._complete(registry.Declaration("x", group="Leisure"), "x", "workbench.pages.home")


def test_next_leads_through_all_pages_that_are_here():
    here, name, walked = set(registry.pages()) - {"transfer"}, "home", ["home"]
    while page := registry.following(name, here):
        name = page.name
        walked.append(name)
        assert f"href='{name}'" in links.footer(
            registry.of(walked[-2]), dict.fromkeys(here, "") | {name: name}
        )
    assert walked == [page for page in registry.pages() if page != "transfer"]
    assert links.footer(registry.of(name), dict.fromkeys(here, "")) == ""


def test_menu_names_groups_of_several_pages():
    text = links.header(registry.of("bias"), {name: name for name in registry.pages()})
    assert re.findall(r"aria-label='([^']+)'><b>", text)[:2] == ["Learn", "Solvers"]
    assert re.findall(r"href='([^']+)' aria-current", text) == ["bias", "bias"]


# --- the story


def test_price_and_weight_are_those_of_scikit_learn():
    samples = STORY["samples"]
    x, y = np.array(samples["x"])[:, None], np.array(samples["y"])
    model = Ridge(samples["lam"] * y.size, fit_intercept=False).fit(x, y)
    (w,) = model.coef_

    def price(w):
        return 0.5 * np.mean((x[:, 0] * w - y) ** 2) + 0.5 * samples["lam"] * w**2

    assert price(samples["w"]) / price(w) - 1 < 1e-4
    assert f"{price(w):.4f}" == f"{price(samples['w']):.4f}" == "0.0620"


def test_far_point_and_support_vector_are_those_of_scikit_learn():
    plane = STORY["plane"]

    def boundary(points):
        X = np.column_stack([points, np.ones(len(points))])
        cost = 1 / (plane["lam"] * len(points))
        model = LinearSVC(C=cost, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=10**7)
        return model.fit(X, plane["y"]).coef_[0]

    before, changes = boundary(plane["x"]), {}
    for name in ("far", "support"):
        points = [list(point) for point in plane["x"]]
        move = plane[name]
        points[move["point"] - 1] = [move["point_x"], move["point_y"]]
        changes[name] = np.abs(boundary(points) - before).max()
    assert changes["far"] < 1e-4
    assert changes["support"] > 0.3


def test_screens_begin_at_settings_of_home_and_lead_to_steps_of_pages():
    for screen in STORY["screens"]:
        page = Home(**screen["state"])
        assert {name for name, _ in screen["controls"]} <= set(page.names())
        question = screen.get("question")
        if question:
            assert 0 <= question["correct"] < len(question["options"])
            then = question.get("then", {})
            Home(**(STORY["plane"][then] if isinstance(then, str) else then))
        if screen["page"]:
            assert (
                declaration._linked(screen)["query"] == lectures.story(screen["page"])[screen["step"] - 1][1:]
            )
    assert len(STORY["screens"]) == 8
    assert len(STORY["screens"][-1]["doors"]) == 3
    assert all(door in registry.pages() for door, *_ in STORY["screens"][-1]["doors"])


def test_addresses_are_those_of_the_host():
    home = Home()
    assert home.answer({"type": "page"})["links"] == {}
    home.others = {"home": "index.html", "bias": "bias.html"}
    facts = home.answer({"type": "page"})
    assert facts["links"]["bias"] == "bias.html"
    assert [page["name"] for section in facts["sections"] for page in section["pages"]] == ["bias"]
    assert "Dual lab" in facts["missing"]


def test_lesson_is_text_with_formulas_and_code():
    answer = Home().answer({"type": "lesson", "name": "05_gauss_seidel"})
    words = "".join(text for kind, text in answer["cells"] if kind == "markdown")
    assert f"<h1>{answer['title']}</h1>" in words
    assert "<wb-tex" in words
    assert any(kind == "code" and "wb." in text for kind, text in answer["cells"])


def test_examples_and_pictures_of_the_story():
    command = [bundling.node(), "--test", FRAMES]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout


def test_a_page_links_back_to_its_lesson_where_lessons_can_be_read():
    assert "href='home?lesson=07_bias'" in links.footer(registry.of("bias"), {"bias": "bias"}, "home?lesson=")
    assert links.footer(registry.of("bias"), {"bias": "bias"}) == ""
