"""The checker, which decides: it accepts or rejects each claim of a proof in the grammar of typed formulas.

The search in the rest of `convex` proposes pieces, conjugates and witnesses; nothing of it is imported here,
and neither is SymPy. Trusted are this package, python-flint (exact polynomials, balls) and z3 (sentences of
real arithmetic); cvc5, where it is installed, can be asked after z3.

    grammar     text -> tree, substitution, derivative
    forms       tree -> quotient of polynomials in atoms (logarithms, exponentials, roots), on one face
    balls       tree -> a ball of Arb that encloses its value
    reading     proof file -> what it says, refused unless it is well formed in every field
    claims      cover, convex, bound, attained, unbounded
    theorem     proof file -> the statement in words, with what was shown of it
"""
