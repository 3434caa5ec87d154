"""Brings clips onto a skeleton with upc-pymotion and compares the outcome with kinfolk's.

    python compare_retarget.py SKELETON.bvh SOURCE_FOLDER KINFOLK_FOLDER

KINFOLK_FOLDER holds what `kinfolk retarget SOURCE_FOLDER --to SKELETON.bvh` wrote, from clips without a T-pose at the
start (`kinfolk convert --drop-tpose`). upc-pymotion (MIT) has no retargeting of its own; what people build from its
parts is here in two ways: the world rotations of joints of the same name copied onto the target
(`from_global_rotations`), and rotations found from scaled joint positions (`from_root_positions`); both with the root
scaled by the length of the legs. Joint names of source and target must agree, as those of CMU and the demo do.

Prints, over all clips: how far limbs point from where they do in the source (mean degrees), how fast feet in contact
slide (body heights a second) and how far ankles in contact are from the scaled places of the source (body heights).
Needs `pip install --no-deps upc-pymotion` and numpy.
"""

import sys
from pathlib import Path

import numpy as np
import pymotion.ops.skeleton_np as sk
import pymotion.rotations.quat_np as quat
from pymotion.io.bvh import BVH

SIDES = ("Left", "Right")
BONES = [(s + a, s + b) for s in SIDES for a, b in (("UpLeg", "Leg"), ("Leg", "Foot"), ("Arm", "ForeArm"), ("ForeArm", "Hand"))]


class Take:
    def __init__(self, path):
        bvh = BVH()
        bvh.load(str(path))
        self.names = list(bvh.data["names"])
        self.rots, pos, self.parents, self.offsets, *_ = bvh.get_data()
        self.root = pos[:, 0]
        self.fps = 1.0 / bvh.data["frame_time"]
        self.place(self.rots, self.root)

    def place(self, rots, root):
        self.at, self.matrices = sk.fk(rots, root, self.offsets, self.parents)
        return self

    def of(self, name):
        return self.at[:, self.names.index(name)]

    def leg(self):
        length = lambda name: np.linalg.norm(self.offsets[self.names.index(name)])
        return length("LeftLeg") + length("LeftFoot")

    def height(self):
        return self.leg() / 0.491


def copied_rotations(source, target, scale):
    """World rotations of joints of one name; others follow their parents."""
    parents = target.parents
    world = np.zeros((len(source.at), len(target.names), 4))
    global_source = quat.from_matrix(source.matrices)
    for joint, name in enumerate(target.names):
        if name in source.names:
            world[:, joint] = global_source[:, source.names.index(name)]
        else:
            world[:, joint] = world[:, parents[joint]]
    return sk.from_global_rotations(world, parents), source.root * scale


def rotations_from_positions(source, target, scale):
    places = np.zeros((len(source.at), len(target.names), 3))
    for joint, name in enumerate(target.names):
        if name in source.names:
            places[:, joint] = source.of(name) - source.root
        else:
            places[:, joint] = places[:, target.parents[joint]]
    return sk.from_root_positions(places * scale, target.parents, target.offsets), source.root * scale


def contacts(source):
    """Frames in which an ankle of the source hardly moves, by side."""
    for side in SIDES:
        way = source.of(side + "Foot")
        speed = np.linalg.norm(np.gradient(way, axis=0), axis=1) * source.fps / source.height()
        low = way[:, 1] < np.quantile(way[:, 1], 0.3)
        yield side, (speed < 0.08) & low


def measures(source, made, scale):
    off = []
    for a, b in BONES:
        u, v = source.of(b) - source.of(a), made.of(b) - made.of(a)
        cos = np.sum(u * v, axis=1) / (np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1))
        off.append(np.degrees(np.arccos(np.clip(cos, -1, 1))))
    slides, places = [], []
    for side, down in contacts(source):
        way, wanted = made.of(side + "Foot"), source.of(side + "Foot") * scale
        step = np.diff(way, axis=0)[:, [0, 2]]
        both = down[1:] & down[:-1]
        slides.append(np.linalg.norm(step, axis=1)[both] * made.fps / made.height())
        gap = way - wanted
        gap = gap - np.mean(gap[down], axis=0) * np.array([0, 1, 0])
        places.append(np.linalg.norm(gap, axis=1)[down] / made.height())
    return np.mean(off), np.mean(np.concatenate(slides)), np.mean(np.concatenate(places))


def main(skeleton, sources, ours):
    rows = {"source": [], "rotations copied": [], "rotations from positions": [], "kinfolk": []}
    for path in sorted(Path(sources).glob("**/*.bvh")):
        source = Take(path)
        target = Take(skeleton)
        scale = target.leg() / source.leg()
        rows["source"].append(measures(source, source, 1.0))
        for name, way in (("rotations copied", copied_rotations), ("rotations from positions", rotations_from_positions)):
            made = Take(skeleton)
            made.fps = source.fps
            rows[name].append(measures(source, made.place(*way(source, target, scale)), scale))
        rows["kinfolk"].append(measures(source, Take(Path(ours) / path.relative_to(sources)), scale))
    print(f"{len(rows['source'])} clips             limbs off by   feet slide by   ankles off by")
    for name, values in rows.items():
        off, slide, place = np.mean(values, axis=0)
        print(f"{name:26} {off:9.2f} deg {slide:11.4f} /s {place:13.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
