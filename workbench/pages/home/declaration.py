"""Home as a page that every host carries: a story of seven screens, the pages in groups, a lesson's text."""

import json
from pathlib import Path
from typing import ClassVar

import param

from workbench._support.errors import InputError
from workbench._support.system import resources
from workbench.pages import formulas, lectures, registry, theme
from workbench.pages.home import lesson_text, pictures
from workbench.pages.hosts.page import Page

STORY = json.loads(Path(__file__).with_name("story.json").read_text("utf-8"))
LAST = len(STORY["screens"])


class Home(Page):
    """A story for those who never saw duality, whose examples are solved in closed form or to a shown gap.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Home(screen=3).screen
    3
    """

    title, bundle = "Home", "home"
    slow = ("lesson",)
    bounds: ClassVar = {"alpha": (-0.1, 0.6), "place": (-4.0, 4.0)}

    screen = param.Selector(default=1, objects=[*range(1, LAST + 1)], doc="the screen of the story")
    touch = param.Number(0.05, bounds=(-0.3, 1.0), doc="the weight at which the tangent touches")
    alpha_1 = param.Number(0.02, bounds=bounds["alpha"], doc="the dual variable of the first sample")
    alpha_2 = param.Number(0.08, bounds=bounds["alpha"], doc="the dual variable of the second sample")
    point = param.Integer(0, bounds=(0, len(STORY["plane"]["y"])), doc="the point that is moved, from 1")
    point_x = param.Number(0.0, bounds=bounds["place"], doc="where that point is, across")
    point_y = param.Number(0.0, bounds=bounds["place"], doc="where that point is, up")
    lam = param.Number(0.1, bounds=(0.1, 3.0), doc="weight of the regularizer of the dead zone")
    lesson = param.Selector(default="", objects=["", *resources.lessons()], doc="the lesson that is read")

    def answer_page(self):
        """Return the story, the pages that are here in their sections, and the looks."""
        lessons = resources.lessons()
        pages = self._pages()
        return {
            "title": self.title,
            "story": STORY | {"screens": [_linked(screen) for screen in STORY["screens"]]},
            "rows": [self._row(name) for name in self.names()],
            "sections": [
                {"title": title, "pages": [self._card(page, lessons.get(page.lesson)) for page in members]}
                for title, members in sections(pages)
            ],
            "links": self._links([page.name for page in pages]),
            "missing": [page.title for page in registry.pages().values() if not self._is_here(page.name)],
            "styles": {name: _style(name == "dark") for name in ("light", "dark")},
            "grounds": {name: theme.look(name == "dark").ground for name in ("light", "dark")},
        }

    def answer_lesson(self, name):
        """Return the title of a lesson and its cells."""
        path = resources.lessons().get(name) if isinstance(name, str) else None
        if path is None:
            raise InputError(f"unknown lesson {str(name)[:40]!r}; expected one of those on Home")
        return {"title": lesson_text.title(path), "file": path.name, "cells": lesson_text.rendered(path)}

    def answer_formulas(self):
        """Return KaTeX, its style sheet and its fonts."""
        return {"script": formulas.katex(), "sheet": formulas.sheet(), "faces": formulas.faces()}

    def packed_messages(self):
        return [{"type": "page"}]

    def _pages(self):
        return [page for page in registry.pages().values() if page.sentence and self._is_here(page.name)]

    def _is_here(self, name):
        return not self.others or name in self.others

    def _links(self, names):
        if self.others:
            return self.others
        return {name: self.published.format(name=name) for name in names if self.published}

    def _row(self, name):
        parameter = self.param[name]
        row = {"name": name, "kind": "linear", "label": name}
        if isinstance(parameter, param.Selector):
            return row | {"kind": "select", "options": list(parameter.objects)}
        low, high = parameter.bounds
        return row | {"low": low, "high": high, "integer": isinstance(parameter, param.Integer)}

    @staticmethod
    def _card(page, lesson):
        title = lesson and lesson_text.title(lesson)
        return {
            "name": page.name,
            "title": page.title,
            "picture": pictures.svg(page),
            "sentence": page.sentence,
            "lesson": page.lesson if lesson else "",
            "lesson_title": title or "",
        }


def sections(pages):
    """Return pairs of a title and its pages: a group, or all groups of one page together after the first."""
    groups = registry.grouped(pages)
    alone = [page for group, members in groups if group and len(members) == 1 for page in members]
    titled = [(group or "More pages", members) for group, members in groups if len(members) > 1 or not group]
    together = [(" · ".join(page.title for page in alone), alone)] if alone else []
    return [*titled[:1], *together, *titled[1:]]


def _linked(screen):
    """Return a screen with the address of the step of a page that shows the same on the projector."""
    steps = lectures.story(screen["page"])
    query = steps[screen["step"] - 1].removeprefix("?") if 0 < screen["step"] <= len(steps) else ""
    return screen | {"query": query}


def _style(is_dark):
    look = theme.look(dark=is_dark)
    return "".join(look.sheet(name) for name in ("page", "home"))
