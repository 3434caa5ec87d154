"""Opens BVH files with programs of others and compares every joint with the CSV of the same clip.

    python check_bvh.py FOLDER

FOLDER holds NAME.csv (world positions) beside NAME.bvh. The readers are pybvh, upc-pymotion and bvhsdk from PyPI, which
check-bvh.sh installs. Prints one line per file and reader with the largest distance, in units and as a share of the size
of the motion. Ends with 1 if a file is off or cannot be opened.
"""

import contextlib
import csv
import io
import sys
from pathlib import Path

import bvhsdk
import numpy as np
import pybvh
from pymotion.io.bvh import BVH
from pymotion.ops.skeleton import fk

# The readers keep double precision, files have six decimals or more of degrees.
TOLERATED_SHARE = 2e-5
MOST_FRAMES = 40


def read_csv(path):
    """Positions as {frame: {name: (x, y, z)}}."""
    frames = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            place = np.array([float(row["x"]), float(row["y"]), float(row["z"])])
            frames.setdefault(int(row["frame"]), {})[row["joint"]] = place
    return frames


def by_pybvh(path):
    clip = pybvh.read_bvh_file(str(path))
    places = clip.joint_positions()
    return {name: places[:, at] for at, name in enumerate(clip.joint_names)}


def by_pymotion(path):
    file = BVH()
    file.load(str(path))
    rotations, positions, parents, offsets, _, _ = file.get_data()
    parents[0] = 0
    places, _ = fk(rotations, positions[:, 0], offsets, parents)
    return {name: places[:, at] for at, name in enumerate(file.data["names"])}


def by_bvhsdk(path):
    with contextlib.redirect_stdout(io.StringIO()):
        clip = bvhsdk.ReadFile(str(path))
        joints = list(clip.getlistofjoints())
        return {
            joint.name: np.array([joint.getPosition(frame) for frame in range(clip.frames)])
            for joint in joints
        }


READERS = {"pybvh": by_pybvh, "pymotion": by_pymotion, "bvhsdk": by_bvhsdk}


def compare(found, frames):
    """The largest distance, how many places were compared, and what was not found."""
    numbers = sorted(frames)
    numbers = numbers[:: max(1, len(numbers) // MOST_FRAMES)] + numbers[-1:]
    # Not every reader knows end sites; joints all of them must.
    wanted = [name for name in frames[0] if not name.endswith("_end")]
    missing = [name for name in wanted if name not in found]
    apart = [
        np.linalg.norm(found[name][number] - frames[number][name])
        for number in numbers
        for name in wanted
        if name in found
    ]
    return max(apart, default=np.inf), len(apart), missing


def main(folder):
    tables = sorted(Path(folder).glob("*.csv"))
    failed = not tables
    for table in tables:
        frames = read_csv(table)
        places = np.array([place for frame in frames.values() for place in frame.values()])
        size = max(np.linalg.norm(places.max(axis=0) - places.min(axis=0)), 1e-9)
        for name, reader in READERS.items():
            path = table.with_suffix(".bvh")
            try:
                worst, compared, missing = compare(reader(path), frames)
            except NotImplementedError:
                print(f"left   {path.name} by {name}, which does not know one of its rotation orders")
                continue
            except Exception as error:  # a reader may fail in any way; all of them are a failed check
                print(f"FAILED {path.name} by {name}: {type(error).__name__}: {error}")
                failed = True
                continue
            good = worst <= TOLERATED_SHARE * size and not missing
            failed |= not good
            print(
                f"{'ok    ' if good else 'FAILED'} {path.name} by {name}: {compared} places, farthest {worst:.2e} units"
                f" = {worst / size:.1e} of {size:.1f}"
            )
            if missing:
                print(f"       not found by {name}: {', '.join(missing)}")
    if not tables:
        print(f"FAILED: no .csv in {folder}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
