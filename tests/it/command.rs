//! Runs the built program in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder that goes away with the test, and the program in it.
pub(crate) struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a small file of the test's own.
    pub(crate) fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Runs `kinfolk` with this folder as the current one.
    pub(crate) fn run<S: AsRef<std::ffi::OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_kinfolk"))
            .args(args)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        Ran(output)
    }

    /// Names of the files in a folder, sorted.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.path(name))
            .unwrap()
            .map(|e| e.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran(Output);

impl Ran {
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out()).unwrap_or_else(|e| panic!("{e} in {self:?}"))
    }

    /// Panics with everything it said unless it ended well.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code(), 0, "{}{}", self.out(), self.err());
        self
    }
}

/// A person of a few joints who walks along +Z for `n_frames` at 30 frames a second.
pub(crate) fn small_walk(n_frames: usize) -> String {
    let leg = |side: &str, x: f64| {
        format!(
            "JOINT {side}UpLeg\n{{\nOFFSET {x} 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
             JOINT {side}Leg\n{{\nOFFSET 0 -40 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
             JOINT {side}Foot\n{{\nOFFSET 0 -42 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
             End Site\n{{\nOFFSET 0 -8 14\n}}\n}}\n}}\n}}\n"
        )
    };
    let mut text = format!(
        "HIERARCHY\nROOT Hips\n{{\nOFFSET 0 0 0\n\
         CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n{}{}\
         JOINT Head\n{{\nOFFSET 0 60 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
         End Site\n{{\nOFFSET 0 20 0\n}}\n}}\n}}\nMOTION\nFrames: {n_frames}\nFrame Time: 0.0333333\n",
        leg("Left", 10.0),
        leg("Right", -10.0)
    );
    for frame in 0..n_frames {
        let swing = 20.0 * (frame as f64 * 0.2).sin();
        let row = [
            0.0,
            90.0,
            frame as f64 * 4.0,
            0.0,
            0.0,
            5.0, // hips
            0.0,
            -swing,
            0.0,
            0.0,
            10.0,
            0.0,
            0.0,
            0.0,
            0.0, // left leg
            0.0,
            swing,
            0.0,
            0.0,
            10.0,
            0.0,
            0.0,
            0.0,
            0.0, // right leg
            0.0,
            0.0,
            0.0,
        ];
        let words: Vec<String> = row.iter().map(ToString::to_string).collect();
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    text
}

pub(crate) fn read(path: &Path) -> kinfolk::motion::Clip {
    kinfolk::file::read_clip(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}
