"""What the browser needs to draw the normal numbers that NumPy draws: states of PCG64, and its ziggurat.

A state is known from which the next number of the generator is any one that is wanted, so NumPy itself is
asked for the widths of its ziggurat: a number whose part is 1 becomes the width of its strip.

Source       Marsaglia and Tsang (2000), The ziggurat method; O'Neill (2014), PCG, section 6.3
"""

import numpy as np

STRIPS = 256
MULTIPLIER, MODULUS = 0x2360ED051FC65DA44385DF649FCCF645, 1 << 128
# In a drawn number eight bits are the strip, one is the sign, and the rest, 1 here, are the part.
PART = 1 << 9


def state(seed):
    """The state and the increment of NumPy's generator for a seed, each as 32 hexadecimal digits."""
    values = np.random.PCG64(seed).state["state"]
    return [f"{values[name]:032x}" for name in ("state", "inc")]


def strips():
    """The width of each strip of NumPy's ziggurat over 2^52, (256,)."""
    generator = np.random.Generator(np.random.PCG64(0))
    backwards, increment = pow(MULTIPLIER, -1, MODULUS), 1

    def width(number):
        # The upper half of the next state is zero, so that nothing turns its lower half, the number.
        before = (number - increment) * backwards % MODULUS
        generator.bit_generator.state = {
            "bit_generator": "PCG64",
            "state": {"state": before, "inc": increment},
            "has_uint32": 0,
            "uinteger": 0,
        }
        return generator.standard_normal()

    return np.array([width(PART | strip) for strip in range(STRIPS)])
