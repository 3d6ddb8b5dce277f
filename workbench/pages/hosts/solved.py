"""A page whose runs are solved by engines: in the browser, and by Python what that cannot."""

import asyncio
import contextlib

from workbench._support.errors import InputError
from workbench.pages import address
from workbench.pages.hosts.engines import LONGEST_ID, Engines
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.wasm import bundle

# The messages that every page of runs sends, whatever its settings.
PLAIN = tuple({"type": type} for type in ("page", "bokeh", "engine"))


class SolvedPage(FigurePage):
    """A page of runs.

    A page of its own kind gives `problem(names)`, the problem that an engine in Python takes, from what
    `needs` of its module names.
    """

    def __init__(self, **values):
        super().__init__(**values)
        self.engines, self.tasks = None, set()

    def problem(self, names):
        """Return the problem of the names; its terms and lambda are replaced."""
        raise NotImplementedError

    def solver_names(self):
        """Return the names of the solvers that the page's module asks for: those of its facts."""
        facts = self.facts()
        solvers = [facts["solver"]] if "solver" in facts else facts.get("solvers", {}).values()
        return {solver["name"] for solver in solvers}

    def answer_engine(self):
        """Return the worker's script, the kernels and the table of their functions."""
        return {
            "source": bundle.source(),
            "kernels": bundle.MODULE.read_bytes(),
            "functions": bundle.functions(),
        }

    def answer_compute(self, name, message):
        """Take a message to the engine in Python of a name; its answers are events."""
        if not isinstance(name, str) or len(name) > LONGEST_ID:
            raise InputError(f"compute: expected the name of an engine, at most {LONGEST_ID} characters")
        if self.engines is None:
            self.engines = Engines(self.problem, self._on_answer, solvers=self.solver_names())
        self.begin_task(self.engines.take(name, message))
        return {}

    def begin_task(self, work):
        """Begin a coroutine, which ends with the page."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _on_answer(self, message):
        self.emit(message)

    def close(self):
        if self.engines is not None:
            self.engines.close()
            self.engines = None
        for task in self.tasks:
            task.cancel()

    def check_source(self, source):
        """Refuse a source that the page does not offer."""
        if source not in self.param.source.objects:
            raise InputError(
                f"unknown source {source!r}; expected one of {', '.join(self.param.source.objects)}"
            )

    def check_term(self, kind, terms, name):
        """Return the name of a term if it is one of a table's, with a parameter within its bounds."""
        begins = {}
        for term in terms.values():
            control = term["control"]
            begin = f"{term['text']}{term['separator']}{term['parameter']}=" if control else term["text"]
            begins[begin] = control and self.param[control].bounds
        for begin, bounds in begins.items():
            if name == begin and not bounds:
                return name
            if bounds and isinstance(name, str) and name.startswith(begin):
                with contextlib.suppress(ValueError):
                    address.number(begin, *bounds).read(name.removeprefix(begin))
                    return name
        raise InputError(f"unknown {kind}; expected one of {', '.join(begins)}")
