"""What decides: a proof in the grammar of typed formulas, accepted or rejected claim by claim.

The search in the rest of `convex` proposes pieces, conjugates and witnesses; nothing of it is imported here,
and neither is SymPy. Trusted are this package, python-flint (exact polynomials, balls) and z3 (sentences of
real arithmetic).

    grammar     text -> tree, substitution, derivative
    forms       tree -> quotient of polynomials in atoms (logarithms, exponentials, roots), on one face
    balls       tree -> a ball of Arb that encloses its value
    claims      cover, convex, bound, attained, unbounded
"""
