"""Opens FBX files in Blender and compares every joint with the CSV that kinfolk made of them.

    python check_fbx.py CSV_FOLDER FILE.fbx...

For each take of NAME.fbx the folder holds NAME.csv or NAME_TAKE.csv (world positions, centimetres, Y up). Prints one
line per take with the largest distance as a share of the size of the motion, and how long Blender took to open the
file. Ends with 1 if a joint is off by more than a thousandth of the size.

    python check_fbx.py --make FOLDER CLIP.bvh...

Writes FBX files of these clips with Blender's exporter: one file for each way of exporting, all clips as its takes.
"""

import re
import sys
import time
from pathlib import Path

import bpy
from check_blender import quiet, read_csv, size_of

TOLERATED_SHARE = 1e-3
MOST_FRAMES = 40

# Axes, units, bone axes and leaf bones as other programs want them.
WAYS = {
    "usual": {},
    "z_up": {"axis_up": "Z", "axis_forward": "Y"},
    "x_bones": {"primary_bone_axis": "X", "secondary_bone_axis": "Y", "add_leaf_bones": True},
    "units": {"apply_unit_scale": False, "apply_scale_options": "FBX_SCALE_UNITS"},
    "scaled": {"global_scale": 2.5, "armature_nodetype": "ROOT"},
    "simplified": {"bake_anim_simplify_factor": 1.0},
}


def make(folder, clips):
    """One FBX file per way, with every clip as an action of one armature."""
    for way, options in WAYS.items():
        with quiet():
            bpy.ops.wm.read_factory_settings(use_empty=True)
            for clip in clips:
                bpy.ops.import_anim.bvh(filepath=str(clip), update_scene_fps=True, global_scale=0.01)
            first, *others = list(bpy.data.objects)
            for other in others:
                bpy.data.objects.remove(other)
            wanted = {"add_leaf_bones": False, "bake_anim_simplify_factor": 0.0} | options
            bpy.ops.export_scene.fbx(filepath=str(folder / f"{way}.fbx"), **wanted)


def open_in_blender(path):
    """The armatures, and the seconds it took."""
    with quiet():
        bpy.ops.wm.read_factory_settings(use_empty=True)
        began = time.perf_counter()
        bpy.ops.import_scene.fbx(filepath=str(path))
        took = time.perf_counter() - began
    return [o for o in bpy.data.objects if o.type == "ARMATURE"], took


def safe(name):
    return re.sub(r"[^\w-]", "_", name)


def takes_of(path, folder):
    """Each take of a file as (csv, its name or None for the only one)."""
    single = folder / f"{path.stem}.csv"
    if single.exists():
        return [(single, None)]
    return [(csv, csv.stem[len(path.stem) + 1 :]) for csv in sorted(folder.glob(f"{path.stem}_*.csv"))]


def show_action(armature, take):
    """Puts the action of a take on an armature; Blender calls it "armature|take"."""
    actions = list(bpy.data.actions)
    wanted = [a for a in actions if take is None or safe(a.name.split("|", 1)[-1]).startswith(take)]
    wanted = [a for a in wanted if take is None or safe(a.name.split("|", 1)[-1]).split("_Layer")[0] == take] or wanted
    if not wanted:
        return None
    armature.animation_data_create()
    armature.animation_data.action = wanted[0]
    if hasattr(armature.animation_data, "action_slot") and wanted[0].slots:
        armature.animation_data.action_slot = wanted[0].slots[0]
    return wanted[0]


def largest_distance(armature, action, frames):
    """Of all joints that both know, over some frames; in Blender's metres."""
    scene = bpy.context.scene
    first = action.frame_range[0]
    names = [bone.name for bone in armature.pose.bones if bone.name in frames[0]]
    stride = max(1, len(frames) // MOST_FRAMES)
    worst = 0.0
    for number in range(0, len(frames), stride):
        scene.frame_set(int(first) + number, subframe=first % 1.0)
        for name in names:
            place = armature.matrix_world @ armature.pose.bones[name].head
            worst = max(worst, (place - frames[number][name] / 100.0).length)
    return worst, len(names)


def check(folder, path):
    armatures, took = open_in_blender(path)
    ok = bool(armatures)
    for csv, take in takes_of(path, folder):
        frames = read_csv(csv)
        # Blender resamples nothing, but its scene must run at the rate of the file for frames to be frames.
        action = show_action(armatures[0], take) if armatures else None
        if action is None:
            print(f"FAILED  {path.name} {take}: Blender has no such action")
            ok = False
            continue
        worst, n_joints = largest_distance(armatures[0], action, frames)
        share = worst / (size_of(frames) / 100.0)
        is_near = share < TOLERATED_SHARE and n_joints > 0
        ok = ok and is_near
        words = "ok    " if is_near else "FAILED"
        print(f"{words}  {path.name:24} {take or '':16} {n_joints} joints, {len(frames)} frames, largest {share:.1e} of the size, Blender opened it in {1000 * took:.0f} ms")
    return ok


def main(args):
    if args[0] == "--make":
        make(Path(args[1]), [Path(clip) for clip in args[2:]])
        return 0
    folder = Path(args[0])
    results = [check(folder, Path(path)) for path in args[1:]]
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
