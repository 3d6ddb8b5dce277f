"""Serving the pages: which ones, on which port, and who may reach them."""

import contextlib
import dataclasses
import errno
import functools
import gc
import os
import signal
import socket
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from workbench._support.errors import InputError
from workbench.conjugates.convex.worker import close_shared
from workbench.conjugates.convex.worker import share as share_derivers
from workbench.data import store
from workbench.data.tables import limits
from workbench.pages.server import hosts

DEFAULT_PORT = 5006
# Enough for an uploaded table of some hundred thousand numbers; Bokeh sends uploads as messages.
MAX_UPLOAD_MB = 20
MAX_SESSIONS = 60
# A picture goes out in some forty writes, after each of which the loop has to get the interpreter back from
# threads that compute; with Python's 5 ms, a few visits keep the others waiting.
SWITCH_SECONDS = 0.0005
# Visits that end are cleared away once none has ended for this time.
COLLECT_SECONDS = 20
# Nearly all that a page makes stays as long as the page: Python's collection after every 700 new objects took
# a sixth of the time in which pages are built.
NEW_OBJECTS = 20_000
# What a connection asks for begins within this time; a page that it builds then keeps the loop.
BEGUN_SECONDS = 0.002
# So late the other processes learn that visits of this one have ended.
REFRESH_SECONDS = 1
# HTTP itself brings no more than a question; uploads are messages.
QUESTION_BYTES = 64 * 1024
# A connection that says nothing more.
IDLE_SECONDS = 90
# Panel's own list of pages fetches its style and fonts from the network.
INDEX = Path(__file__).with_name("index.html")
HINT = "use localhost, 0.0.0.0 or an address of this machine"


class PortInUse(InputError):
    """Another program listens on the port."""


@dataclass(frozen=True)
class Settings:
    """The pages that are served, and the limits for visitors.

    Attributes
    ----------
    names : sequence of str
        Pages; all of them where none is given.
    port : int, optional
        0 takes a free one; without a number it is 5006, or the next free port.
    address : str
        What to listen on; anything but localhost opens the pages to the network.
    show : bool
        Whether to open the page in a browser, where the machine has a screen.
    origins : sequence of str
        Further host:port texts under which browsers on the network reach the pages; websockets from there and
        requests to these hosts are answered.
    workers : int
        Processes that share the visitors.
    max_upload : int
        The largest message from a browser and the largest uploaded file, in megabytes.
    max_sessions : int
        Visits at the same time in all processes together; a further one gets a sentence.
    max_per_address : int, optional
        Visits at the same time from one address.
    embedders : sequence of str
        Origins whose pages may show these in a frame.
    proxies : sequence of str
        Addresses of proxies; what their X-Forwarded-For says is taken for the visitor's address.
    """

    names: tuple = ()
    port: int | None = None
    address: str = "localhost"
    show: bool = True
    origins: tuple = ()
    workers: int = 1
    max_upload: int = MAX_UPLOAD_MB
    max_sessions: int = MAX_SESSIONS
    max_per_address: int | None = None
    embedders: tuple = ()
    proxies: tuple = ()

    def checked(self):
        """Return the settings with a port that is free, and names in their canonical form.

        Raises
        ------
        InputError
            A port that was asked for and is in use, an address that is not this machine's, an unknown name,
            workers without fork.
        """
        port = free_port(self.address) if self.port is None else check_port(self.address, self.port)
        if self.workers > 1 and not hasattr(os, "fork"):
            raise InputError(f"--workers {self.workers} needs a system that forks; use 1 here")
        origins = map(hosts.checked_origin, self.origins)
        return dataclasses.replace(
            self,
            port=port,
            origins=tuple(dict.fromkeys([*hosts.websocket_origins(self.address, port), *origins])),
            embedders=tuple(map(hosts.checked_embedder, self.embedders)),
            proxies=tuple(map(hosts.checked_proxy, self.proxies)),
        )


def serve(settings, say, warn):
    """Serve pages until Ctrl-C; every session opens a page of its own, so it has its own state.

    Parameters
    ----------
    settings : Settings
    say, warn : callable
        Take one sentence each: where the pages are, and who can reach them.

    Raises
    ------
    InputError
        An unknown page, or what `Settings.checked` refuses.
    """
    pages = _pages(settings.names)
    automatic_port = settings.port is None
    settings = settings.checked()

    from tornado.process import task_id

    from workbench.pages import registry
    from workbench.pages.server import logs, routes, turns
    from workbench.pages.server.admission import Admission

    logs.bound()
    registry.served[:] = pages
    first = os.getpid()
    admission = Admission(settings.max_sessions, settings.max_per_address, settings.workers)
    turns.share(settings.workers)
    share_derivers(settings.workers)
    if settings.workers > 1 and threading.current_thread() is threading.main_thread():
        # The first process waits for the others outside of any loop. A shell that starts it in the background
        # has it ignore Ctrl-C, which a server of one process still hears.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
    with _shared_by_visits(settings.max_upload):
        server = started(pages, settings)
        # Each process gets here, before it answers anything.
        admission.begin(task_id() or 0)
        gate = routes.guard(server._tornado, admission, settings.embedders, settings.proxies)
        if not task_id():  # the first one speaks
            if automatic_port and settings.port != DEFAULT_PORT:
                say(f"Port {DEFAULT_PORT} is in use; the pages are on port {settings.port}.")
            _announce(server, pages, settings, say, warn)
        threading.Thread(target=_import_data, daemon=True).start()
        _run(server, gate, first if settings.workers > 1 else None)


def _pages(names):
    """Return what opens each page by canonical name, so that "dual_lab" is served where its sentence says."""
    from workbench.pages import registry
    from workbench.pages.hosts import served

    selection = [registry.of(name) for name in names] if names else registry.pages().values()
    return {page.name: served.opener(page) for page in selection}


def started(pages, settings):
    """Panel's server of the pages, in as many processes as there are workers."""
    import panel as pn
    from panel.io import reload

    from workbench.pages.server import headers

    # Panel records the modules imported while it makes a document, to reload them, which is not used here. It
    # raises a KeyError if another thread is importing a module at that moment, so all modules are ignored.
    reload.IGNORED_MODULES.append("")
    with _explained(settings.address, settings.port):
        return pn.serve(
            pages,
            port=settings.port,
            address=settings.address,
            websocket_origin=list(settings.origins),
            show=False,
            start=False,
            verbose=False,
            title="Duality Workbench",
            index=str(INDEX),
            num_procs=settings.workers,
            transforms=[functools.partial(headers.Headers, list(settings.embedders))],
            **_limits(settings.max_upload),
            **_signed(),
        )


def _import_data():
    """Import scikit-learn, which has the data of most pages: the first visit would wait for it."""
    import sklearn.datasets  # noqa: F401


def _run(server, gate, parent):
    """Answer until told to stop; a worker stops as well when its `parent` has ended."""
    from tornado.ioloop import PeriodicCallback

    server.io_loop.asyncio_loop.set_exception_handler(_quietly)
    if parent is not None:
        # Nobody would be left who could stop it.
        PeriodicCallback(lambda: os.getppid() != parent and server.io_loop.stop(), 1000).start()
        _accept_singly(server._http, server.io_loop)
    PeriodicCallback(gate.refresh, REFRESH_SECONDS * 1000).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    _collect_seldom()
    _stop_on_signals(server.io_loop)
    server.start()
    server.io_loop.start()
    server.stop()


def _accept_singly(http, loop):
    """Take a connection when what the one before asks for has begun.

    A process that took all who wait would build a page for each in turn, while the next one idles.
    """

    def listen(waiting):
        if waiting.fileno() >= 0:
            loop.add_handler(waiting, accept, loop.READ)

    def accept(waiting, events):
        try:
            connection = waiting.accept()
        except (BlockingIOError, ConnectionAbortedError):
            return  # another process was faster, or the visitor has left
        loop.remove_handler(waiting)
        loop.call_later(BEGUN_SECONDS, listen, waiting)
        http._handle_connection(*connection)

    for waiting in http._sockets.values():
        loop.remove_handler(waiting)
        listen(waiting)


@contextlib.contextmanager
def _shared_by_visits(max_upload):
    """A folder for uploads, which the first process takes away; in each process a worker for derivations."""
    first = os.getpid()
    store.open_store(caps=limits.Limits(megabytes=max_upload))
    try:
        yield
    finally:
        close_shared()
        if os.getpid() == first:
            store.close_store()


def _stop_on_signals(loop):
    """End the loop at Ctrl-C and at SIGTERM, as an event: Python drops what is raised in a finalizer."""
    if threading.current_thread() is threading.main_thread():
        with contextlib.suppress(NotImplementedError):  # Windows raises KeyboardInterrupt
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.asyncio_loop.add_signal_handler(number, loop.stop)


def _collect_seldom():
    """Have Panel's collection of garbage, during which a process stands still, be seldom and short."""
    from panel.io import document

    document.GC_DEBOUNCE = COLLECT_SECONDS
    gc.collect()
    gc.freeze()  # what is there before any visit stays
    gc.set_threshold(NEW_OBJECTS)


def _quietly(loop, context):
    """Report what went wrong in the loop, but not that a visitor closed a page which was being drawn."""
    from tornado.websocket import WebSocketClosedError

    if not isinstance(context.get("exception"), WebSocketClosedError):
        loop.default_exception_handler(context)


def _announce(server, pages, settings, say, warn):
    """Say where the pages are and who can reach them, and open the page."""
    host = socket.gethostname() if settings.address in hosts.WILDCARDS else settings.address
    base = f"http://{host}:{settings.port}/"
    if not hosts.is_local(settings.address):
        warn(
            f"everybody on the network can use these pages and this machine's time; "
            f"browsers reach them as {', '.join(settings.origins)}"
        )
    url = base + next(iter(pages)) if len(pages) == 1 else base
    names = "" if len(pages) == 1 else f"{', '.join(pages)}; "
    say(f"Serving {url} ({names}Ctrl-C stops)")
    if settings.show and _has_screen():
        import webbrowser

        server.io_loop.add_callback(webbrowser.open, url)


def free_port(address):
    """Return the default port or the first free one after it; among ten that are in use, any free port."""
    for port in range(DEFAULT_PORT, DEFAULT_PORT + 10):
        with contextlib.suppress(PortInUse):
            return check_port(address, port)
    return check_port(address, 0)


def check_port(address, port):
    """The port, or a free one for 0, after binding it once; says what to do where that fails."""
    if ":" in address:
        # Bokeh cannot tell an IPv6 address from its port when it checks where a browser comes from.
        raise InputError(f"--address {address!r} is an IPv6 address, which cannot be served; {HINT}")
    with _explained(address, port), socket.socket() as probe:
        if os.name != "nt":
            # As the server will: a port that was left a moment ago is free.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((address, port))
        return probe.getsockname()[1]


@contextlib.contextmanager
def _explained(address, port):
    """Turn the operating system's refusals into sentences."""
    try:
        yield
    except socket.gaierror:
        raise InputError(f"--address {address!r} is not an address; {HINT}") from None
    except OSError as error:
        sentences = {
            errno.EADDRINUSE: f"port {port} is in use; pass another with --port N, or 0 for any free one",
            errno.EACCES: f"port {port} is reserved for the system; pass --port N with N above 1023",
            errno.EADDRNOTAVAIL: f"--address {address!r} is not this machine's; {HINT}",
        }
        if error.errno not in sentences:
            raise
        kind = PortInUse if error.errno == errno.EADDRINUSE else InputError
        raise kind(sentences[error.errno]) from None


def _limits(max_upload):
    """The message cap, which Bokeh's uploads come under, and what HTTP needs."""
    size = max_upload * 2**20
    http = {
        "max_buffer_size": size,
        "max_body_size": QUESTION_BYTES,
        "idle_connection_timeout": IDLE_SECONDS,
        "body_timeout": IDLE_SECONDS,
    }
    return {"websocket_max_message_size": size, "http_server_kwargs": http}


def _signed():
    """Signed tokens: a session is one that this server has begun."""
    from bokeh.util.token import generate_secret_key

    return {"sign_sessions": True, "secret_key": generate_secret_key()}


def _has_screen():
    # Without one, `webbrowser` would start a text browser in the terminal.
    displays = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or any(displays)
