"""Runs the commands of Markdown pages, one after the other, in the folder where it is started.

    python3 check_commands.py PAGE.md...

Commands are the lines of `sh` blocks, and what begins with `kinfolk` in indented lines and, with `--out`, inside sentences.
What a command made is there for those after it, on other pages, too. Ends with 1 if one fails.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

# What is not run, and why.
LEFT_OUT = {
    "bash packaging/start.sh": "newcomer.sh runs it",
    "bash packaging/test.sh": "newcomer.sh runs it",
    "alias ": "a script has no aliases; the program is on the path",
    "sbatch ": "farm/check.sh runs it",
    "openjd ": "farm/check.sh runs it",
    "kinfolk collect /shared/crowd": "farm/check.sh runs it",
}


def commands(page):
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, flags=re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"^    (kinfolk .*)$", text, flags=re.M)
    said = [" ".join(line.split()) for line in re.findall(r"`(kinfolk [^`]*)`", text)]
    lines += [line for line in said if "--out" in line and "…" not in line and "..." not in line]
    return [line for line in lines if line.strip() and not line.startswith("#")]


def main():
    failed = 0
    for page in map(Path, sys.argv[1:]):
        print(f"{page.name}:")
        for line in commands(page):
            why = next((why for start, why in LEFT_OUT.items() if line.startswith(start)), None)
            lacking = [word for word in line.split() if word.endswith(".fbx") and not Path(word).exists()]
            if lacking:
                why = f"no {lacking[0]} here: check-fbx.sh brings the program that writes one"
            shown = re.sub(r"\s+#.*", "", line)
            if why:
                print(f"  left out  {shown} ({why})")
                continue
            # What an earlier line of the page or of another page made may be replaced.
            force = "" if "--force" in line else " --force"
            begin = time.monotonic()
            run = subprocess.run(["bash", "-c", shown + force], capture_output=True, text=True, check=False)
            took = time.monotonic() - begin
            print(f"  {'ok    ' if run.returncode == 0 else 'FAILED'} {took:5.1f} s  {shown}", flush=True)
            if run.returncode != 0:
                failed += 1
                print("    " + (run.stderr + run.stdout).strip().replace("\n", "\n    ")[-800:])
    print(f"{failed} failed" if failed else "All run.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
