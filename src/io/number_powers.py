#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes number_powers.inc: 10^q for q from -342 to 324, as its first 128 bits.

Usage: number_powers.py >number_powers.inc
"""
from fractions import Fraction

print("/* SPDX-License-Identifier: GPL-3.0-or-later */")
print("/* Made by number_powers.py: {high, low} of floor(10^q * 2^-e), with e such that the")
print(" * highest of the 128 bits is set; q from -342 to 324, two a line. */")
rows = []
for q in range(-342, 325):
    power = Fraction(10) ** q
    shift = 128 - (power.numerator.bit_length() - power.denominator.bit_length())
    while True:  # the estimate is off by one at most
        bits = int(power * Fraction(2) ** shift)
        if bits.bit_length() == 128:
            break
        shift += 128 - bits.bit_length()
    rows.append(f"{{0x{bits >> 64:016x}, 0x{bits & (1 << 64) - 1:016x}}},")
for i in range(0, len(rows), 2):
    print(" ".join(rows[i : i + 2]))
