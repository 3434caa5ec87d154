//! What the command line does when things go wrong: exit codes, signals, left-overs, hostile names, odd files.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kinfolk::demo::{Action, make};
use kinfolk::file::bvh;

use crate::command::{Bench, small_walk};

fn put_clip(bench: &Bench, name: &str, action: Action, index: u64) {
    let clip = make(action, 1, index).clip;
    let bytes = bvh::write(&clip, &bvh::WriteSettings::default()).bytes;
    bench.put(name, &String::from_utf8(bytes).unwrap());
}

#[test]
fn exit_codes_follow_one_rule() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(20));
    bench.put("bad.ron", "(version: 2, of: nonsense)");
    bench.put("bad.csv", "frame,joint,x,y,z\n0,Nose,1,2\n");
    bench.put("there.ron", "precious");
    for (words, code, why) in [
        ("info walk.bvh", 0, "done"),
        ("info walk.bvh missing.bvh", 1, "one of two inputs"),
        ("vary bad.ron --out o", 1, "a bad model"),
        ("vary missing.ron --out o", 1, "no model"),
        ("stroke vary bad.ron --out o", 1, "a bad stroke model"),
        ("stroke learn bad.csv --out s.ron", 1, "a bad table"),
        ("style compare bad.ron walk.bvh", 1, "a bad style"),
        (
            "pose bad.ron --handle Hips=0,0,0 --out p.bvh",
            1,
            "a bad style",
        ),
        ("keyframe bad.ron bad.csv --out k.bvh", 1, "a bad style"),
        ("sequence bad.ron walk.bvh --out s.bvh", 1, "a bad graph"),
        (
            "texture play bad.ron --actions walk --out t.bvh",
            1,
            "a bad texture",
        ),
        ("study analyse bad.csv", 1, "bad ratings"),
        ("collect .", 1, "a folder that holds no set"),
        ("learn missing.bvh --out m.ron", 1, "nothing to learn from"),
        (
            "learn walk.bvh --out there.ron",
            2,
            "a result that may not be written",
        ),
        (
            "learn walk.bvh --out walk.bvh/m.ron",
            2,
            "a result that cannot be there",
        ),
        ("learn walk.bvh", 2, "a command without a result"),
        (
            "vary bad.ron --out o --constrain none,feet",
            2,
            "options against each other",
        ),
        ("info walk.bvh --fps 1000000", 2, "a rate that nobody means"),
        ("nonsense", 2, "no such subcommand"),
    ] {
        // Options are looked at first where that is possible; a bad model hides a bad combination.
        let ran = bench.run(words.split(' '));
        let expected = if words.contains("none,feet") {
            1..=2
        } else {
            code..=code
        };
        assert!(
            expected.contains(&ran.code()),
            "{why}: {words}: {}: {}",
            ran.code(),
            ran.err()
        );
        assert_eq!(
            ran.code() == 0,
            ran.err().is_empty(),
            "{words}: {}",
            ran.err()
        );
    }
    let help = bench.run(["--help"]).ok().out();
    assert!(
        help.contains("Exit codes: 0 done; 1 an input failed"),
        "{help}"
    );
}

/// Three walks, and the model `walk.ron` of them.
#[cfg(unix)]
fn learn_walks(bench: &Bench) {
    for index in 0..3 {
        put_clip(bench, &format!("walks/{index}.bvh"), Action::Walk, index);
    }
    bench
        .run(["learn", "walks", "--out", "walk.ron", "--fps", "30"])
        .ok();
}

/// Waits until this holds, for as long as the program runs.
#[cfg(unix)]
fn wait_for(child: &mut Child, holds: impl Fn() -> bool) {
    while !holds() {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none() || holds(), "it ended: {ended:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn values_that_no_option_takes_are_refused_before_the_work_and_in_words() {
    const ABSURD: [&str; 7] = ["-1", "0", "NaN", "inf", "1e30", "99999999999999999999", "x"];
    // Values of ABSURD that mean something there, or would be taken for an option, are left out of a row by name.
    let rows: [(&str, &[&str], &str); 34] = [
        (
            "info a.bvh --fps {}",
            &[],
            "frames per second, from 1 to 1000",
        ),
        ("info a.bvh --threads {}", &[], ""),
        (
            "convert a.bvh --out o --scale {}",
            &[],
            "a number over zero and below 1e15",
        ),
        ("convert a.bvh --out o --trim ..{}", &[], ""),
        (
            "cycles a.bvh --out o --most {}",
            &[],
            "a whole number from 1 to 1000000",
        ),
        (
            "repeats a.bvh --range 0..9 --in a.bvh --out o --most {}",
            &[],
            "a whole number",
        ),
        (
            "repeats a.bvh --range 0..9 --in a.bvh --out o --stretch {}",
            &[],
            "from 1 to 2",
        ),
        (
            "repeats a.bvh --range 0..9 --in a.bvh --out o --threshold {}",
            &[],
            "over zero",
        ),
        (
            "learn a.bvh --out o --neighbours {}",
            &[],
            "a whole number from 2 to 1000",
        ),
        (
            "similar --reference a --candidates b --neighbours {}",
            &[],
            "from 2 to 1000",
        ),
        ("vary a.ron --out o --count {}", &[], "from 1 to 1000000"),
        (
            "vary a.ron --out o --frames {}",
            &[],
            "a whole number from 1 to 1000000",
        ),
        (
            "vary a.ron --out o --amount {}",
            &["0"],
            "a number from 0 to 4",
        ),
        (
            "vary a.ron --out o --part arm={}",
            &["0"],
            "a number from 0 to 4",
        ),
        (
            "vary a.ron --out o --shard {}/4",
            &["-1", "0"],
            "a part of a set such as 0/4",
        ),
        (
            "stroke learn a.csv --out o --neighbours {}",
            &[],
            "from 2 to 1000",
        ),
        (
            "stroke vary a.ron --out o --amount {}",
            &["0"],
            "a number from 0 to 4",
        ),
        ("stroke truth --out o --radius {}", &[], "over zero"),
        (
            "study clones a.bvh --near {}",
            &["0"],
            "a number from 0 to 10",
        ),
        ("collect o --near {}", &["0"], "a number from 0 to 10"),
        (
            "render a.bvh --out o --size {}x100",
            &["-1"],
            "each side at most 16384",
        ),
        (
            "style learn a.bvh --out o --active {}",
            &[],
            "a whole number from 3 to 2000",
        ),
        (
            "style learn a.bvh --out o --latent {}",
            &[],
            "a whole number from 1 to 10",
        ),
        ("style compare a.ron a.bvh --handles {}", &[], ""),
        ("style compare a.ron a.bvh --poses {}", &[], ""),
        (
            "pose a.ron --handle Head={},0,0 --out o",
            &["-1", "0"],
            "each below 1e15",
        ),
        (
            "pose a.ron --soft={} --handle Head=0,0,0 --out o",
            &[],
            "over zero",
        ),
        (
            "graph a.bvh --out o --paths {}",
            &[],
            "a whole number from 1",
        ),
        (
            "graph a.bvh --out o --velocity {}",
            &["0"],
            "a number from 0 to 1000000",
        ),
        (
            "graph a.bvh --out o --weight Head={}",
            &["0"],
            "a number from 0 to 1000000",
        ),
        ("sequence a.ron a --out o --length {}", &[], ""),
        (
            "texture learn a.bvh --out o --em {}",
            &["0"],
            "a whole number from 0",
        ),
        (
            "texture play a.ron --actions a --out o --amount {}",
            &["0"],
            "a number from 0",
        ),
        (
            "texture play a.ron --path a.csv --out o --radius {}",
            &[],
            "over zero",
        ),
    ];
    let bench = Bench::new();
    for (words, sensible, expected) in rows {
        for value in ABSURD.iter().filter(|value| !sensible.contains(value)) {
            let words = words.replace("{}", value);
            let ran = bench.run(words.split(' '));
            let err = ran.err();
            assert_eq!(ran.code(), 2, "{words}: {err}");
            assert!(
                err.contains("invalid value") && err.contains(expected),
                "{words}: {err}"
            );
        }
    }
    assert!(bench.list("").is_empty(), "{:?}", bench.list(""));
}

#[test]
fn a_folder_that_takes_no_files_is_refused_before_the_work() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(20));
    for words in [
        "convert walk.bvh --out walk.bvh/o",
        "cycles walk.bvh --out walk.bvh/o",
        "repeats walk.bvh --range 0..9 --in walk.bvh --out walk.bvh/o",
        "retarget walk.bvh --to walk.bvh --out walk.bvh/o",
        "demo --out walk.bvh/o",
        "stroke truth --out walk.bvh/o",
    ] {
        let ran = bench.run(words.split(' '));
        assert_eq!(ran.code(), 2, "{words}: {}", ran.err());
        assert!(ran.err().contains("is no folder"), "{words}: {}", ran.err());
    }
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_tour_and_the_step_that_it_is_at() {
    let bench = Bench::new();
    let mut child = Command::new(env!("CARGO_BIN_EXE_kinfolk"))
        .args(["demo", "--out", "tour"])
        .stderr(Stdio::piped())
        .current_dir(bench.path(""))
        .spawn()
        .unwrap();
    // It tells each command before it runs it: the first one means that the motions are written.
    let mut told = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    told.read_line(&mut line).unwrap();
    assert!(line.starts_with("kinfolk "), "{line}");
    let sent = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success(), "sent");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut rest = String::new();
    told.read_to_string(&mut rest).unwrap();
    assert!(rest.ends_with("stopped\n"), "{rest}");
    assert!(
        !bench.path("tour/index.html").exists(),
        "stopped before its end"
    );
}

#[test]
#[cfg(unix)]
fn one_signal_ends_work_that_looks_at_no_ticket() {
    let bench = Bench::new();
    learn_walks(&bench);
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kinfolk"))
            .args([
                "vary", "walk.ron", "--count", "1", "--frames", "1000000", "--out",
            ])
            .arg(bench.path(signal))
            .stderr(Stdio::piped())
            .current_dir(bench.path(""))
            .spawn()
            .unwrap();
        // The log is begun when signals are listened to already. A million frames take longer than anybody would wait.
        wait_for(&mut child, || {
            bench.path(&format!("{signal}/.manifest.log")).exists()
        });
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success(), "sent");
        let code = child.wait().unwrap().code();
        assert_eq!(code, Some(130), "{signal}");
        // Only the log that `--resume` reads stays.
        let left = fs::read_dir(bench.path(signal)).into_iter().flatten();
        let left: Vec<String> = left
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .filter(|name| !name.contains(".log"))
            .collect();
        assert!(
            left.is_empty(),
            "{signal}: nothing half written is left: {left:?}"
        );
    }
}

#[test]
#[cfg(unix)]
fn a_killed_run_is_gone_on_with_to_the_same_bytes() {
    let bench = Bench::new();
    learn_walks(&bench);
    let vary = |out: &str, extra: &str| {
        let words = format!("vary walk.ron --count 60 --threads 1 --quiet --out {out}{extra}");
        words.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    bench.run(vary("whole", "")).ok();
    let kill_midway = || {
        let mut child = Command::new(env!("CARGO_BIN_EXE_kinfolk"))
            .args(vary("parts", ""))
            .current_dir(bench.path(""))
            .spawn()
            .unwrap();
        wait_for(&mut child, || {
            fs::read_dir(bench.path("parts")).map_or(0, Iterator::count) >= 5
        });
        child.kill().unwrap();
        child.wait().unwrap();
        !bench.path("parts/manifest.csv").exists()
    };
    // Where this test did not get the processor for long, the run was over before it was killed.
    while !kill_midway() {
        fs::remove_dir_all(bench.path("parts")).unwrap();
    }
    let refused = bench.run(vary("parts", ""));
    assert_eq!(refused.code(), 2);
    assert!(
        refused.err().contains("--resume goes on with it"),
        "{}",
        refused.err()
    );
    let other = bench.run(vary("parts", " --resume --seed 2"));
    assert_eq!(other.code(), 2);
    assert!(other.err().contains("other options"), "{}", other.err());
    bench.run(vary("parts", " --resume")).ok();
    assert_eq!(
        bench.list("parts"),
        bench.list("whole"),
        "and nothing is left over"
    );
    for name in bench.list("whole") {
        let bytes = |folder: &str| fs::read(bench.path(&format!("{folder}/{name}"))).unwrap();
        assert!(bytes("parts") == bytes("whole"), "{name}");
    }
    // Once more: nothing to do. A scheduler that starts a job twice does no harm.
    fs::remove_file(bench.path("parts/walk_007.bvh")).unwrap();
    bench.run(vary("parts", " --resume")).ok();
    assert_eq!(bench.list("parts"), bench.list("whole"));
}

#[test]
fn what_a_killed_run_left_is_swept_by_the_next() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(20));
    bench.put("out/.kinfolk-AbCdEf.part", "half a file");
    bench.put("out/notes.part", "somebody's");
    bench.run(["convert", "walk.bvh", "--out", "out"]).ok();
    assert_eq!(bench.list("out"), ["notes.part", "walk.bvh"]);
}

#[test]
fn names_from_files_do_not_reach_the_terminal_as_commands() {
    let bench = Bench::new();
    let escape = "\u{1b}]0;owned\u{7}";
    bench.put(
        "a.asf",
        &format!(":version 1.10\n:root\n  order {escape}\n"),
    );
    bench.put("a.amc", "1\nroot 1 2 3 4 5 6\n");
    bench.put(
        "b.bvh",
        &format!("HIERARCHY\nROOT {escape}\n{{\nOFFSET {escape} 0 0\n}}\n"),
    );
    bench.put("strokes.csv", &format!("t,x,y\n0,{escape},1\n"));
    bench.put(
        "ratings.csv",
        &format!("study,experiment,rater,trial,stimulus,score\n{escape},{escape},A,1,m,3\n"),
    );
    bench.put("labels.csv", &format!("file,label\n{escape}.bvh,walk\n"));
    bench.put("walk.bvh", &small_walk(30).replace("Head", escape));
    for words in [
        "info a.amc b.bvh",
        "stroke learn strokes.csv --out s.ron",
        "study analyse ratings.csv",
        "texture learn walk.bvh --labels labels.csv --out t.ron",
        "convert walk.bvh --out out --safe-names",
        "learn walk.bvh --out m.ron",
    ] {
        let err = bench.run(words.split(' ')).err();
        assert!(!err.contains(['\u{1b}', '\u{7}']), "{words}: {err:?}");
    }
}

#[test]
fn lengths_that_no_reader_takes_are_not_written() {
    let bench = Bench::new();
    bench.put("walk.bvh", &small_walk(20));
    let ran = bench.run(["convert", "walk.bvh", "--out", "out", "--scale", "9e14"]);
    assert_eq!(ran.code(), 1);
    assert!(ran.err().contains("longer than 1e15"), "{}", ran.err());
    assert!(!bench.path("out/walk.bvh").exists(), "nothing is written");
    let asf = ":root\norder TX TY TZ RX RY RZ\naxis XYZ\nposition 0 0 0\norientation 0 0 0\n:bonedata\nbegin\nname a\n\
               direction 0 1 0\nlength 1e300\naxis 0 0 0 XYZ\ndof rx\nend\n:hierarchy\nbegin\nroot a\nend\n";
    bench.put("a.asf", asf);
    bench.put("a.amc", "1\nroot 0 0 0 0 0 0\na 10\n");
    let err = bench.run(["info", "a.amc"]).err();
    assert!(
        err.contains("line 10, column 8: expected a length below 1e15, found \"1e300\""),
        "{err}"
    );
    bench.put("a.asf", &asf.replace("1e300", "2"));
    bench.put("a.amc", "1\nroot 0 1e300 0 0 0 0\na 10\n");
    let err = bench.run(["info", "a.amc"]).err();
    assert!(
        err.contains("line 2, column 8: expected a length below 1e15"),
        "{err}"
    );
}

#[test]
fn joints_without_channels_are_written_so_that_all_programs_open_them() {
    let bench = Bench::new();
    let asf = ":root\norder TX TY TZ RX RY RZ\naxis XYZ\nposition 0 0 0\norientation 0 0 0\n:bonedata\nbegin\nname hip\n\
               direction 0 1 0\nlength 2\naxis 0 0 0 XYZ\nend\nbegin\nname knee\ndirection 0 1 0\nlength 2\n\
               axis 0 0 0 XYZ\ndof rx\nend\n:hierarchy\nbegin\nroot hip\nhip knee\nend\n";
    bench.put("a.asf", asf);
    bench.put(
        "a.amc",
        "1\nroot 0 1 0 0 0 0\nknee 10\n2\nroot 0 1 0 0 0 0\nknee 20\n",
    );
    bench.run(["convert", "a.amc", "--out", "out"]).ok();
    let text = fs::read_to_string(bench.path("out/a.bvh")).unwrap();
    assert!(!text.contains("CHANNELS 0"), "{text}");
    assert_eq!(text.matches("CHANNELS 3 ").count(), 2, "{text}");
    let row = text.lines().last().unwrap();
    assert_eq!(row.split(' ').count(), 12, "{row}");
}

#[test]
fn presets_and_safe_names_hold_for_every_format() {
    let bench = Bench::new();
    bench.put(
        "walk.bvh",
        &small_walk(10).replace("LeftUpLeg", "Left:Up Leg"),
    );
    bench
        .run("convert walk.bvh --out out --format bvh,gltf,csv --safe-names".split(' '))
        .ok();
    for name in ["walk.bvh", "walk.gltf", "walk.csv"] {
        let text = fs::read_to_string(bench.path(&format!("out/{name}"))).unwrap();
        assert!(
            text.contains("Left_Up_Leg") && !text.contains("Left:Up"),
            "{name}"
        );
    }
    // A tail has no T-pose, and no preset refuses it for that.
    bench.put(
        "tail.bvh",
        "HIERARCHY\nROOT tail\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 50 0\n}\n}\n\
         MOTION\nFrames: 2\nFrame Time: 0.033333\n0 0 0\n10 0 0\n",
    );
    for preset in [
        "maya",
        "motionbuilder",
        "unreal",
        "unity",
        "houdini",
        "blender",
    ] {
        let ran = bench
            .run(["convert", "tail.bvh", "--out", preset, "--preset", preset])
            .ok();
        let is_told = ran.err().contains("no T-pose leads the motion");
        assert_eq!(is_told, preset.starts_with('m'), "{preset}: {}", ran.err());
    }
    let ran = bench
        .run("convert walk.bvh --out z --format glb --up z".split(' '))
        .ok();
    assert!(ran.err().contains("glTF always has Y up"), "{}", ran.err());
}

#[test]
fn a_search_through_a_whole_disk_says_so_and_ends() {
    let bench = Bench::new();
    let deep = "down/".repeat(300);
    bench.put(&format!("deep/{deep}walk.bvh"), &small_walk(3));
    let ran = bench.run(["info", "deep", "--json"]).ok();
    assert_eq!(
        ran.json()["clips"][0]["frames"],
        3,
        "depth is no reason to stop"
    );
}

#[test]
fn a_wrong_file_is_told_as_what_it_is() {
    let bench = Bench::new();
    put_clip(&bench, "a.bvh", Action::Walk, 0);
    put_clip(&bench, "b.bvh", Action::Walk, 1);
    let stroke = "t,x,y\n0,1,2\n0.1,1.5,2.5\n0.2,2,3\n0.3,2,4\n0.4,3,5\n0.5,4,5\n";
    bench.put("s.csv", stroke);
    bench
        .run("learn a.bvh b.bvh --out model.ron".split(' '))
        .ok();
    bench
        .run("style learn a.bvh --gaussian --out style.ron".split(' '))
        .ok();
    bench
        .run("graph a.bvh b.bvh --out graph.ron".split(' '))
        .ok();
    bench.run("map a.bvh b.bvh --out map.ron".split(' ')).ok();
    bench
        .run(
            "study make --experiment natural --variants a.bvh --real b.bvh --per-rater 2 --out study"
                .split(' '),
        )
        .ok();
    fs::copy(bench.path("study/study.ron"), bench.path("study.ron")).unwrap();
    fs::copy(bench.path("style.ron"), bench.path("style.bvh")).unwrap();
    fs::copy(bench.path("a.bvh"), bench.path("really_bvh.fbx")).unwrap();
    fs::copy(bench.path("a.bvh"), bench.path("really_bvh.amc")).unwrap();
    fs::write(bench.path("photo.ron"), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").unwrap();
    fs::write(bench.path("binary.ron"), b"\x7fELF\x02\x01\x01\0\0\xff\xfe").unwrap();
    let kinds = [
        ("a.bvh", "this is a BVH file with motion"),
        ("model.ron", "this is a variation model"),
        ("style.ron", "this is a style"),
        ("graph.ron", "this is a transition graph"),
        ("map.ron", "this is a bone map"),
        ("study.ron", "this is a rating study"),
        ("photo.ron", "this is a picture"),
        ("s.csv", "this is some other text"),
        ("binary.ron", "this is no text"),
    ];
    let readers = [
        ("vary {} --out o", "model.ron"),
        ("style compare {} a.bvh", "style.ron"),
        ("sequence {} a --out o.bvh", "graph.ron"),
        ("texture list {}", ""),
        ("retarget a.bvh --to b.bvh --map {} --out o", "map.ron"),
    ];
    for (command, own) in readers {
        for (file, words) in kinds.iter().filter(|(file, _)| *file != own) {
            let words_of = command.replace("{}", file);
            let ran = bench.run(words_of.split(' '));
            assert_eq!(ran.code(), 1, "{words_of}: {}", ran.err());
            assert!(ran.err().contains(words), "{words_of}: {}", ran.err());
            for ours in ["struct", "enum", "utf-8", "RON"] {
                assert!(!ran.err().contains(ours), "{words_of}: {}", ran.err());
            }
        }
    }
    for (file, words) in [
        ("style.bvh", "this is a style"),
        ("really_bvh.fbx", "this is a BVH file"),
        ("really_bvh.amc", "this is a BVH file"),
        (
            "model.ron",
            "this is a variation model; motion is read from",
        ),
        ("photo.ron", "this is a picture"),
        ("s.csv", "not a motion file"),
    ] {
        let err = bench.run(["info", file]).err();
        assert!(err.contains(words), "{file}: {err}");
    }
    let err = bench
        .run("keyframe style.ron binary.ron --out k.bvh".split(' '))
        .err();
    assert!(!err.contains("\\u{"), "{err}");
}

#[test]
fn takes_of_a_few_frames_are_learned_or_refused_in_words() {
    let bench = Bench::new();
    for n in 1..8 {
        for take in 0..2 {
            let point = |k: usize| format!("{},{},{}\n", 0.05 * k as f64, k * k + take, k);
            let text: String = (0..n).map(point).collect();
            bench.put(&format!("{n}_{take}.csv"), &format!("t,x,y\n{text}"));
        }
        for more in ["", " --method paper"] {
            let words = format!("stroke learn {n}_0.csv {n}_1.csv --out m{n}.ron --force{more}");
            let ran = bench.run(words.split(' '));
            assert!(!ran.err().contains("panicked"), "{words}: {}", ran.err());
            assert!(ran.code() <= 2, "{words}: {}", ran.err());
        }
    }
}

#[test]
fn a_run_that_makes_nothing_leaves_no_log() {
    let bench = Bench::new();
    put_clip(&bench, "a.bvh", Action::Jab, 0);
    put_clip(&bench, "b.bvh", Action::Jab, 1);
    bench
        .run("learn a.bvh b.bvh --course through --out m.ron".split(' '))
        .ok();
    let ran = bench.run("vary m.ron --frames 500 --out o".split(' '));
    assert_eq!(ran.code(), 1, "{}", ran.err());
    let left = fs::read_dir(bench.path("o")).into_iter().flatten().count();
    assert_eq!(left, 0, "nothing is left");
    bench.run("vary m.ron --count 2 --out o".split(' ')).ok();
}

#[test]
fn a_root_that_stays_is_written_with_its_place_so_that_all_programs_read_it() {
    let bench = Bench::new();
    let file = "HIERARCHY\nROOT Hips\n{\nOFFSET 1 2 3\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT Spine\n{\n\
        OFFSET 0 5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 5 0\n}\n}\n}\nMOTION\n\
        Frames: 2\nFrame Time: 0.1\n1 2 3 4 5 6\n2 3 4 5 6 7\n";
    bench.put("a.bvh", file);
    bench.run("convert a.bvh --out out".split(' ')).ok();
    let text = fs::read_to_string(bench.path("out/a.bvh")).unwrap();
    assert!(
        text.contains("CHANNELS 6 Xposition Yposition Zposition Zrotation"),
        "{text}"
    );
    assert!(
        text.lines().last().unwrap().starts_with("1 2 3 2 3 4"),
        "{text}"
    );
    let places = |file: &str| {
        let words = [
            "convert", file, "--format", "csv", "--out", "tables", "--force",
        ];
        bench.run(words).ok();
        fs::read_to_string(bench.path("tables/a.csv")).unwrap()
    };
    assert_eq!(places("a.bvh"), places("out/a.bvh"), "the same motion");
}

#[test]
fn mistyped_names_are_told_what_was_probably_meant() {
    let bench = Bench::new();
    put_clip(&bench, "a.bvh", Action::Walk, 0);
    put_clip(&bench, "b.bvh", Action::Walk, 1);
    bench.run("learn a.bvh b.bvh --out m.ron".split(' ')).ok();
    bench
        .run("style learn a.bvh --gaussian --out s.ron".split(' '))
        .ok();
    for words in [
        "vary m.ron --part LeftFoott=0.5 --out o",
        "pose s.ron --handle LeftFoott=0,0,0 --out p.bvh",
        "fill s.ron a.bvh --missing LeftFoott --out f.bvh",
        "graph a.bvh b.bvh --weight LeftFoott=2 --out g.ron",
        "render a.bvh --trail LeftFoott --out p.png",
    ] {
        let ran = bench.run(words.split(' '));
        assert!(
            ran.code() != 0 && ran.err().contains("did you mean \"LeftFoot\"?"),
            "{words}: {}",
            ran.err()
        );
    }
}
