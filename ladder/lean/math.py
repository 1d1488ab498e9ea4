"""Logarithm and exponential for the hook, where loading `math` costs too much. Twin of `math`.

A power of a complex number whose exponent is a tiny i * t is cos(t * log x) + i * sin(t * log x), and the sine of so
small an angle is the angle: both as exact as `math`'s to the last digits (a test holds them so).
"""

#: A power of two, so that dividing by it rounds nothing.
_ANGLE = 2.0**-40
_EXPONENT = complex(0.0, _ANGLE)
_E = 2.718281828459045


def log(x: float) -> float:
    """The natural logarithm of a positive number."""
    return (complex(x) ** _EXPONENT).imag / _ANGLE


def log1p(x: float) -> float:
    """log(1 + x) for x > -1; of a tiny x with the 16 digits of 1 + x, which is enough for an idf."""
    return log(1.0 + x)


def exp(x: float) -> float:
    """E ** x."""
    return float(_E**x)
