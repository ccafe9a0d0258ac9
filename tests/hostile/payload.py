# SPDX-License-Identifier: GPL-3.0-or-later
"""Payloads, and a lesson with a hole at every place where content can stand."""
import re

from hostile import FORGED

# Everything at once: the first thing that is refused must not hide the others, so the parts that
# a grammar might stop at stand at different ends of different payloads.
CONTROLS = ("\x1b[31m\x1b]0;t\x07\x08\x7f\x01\u009b31m\u0085\u202eabc\u202c\u2066\u2069\u200e\u200f\u061c"
            "\u2028\u2029\ufeff\u00ad\u2060\u2063\u206a\ufff9\u180e\U000e0041\U000e007f\U000e0101")
PAYLOADS = {
    "controls": CONTROLS.encode(),
    "word": ("w" + CONTROLS[::-1] + "w").encode(),
    "bytes": b"x\x9b31m\xff\xc3(\xed\xa0\x80\xf8\x88\x80\x80\x80\xc0\x9b\x1b\\\x90\x1bP",
    "references": b"&#27;[31m&#x9b;&#x85;&#0;&#7;&#127;&#x202e;x&NewLine;&Tab;&lrm;&rlm;&ZeroWidthSpace;"
                  b"&zwnj;&zwj;&shy;&NoBreak;&it;&#xE0041;&#xE0101;&#x2028;&#xFEFF;&#xD800;&#x110000;",
    "nul": b"a\x00\x1b[31mb",
}
# Names and arguments hold no NUL; a newline would begin a line of its own.
NAMES = {"controls": PAYLOADS["controls"], "bytes": PAYLOADS["bytes"],
         "newline": ("a\n%s\r\n%s\t\x0b\x0c" % (FORGED, FORGED)).encode(),
         "dash": b"-\x1b[31m\xe2\x80\xae", "equals": b"\x1b[31m=\xe2\x80\xae:\x9b(1,1)?n=\x1b[0m"}

# <hole> or <hole|what stands there otherwise>
LESSON = """---
title: T <title>
about: A <about>
author: B <author>
lang: en<lang>
requires: softmax<requires>
sources: D1 <sources>
<front|>---

```params
n = 2  1..4  tokens <help>
phi = relu  relu | elu1<choices>
<params>
```

```labels
tokens = "one <label>", b
<labels>
```

## Step <step> {#words<id>}

Prose <prose> **bold <bold>** *and <italic>* `code <code>` and `=n<inline>` and `=n|%.1f<format>`
[link <link>](x<target> "<tooltip>") ![<image>](x<picture>) $x<tex>$ <b <tag>> <https://x.y/<auto>> <!-- <remark> -->
[ref <ref>][r] hard \\
break

[r]: http://x/<definition> "<definition-title>"

- *Word<term>*: means <meaning>. $f<symbol>$: a symbol.

1. ordered <ordered>

> quote <quote>

### Small <small>

$$ y <display> $$

```octave<info>
Q = ones(n, 2); % note <comment>
A = phi(Q * Q');<statement>
X = load_csv('<string|a.csv>');
```

```octave fold
F = 1; # <fold-comment>
```

```view
heat A, Q rows=tokens<rows>
bars softmax(A(1,:))<bars> cols=tokens<option>
<view>
```

```check
A(1,1) > 0 : holds <sentence>
A(1,1) < 0<condition> when n < 0<guard> : never <skipped>
<check>
```

## Ask {#ask}

Which <question>?

- [ ] this <wrong> — because <feedback>
- [x] that <right> — so <reason>

```predict
A(1,1)<expression> within 0.5<tolerance> : the <guess>
  trap 99<trap-expression> : you <trap>
```

```notes
Say <notes>
```
<end>
"""
FAILING = LESSON.replace("A(1,1) > 0 :", "A(1,1) > 99 :")


def holes():
    return sorted(set(re.findall(r"<([a-z-]+)(?:\|[^>]*)?>", LESSON)))


def fill(template, fillings):
    """The lesson with the holes of fillings filled, as bytes."""
    def text(found):
        return fillings.get(found.group(1).decode(), found.group(2) or b"")
    return re.sub(rb"<([a-z-]+)(?:\|([^>]*))?>", text, template.encode())


def npy(header):
    """An NPY file of version 1.0 with this header."""
    return b"\x93NUMPY\x01\x00" + len(header + b"\n").to_bytes(2, "little") + header + b"\n" + b"\0" * 64
