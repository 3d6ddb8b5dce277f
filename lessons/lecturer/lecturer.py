"""The lecturer's file of a lesson, lessons/lecturer/NN_NAME.md, taken apart.

## Script        what to do from minute 0 to 90, with cuts
## Predictions   the answers to those that the notebook asks for
## Quiz          ten questions, each with its **Answer:**, and a reason for each choice, the right one first
## Exam          five questions, each with (points) and a **Marking:** whose points add up to them
## Homework      answers
"""

import html
import math
import random
import re
from typing import NamedTuple

from workbench._support.errors import InputError
from workbench.teaching.diagnosis import ABSOLUTE, HALF_DIGIT, RELATIVE

# The choices of a quiz are shuffled with this seed, and here alone.
SEED = 2002
CHOICES = re.compile(r"(.*?)\(a\) (.+?)([,.;?]?) \(b\) (.+?)[,.;?]? \(c\) (.+?)\.?", re.DOTALL)
REASON = re.compile(r"(?<!\S)\(([abc])\)\.?\s+")
# The spellings of infinity that a quiz accepts; questions ask for the first.
INFINITY = ("np.inf", "inf", "infinity", "∞")
SECTIONS = ("Script", "Predictions", "Quiz", "Exam", "Homework")
QUIZ, EXAM, MINUTES = 10, 5, 90


class Guide(NamedTuple):
    """One lesson's file: its title, its sections by name, and the questions with their answers."""

    title: str
    sections: dict
    quiz: list
    exam: list


class Question(NamedTuple):
    """A question, and its answer or marking scheme."""

    text: str
    answer: str


class Choice(NamedTuple):
    """A question with three choices: the place of the right one, and why each is right or wrong."""

    stem: str
    choices: list
    between: str
    key: int
    reasons: list

    @property
    def text(self):
        choices = [f"({letter}) {choice}" for letter, choice in zip("abc", self.choices, strict=True)]
        return f"{self.stem} {f'{self.between} '.join(choices)}."

    @property
    def answer(self):
        reasons = [f"({letter}) {reason}" for letter, reason in zip("abc", self.reasons, strict=True)]
        right = reasons.pop(self.key).replace(")", ").", 1)
        return " ".join([right, *reasons])


def read_guide(name, text):
    """Take a lecturer's file apart.

    Parameters
    ----------
    name : str
        How an error calls the file.
    text : str

    Raises
    ------
    InputError
        A part is missing, or does not add up.
    """
    head, *parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))
    if tuple(sections) != SECTIONS:
        names = ", ".join(sections) or "none"
        raise InputError(f"{name}: the sections are {names}; they must be {', '.join(SECTIONS)}")
    empty = [section for section, body in sections.items() if not body]
    if empty:
        raise InputError(f"{name}: nothing stands under {empty[0]}")
    _need_minutes(name, sections["Script"])
    quiz = _shuffled(name, _questions(name, "Quiz", sections["Quiz"], "Answer", QUIZ))
    exam = _questions(name, "Exam", sections["Exam"], "Marking", EXAM)
    for number, question in enumerate(exam, 1):
        _need_points(f"{name}: Exam {number}", question)
    return Guide(head.strip().removeprefix("# "), sections, quiz, exam)


def _need_minutes(name, script):
    spans = [tuple(map(int, span)) for span in re.findall(r"^- \*\*(\d+) to (\d+)\.", script, re.MULTILINE)]
    ends = [0, *(end for _, end in spans)]
    if [start for start, _ in spans] != ends[:-1] or ends[-1] != MINUTES:
        raise InputError(
            f"{name}: the script must run from 0 to {MINUTES} without a hole, with parts as "
            "'- **0 to 10. Title.**'"
        )
    if "*Cut (" not in script:
        raise InputError(f"{name}: the script marks nothing as '*Cut (5): ...*'")


def _questions(name, section, text, word, due):
    pieces = re.split(r"^(\d+)\. ", text, flags=re.MULTILINE)[1:]
    if list(map(int, pieces[::2])) != list(range(1, due + 1)):
        raise InputError(f"{name}: {section} must have the questions 1 to {due}, as a numbered list")
    questions = []
    for number, piece in zip(pieces[::2], pieces[1::2], strict=True):
        stem, mark, answer = piece.partition(f"**{word}:**")
        if not (stem.strip() and mark and answer.strip()):
            raise InputError(f"{name}: {section} {number} lacks '**{word}:**' with a text after it")
        questions.append(Question(stem.strip(), answer.strip()))
    return questions


def _shuffled(name, questions):
    """Quiz questions with their choices in another order: each letter is right as often, but for one."""
    rng = random.Random(f"{SEED} {name}")
    keys = [place % 3 for place in range(len(questions) - 1)] + [rng.randrange(3)]
    rng.shuffle(keys)
    problems = []
    for number, (question, key) in enumerate(zip(questions, keys, strict=True), 1):
        choice = CHOICES.fullmatch(question.text)
        if not choice:
            raise InputError(f"{name}: Quiz {number} must ask with (a), (b) and (c) at its end")
        reasons = _reasons(f"{name}: Quiz {number}", question.answer)
        stem, first, between, *others = choice.groups()
        pairs = [(text, reasons[letter]) for letter, text in zip("abc", [first, *others], strict=True)]
        right = pairs.pop("abc".index(next(iter(reasons))))
        rng.shuffle(pairs)
        pairs.insert(key, right)
        choices, why = map(list, zip(*pairs, strict=True))
        problems.append(Choice(stem.strip(), choices, between or ",", key, why))
    return problems


def _reasons(where, answer):
    """Return the reasons by the letters of their choices, the right one first."""
    start, *pieces = REASON.split(answer)
    reasons = dict(zip(pieces[::2], map(str.strip, pieces[1::2]), strict=True))
    missing = [f"({letter})" for letter in "abc" if not reasons.get(letter)]
    if start or missing or len(pieces) != 6:
        raise InputError(
            f"{where} lacks a reason for {' and '.join(missing) or 'one choice alone'}; "
            "write '**Answer:** (b). Why. (a) Why not. (c) Why not.'"
        )
    return reasons


def _need_points(where, question):
    whole = re.match(r"\((\d+) points?\)", question.text)
    if whole is None:
        raise InputError(f"{where} does not begin with its points, as '(8 points)'")
    parts = sum(map(int, re.findall(r"\((\d+)\)", question.answer)))
    if parts != int(whole[1]):
        raise InputError(f"{where}: {whole[1]} points are promised, and the marking adds up to {parts}")


def sheet(guide, questions, what):
    """Return the questions alone, for students, in Markdown."""
    lines = "\n".join(f"{number}. {question.text}" for number, question in enumerate(questions, 1))
    return f"# {what}: {guide.title.partition(', for the lecturer')[0]}\n\n{lines}\n"


def with_quiz(text, guide):
    """Return a lecturer's file with the quiz as students get it, its choices in the same order."""
    lines = (
        f"{n}. {question.text} **Answer:** {question.answer}" for n, question in enumerate(guide.quiz, 1)
    )
    return text.replace(guide.sections["Quiz"], "\n".join(lines))


def gift(name, questions):
    """Return the quiz in GIFT, which Moodle and others import."""
    return "\n".join(
        f"::{name} {number}::[html]{_gift(question.stem)} {{\n"
        + "".join(
            f"{'=' if place == question.key else '~'}{_gift(choice)}#{_gift(reason)}\n"
            for place, (choice, reason) in enumerate(zip(question.choices, question.reasons, strict=True))
        )
        + "}\n"
        for number, question in enumerate(questions, 1)
    )


def gift_pool(name, problems):
    """Short problems in GIFT, a category for each kind: a quiz that draws one of each differs by student.

    Formulas are left out, which GIFT cannot compare, and graphs, which it cannot carry.
    """
    kinds = {}
    for problem in problems:
        if not (callable(problem.right) or problem.graph):
            kind = f"{problem.name[:-1]} {problem.title.replace('/', '÷')}"
            kinds.setdefault(kind, []).append(_gift_problem(problem))
    return "\n".join(
        f"$CATEGORY: $course$/{name}/{kind}\n\n" + "\n".join(entries) for kind, entries in kinds.items()
    )


def _gift_problem(problem):
    right = problem.right
    if problem.choices:
        remarks = {right: problem.solution, **dict(problem.wrong)}
        answers = [
            f"{'~='[choice == right]}{_gift(choice)}#{_gift(remarks[choice])}" for choice in problem.choices
        ]
    elif math.isinf(right):
        answers = [f"={'-' * (right < 0)}{spelling}#{_gift(problem.solution)}" for spelling in INFINITY]
    else:
        wrong = [(0, *mistake) for mistake in problem.wrong if math.isfinite(mistake[0])]
        answers = [
            f"=%{share}%{value:.9g}:{_allowance(value):.1g}#{_gift(remarks)}"
            for share, value, remarks in [(100, right, problem.solution), *wrong]
        ]
    number = "#" if answers[0].startswith("=%") else ""
    return "\n".join([f"::{problem.name}::[html]{_gift(problem.ask)} {{{number}", *answers, "}\n"])


def _allowance(value):
    """Return the error that rounding to three digits makes; a whole number must be exact."""
    exact = RELATIVE * abs(value) + ABSOLUTE
    return (
        exact
        if value == round(value)
        else max(exact, HALF_DIGIT * 10.0 ** math.floor(math.log10(abs(value))))
    )


def _gift(text):
    text = re.sub("`(.+?)`", r"<code>\1</code>", html.escape(" ".join(text.split()), quote=False))
    text = re.sub(r"\$(.+?)\$", r"\(\1\)", text)
    return re.sub(r"([\\~=#{}:])", r"\\\1", text)
