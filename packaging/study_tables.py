"""Makes the tables of `resources/study.md` again with the program as it is, and puts them in their places.

    python3 packaging/study_tables.py [--kinfolk target/release/kinfolk] [--data ../shared/data] [--check]

Needs the motion capture of the development set. For each table: `kinfolk learn` of the inputs, `vary`, and `measure`
beside real clips and baselines, with the files named below. `--check` writes nothing and ends with 1 if the page says
something else. Every random number comes from seed 1, so the same program makes the same tables.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "resources" / "study.md"

S35 = "walk_cycles/s35"
# Table: folder, inputs, real clips that the model never sees.
SETS = {
    "walks": (
        S35,
        "train/35_02_c1 train/35_04_c2 train/35_06_c1 train/35_08_c1",
        "train/35_10_c1 train/35_11_c1 train/35_13_c1 train/35_15_c1 test/35_03_c2 test/35_09_c1 test/35_16_c1 "
        "test/35_32_c1 extra/35_01_c1 extra/35_12_c1 extra/35_14_c1 extra/35_33_c2",
    ),
    "jumps": ("jump/s118", "118_06 118_07 118_08 118_10", "118_12 118_13 118_14 118_18 118_20 118_25"),
}


def number(value):
    """Three figures, as in a table; whole numbers above a thousand."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:.0f}"
    if abs(value) >= 1:
        return f"{value:.2f}"
    return f"{value:.3f}" if abs(value) >= 0.1 else f"{value:.4f}"


class Sets:
    """The files of one table, and what the program says of them."""

    def __init__(self, program, data, name, work):
        folder, inputs, real = SETS[name]
        self.program, self.work = program, work
        self.inputs, self.real = ([str(data / folder / f"{clip}.bvh") for clip in names.split()] for names in (inputs, real))
        self.model, self.made = str(work / f"{name}.ron"), str(work / f"{name}_made")
        self.run("learn", *self.inputs, "--out", self.model)
        self.run("vary", self.model, "--count", "20", "--out", self.made)

    def run(self, *words):
        return subprocess.run([self.program, *words, "--quiet"], check=True, capture_output=True).stdout

    def measured(self, asked, real, *more):
        words = ["--inputs", *self.inputs, "--variants", *asked, "--real", *real, "--model", self.model, *more]
        return json.loads(self.run("measure", *words, "--json"))


def outside(found, name):
    """The measures in which a set is outside of what real clips have."""
    usual = next(one for one in found["sets"] if one["name"] == name)["usual"]
    return [measure["name"] for measure in found["measures"] if usual.get(measure["id"]) is False]


def table(sets):
    """The table, how many measures of each set are outside, and the same for real clips that are asked about."""
    found = sets.measured([sets.made], sets.real, "--baselines")
    head = ["", "real clips"] + [one["name"] for one in found["sets"]]
    lines = ["|" + " | ".join(head) + " |", "|" + "---|" * len(head)]
    for measure in found["measures"]:
        key, real = measure["id"], measure["real"]
        row = [measure["name"], f"{number(real['low'])} to {number(real['high'])}" if real else "-"]
        for one in found["sets"]:
            mark = " ●" if one["usual"].get(key) is False else ""
            row.append(number(one["values"].get(key)) + mark)
        lines.append("| " + " | ".join(row) + " |")
    asked = [one["name"] for one in found["sets"] if one["name"] not in ("inputs", "real, unseen")]
    counts = ", ".join(f"{name} {len(outside(found, name))}" for name in asked)
    words = f"Outside of what real clips have, of {len(found['measures'])} measures: {counts}. Variants are outside in "
    words += listed(outside(found, "variants")) + "."
    # What is usual: every third of the unseen clips against the range of the others.
    thirds = []
    for third in range(3):
        own = [clip for at, clip in enumerate(sets.real) if at * 3 // len(sets.real) == third]
        others = [clip for clip in sets.real if clip not in own]
        found = sets.measured(own, others, "--set", f"made={sets.made}")
        thirds.append((outside(found, "variants"), outside(found, "made")))
    usual = "Each third of the unseen clips in the place of the variants, against the range that the others leave, is outside in "
    usual += "; ".join(f"{len(own)} ({listed(own)})" for own, _ in thirds)
    usual += f". Variants against the same ranges: {', '.join(str(len(made)) for _, made in thirds)}."
    return "\n".join(lines) + "\n\n" + "\n\n".join(textwrap.fill(text, 120) for text in (words, usual))


def listed(names):
    return ", ".join(names) or "none"


def placed(page, name, text):
    """The page with a table between its two marks."""
    begin, end = f"<!-- {name}: made by packaging/study_tables.py -->", f"<!-- end of {name} -->"
    before, rest = page.split(begin)
    _, after = rest.split(end)
    return f"{before}{begin}\n{text}\n{end}{after}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kinfolk", default="target/release/kinfolk")
    parser.add_argument("--data", type=Path, default=PAGE.parent.parent.parent / "shared" / "data")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    old = page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as work:
        for name in SETS:
            page = placed(page, name, table(Sets(args.kinfolk, args.data, name, Path(work))))
    if args.check:
        sys.exit(0 if page == old else "the page says something else")
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
