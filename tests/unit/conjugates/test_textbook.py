"""Results read as a textbook prints them, and an accepted result is never one whose verification failed."""

import mpmath
import pytest
import sympy as sp

import workbench as wb
from tests.helpers.amounts import few
from workbench.conjugates.convex import verify
from workbench.conjugates.convex.tidy import textbook
from workbench.conjugates.convex.units import units_of

U, V, A = sp.symbols("u v a", real=True)
# formula: (domain, parameters, root of the curved piece, value there)
PRINTED = {
    "log(1 + exp(u))": (None, None, "log(v/(1 - v))", "v*log(v) + (1 - v)*log(1 - v)"),
    "a*log(1 + exp(u))": (None, {"a": "a > 0"}, "log(v/(a - v))", "v*log(v) - a*log(a) + (a - v)*log(a - v)"),
    "log(1 + exp(2*u + 1))": (None, None, None, "v*log(v)/2 - v/2 + (2 - v)*log(2 - v)/2 - log(2)"),
    "sqrt(1 + u**2)": (None, None, "v/sqrt(1 - v**2)", "-sqrt(1 - v**2)"),
    "sqrt(1 + u**2) - 1": (None, None, "v/sqrt(1 - v**2)", "1 - sqrt(1 - v**2)"),
    "-log(cos(u))": ("-pi/2 < u < pi/2", None, "atan(v)", "v*atan(v) - log(v**2 + 1)/2"),
}


@pytest.mark.parametrize("text", PRINTED)
def test_a_derivation_reads_as_a_textbook_prints_it(text):
    domain, parameters, root, value = PRINTED[text]
    pair = wb.conjugate(text, domain, parameters)
    (part,) = (part for part in pair.conjugate_pieces if part.index is not None)
    symbols = {"v": pair.q.variable} | {str(s): s for s in pair.q.expr.free_symbols}
    for derived, printed in ((part.root, root), (part.expr, value)):
        if printed is not None:
            assert str(pair.setting.leave(derived)) == str(sp.sympify(printed, locals=symbols))


def test_an_end_relative_to_another_is_printed_by_itself():
    pair = wb.conjugate("u**2/2", "a <= u <= b", {"a": "a < b", "b": "a < b"})
    assert str(pair.q.parts[-1].expr) == "-b**2/2 + b*v"


@pytest.mark.parametrize(
    ("form", "printed"),
    [
        (sp.log(-V / (V - 1)), "log(v/(1 - v))"),
        (-V * (V - 1) / 2, "v*(1 - v)/2"),
        (-((A - V) ** 3) / 3, "-(a - v)**3/3"),
        (-((V - 1) ** 2), "-(v - 1)**2"),
        (V * (V - 1), "v*(v - 1)"),
        (V * sp.sqrt(-1 / (V**2 - 1)), "v/sqrt(1 - v**2)"),
        (sp.sqrt(-(V - 1) * (V + 1)), "sqrt(1 - v**2)"),
    ],
)
def test_a_sign_stands_where_a_textbook_has_it(form, printed):
    assert str(textbook(form)) == printed
    for number in ("0.3", "0.7"):
        with mpmath.workdps(30):
            values = {V: sp.Rational(number), A: sp.Rational(2)}
            assert abs(sp.N(form.subs(values) - textbook(form).subs(values), 25)) < 1e-20


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("log(1 + exp(1e20*u))", 10**20),
        ("sqrt(1 + 1e40*u**2)", 10**20),
        ("max(0, 1 - u/10**9)", "1/10**9"),
        ("u**2 + exp(u/10**12)", 1),
        ("exp(u)/10**20", 1),
        ("log(1 + exp(300*u))", 1),
        ("7", 1),
    ],
)
def test_the_unit_is_that_of_all_terms(text, unit):
    form = sp.sympify(text, locals={"u": U, "max": sp.Max}, rational=True)
    assert units_of(form, U)[0] == sp.sympify(unit)


@pytest.mark.parametrize("scale", few(["10**-20", "10**20", "3*10**9"], 1))
def test_a_unit_far_from_one_changes_only_the_numbers(scale):
    scaled, plain = wb.conjugate(f"log(1 + exp({scale}*u))"), wb.conjugate("log(1 + exp(u))")
    size = float(sp.sympify(scale))
    assert scaled.verify().status == "proved"
    for share in (0.0, 0.125, 0.5, 1.0, 1.5):
        assert scaled.q(share * size) == pytest.approx(plain.q(share), rel=1e-12)
    with pytest.raises(wb.ConvexityError, match="between u = "):
        wb.conjugate(f"-log(1 + exp({scale}*u))")


def test_claims_that_numbers_neither_show_nor_refute_are_undecided(monkeypatch):
    evidence = verify.evidence

    def silent(*arguments):
        return evidence(*arguments)._replace(silent=1)

    monkeypatch.setattr(verify, "evidence", silent)
    with pytest.raises(wb.UndecidedError, match="whether what was derived is the conjugate"):
        wb.conjugate("exp(u) + u**4/4")
