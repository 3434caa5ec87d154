//! What the tour shows, subject by subject.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use serde_json::Value;

use super::commands::Commands;
use crate::cli::{Common, write_file};
use crate::demo::DemoClip;
use crate::demo::tour::{self, FIGHT};
use crate::file::read_clip;
use crate::file::tour_page::{Figure, Section, Show, ShowKind, Table};

/// The path that is walked.
const PATH: &str = "path.csv";
/// Motions of the library that the first stage shows.
const SHOWN: [&str; 8] = [
    "walk_01",
    "jump_01",
    "front_kick_01",
    "cheer_01",
    "throw_01",
    "wave_01",
    "squat_01",
    "dodge_01",
];
/// Poses of the boxer: right hand, left hand and feet in centimetres.
const POSES: [(&str, &str); 4] = [
    ("high", "--handle RightHand=-5,165,55"),
    (
        "low",
        "--handle RightHand=0,95,55 --handle LeftHand=20,120,20",
    ),
    (
        "wide",
        "--handle LeftHand=55,140,25 --handle RightHand=-45,120,15",
    ),
    (
        "guard",
        "--handle LeftHand=12,150,28 --handle RightHand=-12,150,24",
    ),
];
const FEET: &str = "--handle LeftFoot=14,9,18 --handle RightFoot=-14,9,-14";
/// Points of the path.
const PATH_POINTS: usize = 61;

/// The path as `x,z` lines.
fn path() -> String {
    let points = tour::path(PATH_POINTS).into_iter();
    let lines = points.map(|[x, z]| format!("{x:.2},{z:.2}\n"));
    ["x,z\n".to_owned()].into_iter().chain(lines).collect()
}

/// Runs the commands and tells what came out.
pub(super) struct Tour<'a> {
    commands: Commands<'a>,
    folder: &'a Path,
    library: &'a [DemoClip],
    common: &'a Common,
}

/// The sections of the whole tour, and what was made for them.
pub(super) struct Toured {
    pub(super) sections: Vec<Section>,
    /// Everything that was made for them.
    pub(super) files: Vec<PathBuf>,
}

/// A section, and the files below the tour's folder that were made for it.
type Made = anyhow::Result<(Section, Vec<String>)>;

impl<'a> Tour<'a> {
    pub(super) fn of(
        folder: &'a Path,
        library: &'a [DemoClip],
        common: &'a Common,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            commands: Commands::in_folder(folder, common)?,
            folder,
            library,
            common,
        })
    }

    pub(super) fn make(&self) -> anyhow::Result<Toured> {
        let path = write_file(&self.folder.join(PATH), path().as_bytes(), self.common)?;
        let mut sections = vec![self.clips()];
        let mut files = vec![path];
        let parts: [fn(&Self) -> Made; 7] = [
            Self::similar,
            Self::variation,
            Self::style,
            Self::transition,
            Self::texture,
            Self::study,
            Self::pictures,
        ];
        for part in parts {
            let (section, made) = part(self)?;
            sections.push(section);
            files.extend(made.into_iter().map(|name| self.folder.join(name)));
        }
        Ok(Toured { sections, files })
    }

    fn clips(&self) -> Section {
        let shown = SHOWN.iter().filter_map(|name| {
            self.library
                .iter()
                .find(|demo| demo.clip.info.name == **name)
        });
        let figures = shown.map(|demo| Figure {
            clip: demo.clip.clone(),
            is_generated: false,
        });
        Section {
            title: "The clips".to_owned(),
            text: format!(
                "{} motions of one character, made from recipes with known variation. Your own BVH, FBX or ASF/AMC files \
                 take their place.",
                self.library.len()
            ),
            commands: vec!["kinfolk info clips".to_owned()],
            shows: vec![Show {
                kind: ShowKind::Row,
                caption: "Eight of the motions".to_owned(),
                figures: figures.collect(),
            }],
            links: links(&[
                ("clips", "clips as BVH"),
                ("labels.csv", "labels"),
                ("measures.csv", "foot slide, penetration and jerk of each"),
            ]),
            ..Default::default()
        }
    }

    fn similar(&self) -> Made {
        let line = "kinfolk similar --reference clips/walk_0[1-3].bvh --candidates clips/walk_0[4-9].bvh \
                    clips/walk_limp_0[1-3].bvh clips/walk_big_arms_0[1-2].bvh";
        let told = self.commands.run(line)?;
        let mut rows: Vec<Vec<String>> = Vec::new();
        for file in list(&told, "kept") {
            let name = stem(file.as_str().unwrap_or_default());
            rows.push(vec![name, "kept".to_owned(), String::new()]);
        }
        for dropped in list(&told, "dropped") {
            let worst: Vec<&str> = list(dropped, "why")
                .iter()
                .filter_map(|why| why["dof"].as_str())
                .take(2)
                .collect();
            rows.push(vec![
                stem(dropped["file"].as_str().unwrap_or_default()),
                format!("dropped in round {}", dropped["round"]),
                format!("unlikely: {}", worst.join(", ")),
            ]);
        }
        let section = Section {
            title: "Similar clips".to_owned(),
            text: "Three walks are known to belong together. Which of the others do? A model of those that fit judges the rest, \
                   again and again, until nothing changes (Lau 2009, section 5)."
                .to_owned(),
            commands: vec![line.to_owned()],
            table: table(&["clip", "result", "why"], rows),
            ..Default::default()
        };
        Ok((section, Vec::new()))
    }

    fn variation(&self) -> Made {
        let lines = [
            "kinfolk learn clips/walk_0[1-4].bvh --out models/walk.ron",
            "kinfolk vary models/walk.ron --count 15 --out variants/walk",
            "kinfolk learn clips/front_kick_0[1-4].bvh --out models/kick.ron",
            "kinfolk vary models/kick.ron --count 15 --out variants/kick",
        ];
        let told = self.run_all(&lines)?;
        let mut files = vec!["models/walk.ron".to_owned(), "models/kick.ron".to_owned()];
        let mut shows = Vec::new();
        for (at, name, what) in [(1, "walk", "walks"), (3, "front_kick", "kicks")] {
            let made: Vec<String> = strings(&told[at], "files");
            let mut figures =
                self.read((1..=4).map(|n| format!("clips/{name}_0{n}.bvh")), false)?;
            figures.extend(self.read(made.iter().cloned(), true)?);
            files.extend(made);
            shows.push(Show {
                kind: ShowKind::Row,
                caption: format!("Four {what} that were given, fifteen that were not"),
                figures,
            });
        }
        let row = |what: &str, learned: &Value, made: &Value| {
            vec![
                what.to_owned(),
                format!("{:.2} s", number(learned, "seconds")),
                format!("{} nodes, {} edges", learned["dofs"], learned["edges"]),
                format!(
                    "{} frames in {:.2} s",
                    made["frames"],
                    number(made, "seconds")
                ),
            ]
        };
        let rows = vec![
            row("walk", &told[0], &told[1]),
            row("kick", &told[2], &told[3]),
        ];
        let section = Section {
            title: "Variation".to_owned(),
            text: "A dynamic Bayesian network learns from four clips how they differ, in space and in time, and draws new ones: \
                   as many as are wanted, none the same, feet locked (Lau 2009)."
                .to_owned(),
            commands: owned(&lines),
            shows,
            table: table(&["model", "learned in", "network", "15 variants"], rows),
            links: links(&[("variants/walk", "walks"), ("variants/kick", "kicks")]),
            ..Default::default()
        };
        Ok((section, files))
    }

    fn style(&self) -> Made {
        let learn = "kinfolk style learn clips/jab_0[1-6].bvh clips/cross_0[1-6].bvh clips/hook_0[1-6].bvh \
                     --out models/boxing.ron --map pictures/latent.png";
        self.commands.run(learn)?;
        let mut commands = vec![learn.to_owned()];
        let mut files = owned(&["models/boxing.ron", "pictures/latent.png"]);
        let mut rows = Vec::new();
        let mut poses = Vec::new();
        for (name, handles) in POSES {
            let file = format!("poses/{name}.bvh");
            let line = format!("kinfolk pose models/boxing.ron {handles} {FEET} --out {file}");
            let told = self.commands.run(&line)?;
            let errors = told["errors"].as_object().into_iter().flatten();
            let worst = errors.filter_map(|(_, e)| e.as_f64()).fold(0.0, f64::max);
            rows.push(vec![
                name.to_owned(),
                format!("{worst:.2} cm"),
                format!("{:.0} ms", number(&told, "ms")),
            ]);
            commands.push(line);
            poses.push(file);
        }
        let section = Section {
            title: "Style".to_owned(),
            text: "A latent model learns which poses a boxer takes. A few handles then say where hands and feet are, and the rest \
                   of the body follows in that style (Grochow 2004)."
                .to_owned(),
            commands,
            shows: vec![Show {
                kind: ShowKind::Row,
                caption: "Four poses: hands and feet are given, everything else is found".to_owned(),
                figures: self.read(poses.iter().cloned(), true)?,
            }],
            table: table(&["pose", "handles met within", "solved in"], rows),
            links: links(&[
                ("poses", "poses as BVH"),
                ("pictures/latent.png", "map of the latent space"),
            ]),
            ..Default::default()
        };
        files.extend(poses);
        Ok((section, files))
    }

    fn transition(&self) -> Made {
        let graph = "kinfolk graph clips --out models/actions.ron";
        let fight = format!(
            "kinfolk sequence models/actions.ron {} --out fight.bvh",
            FIGHT.join(" ")
        );
        let built = self.commands.run(graph)?;
        let told = self.commands.run(&fight)?;
        let rows = list(&told, "joins").iter().map(|join| {
            let text = |key: &str| join[key].as_str().unwrap_or_default();
            let kind = match text("kind") {
                "dead" => "dead blending",
                "quintic" => "inertialisation",
                "fade" => "cross-fade",
                other => other,
            };
            vec![
                text("from").to_owned(),
                text("to").to_owned(),
                kind.to_owned(),
                join["frames"].to_string(),
                format!("{:.2}", number(join, "cost")),
                format!("{:.2}", number(join, "jerk_ratio")),
            ]
        });
        let section = Section {
            title: "Transition".to_owned(),
            text: format!(
                "{} frames of all clips lie in {} clusters of a transition graph. Any action can follow any other: direct joins, \
                 paths through the graph and curves through cluster centres are tried and measured, and the best is taken \
                 (Peng 2007). Jerk is a share of the clips' own 99th percentile: up to 1 a join is no rougher than \
                 they are.",
                built["frames"], built["clusters"]
            ),
            commands: vec![graph.to_owned(), fight],
            shows: vec![Show {
                kind: ShowKind::Follow,
                caption: "A fight in six moves".to_owned(),
                figures: self.read(["fight.bvh".to_owned()], true)?,
            }],
            table: table(
                &["from", "to", "kind", "frames", "cost", "jerk"],
                rows.collect(),
            ),
            links: links(&[("fight.bvh", "the fight as BVH")]),
            ..Default::default()
        };
        Ok((section, owned(&["models/actions.ron", "fight.bvh"])))
    }

    fn texture(&self) -> Made {
        let learn = "kinfolk texture learn clips/take_walk_01.bvh clips/take_mixed_01.bvh --fps 30 --out models/takes.ron";
        let play = format!(
            "kinfolk texture play models/takes.ron --actions take_walk --path {PATH} --out along_path.bvh --plan \
             pictures/plan.png"
        );
        let learned = self.commands.run(learn)?;
        let told = self.commands.run(&play)?;
        let row = vec![
            learned["systems"].to_string(),
            format!("{:.1} cm", number(&told, "path_error_mean")),
            format!("{:.1} cm", number(&told, "path_error_p95")),
            format!("{:.1} cm/s", number(&told, "foot_skate")),
        ];
        let section = Section {
            title: "Texture".to_owned(),
            text: "Long takes become a graph of linear dynamical systems. It is searched for a motion that follows a path on the \
                   floor; frames come from the systems, so that no walk is the same twice (Gao 2007)."
                .to_owned(),
            commands: vec![learn.to_owned(), play],
            shows: vec![Show {
                kind: ShowKind::Path,
                caption: "Along an S of nine metres".to_owned(),
                figures: self.read(["along_path.bvh".to_owned()], true)?,
            }],
            table: table(
                &["systems", "from the path, mean", "95th percentile", "speed of feet in contact"],
                vec![row],
            ),
            links: links(&[
                ("along_path.bvh", "the motion as BVH"),
                ("pictures/plan.png", "seen from above"),
            ]),
            ..Default::default()
        };
        let files = ["models/takes.ron", "along_path.bvh", "pictures/plan.png"];
        Ok((section, owned(&files)))
    }

    fn study(&self) -> Made {
        let lines = [
            "kinfolk measure --inputs clips/walk_0[1-4].bvh --variants variants/walk --real clips/walk_0[5-9].bvh --baselines \
             --all --html report.html --csv report.csv",
            "kinfolk study clones variants/walk",
            "kinfolk study make --experiment natural --variants variants/walk --real clips/walk_0[5-9].bvh --out rating",
        ];
        let told = self.run_all(&lines)?;
        let row = |what: &str, from: &Value| {
            let ratio = |key: &str| format!("{:.2}", number(from, key));
            vec![
                what.to_owned(),
                ratio("nn_ratio"),
                ratio("jerk_ratio"),
                ratio("diversity_ratio"),
                from["copied_frames"].to_string(),
            ]
        };
        let mut rows = vec![row("variants", &told[0])];
        let baselines = told[0]["baselines"].as_object().into_iter().flatten();
        rows.extend(baselines.map(|(name, values)| row(&spoken(name), values)));
        let n_clones = list(&told[1], "clones").len();
        let section = Section {
            title: "Is it natural, is it repetitive?".to_owned(),
            text: format!(
                "Variants beside noise and cycle animation, against walks that were not learned from; 1 is what real walks have. \
                 {n_clones} clones among the fifteen variants. The rating page asks people."
            ),
            commands: owned(&lines),
            table: table(
                &["", "nearest pose", "jerk", "diversity", "copied frames"],
                rows,
            ),
            links: links(&[
                ("report.html", "report with all measures"),
                ("rating/page/index.html", "rating session"),
            ]),
            ..Default::default()
        };
        let mut files = owned(&["report.html", "report.csv"]);
        files.extend(strings(&told[2], "files"));
        Ok((section, files))
    }

    /// Pictures need a graphics driver; without one the tour is whole but for these.
    fn pictures(&self) -> Made {
        let lines = [
            "kinfolk render clips/front_kick_01.bvh --out pictures/kick.png --size 1280x480",
            "kinfolk render clips/walk_0[1-4].bvh --over variants/walk --out pictures/walks.png --size 1280x480",
            "kinfolk render fight.bvh --out pictures/fight.png --size 1280x480 --colour generated",
        ];
        let captions = [
            "A front kick, frame by frame",
            "Four walks in blue, fifteen variants in orange",
            "The fight",
        ];
        let mut section = Section {
            title: "Pictures".to_owned(),
            text: "Drawn by the window's renderer.".to_owned(),
            commands: owned(&lines),
            ..Default::default()
        };
        let mut files = Vec::new();
        for (line, caption) in lines.iter().zip(captions) {
            match self.commands.run(line) {
                Ok(told) => {
                    let file = told["file"].as_str().unwrap_or_default().to_owned();
                    section.pictures.push((file.clone(), caption.to_owned()));
                    files.push(file);
                }
                Err(error) if error.is::<crate::jobs::Cancelled>() => return Err(error),
                Err(error) => {
                    section.text = format!("No pictures were drawn: {error:#}");
                    break;
                }
            }
        }
        Ok((section, files))
    }

    fn run_all(&self, lines: &[&str]) -> anyhow::Result<Vec<Value>> {
        lines.iter().map(|line| self.commands.run(line)).collect()
    }

    /// Clips that commands wrote.
    fn read(
        &self,
        names: impl IntoIterator<Item = String>,
        is_generated: bool,
    ) -> anyhow::Result<Vec<Figure>> {
        let figures = names.into_iter().map(|name| {
            let clip = read_clip(&self.folder.join(&name)).context(name)?;
            Ok(Figure { clip, is_generated })
        });
        figures.collect()
    }
}

/// The key of a table as words.
fn spoken(name: &str) -> String {
    name.replace('_', " ").replace("perlin", "Perlin")
}

fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn strings(value: &Value, key: &str) -> Vec<String> {
    let texts = list(value, key).iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().unwrap_or(f64::NAN)
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn links(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    let pairs = pairs.iter();
    pairs
        .map(|(file, what)| ((*file).to_owned(), (*what).to_owned()))
        .collect()
}

fn table(head: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table {
        head: owned(head),
        rows,
    }
}

fn stem(file: &str) -> String {
    let stem = Path::new(file).file_stem();
    stem.map_or_else(|| file.to_owned(), |s| s.to_string_lossy().into_owned())
}
