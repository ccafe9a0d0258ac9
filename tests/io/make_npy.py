#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes tests/data/npy: arrays written by NumPy, and damaged copies of them.

Usage: make_npy.py FOLDER.  test_npy.c knows what each file holds.
"""
import pathlib
import sys

import numpy as np
from numpy.lib import format as npy

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)

# 3 x 2, entries that single precision holds exactly but for the last of f8
values = np.array([[1.5, -2.25], [0.0, -0.0], [1e-3, 0.1]])


def write(name, array, version=(1, 0)):
    with open(folder / name, "wb") as file:
        npy.write_array(file, array, version=version)


write("f8-c-order.npy", values)
write("f8-fortran-order.npy", np.asfortranarray(values))
write("f4-c-order.npy", values.astype("<f4"))
write("f4-fortran-order.npy", np.asfortranarray(values.astype("<f4")))
write("f8-version-2.npy", values, (2, 0))
write("f8-version-3.npy", values, (3, 0))
extremes = [[np.nan, np.inf, -np.inf], [5e-324, 1.7976931348623157e308, -0.0]]
write("f8-extremes.npy", np.array(extremes))
write("f8-1-dimension.npy", np.array([1.0, 2.0, 3.0]))
write("f8-0-dimensions.npy", np.array(7.0))
write("f8-0-rows.npy", np.zeros((0, 3)))
write("refused-big-endian.npy", values.astype(">f8"))
write("refused-f2.npy", values.astype("<f2"))
write("refused-int64.npy", np.arange(6).reshape(2, 3).astype("<i8"))
write("refused-complex.npy", values.astype("<c16"))
write("refused-bool.npy", values > 0)
write("refused-text.npy", np.array(["a", "bc"]))
write("refused-3-dimensions.npy", np.zeros((2, 2, 2)))
write("refused-object.npy", np.array([[1, "two"]], dtype=object))
write("refused-records.npy", np.zeros(2, dtype=[("a", "<f8"), ("b", "<i4")]))

good = (folder / "f8-c-order.npy").read_bytes()
(folder / "refused-truncated-data.npy").write_bytes(good[:-8])
(folder / "refused-truncated-header.npy").write_bytes(good[:40])
(folder / "refused-extra-data.npy").write_bytes(good + b"\0")


def with_shape(shape):
    """The good file with another shape in a header of the same length."""
    header = good[10:128].replace(b"(3, 2)", shape).rstrip()
    return good[:10] + header.ljust(117) + b"\n" + good[128:]


(folder / "refused-lying-shape.npy").write_bytes(with_shape(b"(90000, 20000)"))
(folder / "refused-overflowing-shape.npy").write_bytes(with_shape(b"(8589934592, 8589934592)"))
(folder / "refused-version-9.npy").write_bytes(good[:6] + b"\x09" + good[7:])
