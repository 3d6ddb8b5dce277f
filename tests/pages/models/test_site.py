"""The dashboard as a folder of files: what is written, what is refused, where its links lead."""

import dataclasses
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from tests.helpers.page_browser import chromium, need_chromium
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.pages import registry, site, theme
from workbench.pages.home.declaration import Home
from workbench.pages.hosts import file


@pytest.fixture
def quick(monkeypatch):
    """Every page is a sentence, since what the pages hold is tested elsewhere, and takes minutes."""
    pages = {
        name: dataclasses.replace(page, picture=lambda: ((np.arange(3.0), np.arange(3.0), "solid"),))
        for name, page in registry.pages().items()
    }
    monkeypatch.setattr(registry, "pages", lambda: pages)
    answers = file.answers_of
    monkeypatch.setattr(
        file,
        "answers_of",
        lambda page, messages: (
            answers(page, messages) if isinstance(page, Home) else {file.key_of(m): "" for m in messages}
        ),
    )


def test_a_site_has_every_page_that_needs_no_server(quick, tmp_path):
    folder = tmp_path / "new" / "site"
    sizes = site.write(folder)
    names = registry.pages().keys() - {"home"}
    pages, pictures = ({f"{name}.{kind}" for name in names} for kind in ("html", "png"))
    former = {f"{name}.html" for name in registry.former()}
    assert set(sizes) == pages | former | pictures | {"index.html", "runtime.js", "answers.js"}
    assert sizes == {path.name: path.stat().st_size for path in folder.iterdir()}
    index = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r"href='([^']*)'", index)
    assert set(links) - {"#page"} == pages | {"index.html"}
    assert "<footer class=next><a data-page href='conjugates.html'>" in index
    for name in pages:
        text = (folder / name).read_text(encoding="utf-8")
        assert re.search(r"<a[^>]* href=.index\.html.>", text)
        assert {link for link in re.findall(r"<a[^>]* href=.([^'\">]*)", text) if link in pages} == pages
        assert text.count('src="runtime.js"') == text.count('src="answers.js"') == 1
        assert "script-src 'self'" in text
        # What a link to it shows where it is shared.
        assert f'property="og:image" content="{name[:-4]}png"' in text
        assert (folder / f"{name[:-4]}png").read_bytes()[:4] == b"\x89PNG"


def test_the_file_of_a_former_name_opens_the_page_with_its_settings(tmp_path):
    need_chromium()
    page = dataclasses.replace(registry.of("bias"), former={"old": {"lam": "0.5", "seed": "2"}})
    (tmp_path / "old.html").write_text(site.moved_text("old", page), encoding="utf-8")
    (tmp_path / "bias.html").write_text("<title>Bias</title>", encoding="utf-8")
    with chromium() as browser:
        for address, query in (
            ("", "lam=0.5&seed=2"),
            ("?lam=1", "lam=1&seed=2"),
            ("#lam=1&t=d", "lam=1&seed=2&t=d"),
        ):
            view = browser.new_page()
            view.goto(f"{(tmp_path / 'old.html').as_uri()}{address}", wait_until="commit")
            view.wait_for_url(f"**/bias.html#{query}")


def test_files_that_exist_are_kept_unless_told(quick, tmp_path):
    (tmp_path / "dual-lab.html").write_text("mine")
    result = CliRunner().invoke(app, ["site", str(tmp_path)])
    assert result.exit_code == 2
    assert "dual-lab.html already exists" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["dual-lab.html"]
    assert (tmp_path / "dual-lab.html").read_text() == "mine"
    result = CliRunner().invoke(app, ["site", str(tmp_path), "--force", "--theme", "dark"])
    assert result.exit_code == 0, result.stderr
    assert theme.look(dark=True).ground in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "index.html: 0.1 MB" in result.stdout
    with pytest.raises(InputError, match="cannot be made"):
        site.write("/proc/site")
    assert "light or dark" in CliRunner().invoke(app, ["site", str(tmp_path), "--theme", "pink"]).stderr


@pytest.mark.browser
def test_links_lead_there_and_back(quick, tmp_path):
    need_chromium()
    site.write(tmp_path)
    with chromium() as browser:
        context = browser.new_context(offline=True, viewport={"width": 390, "height": 844})
        page, said = context.new_page(), []
        page.on("console", lambda m: m.type in ("error", "warning") and said.append(m.text))
        page.goto((tmp_path / "index.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.locator("a.to", has_text="Norms that choose").click()
        page.wait_for_url("**/norms.html*")
        page.locator("details.menu summary").click()
        page.locator("details.menu").get_by_role("link", name="Home", exact=True).click()
        page.locator("a.to", has_text="Norms that choose").wait_for()
        assert said == []
        context.close()
