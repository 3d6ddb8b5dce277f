"""`wb.live(problem)`: the Dual lab of a problem in a notebook's cell, served on this machine alone.

The door is that of `workbench serve`: its routes, its headers, and no other host. The page's address has a
folder that only the notebook knows, since other accounts of the machine reach its ports.
"""

import dataclasses
import functools
import html
import queue
import secrets
import threading
import urllib.parse

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import spelled
from workbench._support.system import extras
from workbench.data import store
from workbench.data.dataset import Dataset
from workbench.problems import Problem, losses, regularizers

PAGE = "dual-lab"
NAME = "this problem"
# A notebook's own origin is anything: JupyterLab's port, a hub behind a tunnel, an editor's window.
ANYWHERE = "*"
# After which a server that does not answer is given up.
STARTING_SECONDS = 60.0


class Live:
    """A page in a frame; `url` opens it in a window of its own.

    Attributes
    ----------
    url : str
    height : int
        Of the frame, in pixels.
    """

    def __init__(self, url, height):
        self.url, self.height = url, height

    def _repr_html_(self):
        address = html.escape(self.url, True)
        return (
            f"<iframe src='{address}' title='Dual lab' width='100%' height='{self.height}' "
            "style='border:0'></iframe>"
            f"<div><a href='{address}' target='_blank'>in a window of its own</a></div>"
        )

    def __repr__(self):
        return f"Live({self.url})"


def live(problem: Problem, height: int = 900) -> Live:
    """The Dual lab of this very problem: its data, loss, regularizer and lambda.

    Parameters
    ----------
    problem : Problem
    height : int
        Of the frame in the cell, in pixels.

    Returns
    -------
    Live
        Shows itself in a notebook. The server answers to this machine alone and ends with the process; a
        notebook on another machine needs a tunnel to it.

    Raises
    ------
    InputError
        The page has no control for a part of the problem, by its name.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> view = wb.live(wb.Problem(X, y, "hinge", lam=0.1))  # doctest: +SKIP
    """
    extras.need("pages", "wb.live")
    choices = settings_of(problem)
    rows = problem.rows if problem.design.dense is None else problem.design.dense
    X = rows[:, : problem.n_features]
    names = tuple(f"feature {j}" for j in range(problem.n_features))
    dataset = Dataset(NAME, X, problem.y, None, None, names, "")
    record = {"name": NAME, "task": problem.loss.kind, "options": {}, "bias": problem.bias}
    source = store.PREFIX + store.store().put(dataset, problem.digest.encode(), record, None)
    query = urllib.parse.urlencode({"source": source, **choices})
    return Live(f"http://localhost:{_port()}/{_secret()}/{PAGE}?{query}", height)


def settings_of(problem):
    """The choices of the page that give the problem.

    Raises
    ------
    InputError
        It has a part that the page has no control for.
    """
    from workbench.pages.dual_lab import model as dual_lab

    if problem.kernel is not None or problem.free_bias or problem.constraints is not None:
        what = "a kernel" if problem.kernel is not None else "an unregularized bias or constraints"
        raise InputError(f"live: the Dual lab has no control for {what}; use bias='constant' and no kernel")
    if np.ptp(problem.weight) or problem.weight[0] != 1.0:
        raise InputError("live: the Dual lab has no control for sample weights; leave them out")
    settings = {"lam": problem.lam}
    tables = {
        "loss": (losses, dual_lab.LOSSES, dual_lab.LOSS_CONTROLS),
        "regularizer": (regularizers, dual_lab.REGULARIZERS, dual_lab.REGULARIZER_CONTROLS),
    }
    for kind, table in tables.items():
        label, values = _page_name(kind, getattr(problem, kind), *table)
        settings |= {kind: label, **values}
    model = dual_lab.DualLab.param
    for name, value in settings.items():
        bounds = getattr(model[name], "bounds", None)
        if bounds is not None and not bounds[0] <= value <= bounds[1]:
            raise InputError(
                f"live: {name} = {value:g} is outside what the Dual lab draws; choose one from {bounds[0]:g} "
                f"to {bounds[1]:g}"
            )
    embed = "balanced" if problem.regularizer.entry["lower"] == 0.0 else None
    if problem.embed != embed:
        raise InputError(f"live: the Dual lab solves this regularizer with embed={embed!r}; use that")
    return settings


def _page_name(kind, term, module, names, controls):
    """The page's name of a loss or a regularizer, and the values of its controls."""
    for label, text in names.items():
        like = module.get(text)
        values = {parameter: control for parameter, control in controls.items() if hasattr(term, parameter)}
        if type(like) is type(term):
            candidate = module.get(text if not values else _with(text, term, values))
            if candidate == term:
                return label, {control: float(getattr(term, name)) for name, control in values.items()}
    raise InputError(
        f"live: the Dual lab has no {kind} {spelled(term)}; it has "
        f"{', '.join(dict.fromkeys(text.partition(':')[0] for text in names.values()))}"
    )


def _with(text, term, values):
    inside = ",".join(f"{parameter}={getattr(term, parameter)!r}" for parameter in values)
    return f"{text}{',' if ':' in text else ':'}{inside}"


@functools.cache
def _secret():
    """The folder of the page's address, which nobody knows but the notebook."""
    return secrets.token_urlsafe(16)


@functools.cache
def _port():
    """The port of this process's server, which a thread runs; started when it is first asked for."""
    answers = queue.Queue()
    # A daemon, so that the process ends when the notebook does.
    threading.Thread(target=_run, args=(answers,), name="workbench-live", daemon=True).start()
    port = answers.get(timeout=STARTING_SECONDS)
    if isinstance(port, BaseException):
        raise InputError(f"live: the server did not start ({port}); free a port of this machine") from port
    return port


def _run(answers):
    """Serve until the process ends; the port, or what went wrong, goes into the queue."""
    try:
        import asyncio

        from tornado.ioloop import PeriodicCallback

        from workbench.pages import registry
        from workbench.pages.hosts import served
        from workbench.pages.server import routes, serve
        from workbench.pages.server.places import Places

        asyncio.set_event_loop(asyncio.new_event_loop())
        settings = dataclasses.replace(serve.Settings(port=0).checked(), embedders=(ANYWHERE,))
        server = serve.started({f"{_secret()}/{PAGE}": served.opener(registry.of(PAGE))}, settings)
        places = Places(settings.max_sessions)
        places.begin(0)
        # The list of pages would tell the secret.
        gate = routes.guard(server._tornado, places, settings.embedders, listed=False)
        PeriodicCallback(gate.refresh, serve.REFRESH_SECONDS * 1000).start()
        server.start()
    except Exception as error:
        answers.put(error)
        return
    answers.put(server.port)
    server.io_loop.start()
