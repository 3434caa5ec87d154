//! `kinfolk demo`, `repeats` and `measure` on the built program.

use std::fs;

use crate::command::{Bench, read};

/// A folder with the demo motions.
fn with_demo() -> Bench {
    let bench = Bench::new();
    bench.run(["demo", "--motions", "--out", "demo"]).ok();
    bench
}

#[test]
fn demo_writes_and_measures_its_motions() {
    let bench = Bench::new();
    let files = bench
        .run(["demo", "--motions", "--out", "demo", "--json"])
        .ok()
        .json();
    let files = files["files"].as_array().unwrap();
    assert!(files.len() > 100, "{} files", files.len());
    for file in files {
        assert!(bench.path(file.as_str().unwrap()).is_file(), "{file}");
    }
    let labels = fs::read_to_string(bench.path("demo/labels.csv")).unwrap();
    let walks = labels.lines().filter(|l| l.contains(",walk,yes,")).count();
    assert!(walks >= 16, "{walks} walks");
    let measures = fs::read_to_string(bench.path("demo/measures.csv")).unwrap();
    assert_eq!(measures.lines().count(), labels.lines().count());
    assert_eq!(
        bench.run(["demo", "--motions", "--out", "demo"]).code(),
        2,
        "not over old results"
    );
    bench
        .run(["demo", "--motions", "--out", "demo", "--force"])
        .ok();
}

#[test]
fn the_tour_is_whole_and_its_page_leads_to_what_was_made() {
    let bench = Bench::new();
    let told = bench.run(["demo", "--out", "tour", "--json"]).ok().json();
    let files: Vec<&str> = told["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| f.as_str().unwrap())
        .collect();
    for file in &files {
        assert!(bench.path(file).is_file(), "{file}");
    }
    let variants = files
        .iter()
        .filter(|f| f.contains("variants/walk/"))
        .count();
    assert_eq!(variants, 15);
    let page = fs::read_to_string(bench.path("tour/index.html")).unwrap();
    for title in [
        "Similar clips",
        "Variation",
        "Style",
        "Transition",
        "Texture",
        "natural",
        "Pictures",
    ] {
        assert!(page.contains(title), "{title}");
    }
    let (text, _data) = page.split_once("<script>").unwrap();
    assert!(!text.contains("NaN"), "every number of the tables is told");
    for link in page
        .split("href=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
    {
        let leads = link.starts_with('#') || bench.path("tour").join(link).exists();
        assert!(leads, "{link}");
    }
}

#[test]
fn repeats_of_a_marked_cycle_are_cut_and_listed() {
    let bench = with_demo();
    let take = "demo/clips/take_walk_01.bvh";
    let n_frames = read(&bench.path("demo/clips/walk_01.bvh")).n_frames();
    let args = [
        "repeats",
        "demo/clips/walk_01.bvh",
        "--range",
        "0..",
        "--in",
        take,
    ];
    let ran = bench
        .run(args.iter().chain(&["--out", "cut", "--json"]))
        .ok();
    let json = ran.json();
    let found = json["found"].as_array().unwrap();
    assert!(found.len() >= 8, "a take of many cycles: {}", found.len());
    let mut last = 0.0;
    for (rank, one) in found.iter().enumerate() {
        let number = |key: &str| one[key].as_f64().unwrap();
        assert!(number("distance") >= last, "nearest first");
        last = number("distance");
        let length = number("to") - number("from");
        assert!(
            (length / n_frames as f64 - 1.0).abs() < 0.3,
            "about a cycle: {length}"
        );
        let cut = read(&bench.path(&format!("cut/walk_01_{rank:03}.bvh")));
        assert_eq!(cut.n_frames() as f64, length);
    }
    let manifest = fs::read_to_string(bench.path("cut/manifest.csv")).unwrap();
    assert_eq!(manifest.lines().count(), found.len() + 1);
    let fewer = bench
        .run(
            args.iter()
                .chain(&["--out", "two", "--most", "2", "--json"]),
        )
        .ok();
    assert_eq!(fewer.json()["found"].as_array().unwrap().len(), 2);
}

#[test]
fn repeats_says_what_cannot_be_looked_for() {
    let bench = with_demo();
    let clip = "demo/clips/walk_01.bvh";
    let run = |range: &str| {
        bench.run([
            "repeats", clip, "--range", range, "--in", clip, "--out", "o",
        ])
    };
    let beyond = run("0..9999");
    assert_eq!(beyond.code(), 1);
    assert!(beyond.err().contains("0..9999"), "{}", beyond.err());
    assert_eq!(run("5..6").code(), 1);
    assert!(!bench.path("o").exists(), "nothing written");
}

#[test]
fn measure_sees_fitting_and_unfitting_walks() {
    let bench = with_demo();
    let walk = |n: usize| format!("demo/clips/walk_{n:02}.bvh");
    let inputs: Vec<String> = (1..=4).map(walk).collect();
    let real: Vec<String> = (9..=16).map(walk).collect();
    let measured = |variants: &[String]| {
        let mut args = vec![
            "measure".to_owned(),
            "--json".to_owned(),
            "--inputs".to_owned(),
        ];
        args.extend(inputs.iter().cloned());
        args.push("--variants".to_owned());
        args.extend(variants.iter().cloned());
        args.push("--real".to_owned());
        args.extend(real.iter().cloned());
        bench.run(args).ok().json()
    };
    let like = measured(&(5..=8).map(walk).collect::<Vec<_>>());
    let number = |json: &serde_json::Value, key: &str| json[key].as_f64().unwrap();
    assert!((number(&like, "nn_ratio") - 1.0).abs() < 0.4, "{like:#}");
    assert!((number(&like, "jerk_ratio") - 1.0).abs() < 0.4, "{like:#}");
    assert!(number(&like, "coverage") > 0.5, "{like:#}");
    assert_eq!(like["copied_frames"], 0);
    let unlike = measured(&["demo/clips/walk_big_arms_01.bvh".to_owned()]);
    assert!(
        number(&unlike, "nn_ratio") > 1.3 * number(&like, "nn_ratio"),
        "{unlike:#}"
    );
    let copies = measured(&inputs);
    assert!(number(&copies, "nn_ratio") < 1e-6, "{copies:#}");
    assert!(
        copies["copied_frames"].as_u64().unwrap() > 100,
        "{copies:#}"
    );
}

#[test]
fn measure_goes_on_past_bad_clips_but_not_without_any() {
    let bench = with_demo();
    bench.put("bad.bvh", "nonsense");
    let good = "demo/clips/walk_01.bvh";
    let other = "demo/clips/walk_02.bvh";
    let ran = bench.run([
        "measure",
        "--inputs",
        good,
        other,
        "--variants",
        "bad.bvh",
        other,
    ]);
    assert_eq!(ran.code(), 1, "{}", ran.err());
    assert!(ran.err().contains("bad.bvh"), "{}", ran.err());
    assert!(ran.out().contains("nearest pose"), "{}", ran.out());
    let ran = bench.run(["measure", "--inputs", good, "--variants", "bad.bvh"]);
    assert_eq!(ran.code(), 1, "{}", ran.err());
}
