"""From characters to a syntax tree that holds nothing but names, numbers and operators.

A formula is cut into tokens before Python's parser sees it. That refuses every character and word
that cannot stand in a formula (quotes, brackets, dots, colons, keywords), caps the numbers before
anything converts them, and lets an error name a column and a fix. The tokens that remain cannot
make the parser warn, so nothing has to be silenced here (and `warnings.catch_warnings` would not be
safe in a server's threads).
"""

import ast
import keyword
import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.syntax.characters import character_fault
from workbench.conjugates.convex.syntax.vocabulary import (
    FUNCTION_NAMES,
    KEYWORD_FIXES,
    OPERATOR_WORDS,
    TRUTH,
    quote,
)

LENGTH, NODES, DEPTH, DIGITS, MAGNITUDE = 1000, 300, 40, 30, 300
TOKEN = re.compile(
    r"(?P<space>[ \t]+)"
    r"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator>\*\*|<=|>=|==|!=|[-+*/^(),<>])",
    re.ASCII,
)


class Token(NamedTuple):
    """A word of the formula: "number", "name" or "operator", and where it begins (from 0)."""

    kind: str
    text: str
    start: int


class Source(NamedTuple):
    """A formula ready for the walk: its tree, and from the tree's columns back to the text's."""

    what: str
    tree: ast.expr
    text: str
    places: tuple[int, ...]

    def refuse(self, node, sentence) -> NoReturn:
        """Raise the error that names the column at which a node begins."""
        raise ExpressionError(f"{self.what}, column {self.places[node.col_offset] + 1}: {sentence}")

    def segment(self, node):
        """Return the text that the user wrote for a node."""
        return self.text[self.places[node.col_offset] : self.places[node.end_col_offset - 1] + 1]


def clean(what, text):
    """Return the text as an exact `str`, not empty and not too long."""
    if not isinstance(text, str):
        raise ExpressionError(f"{what}: {type(text).__name__} is not text; write it as in 'u**2/2'")
    text = str.__str__(text)
    if len(text) > LENGTH:
        raise ExpressionError(f"{what}: {len(text)} characters are too many; {LENGTH} is the most")
    if not text.strip(" \t"):
        raise ExpressionError(f"{what}: the text is empty; write it out, as in 'u**2/2' or 'u > 0'")
    return text


def tokenize(what, text, start=0):
    """Return the tokens of a clean text from a column on, or an error that names the first bad character."""
    tokens = []
    while start < len(text):
        match = TOKEN.match(text, start)
        if match is None:
            raise ExpressionError(f"{what}, column {start + 1}: {character_fault(text, start)}")
        if match.lastgroup != "space":
            tokens.append(Token(str(match.lastgroup), match.group(), start))
            fault = _word_fault(tokens[-1])
            if fault:
                raise ExpressionError(f"{what}, column {start + 1}: {fault}")
        start = match.end()
    return tokens


def read_source(what, text, *, start=0, stop=None):
    """Return the `Source` of a formula, which may be a part of a longer text (an end of an interval)."""
    text = clean(what, text)
    tokens = tokenize(what, text[:stop], start)
    if not tokens:
        raise ExpressionError(f"{what}, column {start + 1}: a value is missing")
    _check_tokens(what, tokens)
    pieces, places = [], []
    for token in tokens:
        piece = "**" if token.text == "^" else token.text
        pieces.append(piece)
        # The second star of a translated ^ stands where the ^ stands.
        places += [token.start + (0 if token.text == "^" else k) for k in range(len(piece))]
        pieces.append(" ")
        places.append(token.start + len(token.text) - 1)
    return Source(what, _tree(what, "".join(pieces[:-1]), places), text, tuple(places))


def _tree(what, translated, places):
    try:
        tree = ast.parse(translated, mode="eval").body
    except SyntaxError as error:
        place = places[min(max((error.offset or 1) - 1, 0), len(places) - 1)]
        raise ExpressionError(
            f"{what}, column {place + 1}: the formula does not read on from here; "
            "a conditional is written as in 'u if u > 0 else 0'"
        ) from None
    except (MemoryError, RecursionError, ValueError, OverflowError):
        raise ExpressionError(f"{what}: the formula is nested too deeply; write it in fewer levels") from None
    _check_size(what, tree, places)
    return tree


def _check_size(what, tree, places):
    """Few nodes and a small depth, where a sum or product of many terms counts as one level."""
    stack, count = [(tree, 1)], 0
    while stack:
        node, depth = stack.pop()
        count += 1
        column = places[node.col_offset] + 1
        if count > NODES:
            raise ExpressionError(
                f"{what}, column {column}: the formula has more than {NODES} parts; shorten it"
            )
        if depth > DEPTH:
            raise ExpressionError(f"{what}, column {column}: more than {DEPTH} levels are nested here")
        flat = isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Pow)
        stack += [
            (child, depth + (not flat or child is not node.left))
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.expr)
        ]


def _check_tokens(what, tokens):
    """Operands and operators take turns, parentheses match, words are known and numbers are small."""
    opened = []
    previous = None
    for token in tokens:
        fault = _turn_fault(previous, token)
        if not fault and token.text == "(":
            opened.append(token)
            fault = len(opened) > DEPTH and f"more than {DEPTH} parentheses are open"
        elif not fault and token.text == ")":
            fault = not opened and "this ) closes no parenthesis; leave it out or open one before it"
            opened = opened[:-1]
        if fault:
            raise ExpressionError(f"{what}, column {token.start + 1}: {fault}")
        previous = token
    if previous is not None and _wants_operand(previous):
        column = previous.start + 1
        raise ExpressionError(
            f"{what}, column {column}: a value is missing after {previous.text}; add one or leave that out"
        )
    if opened:
        column = opened[-1].start + 1
        raise ExpressionError(f"{what}, column {column}: this ( is never closed; add a ) where it ends")


def _word_fault(token):
    if token.kind == "number":
        return number_fault(token.text)
    if token.kind == "name":
        if token.text in OPERATOR_WORDS or token.text in TRUTH:
            return None
        if keyword.iskeyword(token.text):
            fix = KEYWORD_FIXES.get(token.text, "leave it out")
            return f"{token.text} is a keyword of Python and no part of a formula; {fix}"
        if token.text.startswith("_"):
            return f"{quote(token.text)} is not a name; names begin with a letter"
    return None


def number_fault(text):
    """Why a literal is refused, or None: leading zeros, too many digits, out of a float's range."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, point, part = mantissa.partition(".")
    if len(whole) + len(part) > DIGITS:
        return f"a number of {len(whole) + len(part)} digits is too long; {DIGITS} digits are the most"
    if len(whole) > 1 and whole[0] == "0" and not point and not exponent:
        return f"{text} begins with a zero; write {text.lstrip('0') or '0'}"
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > MAGNITUDE):
        return f"{quote(text)} is out of range; exponents go from -{MAGNITUDE} to {MAGNITUDE}"
    return None


def exact(text):
    """Return a literal that `number_fault` lets pass, as an exact fraction."""
    return Fraction(text)


def _wants_operand(token):
    """Return whether a value must follow a token (None: the beginning of the text)."""
    return token is None or token.text in OPERATOR_WORDS or (token.kind == "operator" and token.text != ")")


def _turn_fault(previous, token):
    starts = token.text in ("(", "not") or (token.kind != "operator" and token.text not in OPERATOR_WORDS)
    if _wants_operand(previous):
        if starts or token.text in ("+", "-"):
            return None
        return _missing(previous, token)
    if not starts:
        return None
    if token.text == "(" and previous.kind == "name" and previous.text not in TRUTH:
        return None  # a call, or a product that the walk explains once it knows the names
    if previous.text in FUNCTION_NAMES:
        return f"{previous.text} needs parentheses; write {previous.text}({token.text})"
    if token.text == "not":
        return "'not' cannot stand after a value; put 'and' or 'or' between them"
    left = "..." + previous.text if previous.text == ")" else previous.text
    right = "(...)" if token.text == "(" else token.text
    return f"an operator is missing between two values; for a product write {quote(f'{left}*{right}')}"


def _missing(previous, token):
    before = f"after {previous.text}" if previous else "at the beginning"
    if token.text == ")" and previous is not None and previous.text == "(":
        return "there is nothing between the parentheses; write a value there"
    if previous is not None and previous.text == token.text == "*":
        return "a power is written ** without a space, or ^"
    return f"a value is missing {before}, where {token.text} stands; write one before it"
