//! `kinfolk map`, `kinfolk retarget`, `--to`, and FBX files on the command line.

use std::fs;

use crate::command::{Bench, read};
use crate::data::shared;
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

/// The commands of `resources/retarget.md`: walks of four people on one skeleton, learned from and varied.
#[test]
fn walks_of_four_people_become_one_family() {
    let bench = Bench::new();
    let names = ["07_11", "132_43", "16_11", "35_01"];
    let mut convert = vec!["convert".to_owned()];
    for name in names {
        let Some(path) = shared(&format!("walk_full/{name}.bvh")) else {
            return;
        };
        convert.push(path.display().to_string());
    }
    convert.extend(
        "--out clean --drop-tpose --quiet"
            .split(' ')
            .map(str::to_owned),
    );
    bench.run(convert).ok();
    let demo = rigs::demo_walks(1).remove(0);
    bench.put("one.bvh", &bvh_text(&demo));
    let run = |words: &str| bench.run(words.split(' ')).ok();
    run("retarget clean --to one.bvh --out four --quiet");
    // One skeleton, four bodies: what they travel differs as their legs do.
    let four = names.map(|name| read(&bench.path(&format!("four/{name}.bvh"))));
    assert!(four.iter().all(|c| c.skeleton() == four[0].skeleton()));
    assert!(four[0].skeleton().same_structure(demo.skeleton()));
    run("cycles four --out cycles --left-foot --most 1 --quiet");
    run("learn cycles --out four.ron --quiet");
    run("vary four.ron --count 15 --out variants --quiet");
    let told = run("measure --inputs cycles --variants variants --json --quiet").json();
    let number = |key: &str| told[key].as_f64().unwrap();
    eprintln!(
        "nearest pose {:.2}, diversity {:.2}, jerk in space {:.2}, coverage {:.3}",
        number("nn_ratio"),
        number("diversity_ratio"),
        number("space_jerk_ratio"),
        number("coverage")
    );
    assert!((0.8..1.25).contains(&number("nn_ratio")), "{told:#}");
    assert!((0.8..1.25).contains(&number("diversity_ratio")), "{told:#}");
    assert!((0.7..1.3).contains(&number("space_jerk_ratio")), "{told:#}");
    assert!(number("coverage") > 0.9, "{told:#}");
    assert_eq!(number("copied_frames"), 0.0, "{told:#}");
}

fn bvh_text(clip: &kinfolk::motion::Clip) -> String {
    let settings = kinfolk::file::bvh::WriteSettings::default();
    String::from_utf8(kinfolk::file::bvh::write(clip, &settings).bytes).unwrap()
}
