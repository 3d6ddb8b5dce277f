"""The lecturer's files have their parts, and the numbers of their exams and predictions are computed here."""

from pathlib import Path

import numpy as np
import pytest

import workbench as wb

FOLDER = Path(__file__).resolve().parents[2] / "lessons"
FILES = sorted((FOLDER / "lecturer").glob("[0-9]*.md"))


def text(number):
    (path,) = [path for path in FILES if path.stem.startswith(f"{number:02d}")]
    return path.read_text(encoding="utf-8")


def said(number, value, digits):
    assert f"{value:.{digits}f}" in text(number), f"{value:.{digits}f} is not in the file of lesson {number}"


def test_numbers_of_small_problems():
    one = wb.Problem([[1.0]], [2.0], "squared", lam=1.0)
    best = wb.solve(one, tol=1e-12)
    assert (best.w[0], best.alpha[0], best.primal) == pytest.approx((4 / 3, 4 / 3, 4 / 3))
    pair = wb.Problem([[2.0]], [1.0], "hinge", lam=1.0)
    for alpha, dual, gap in ((0.5, 0.0, 0.5), (0.25, 0.125, 0.0)):
        certificate = wb.certificate(pair, w=[2 * alpha], alpha=[alpha])
        assert (certificate.dual, certificate.gap) == pytest.approx((dual, gap))
    two = wb.Problem([[2.0], [1.0]], [1.0, 1.0], "hinge", lam=1.0)
    certificate = wb.certificate(two, alpha=[0.5, 1.0])
    assert (certificate.w[0], certificate.primal, certificate.dual) == pytest.approx((1.0, 0.5, 0.25))
    ridge = wb.Problem([[1.0]], [1.0], "squared", lam=1.0)
    assert wb.certificate(ridge, w=[0.5], alpha=[1.0]).gap == pytest.approx(0.125)
    saddle = wb.Problem([[1.5]], [1.0], "squared", lam=0.5)
    best = wb.solve(saddle, tol=1e-12)
    assert (best.alpha[0], best.primal) == pytest.approx((0.2, 0.1))
    logistic = wb.Problem([[0.0]], [1.0], "logistic", lam=1.0)
    said(3, wb.certificate(logistic, w=[0.0], alpha=[0.25]).sample_terms[0], 4)
    assert wb.certificate(logistic, w=[0.0], alpha=[0.5]).gap == pytest.approx(0.0, abs=1e-12)


def test_numbers_by_formula():
    coin = wb.maximum_entropy([[0.0, 1.0]], [0.75])
    assert coin.w == pytest.approx([0.25, 0.75])
    said(4, coin.alpha[0], 4)
    said(4, coin.value, 4)
    said(4, 2 ** (-1 / 3), 3)
    t1 = (1 + np.sqrt(5)) / 2
    t2 = (1 + np.sqrt(1 + 4 * t1**2)) / 2
    for value in (t1, t2, (t1 - 1) / t2):
        said(6, value, 3)
    said(9, (1 + np.log(1000)) / 20, 3)
    said(9, 0.5 * 2 ** (-1 / 3), 3)
    said(9, 0.5 / (0.01 * 0.1 - 0.01**2 * 5 - 0.5 / 4000), 1)
    said(10, np.arcsinh(10.0), 3)
    said(10, np.sqrt(0.5), 4)
    said(12, 2 * 0.8 * (2 / 3) / (0.8 + 2 / 3), 3)
    said(12, np.sqrt(2 * 1e-6 / 1e-3), 4)
    S, v, b = np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([1.0, 2.0]), np.array([1.0, -1.0])
    for matrix, value in ((np.linalg.inv(S), 4.25), (np.linalg.inv(S).T, 0.5)):
        moved = matrix @ v
        assert moved @ moved / 4 - b @ moved == pytest.approx(value)


def test_numbers_of_two_samples_of_an_svm():
    gaps = wb.gaps.svm(np.eye(2), np.array([1.0, -1.0]), 1.0, np.zeros(2))
    assert (gaps.gap, gaps.t_hat, gaps.b_hat) == pytest.approx((2.0, 1.0, -1.0))
    assert gaps.at(np.array([-1.0, 0.0, 1.0])) == pytest.approx([2.0, 2.0, 2.0])
    line = np.array([[0.0], [2.0]])
    svm = wb.Problem(line, [-1.0, 1.0], "hinge", lam=0.5, bias=True)
    best = wb.solve(svm, "maximal-violating-pair", tol=1e-9)
    assert (best.w[0], best.b) == pytest.approx((1.0, -1.0))


def test_numbers_of_a_last_layer():
    for lam, gap, radius in ((0.01, 0.0002, 0.2), (0.001, 0.002, 2.0)):
        assert (0.002**2 / (2 * lam), np.sqrt(2 * gap / lam)) == pytest.approx((gap, radius))
        assert f"{gap:g}" in text(21)
    v = np.array([-1.0, 0.0, 1.0])
    low, middle, high = np.log1p(np.exp(-np.maximum(0, v)))
    assert middle > (low + high) / 2
