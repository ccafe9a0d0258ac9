#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the include graph of src/ against the design.

A folder is a floor and includes only itself and the floors before it; no two
files include each other in a circle (a module's .c and .h count as one file);
each library is included on its own floor only; nothing stands at the top level
of the repository but what belongs there.  `floors.py ROOT`, exit 1 on a fault."""
import os
import re
import subprocess
import sys

FLOORS = ["base", "core", "io", "lang", "lesson", "page", "app"]
DOORS = {  # header -> the floors (or the one file) that may include it
    "gsl/": ["core"],
    "mpfr.h": ["core"],
    "gmp.h": ["core"],
    "md4c.h": ["lesson"],
    "utf8proc.h": ["base"],
    "curses.h": ["app"],
    "ncurses": ["app"],
    "getopt.h": ["app"],
}
TOP = {"src", "lessons", "data", "tests", "CMakeLists.txt", "README.md", "LICENSE"}
# One module in several files: its private header and its parts count as it.
PARTS = {
    "lang/interp_state": "lang/interp",
    "lang/interp_expr": "lang/interp",
    "lang/parser": "lang/parse",
    "lang/parse_expr": "lang/parse",
    "app/walker_state": "app/walker",
    "app/walker_act": "app/walker",
    "app/walker_draw": "app/walker",
    "app/walker_list": "app/walker",
    "app/walker_look": "app/walker",
    "app/walker_prompt": "app/walker",
    "app/walker_words": "app/walker",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def sources(root):
    for floor in FLOORS:
        folder = os.path.join(root, "src", floor)
        for name in sorted(os.listdir(folder)):
            if name.endswith((".c", ".h", ".def")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield floor, name, file.read()


def module(path):
    name = path.rsplit(".", 1)[0]
    return PARTS.get(name, name)


def find_cycle(graph):
    """A list of modules that form a circle, or None."""
    state, path = {}, []

    def visit(node):
        state[node] = "open"
        path.append(node)
        for target in sorted(graph.get(node, ())):
            if state.get(target) == "open":
                return path[path.index(target):] + [target]
            if target not in state:
                cycle = visit(target)
                if cycle:
                    return cycle
        path.pop()
        state[node] = "done"
        return None

    for node in sorted(graph):
        if node not in state:
            cycle = visit(node)
            if cycle:
                return cycle
    return None


def faults(root):
    graph = {}
    for floor, name, text in sources(root):
        here = f"{floor}/{name}"
        for kind, target in INCLUDE.findall(text):
            if kind == '"' and "/" in target:
                below = target.split("/")[0]
                if below not in FLOORS:
                    yield f"src/{here} includes {target}, which is on no floor"
                elif FLOORS.index(below) > FLOORS.index(floor):
                    yield f"src/{here} reaches down to {target}"
                elif module(target) != module(here):
                    graph.setdefault(module(here), set()).add(module(target))
            elif kind == '"':
                yield f"src/{here} includes {target} without its floor"
            for header, allowed in DOORS.items():
                if kind == "<" and target.startswith(header) and floor not in allowed:
                    yield f"src/{here} includes <{target}>: its door is {' '.join(allowed)}/"
    cycle = find_cycle(graph)
    if cycle:
        yield "files include each other in a circle: " + " -> ".join(cycle)
    if os.path.isdir(os.path.join(root, ".git")):
        listed = subprocess.run(["git", "-c", "safe.directory=*", "-C", root, "ls-files"],
                                capture_output=True, text=True, check=True).stdout.split("\n")
        for top in sorted({path.split("/")[0].strip('"') for path in listed if path}):
            if top not in TOP and not top.startswith("."):
                yield f"{top} does not belong at the top level"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else "."
    found = list(faults(root))
    for fault in found:
        print(fault)
    print(f"floors: {len(found)} faults in {sum(1 for _ in sources(root))} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
