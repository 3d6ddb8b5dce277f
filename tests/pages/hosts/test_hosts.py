"""Behaviours that a page may rely on, the same in every host: one table."""

import numpy as np
import pytest

from tests.helpers.page_browser import becomes
from tests.pages.hosts.carriers import HOSTS, LIVE

pytest.importorskip("playwright.sync_api")
pytest.importorskip("anywidget")
pytestmark = pytest.mark.browser

FIVE = {"lam": 0.75, "epsilon": 0.3, "seed": 7, "loss": "logistic", "is_slow": True}
MEGABYTES = 5
RANDOM = """async (count) => {
    const array = Float64Array.from({ length: count }, (_, k) => k);
    const answer = await probes[0].host.ask({ type: "double", array });
    return { sum: answer.sum, dtype: answer.dtype, length: answer.array.length,
        is_double: answer.array.every((value, k) => value === 2 * k) };
}"""
FAILS = """async (message) => {
    try { return await probes[0].host.ask(message, { seconds: 30 }); } catch (error) { return error.message; }
}"""


@pytest.fixture(scope="module", params=list(HOSTS))
def host(request, browser, tmp_path_factory):
    with HOSTS[request.param](browser, tmp_path_factory.mktemp(request.param)) as view:
        yield request.param, view


@pytest.fixture
def view(host):
    return host[1]


@pytest.fixture
def live(host):
    """A view in whose host Python answers; a file says so instead, as a test of its own holds."""
    name, view = host
    if name not in LIVE:
        pytest.skip("a file has no Python")
    return view


def ask(view, message, probe=0):
    return view.evaluate(f"(message) => probes[{probe}].host.ask(message)", message)


def state(view, probe=0):
    return ask(view, {"type": "state"}, probe)


def settings(view, probe=0):
    return view.evaluate(f"() => probes[{probe}].host.model.get('settings')")


def test_host_says_its_kind_and_begins_with_the_settings(host):
    name, view = host
    assert view.evaluate("() => probes[0].host.kind") == name
    assert settings(view)["loss"] == "hinge"
    assert [settings(view, k)["lam"] for k in (0, 1)] == [0.5, 0.25]


def test_set_is_seen_by_get_before_it_is_saved_and_heard_once(host):
    name, view = host
    if name in LIVE:
        state(view, 1)  # what Python sends at the begin has come before its answer
    before = view.evaluate("() => probes[1].changes")
    assert view.evaluate("() => probes[1].change({ seed: 3, lam: 0.125 })")["seed"] == 3
    view.wait_for_function("(before) => probes[1].changes === before + 1", arg=before)
    assert settings(view, 1)["lam"] == 0.125
    assert settings(view, 0)["seed"] != 3, "two pages of one document have settings of their own"


def test_preset_of_five_reaches_python_at_once(live):
    before = len(state(live)["batches"])
    live.evaluate("(five) => probes[0].change(five)", FIVE)
    assert becomes(lambda: state(live)["settings"]["seed"], 7) == 7
    after = state(live)
    assert after["settings"] == FIVE
    assert after["batches"][before:] == [5]
    assert state(live, 1)["settings"]["loss"] == "hinge"


def test_preset_of_five_from_python_is_heard_at_once(live):
    before = live.evaluate("() => probes[0].changes")
    other = {"lam": 0.0, "epsilon": 1.0, "seed": 1, "loss": "hinge", "is_slow": False}
    ask(live, {"type": "set", "settings": other})
    live.wait_for_function("() => probes[0].host.model.get('settings').seed === 1")
    assert settings(live) == other
    assert live.evaluate("() => probes[0].changes") == before + 1


# Panel hands on the last of changes within 50 ms, and a busy notebook the last of those that wait.
def test_changes_come_one_after_another(live):
    before = len(state(live)["batches"])
    live.evaluate(
        "() => { for (let k = 1; k <= 40; k += 1) probes[0].change({ seed: 40 + k, lam: k / 64 }); }"
    )
    assert state(live)["batches"][before:] == [2] * 40
    assert settings(live)["seed"] == state(live)["settings"]["seed"] == 80


def test_refused_setting_goes_back_and_says_why(live):
    before = len(live.evaluate("() => probes[0].refusals"))
    live.evaluate("() => { for (const lam of [0.25, 0.5, 7]) probes[0].change({ lam }); }")
    live.wait_for_function("(before) => probes[0].refusals.length > before", arg=before)
    live.wait_for_function("() => probes[0].host.model.get('settings').lam === 0.5")
    assert "lam = 7" in live.evaluate("() => probes[0].refusals.at(-1)")
    assert state(live)["settings"]["lam"] == 0.5


def test_question_gets_its_answer(view):
    answer = view.evaluate(
        "async () => { const a = await probes[0].host.ask({ type: 'facts' });"
        " return { ...a, infinite: a.infinite === Infinity }; }"
    )
    assert answer == {"text": "λ ≤ ∞", "infinite": True, "list": [1, None, True]}


def test_refusal_is_its_sentence_and_a_fault_keeps_its_secret(live):
    assert live.evaluate(FAILS, {"type": "wrong"}) == "lam = 2 is above its bound 1; use 1"
    assert "unknown type 'nothing'; expected one of" in live.evaluate(FAILS, {"type": "nothing"})
    said = live.evaluate(FAILS, {"type": "fault"})
    assert "secret" not in said
    assert "log" in said


def test_file_says_that_it_has_no_python(host):
    name, view = host
    if name == "file":
        assert "needs Python" in view.evaluate(FAILS, {"type": "state"})


def test_cancelled_question_ends_in_both(live):
    before = state(live)["cancelled"]
    said = live.evaluate(
        """async () => {
            const { ask } = probes[0].host, controller = new AbortController();
            const answer = ask({ type: "wait" }, { signal: controller.signal });
            await ask({ type: "facts" });
            controller.abort(new Error("left"));
            return answer.catch((error) => error.message);
        }"""
    )
    assert said == "left"
    assert state(live)["cancelled"] == before + 1


def test_time_limit_ends_a_question_with_a_sentence(live):
    before = state(live)["cancelled"]
    said = live.evaluate(
        "() => probes[0].host.ask({ type: 'wait' }, { seconds: 0.25 }).catch((error) => error.message)"
    )
    assert said == "Python did not answer within 0.25 seconds; try again"
    assert state(live)["cancelled"] == before + 1


def test_page_hears_that_python_is_late_and_that_it_is_not(live):
    live.evaluate("() => { probes[0].late = probes[0].host.ask({ type: 'wait' }); }")
    live.wait_for_function("() => probes[0].isWaiting")
    ask(live, {"type": "open"})
    assert live.evaluate("() => probes[0].late") == {"is_open": True}
    assert live.evaluate("() => probes[0].isWaiting") is False


def test_five_megabytes_go_both_ways(live):
    count = MEGABYTES * 2**20 // 8
    answer = live.evaluate(RANDOM, count)
    assert answer == {
        "sum": float(np.arange(count).sum()),
        "dtype": "float64",
        "length": count,
        "is_double": True,
    }


def test_worker_runs(view):
    assert view.evaluate("() => probes[0].works()") == 2


def test_page_knows_the_theme_and_its_changes(host):
    name, view = host
    assert view.evaluate("() => probes.map((probe) => probe.isDark)") == [False, False]
    if name == "notebook":
        for theme in ("Dark", "Light"):
            change = "(theme) => jupyterapp.commands.execute('apputils:change-theme', { theme })"
            view.evaluate(change, f"JupyterLab {theme}")
            view.wait_for_function(
                f"() => probes.every((probe) => probe.isDark === {str(theme == 'Dark').lower()})"
            )
        return
    view.evaluate("() => { document.body.style.background = 'rgb(18, 18, 18)'; }")
    view.wait_for_function("() => probes.every((probe) => probe.isDark)")
    view.evaluate("() => { document.body.style.background = ''; }")
    view.wait_for_function("() => probes.every((probe) => !probe.isDark)")


def test_bokeh_is_the_hosts_or_comes_once(host):
    import bokeh

    name, view = host
    counts = view.evaluate(
        """async (version) => {
            const before = globalThis.Bokeh;
            const all = await Promise.all([probes[0], probes[0]].map((probe) => probe.bokeh(version)));
            return { is_one: all[0] === all[1], version: all[0].version, is_hosts: all[0] === before,
                draws: typeof all[0].require("embed").add_document_standalone };
        }""",
        bokeh.__version__,
    )
    assert counts == {
        "is_one": True,
        "version": bokeh.__version__,
        "is_hosts": name == "panel",
        "draws": "function",
    }
