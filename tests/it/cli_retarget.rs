//! `kinfolk map`, `kinfolk retarget`, `--to`, and FBX files on the command line.

use std::fs;

use crate::command::{Bench, read};
use crate::fbx_text::{Fbx, Take};
use crate::rigs;

#[test]
fn the_command_line_opens_takes() {
    let bench = Bench::new();
    let mut fbx = Fbx::arm();
    fbx.takes.push(Take {
        name: "../Twist",
        ..fbx.takes[0].clone()
    });
    fs::write(bench.path("arm.fbx"), fbx.text()).unwrap();
    let ran = bench.run(["info", "arm.fbx", "--json"]);
    assert_eq!(ran.code(), 0);
    let ran = bench.run(["convert", "arm.fbx", "--out", "out", "--quiet"]);
    assert_eq!(ran.code(), 0);
    assert_eq!(bench.list("out"), ["arm_Bend.bvh", "arm____Twist.bvh"]);
    fs::write(bench.path("bad.fbx"), "Kaydara").unwrap();
    let ran = bench.run(["info", "bad.fbx"]);
    assert_eq!(ran.code(), 1);
}

/// A folder with two clips of one rig and one of another.
fn clips() -> Bench {
    let bench = Bench::new();
    let write = |name: &str, clip: &kinfolk::motion::Clip| {
        let bytes =
            kinfolk::file::bvh::write(clip, &kinfolk::file::bvh::WriteSettings::default()).bytes;
        fs::create_dir_all(bench.path(name).parent().unwrap()).unwrap();
        fs::write(bench.path(name), bytes).unwrap();
    };
    let walks = rigs::demo_walks(3);
    write("in/a.bvh", &walks[0]);
    write("in/b.bvh", &walks[1]);
    write("c.bvh", &walks[2]);
    write("hero.bvh", &rigs::unreal().clip());
    bench
}

#[test]
fn a_map_is_written_corrected_and_used() {
    let bench = clips();
    let ran = bench.run(["map", "in/a.bvh", "hero.bvh", "--out", "map.ron", "--json"]);
    assert_eq!(ran.code(), 0);
    let told = ran.json();
    let mapped = told["mapped"].as_array().unwrap();
    let has = |from: &str, to: &str| mapped.iter().any(|m| m["from"] == from && m["to"] == to);
    assert!(
        has("LeftArm", "upperarm_l") && has("Hips", "pelvis"),
        "{mapped:?}"
    );
    assert!(
        !told["unmapped"]["target"].as_array().unwrap().is_empty(),
        "fingers"
    );
    let text = fs::read_to_string(bench.path("map.ron")).unwrap();
    // Swapped arms, by hand.
    let text = text.replace("to: \"upperarm_l\"", "to: \"X\"");
    let text = text
        .replace("to: \"upperarm_r\"", "to: \"upperarm_l\"")
        .replace("to: \"X\"", "to: \"upperarm_r\"");
    fs::write(bench.path("map.ron"), text).unwrap();
    let run = |args: &[&str]| {
        bench.run(
            ["retarget", "in", "--to", "hero.bvh"]
                .iter()
                .chain(args)
                .copied()
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(
        run(&["--out", "swapped", "--map", "map.ron", "--quiet"]).code(),
        0
    );
    let ran = run(&["--out", "plain", "--json"]);
    assert_eq!(ran.code(), 0);
    assert_eq!(bench.list("plain"), ["a.bvh", "b.bvh"]);
    assert_eq!(ran.json()["files"].as_array().unwrap().len(), 2);
    assert!(
        ran.json()["slide"][0]["target"].as_f64().unwrap() < 0.01,
        "feet stand"
    );
    let (a, b) = (
        read(&bench.path("plain/a.bvh")),
        read(&bench.path("swapped/a.bvh")),
    );
    assert_ne!(
        a.motion().rotations,
        b.motion().rotations,
        "the map was used"
    );
    // In a folder of maps the one for the pair is found.
    fs::create_dir(bench.path("maps")).unwrap();
    fs::copy(bench.path("map.ron"), bench.path("maps/m.ron")).unwrap();
    assert_eq!(
        run(&["--out", "again", "--map", "maps", "--quiet"]).code(),
        0
    );
    let again = fs::read(bench.path("again/a.bvh")).unwrap();
    assert_eq!(again, fs::read(bench.path("swapped/a.bvh")).unwrap());
}

#[test]
fn bad_maps_and_skeletons_are_refused_in_words() {
    let bench = clips();
    bench.put(
        "bad.ron",
        "BoneMap(version: 9, source: [], target: [], links: [])",
    );
    bench.put(
        "lost.ron",
        "BoneMap(version: 1, source: [], target: [], links: [Link(to: \"Tail\", from: \"Hips\")])",
    );
    for (map, words) in [
        ("bad.ron", "version 9"),
        ("lost.ron", "no joint \"Tail\""),
        ("none.ron", "cannot be read"),
    ] {
        let ran = bench.run([
            "retarget", "in/a.bvh", "--to", "hero.bvh", "--out", "o", "--map", map,
        ]);
        assert_eq!(ran.code(), 1);
        assert!(ran.err().contains(words), "{}", ran.err());
    }
    bench.put("tail.bvh", "HIERARCHY\nROOT tail\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    let ran = bench.run(["retarget", "in/a.bvh", "--to", "tail.bvh", "--out", "o"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.err().contains("no body with two legs"), "{}", ran.err());
}

#[test]
fn clips_of_two_rigs_are_learned_from_together() {
    let bench = clips();
    let ran = bench.run([
        "retarget", "c.bvh", "--to", "hero.bvh", "--out", "mixed", "--quiet",
    ]);
    assert_eq!(ran.code(), 0);
    let learn = |more: &[&str]| {
        let all = [
            "learn",
            "in/a.bvh",
            "in/b.bvh",
            "mixed/c.bvh",
            "--out",
            "m.ron",
            "--quiet",
            "--force",
        ];
        bench.run(all.iter().chain(more).copied().collect::<Vec<_>>())
    };
    let refused = learn(&[]);
    assert_ne!(refused.code(), 0);
    assert!(
        refused.err().contains("kinfolk retarget"),
        "{}",
        refused.err()
    );
    assert_eq!(learn(&["--to", "in/a.bvh"]).code(), 0);
    let ran = bench.run([
        "vary", "m.ron", "--count", "1", "--out", "v", "--to", "hero.bvh", "--quiet",
    ]);
    assert_eq!(ran.code(), 0);
    assert!(
        read(&bench.path("v/m_000.bvh"))
            .skeleton()
            .find("pelvis")
            .is_some(),
        "on the hero"
    );
}
