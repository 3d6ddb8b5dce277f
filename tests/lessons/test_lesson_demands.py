"""Each demand of a statement is tested: the reference solution without it is refused."""

import numpy as np
import pytest

from tests.helpers.made_lessons import refusal
from tests.lessons.test_lesson_answers import SOLVED
from workbench.teaching import check

# (exercise, the demand that the mutant breaks, a text of the solution, the text in its place)
MUTANTS = [
    ("0.1", "C weighs a sum", "1 / (C * n)", "1 / C"),
    ("0.2", "the label", "alpha * y /", "alpha /"),
    ("0.3", "n", "(2 * len(alpha))", "2"),
    ("0.4", "the factor p - 1", "(p - 1)", "p"),
    ("0.5", "samples without support are zero", "alpha[support] = dual_coef / C", "alpha[:] = 1.0"),
    ("0.5", "lambda with n", "1 / (C * n)", "1 / C"),
    ("0.5", "the intercept", "alpha, intercept", "alpha, 0.0"),
    ("1.1", "the supremum", "np.max", "np.min"),
    ("1.2", "the lower end belongs to the domain", "-1 <= v", "-1 < v"),
    ("1.2", "the upper end belongs to the domain", "v <= 0", "v < 0"),
    ("1.2", "infinite outside", "else np.inf", "else 0.0"),
    ("1.3", "every step", "d g a c f", "d a c f"),
    ("1.4", "the scale in the argument", "v / (a * s)", "v / a"),
    ("1.4", "the shift", "- t * v / s", "+ t * v / s"),
    ("1.5", "infinite to the right", "return np.inf, high", "return height(high), high"),
    ("1.5", "infinite to the left", "return np.inf, low", "return height(low), low"),
    ("1.5", "the maximizer too", "return height(u), u", "return height(u), 0.0"),
    ("1.5", "maximizers far from zero", "while height(high) > height(high / 2):", "while False:"),
    ("2.1", "n", "(lam * n)", "lam"),
    ("2.1", "the half", "np.eye(n) / 2", "np.eye(n)"),
    ("2.3", "the factor 2", "-2 *", "-1 *"),
    ("2.4", "alpha y is not negative", "np.any(beta < 0) or ", ""),
    ("2.4", "alpha y is at most 1", " or np.any(beta > 1)", ""),
    ("2.4", "the ends belong to the box", "beta < 0", "beta <= 0"),
    ("2.5", "stop at r = 0", "size <= 1e-30 * (y @ y)", "False"),
    ("2.5", "directions are conjugate", "r + size / old * p", "r"),
    ("2.5", "as many steps as asked for", "range(steps)", "range(2)"),
    ("3.1", "the flat end", "0, 1)", "-9, 1)"),
    ("3.1", "the bounded end", "0, 1)", "0, 99)"),
    ("3.2", "infinite outside", "return np.inf", "return 0.0"),
    ("3.2", "the ends are finite", "if not 0 <= beta <= 1", "if not 0 < beta < 1"),
    ("3.3", "rounding at the edge", "np.isclose(away, epsilon)", "away == epsilon"),
    ("3.4", "n", "(lam * n)", "lam"),
    ("3.5", "infinite bound outside the box", "- beta, np.inf)", "- beta, 0.0)"),
    ("3.5", "the straight part of the loss", "0.5 - margin", "(1 - margin) ** 2 / 2"),
    ("3.5", "alpha z in the terms", "+ alpha * z", ""),
    ("4.1", "the sign", "np.sign(v) * ", ""),
    ("4.1", "zero below epsilon", ", 0)", ", -9)"),
    ("4.2", "the sum A", "mu.sum() * ", ""),
    ("4.2", "the prior", "mu * np.exp", "np.exp"),
    ("4.3", "the dual exponent", "q / (q - 1)", "q"),
    ("4.3", "half a squared norm", " * norm ** (2 - p)", ""),
    ("4.4", "the bound", "else np.inf", "else w**2 / 2"),
    ("4.4", "the ends", "<= 1", "< 1"),
    ("4.5", "halve a step that overshoots", "and length > 1e-10", "and False"),
    ("4.5", "the term of the sum", " - np.outer(mean, mean) / total", ""),
    ("4.5", "return after max_steps", "range(max_steps)", "range(300)"),
    ("5.1", "the box", "np.clip(beta, 0, 1)", "beta"),
    ("5.1", "from the old alpha", "(alpha_i + (", "(0.0 + ("),
    ("5.2", "a prediction of zero is a mistake", "<= 0", "< 0"),
    ("5.2", "no step without a mistake", "else v.copy()", "else v + eta * y * x"),
    ("5.3", "eta", "eta * y", "y"),
    ("5.4", "an empty row", "beta = 1.0", "beta = 0.0"),
    ("5.4", "a gap after each pass", "gaps.append(primal + dual)", "gaps = [primal + dual]"),
    ("6.1", "the regularizer's term", " + lam / 2 * np.sum((w - v) ** 2)", ""),
    ("6.2", "the factor is 1 inside the ball", "min(1.0, lam / size)", "lam / size"),
    ("6.2", "centered first", "kappa - kappa.mean()", "kappa"),
    ("6.2", "kappa of size zero", "if size > 0 else kappa", "if size > 0 else kappa + 1"),
    ("6.3", "the end of the interval", "np.clip(2 * (alpha @ y) / (alpha @ alpha), -end, end)", "end"),
    ("6.3", "negative multiples", "-end, end", "0, end"),
    ("6.4", "the best multiple", "best * alpha", "min(1.0, lam * n / max(size, 1e-300)) * alpha"),
    ("6.4", "momentum", "(t - 1) / after", "0"),
    ("7.1", "the penalty", " + alpha.sum() ** 2 / (2 * mu * n)", ""),
    ("7.2", "the multiplier", "s + ", ""),
    ("7.3", "the box", "np.clip(", "(lambda value, low, high: value)("),
    ("7.4", "the multiplier is updated", "s += total / mu", "s += 0.0"),
    ("8.1", "infinite above the bound", "else np.inf", "else 0.0"),
    ("8.1", "the bound itself is allowed", "u <= s", "u < s"),
    ("8.2", "the upper side of the box", " + (C - a) * np.maximum(c * y - grad, 0)", ""),
    ("8.3", "a sample at zero is not in the top set", "(a > 0)", "(a >= 0)"),
    ("8.3", "a sample at C is not in the top set of y = -1", "(a < C))\n    bottom", "(a <= C))\n    bottom"),
    ("8.4", "all samples", "20_000", "1"),
    ("8.6", "stay in the box", "min(size, room)", "size"),
    ("8.6", "stop at eps", "m[i] - m[j] <= eps", "m[i] - m[j] <= 1.0"),
    ("9.1", "t + 1", "(t + 1)", "max(t, 1)"),
    ("9.1", "no step beyond margin 1", "< 1 else", "< 2 else"),
    ("9.2", "the factor p - 1", "(p - 1) *", "1 *"),
    ("9.2", "the sign", " * np.sign(v)", ""),
    ("9.4", "infinite without enough samples", "else np.inf", "else 0.0"),
    ("9.5", "the average over all steps", "n * pulls / (t + 1)", "pulls / passes * 2"),
    ("10.2", "the ends are in the domain", "<= 1", "< 1"),
    ("10.2", "infinite outside", "else np.inf", "else 0.0"),
    ("10.5", "as many passes", "range(passes)", "range(1)"),
    ("11.5", "infinite where the supremum is at the rim", "else np.inf", "else values[place]"),
    ("12.1", "the squared hinge has a half", '1 / (2 * lam * n) if loss == "squared-hinge" else ', ""),
    ("12.2", "positive stories only", "(y > 0) & (predicted > 0)", "y == predicted"),
    ("12.3", "the best lower bound", "np.max(duals)", "duals"),
    ("12.4", "the length of the row", "norms * ", ""),
    ("12.5", "uncertain signs are zero", "np.sign(z), 0.0)", "np.sign(z), np.sign(z))"),
    ("13.2", "the root of two", "np.sqrt(2)", "1.0"),
    ("13.3", "the bias", " + b", ""),
    ("14.1", "no negative probability", ", 0)", ", -9)"),
    ("14.2", "the label's prediction", " - z[y]", ""),
    ("14.3", "no negative singular value", "np.maximum(sizes - tau, 0)", "(sizes - tau)"),
    ("14.4", "a feasible alpha", "max(1, lengths(X.T @ alpha / (lam * n)).max())", "1"),
    ("15.1", "the longest row", ".max()", ".mean()"),
    ("15.2", "entries of zero count zero", "u[u > 0]", "u + 1e-3"),
    ("15.4", "zero may be wrong", "<= 0", "< 0"),
    ("16.1", "the length of the column", " * np.linalg.norm(X, axis=0)", ""),
    ("16.2", "columns without room do not count", "[room > 0]", ""),
    ("17.1", "prices are not negative", "np.min(y) >= -1e-9 and ", ""),
    ("17.1", "rounding is allowed", "np.min(A.T @ y - c) >= -1e-9", "np.min(A.T @ y - c) >= 0"),
    ("17.2", "the plan is feasible", "x, b - A @ x, y", "x, y"),
    ("17.2", "rounding is allowed", "slacks) >= -1e-9", "slacks) >= 0"),
    ("17.4", "no thing of negative worth", "np.maximum(c - nu * a, 0)", "c - nu * a"),
    ("17.5", "the cut too", "float(j in before)", "1.0"),
    ("18.1", "no line for a negative nu", "nu >= 0", "True"),
    ("18.1", "zero is allowed", "nu >= 0", "nu > 0"),
    ("18.3", "no bound at nu <= 0", "else -np.inf", "else 0.0"),
    ("18.4", "no multiplier inside the budget", "return w, 0.0", "return w, 1.0"),
    ("19.1", "no push without touch", "np.abs(A @ w - b) <= 1e-9", "np.abs(A @ w - b) <= 9.0"),
    ("19.1", "rounding is allowed", "<= 1e-9", "<= 0"),
    ("19.1", "the limit is 1e-9", "<= 1e-9", "<= 1e-5"),
    ("19.1", "negative multipliers are kept", "return nu", "return np.maximum(nu, 0)"),
    ("19.2", "the point is in the room", "np.max(A @ w - b) > 1e-9 or ", ""),
    ("19.2", "no negative multiplier", " or np.min(nu) < -1e-9", ""),
    ("19.2", "rounding of the point", "np.max(A @ w - b) > 1e-9", "np.max(A @ w - b) > 0"),
    ("19.2", "rounding of the multipliers", "< -1e-9", "< 0"),
    ("19.2", "the limit is 1e-9", "> 1e-9", "> 1e-5"),
    ("19.2", "the square first", "np.append(np.sum((w - c + nu @ A) ** 2) / 2, ", "np.append(0.0, "),
    ("19.3", "the lower end", "(beta >= 0) & ", ""),
    ("19.3", "the upper end", " & (beta <= 1)", ""),
    ("19.3", "the ends belong to the box", "beta >= 0", "beta > 0"),
    ("19.3", "the second constraint", " + (1 - beta) * np.maximum(0, 1 - m)", ""),
    ("19.4", "in the room", "range(20_000)", "range(1)"),
    ("19.4", "no wall pulls", "max(-nu[j], (A", "max(-9.0, (A"),
    ("19.4", "the length of a gradient", " / (A[j] @ A[j])", " * 1.0"),
    ("19.4", "the balance", "return w, nu", "return w, 2 * nu"),
    ("19.4", "no push without touch", "return w, nu", "return w, nu + 0.1"),
    ("20.1", "the sign of an exchanged constraint", "-nu / c if", "nu / c if"),
    ("20.1", "the sign", "else nu / c", "else -nu / c"),
    ("20.1", "weights of each sample's own", "nu / c", "nu / np.mean(c)"),
    ("20.2", "the lower end", "0, 1)", "-9, 1)"),
    ("20.2", "the upper end", "0, 1)", "0, 9)"),
    ("20.2", "alpha and not beta", "y * np.clip", "np.clip"),
    ("20.2", "the labels", "np.clip(alpha * y", "np.clip(alpha"),
    ("20.3", "n", "len(y) * nu\n", "nu\n"),
    ("20.3", "a feasible point stays", "max(1.0, ", "max(1e-9, "),
    ("20.3", "the repair", "max(1.0, np.max(np.abs(X.T @ alpha)) / (lam * len(y)))", "1.0"),
    ("20.3", "a point that X does not see", "max(1.0, ", "max(0.0, "),
    ("20.3", "the regularizer", " + lam * np.sum(np.abs(w))", ""),
    ("20.3", "the radius has n", "/ (lam * len(y))", "/ lam"),
]


def mutant_of(name, old, new):
    """Return the answer of a solution with one text exchanged."""
    source, answer = SOLVED[name]
    assert old in source, f"{name}: the solution has no {old!r}"
    text, names = source.replace(old, new), {"np": np}
    exec(text, names)
    return names[answer]


def test_there_are_sixty_mutants():
    assert len(MUTANTS) >= 60
    assert len(set(MUTANTS)) == len(MUTANTS)


@pytest.mark.parametrize(("name", "demand", "old", "new"), MUTANTS, ids=lambda part: part[:40])
def test_a_solution_without_one_demand_is_refused(name, demand, old, new):
    assert len(refusal(name, mutant_of(name, old, new))) > len(name)


@pytest.mark.parametrize("name", sorted({name for name, *_ in MUTANTS}))
def test_the_solution_itself_passes(name, capsys):
    check(name, mutant_of(name, "", ""))
