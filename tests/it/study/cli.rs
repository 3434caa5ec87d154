//! `measure --all`, `study` and `collect` with the built program.

use std::fs;

use kinfolk::demo::{self, Action};
use kinfolk::file::{bvh, study_plan, study_ratings};
use kinfolk::motion::edit::resample;
use kinfolk::study::session::Session;

use crate::command::Bench;

/// Walks of the demo at 30 frames a second as files `NAME_0.bvh`...
fn put_walks(bench: &Bench, folder: &str, from: u64, n: u64) {
    fs::create_dir_all(bench.path(folder)).unwrap();
    for index in from..from + n {
        let clip = resample(&demo::make(Action::Walk, 3, index).clip, 30.0).unwrap();
        let bytes = bvh::write(&clip, &bvh::WriteSettings::default()).bytes;
        let name = format!("{folder}/{folder}_{index}.bvh");
        fs::write(bench.path(&name), bytes).unwrap();
    }
}

#[test]
fn sets_are_compared_and_reported() {
    let bench = Bench::new();
    put_walks(&bench, "inputs", 0, 3);
    put_walks(&bench, "made", 10, 3);
    put_walks(&bench, "other", 20, 2);
    let words = "measure --inputs inputs --variants made --baselines --set others=other --csv t.csv --html t.html --json --quiet";
    let json = bench.run(words.split(' ')).ok().json();
    assert!(
        json["nn_ratio"].is_number(),
        "the first numbers are still there"
    );
    let sets: Vec<&str> = json["sets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["name"].as_str().unwrap())
        .collect();
    let expected = [
        "inputs",
        "variants",
        "others",
        "smoothed noise",
        "Perlin noise",
        "cycle animation",
        "random blending",
    ];
    assert_eq!(sets, expected);
    let cycle = &json["sets"][5];
    assert!(
        cycle["values"]["novelty"].as_f64().unwrap() < 1e-3,
        "{cycle}"
    );
    assert_eq!(cycle["usual"]["novelty"], false);
    assert!(
        json["sets"][1]["clips"][0]["readings"]["jerk"]["frame"].is_number(),
        "where to look"
    );
    let table = fs::read_to_string(bench.path("t.csv")).unwrap();
    assert!(
        table.starts_with("set,clip,measure,unit,value,real_low,real_high,usual,frame\n"),
        "header"
    );
    assert!(
        table
            .lines()
            .any(|l| l.starts_with("others,,novelty,heights,")),
        "{table}"
    );
    let page = fs::read_to_string(bench.path("t.html")).unwrap();
    for part in ["<svg", "Moments to look at", "random blending", "</html>"] {
        assert!(page.contains(part), "no {part}");
    }
    for outside in ["http://", "https://", "src="] {
        assert!(!page.contains(outside), "the page needs {outside}");
    }
    let again = bench.run(words.split(' '));
    assert_eq!(again.code(), 2, "nothing is overwritten: {}", again.err());
    let bad = bench.run([
        "measure",
        "--inputs",
        "inputs",
        "--variants",
        "made",
        "--set",
        "nothing",
    ]);
    assert_eq!(bad.code(), 2, "how it is called");
}

/// Answers all questions of a study as one rater: variants get high scores, others low ones.
fn rate(bench: &Bench, folder: &str, rater: &str) {
    let plan = study_plan::read(&bench.path(&format!("{folder}/study.ron"))).unwrap();
    let mut session = Session::begin(&std::sync::Arc::new(plan), rater).unwrap();
    while let Some(question) = session.question() {
        let is_variant = question.shown.condition == "variants";
        let score = if is_variant { 7 } else { 4 } + u8::from(question.number % 2 == 0);
        session.answer(score, 2.0).unwrap();
    }
    let mut ratings = session.ratings();
    // As the browser page does, which does not know.
    for rating in &mut ratings {
        rating.condition.clear();
    }
    let name = format!("{folder}/ratings_{rater}.csv");
    fs::write(bench.path(&name), study_ratings::write(&ratings)).unwrap();
}

#[test]
fn a_study_is_made_rated_and_analysed() {
    let bench = Bench::new();
    put_walks(&bench, "real", 0, 4);
    put_walks(&bench, "made", 10, 4);
    let make = "study make --experiment natural --variants made --real real --out A --title Walks --per-rater 6 --quiet --json";
    let json = bench.run(make.split(' ')).ok().json();
    assert_eq!(json["stimuli"].as_array().unwrap().len(), 8);
    assert_eq!(json["per_rater"], 6);
    assert_eq!(bench.list("A"), ["clips", "key.csv", "page", "study.ron"]);
    assert_eq!(bench.list("A/clips").len(), 8);
    let page = fs::read_to_string(bench.path("A/page/index.html")).unwrap();
    for secret in ["variants", "motion capture", "made_1", "real_1"] {
        assert!(!page.contains(secret), "the page tells {secret}");
    }
    assert_eq!(
        bench.run(make.split(' ')).code(),
        2,
        "nothing is overwritten"
    );
    for rater in ["Ada", "Bob", "Cy"] {
        rate(&bench, "A", rater);
    }
    let analyse = "study analyse A --out r.html --csv r.csv --json";
    let json = bench.run(analyse.split(' ')).ok().json();
    assert_eq!(
        (json["raters"].as_u64(), json["ratings"].as_u64()),
        (Some(3), Some(18))
    );
    let (means, p) = (&json["means"], json["p"].as_f64().unwrap());
    assert!(
        means["variants"].as_f64().unwrap() > means["motion capture"].as_f64().unwrap() + 2.0,
        "{means}"
    );
    assert!(p < 1e-6 && json["f"].as_f64().unwrap() > 50.0, "{json}");
    assert!(
        fs::read_to_string(bench.path("r.html"))
            .unwrap()
            .contains("The conditions differ"),
        "verdict"
    );
    assert_eq!(
        fs::read_to_string(bench.path("r.csv"))
            .unwrap()
            .lines()
            .count(),
        3
    );
    // Elsewhere the study must be named, and is told when it is not.
    let moved = bench.path("elsewhere.csv");
    fs::copy(bench.path("A/ratings_Ada.csv"), &moved).unwrap();
    let lost = bench.run(["study", "analyse", "elsewhere.csv"]);
    assert_eq!(lost.code(), 1);
    assert!(lost.err().contains("--study"), "{}", lost.err());
    bench
        .run(["study", "analyse", "elsewhere.csv", "--study", "A"])
        .ok();
    bench.put(
        "bad.csv",
        "study,experiment,rater,trial,stimulus,score\nWalks,natural,Ada,1,m01,12\n",
    );
    let some = bench.run(["study", "analyse", "bad.csv", "A"]);
    assert_eq!(some.code(), 1, "{}", some.err());
    assert!(some.err().contains("line 2, column 25"), "{}", some.err());
}

#[test]
fn long_sequences_are_made_for_experiment_b() {
    let bench = Bench::new();
    put_walks(&bench, "inputs", 0, 2);
    put_walks(&bench, "made", 10, 15);
    let make = "study make --experiment repetitive --variants made --inputs inputs --out B --sequences 1 --quiet --json";
    let json = bench.run(make.split(' ')).ok().json();
    assert_eq!(json["stimuli"].as_array().unwrap().len(), 2);
    let key = fs::read_to_string(bench.path("B/key.csv")).unwrap();
    for line in key.lines().skip(1) {
        let name = line.split(',').next().unwrap();
        let clones = bench.run([
            "study",
            "clones",
            &format!("B/clips/{name}.bvh"),
            "--json",
            "--quiet",
        ]);
        let share = clones.ok().json()["share"].as_f64().unwrap();
        let is_cycle = line.contains("cycle animation");
        assert_eq!(share > 0.3, is_cycle, "{line}: {share}");
    }
    let short = bench.run(
        make.replace("--sequences 1", "--clips 3")
            .replace("--out B", "--out C")
            .split(' '),
    );
    assert_eq!(short.code(), 2);
    assert!(short.err().contains("at least 15"), "{}", short.err());
    let lacking = bench.run([
        "study",
        "make",
        "--experiment",
        "natural",
        "--variants",
        "made",
        "--out",
        "D",
    ]);
    assert_eq!(lacking.code(), 2, "motion capture is needed");
}

#[test]
fn a_sharded_set_is_collected() {
    let bench = Bench::new();
    put_walks(&bench, "inputs", 0, 3);
    bench
        .run("learn inputs --out walk.ron --quiet".split(' '))
        .ok();
    let shard = |index: usize| {
        let words = format!("vary walk.ron --count 7 --shard {index}/3 --out set --quiet");
        bench.run(words.split(' ')).ok();
    };
    shard(0);
    shard(2);
    let part = bench.run(["collect", "set", "--json", "--quiet"]);
    assert_eq!(part.code(), 1);
    assert_eq!(part.json()["missing"], serde_json::json!(["shard 1/3"]));
    shard(1);
    let whole = bench
        .run(["collect", "set", "--json", "--quiet"])
        .ok()
        .json();
    assert_eq!(whole["files"].as_array().unwrap().len(), 7);
    assert_eq!(whole["missing"], serde_json::json!([]));
    assert_eq!(whole["wrong"], serde_json::json!([]));
    assert_eq!(whole["clones"], serde_json::json!([]));
    // One variant is put in the place of another: same length, wrong motion.
    fs::copy(
        bench.path("set/walk_001.bvh"),
        bench.path("set/walk_004.bvh"),
    )
    .unwrap();
    fs::remove_file(bench.path("set/walk_005.bvh")).unwrap();
    // One number of another is changed on its way: it can still be read.
    let mut harmed = fs::read(bench.path("set/walk_002.bvh")).unwrap();
    let digit = harmed.iter().rposition(u8::is_ascii_digit).unwrap();
    harmed[digit] = if harmed[digit] == b'1' { b'2' } else { b'1' };
    fs::write(bench.path("set/walk_002.bvh"), harmed).unwrap();
    let broken = bench.run(["collect", "set", "--json", "--quiet"]);
    assert_eq!(broken.code(), 1);
    let json = broken.json();
    assert_eq!(json["missing"], serde_json::json!(["walk_005.bvh"]));
    let wrong = json["wrong"].as_array().unwrap().iter();
    let wrong = wrong.map(|w| w.as_str().unwrap());
    let wrong: Vec<&str> = wrong.filter(|w| w.contains("checksum")).collect();
    assert_eq!(wrong.len(), 2, "{wrong:?}");
    for (words, name) in wrong.iter().zip(["walk_002.bvh", "walk_004.bvh"]) {
        assert!(words.starts_with(name), "{words}");
    }
    let clone = &json["clones"][0];
    assert_eq!(clone["first"]["clip"], "walk_001.bvh", "{json}");
    assert_eq!(clone["second"]["clip"], "walk_004.bvh", "{json}");
    assert_eq!(clone["exact"], true);
    let none = bench.run(["collect", "inputs"]);
    assert_eq!(none.code(), 1);
    assert!(none.err().contains("manifest"), "{}", none.err());
    let manifest = fs::read_to_string(bench.path("set/manifest_1_of_3.csv")).unwrap();
    let away = manifest.replacen("walk_001.bvh", "../walk.ron", 1);
    fs::write(bench.path("set/manifest_1_of_3.csv"), away).unwrap();
    let outside = bench.run(["collect", "set"]);
    assert_eq!(outside.code(), 1);
    assert!(
        outside.err().contains("in this folder"),
        "{}",
        outside.err()
    );
}
