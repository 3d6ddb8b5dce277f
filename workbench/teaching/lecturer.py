"""What lecturers get of a lesson beside its notebook: lessons/lecturer/NN_NAME.md, taken apart.

    ## Script        what to do from minute 0 to 90, with cuts
    ## Predictions   the answers to those that the notebook asks for
    ## Quiz          ten questions, each with its **Answer:**
    ## Exam          five questions, each with (points) and a **Marking:** whose points add up to them
    ## Homework      answers
"""

import re
from typing import NamedTuple

from workbench.errors import InputError

SECTIONS = ("Script", "Predictions", "Quiz", "Exam", "Homework")
QUIZ, EXAM, MINUTES = 10, 5, 90


class Guide(NamedTuple):
    """One lesson's file: its title, its sections by name, and the questions with their answers."""

    title: str
    sections: dict
    quiz: list
    exam: list


class Question(NamedTuple):
    """What is asked, and the answer or the marking scheme."""

    text: str
    answer: str


def read(name, text):
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
        found = ", ".join(sections) or "none"
        raise InputError(f"{name}: the sections are {found}; they must be {', '.join(SECTIONS)}")
    empty = [section for section, said in sections.items() if not said]
    if empty:
        raise InputError(f"{name}: nothing stands under {empty[0]}")
    _need_minutes(name, sections["Script"])
    quiz = _questions(name, "Quiz", sections["Quiz"], "Answer", QUIZ)
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
    found = []
    for number, piece in zip(pieces[::2], pieces[1::2], strict=True):
        asked, mark, answer = piece.partition(f"**{word}:**")
        if not (asked.strip() and mark and answer.strip()):
            raise InputError(f"{name}: {section} {number} has no '**{word}:**' with a text after it")
        found.append(Question(asked.strip(), answer.strip()))
    return found


def _need_points(where, question):
    whole = re.match(r"\((\d+) points?\)", question.text)
    if whole is None:
        raise InputError(f"{where} does not begin with its points, as '(8 points)'")
    parts = sum(map(int, re.findall(r"\((\d+)\)", question.answer)))
    if parts != int(whole[1]):
        raise InputError(f"{where}: {whole[1]} points are promised, and the marking adds up to {parts}")


def sheet(guide, questions, what):
    """The questions alone, for students, in Markdown."""
    listed = "\n".join(f"{number}. {question.text}" for number, question in enumerate(questions, 1))
    return f"# {what}: {guide.title.partition(', for the lecturer')[0]}\n\n{listed}\n"
