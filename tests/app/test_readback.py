# SPDX-License-Identifier: GPL-3.0-or-later
"""NumPy and Octave read what dump writes back bit for bit.  Needs numpy and octave-cli."""
import subprocess

import support

numpy = support.need_numpy()
support.need_tool("octave-cli")

MATRICES = (("brackets", "Y1"), ("brackets?n=9", "Y1"), ("recurrent", "S"), ("delta", "S"),
            ("factor", "Y"))


class Readback(support.Case):
    def dumped(self, place, name):
        """The path of the CSV and, from NPY, the numbers themselves."""
        paths = []
        for kind in ("csv", "npy"):
            paths.append(self.path("m." + kind))
            result = support.attnwalk(*["dump", place, "-m", name, "--format", kind], raw=True)
            self.assertEqual((0, b""), (result.code, result.err))
            with open(paths[-1], "wb") as f:
                f.write(result.out)
        return paths[0], numpy.load(paths[1])

    def same_bits(self, a, b):
        self.assertEqual(a.shape, b.shape)
        self.assertTrue((a.view(numpy.uint64) == b.view(numpy.uint64)).all())

    def test_numpy(self):
        for place, name in MATRICES:
            path, expected = self.dumped(place, name)
            self.same_bits(expected, numpy.loadtxt(path, delimiter=",", ndmin=2))
        self.assertEqual(9, len(self.dumped("brackets?n=9", "Y1")[1]))

    def test_octave(self):
        for place, name in MATRICES:
            path, expected = self.dumped(place, name)
            code = "f = fopen(argv(){2}, 'w'); fwrite(f, dlmread(argv(){1}, ',').', 'double'); fclose(f);"
            back = self.path("back")
            script = self.write("back.m", code)
            subprocess.run(["octave-cli", "--no-init-file", script, path, back], check=True,
                           stdin=subprocess.DEVNULL, timeout=support.DEADLINE)
            self.same_bits(expected, numpy.fromfile(back).reshape(expected.shape))

    def test_extremes(self):
        code = "[4.9e-324, 1.7976931348623157e308; -0, 0.1; pi, -2.2250738585072014e-308]"
        result = support.attnwalk("eval", code)
        path = self.write("x.csv", result.out)
        expected = numpy.array([[4.9e-324, 1.7976931348623157e308], [-0.0, 0.1],
                                [numpy.pi, -2.2250738585072014e-308]])
        self.same_bits(expected, numpy.loadtxt(path, delimiter=",", ndmin=2))

    def test_npy_in(self):
        """eval reads what numpy.save writes, in both orders and both precisions."""
        values = numpy.arange(12.0).reshape(3, 4) / 7
        for order in "CF":
            for kind in ("<f8", "<f4"):
                numpy.save(self.path("in.npy"), numpy.array(values, dtype=kind, order=order))
                result = support.attnwalk("eval", "A", "--load", "A=" + self.path("in.npy"),
                                          "--format", "npy", raw=True)
                path = self.write("out.npy", result.out)
                self.same_bits(values.astype(kind).astype("<f8"), numpy.load(path))
        numpy.save(self.path("in.npy"), values.astype(">f8"))
        self.refused(1, "in.npy: ", "eval", "A", "--load", "A=" + self.path("in.npy"))


if __name__ == "__main__":
    support.main()
