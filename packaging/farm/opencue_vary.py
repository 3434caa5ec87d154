"""Submits a set of variants to OpenCue: one layer of shards and one that checks the set.

    python3 opencue_vary.py walk.ron 100000 /shared/crowd --tasks 200

A recipe: it needs the outline module of OpenCue and a running Cuebot, and was not run against one. The commands are
those of vary.sbatch and vary.openjd.yaml, which are run by check.sh.
"""

import argparse


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("count", type=int)
    parser.add_argument("out")
    parser.add_argument("--tasks", type=int, default=8)
    parser.add_argument("--show", default="testing")
    parser.add_argument("--shot", default="crowd")
    parser.add_argument("--kinfolk", default="kinfolk")
    args = parser.parse_args()

    import outline
    import outline.cuerun
    from outline.modules.shell import Shell

    job = outline.Outline("kinfolk-vary", shot=args.shot, show=args.show)
    # Frames count from 1; `--shard 8/8` is `0/8`.
    vary = Shell(
        "vary",
        command=[args.kinfolk, "vary", args.model, "--count", str(args.count), "--out", args.out,
                 "--shard", f"#IFRAME#/{args.tasks}", "--threads", "1", "--resume", "--quiet"],
        range=f"1-{args.tasks}",
        threads=1,
        memory="500m",
    )
    collect = Shell("collect", command=[args.kinfolk, "collect", args.out], range="1-1")
    collect.depend_all(vary)
    job.add_layer(vary)
    job.add_layer(collect)
    outline.cuerun.launch(job, use_pycuerun=False)


if __name__ == "__main__":
    main()
