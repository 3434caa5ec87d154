"""Opens BVH and glTF files in Blender and compares every joint with the CSV of the same clip.

    python check_blender.py FOLDER

FOLDER holds NAME.csv (world positions, Y up) beside NAME.bvh and NAME.gltf. Prints one line per file with the largest
distance, in units and as a share of the size of the motion. Ends with 1 if a file is off or cannot be opened.

Needs Blender as a module (`pip install bpy==4.2.0`, Python 3.11); check-blender.sh sees to that.
"""

import contextlib
import csv
import os
import sys
from pathlib import Path

import bpy
from mathutils import Vector

# Blender keeps single precision, and adds up some dozen turns of it along an arm.
TOLERATED_SHARE = 2e-5
MOST_FRAMES = 40


def read_csv(path):
    """Positions as {frame: {name: Vector}} in Blender's world, which has Z up."""
    frames = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            x, y, z = float(row["x"]), float(row["y"]), float(row["z"])
            frames.setdefault(int(row["frame"]), {})[row["joint"]] = Vector((x, -z, y))
    return frames


def size_of(frames):
    """The diagonal of the box around the whole motion."""
    places = [place for frame in frames.values() for place in frame.values()]
    low = Vector(min(p[i] for p in places) for i in range(3))
    high = Vector(max(p[i] for p in places) for i in range(3))
    return max((high - low).length, 1e-9)


def fps_of(bvh_path):
    """As the converter sees it: rates that files rounded are whole again."""
    with open(bvh_path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("Frame Time:"):
                fps = 1.0 / float(line.split(":")[1])
                return round(fps) if abs(fps / max(1, round(fps)) - 1) < 2e-4 else fps
    raise ValueError(f"{bvh_path} has no frame time")


@contextlib.contextmanager
def quiet():
    """Importers talk a lot, past Python's own streams; what they say goes nowhere."""
    sys.stdout.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    kept = [(stream, os.dup(stream)) for stream in (1, 2)]
    for stream, _ in kept:
        os.dup2(nowhere, stream)
    try:
        yield
    finally:
        sys.stdout.flush()
        for stream, copy in kept:
            os.dup2(copy, stream)
            os.close(copy)
        os.close(nowhere)


def open_in_blender(path, fps):
    """The armature, and a function from a frame of the clip to a moment of Blender's scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    render = bpy.context.scene.render
    render.fps = max(1, round(fps))
    if path.suffix == ".bvh":
        # Frames map to frames; Blender does not begin before its frame 1.
        bpy.ops.import_anim.bvh(filepath=str(path), frame_start=1, rotate_mode="NATIVE")
        moment = lambda number: number + 1.0
    else:
        bpy.ops.import_scene.gltf(filepath=str(path), loglevel=50)
        moment = lambda number: number / fps * render.fps
    armature = next(o for o in bpy.context.scene.objects if o.type == "ARMATURE")
    return armature, moment


def places_of(armature, with_tips):
    """World places of all joints, and of the tips of leaves where the format has them."""
    places = {}
    for bone in armature.pose.bones:
        places[bone.name] = armature.matrix_world @ bone.head
        if with_tips and not bone.children:
            places[bone.name + "_end"] = armature.matrix_world @ bone.tail
    return places


def is_no_tip(name, place, frame):
    """Blender draws out tips that lie on their joint, so that the bone can be seen; they cannot be compared."""
    joint = frame.get(name.removesuffix("_end"))
    return name.endswith("_end") and joint is not None and (place - joint).length <= 1e-3


def compare(path, frames, fps):
    """The largest distance, where it is, how many joints were compared, and which were not found."""
    with quiet():
        armature, moment = open_in_blender(path, fps)
    worst, where, compared = 0.0, "", 0
    numbers = sorted(frames)
    step = max(1, len(numbers) // MOST_FRAMES)
    missing = set()
    for number in numbers[::step] + numbers[-1:]:
        whole, part = divmod(moment(number), 1.0)
        bpy.context.scene.frame_set(int(whole), subframe=part)
        found = places_of(armature, with_tips=path.suffix == ".bvh")
        for name, place in frames[number].items():
            if is_no_tip(name, place, frames[number]):
                continue
            if name not in found:
                missing.add(name)
                continue
            compared += 1
            apart = (found[name] - place).length
            if apart > worst:
                worst, where = apart, f"{name} in frame {number}"
    # glTF has no end sites, and of several tips of one joint Blender keeps one.
    missing = {name for name in missing if "_end" not in name}
    return worst, where, compared, missing


def main(folder):
    failed = False
    tables = sorted(Path(folder).glob("*.csv"))
    for table in tables:
        frames = read_csv(table)
        size = size_of(frames)
        fps = fps_of(table.with_suffix(".bvh"))
        for suffix in (".bvh", ".gltf"):
            path = table.with_suffix(suffix)
            try:
                worst, where, compared, missing = compare(path, frames, fps)
            except Exception as error:  # an importer may fail in any way; all of them are a failed check
                print(f"FAILED {path.name}: {error}")
                failed = True
                continue
            good = worst <= TOLERATED_SHARE * size and not missing and compared > 0
            failed |= not good
            print(
                f"{'ok    ' if good else 'FAILED'} {path.name}: {compared} places, farthest {worst:.2e} units"
                f" = {worst / size:.1e} of {size:.1f}" + (f" ({where})" if where else "")
            )
            if missing:
                print(f"       not found in Blender: {', '.join(sorted(missing))}")
    if not tables:
        print(f"FAILED: no .csv in {folder}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    code = main(sys.argv[1])
    sys.stdout.flush()
    # Blender as a module may crash while Python takes itself down, which would hide the answer.
    os._exit(code)
