"""Writes the licences of everything that is built into kinfolk, as Markdown.

    python3 packaging/third_party.py > THIRD-PARTY.md

Reads what `cargo metadata` says of the dependencies on Linux, and the licence files in their sources. Ends with 1 if a
dependency has neither a licence expression nor a licence file.
"""

import json
import pathlib
import subprocess
import sys

NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def dependencies() -> list[dict]:
    """The packages that are linked into the program, not those of build scripts and tests alone."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--filter-platform=x86_64-unknown-linux-gnu"]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    root = metadata["resolve"]["root"]
    seen, todo = set(), [root]
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            is_linked = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            if is_linked and dependency["pkg"] not in seen:
                seen.add(dependency["pkg"])
                todo.append(dependency["pkg"])
    return sorted((packages[one] for one in seen), key=lambda one: (one["name"], one["version"]))


def texts(package: dict) -> list[str]:
    folder = pathlib.Path(package["manifest_path"]).parent
    files = [file for file in sorted(folder.iterdir()) if file.is_file() and file.name.upper().startswith(NAMES)]
    return [file.read_text(encoding="utf-8", errors="replace").strip() for file in files]


def main() -> int:
    packages = dependencies()
    by_text: dict[str, list[str]] = {}
    lacking = []
    print("# Third-party software in Kinfolk\n")
    print("| Package | Version | Licence |\n|---|---|---|")
    for package in packages:
        name = f"{package['name']} {package['version']}"
        licence = package["license"] or ""
        found = texts(package)
        if not licence and not found:
            lacking.append(name)
        print(f"| {package['name']} | {package['version']} | {licence or 'see below'} |")
        for text in found:
            by_text.setdefault(text, []).append(name)
    for text, names in sorted(by_text.items(), key=lambda one: one[1]):
        print(f"\n## {', '.join(names)}\n\n```text\n{text}\n```")
    for name in lacking:
        print(f"no licence: {name}", file=sys.stderr)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
