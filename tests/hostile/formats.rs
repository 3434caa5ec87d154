//! All formats but BVH and FBX, which have files and rules of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use kinfolk::demo::{Action, make};
use kinfolk::document::{Command, Document, Learned, RatingStudy, Stimuli};
use kinfolk::file::asf_amc::{AmcSettings, Asf, read_amc, read_asf};
use kinfolk::file::atomic::Overwrite;
use kinfolk::file::project::{Access, PROJECT_FILE, ProjectFolder, Recent, RecentProject};
use kinfolk::file::variation_model::{self, AnyModel};
use kinfolk::file::{
    graph_file, map_file, picture, stroke_csv, study_manifest, study_plan, study_ratings,
    style_file, texture_csv, texture_file, trajectory,
};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, Skeleton, Stroke, edit};
use kinfolk::retarget::{BoneMap, Link, Pairing, ReferencePose};
use kinfolk::study::session::{Experiment, Plan, Rating};
use kinfolk::study::stimuli::{Shown, StudySettings, blind};
use kinfolk::style::solve::{SolveSettings, Solver, handle_sites, pins};
use kinfolk::style::{LearnSettings as StyleSettings, Method as StyleMethod, Style};
use kinfolk::texture::{LabelledClip, Ordered, PlaySettings, Texture, TextureSettings};
use kinfolk::transition::{self, GraphSettings, SequenceAction, SequenceSettings, TransitionGraph};
use kinfolk::variation::{
    Circles, ClipModel, Hold, LearnSettings, Length, Method, SampleSettings, StrokeModel,
};

use crate::dice::{mutate, mutate_bytes, mutate_values};
use crate::format::Format;

/// A clip of the demo, at few frames a second so that everything about it is quick.
fn clip(action: Action, index: u64) -> Clip {
    edit::resample(&make(action, 1, index).clip, 15.0).unwrap()
}

fn strokes(n: u64) -> Vec<Stroke> {
    let draw = |index| Circles::default().draw(1, index).unwrap();
    (0..n).map(draw).collect()
}

fn text_format<'a>(
    name: &'static str,
    good: &[&str],
    read: &'a dyn Fn(&[u8]) -> bool,
) -> Format<'a> {
    Format {
        name,
        good: good.iter().map(|text| text.as_bytes().to_vec()).collect(),
        mutate: mutate_values,
        read,
        n_cases: 3000,
        longest: Duration::from_secs(1),
        most_bytes: 20_000_000,
    }
}

const ASF: &str = ":version 1.10\n:name VICON\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n:documentation\n  by hand\n\
    :root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n:bonedata\n\
    begin\n  id 1\n  name hip\n  direction 0.64 -0.75 0.13\n  length 2.4\n  axis 0 0 0 XYZ\nend\n\
    begin\n  id 2\n  name femur\n  direction 0.34 -0.93 0\n  length 7.1\n  axis 0 0 20 XYZ\n  dof rx ry rz\n  \
    limits (-160.0 20.0)\n  (-70.0 70.0)\n  (-60.0 70.0)\nend\n\
    begin\n  id 3\n  name tibia\n  direction 0.34 -0.93 0\n  length 7.4\n  axis 0 0 20 XYZ\n  dof rx l\nend\n\
    :hierarchy\n  begin\n    root hip\n    hip femur\n    femur tibia\n  end\n";

const AMC: &str = "#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 9.3 17.8 -17.3 -2.1 -3.2 1.9\nfemur -3.1 -7.9 19.2\n\
    tibia 24.6 0.1\n2\nroot 9.4 17.8 -17.2 -2.0 -3.1 1.9\nfemur -3.0 -7.9 19.2\ntibia 24.7 0.1\n3\nroot 9.4 17.8 -17.1 \
    -2.0 -3.1 1.9\nfemur -3.0 -7.8 19.3\ntibia 24.9 0.2\n";

fn asf() -> Asf {
    // A hierarchy of the real format stands between begin and end.
    read_asf(ASF.as_bytes()).unwrap()
}

#[test]
fn nothing_breaks_the_asf_reader() {
    let read = |bytes: &[u8]| {
        let Ok(asf) = read_asf(bytes) else {
            return false;
        };
        assert!(asf.notes.len() < 30, "{} notes", asf.notes.len());
        read_amc(&asf, AMC.as_bytes(), &AmcSettings::default()).is_ok()
    };
    for mutate in [mutate as fn(&mut _, &mut _), mutate_values] {
        Format {
            mutate,
            ..text_format("asf", &[ASF], &read)
        }
        .hold_out();
    }
}

#[test]
fn nothing_breaks_the_amc_reader() {
    let asf = asf();
    let read = |bytes: &[u8]| {
        let clip = read_amc(&asf, bytes, &AmcSettings::default());
        clip.is_ok_and(|clip| clip.n_frames() > 0)
    };
    for mutate in [mutate as fn(&mut _, &mut _), mutate_values] {
        Format {
            mutate,
            ..text_format("amc", &[AMC], &read)
        }
        .hold_out();
    }
}

/// Reads a model and makes a variant with it.
fn varies(bytes: &[u8]) -> bool {
    match variation_model::read(bytes) {
        Ok(AnyModel::Clips(model)) => {
            let settings = SampleSettings::default();
            model
                .vary(&settings, 1, Length::Once, Hold::FeetAndHands)
                .is_ok()
        }
        Ok(AnyModel::Strokes(model)) => model
            .vary(&SampleSettings::default(), 1, Length::Once)
            .is_ok(),
        Err(_) => false,
    }
}

#[test]
fn nothing_breaks_the_reader_of_variation_models() {
    let learn = |action: Action, paper: bool| {
        let clips = [0, 1, 2].map(|index| clip(action, index));
        let mut settings = LearnSettings::default();
        if paper {
            settings.method = Method::Paper;
        }
        let model = ClipModel::learn(&clips.each_ref(), &settings, &Ticket::default()).unwrap();
        variation_model::write_clips(&model).unwrap()
    };
    let (walk, jab) = (learn(Action::Walk, false), learn(Action::Jab, true));
    Format {
        n_cases: 250,
        longest: Duration::from_secs(10),
        most_bytes: 200_000_000,
        ..text_format("variation", &[&walk, &jab], &varies)
    }
    .hold_out();
}

#[test]
fn nothing_breaks_the_reader_of_stroke_models() {
    let strokes = strokes(3);
    let refs: Vec<&Stroke> = strokes.iter().collect();
    let model = StrokeModel::learn(&refs, 20.0, &LearnSettings::default(), &Ticket::default());
    let text = variation_model::write_strokes(&model.unwrap()).unwrap();
    Format {
        n_cases: 1000,
        longest: Duration::from_secs(10),
        most_bytes: 200_000_000,
        ..text_format("strokes", &[&text], &varies)
    }
    .hold_out();
}

#[test]
fn nothing_breaks_the_reader_of_styles() {
    let clip = clip(Action::Walk, 0);
    let learn = |method| {
        let settings = StyleSettings {
            method,
            n_active: 8,
            n_fitted: 12,
            n_steps: 5,
            ..StyleSettings::default()
        };
        let style = Style::learn(&[&clip], &settings, &Ticket::default()).unwrap();
        style_file::write(&style).unwrap()
    };
    let texts = [learn(StyleMethod::Gaussian), learn(StyleMethod::Full)];
    let read = |bytes: &[u8]| {
        let Ok(style) = style_file::parse(bytes) else {
            return false;
        };
        let Ok(mut solver) = Solver::new(&style, SolveSettings::default()) else {
            return false;
        };
        // Two handles of the first pose it knows; a few rounds tell whether anything panics.
        let skeleton = Arc::clone(style.skeleton());
        let sites = handle_sites(&skeleton, style.map().root(), 2);
        let Some(pose) = style.active().first() else {
            return true;
        };
        let mut rounds = 0;
        let mut go_on = || {
            rounds += 1;
            rounds < 5
        };
        solver
            .solve(&pins(&skeleton, pose.as_ref(), &sites), &mut go_on)
            .ok();
        true
    };
    Format {
        n_cases: 150,
        longest: Duration::from_secs(10),
        most_bytes: 100_000_000,
        ..text_format("style", &[&texts[0], &texts[1]], &read)
    }
    .hold_out();
}

#[test]
fn nothing_breaks_the_reader_of_transition_graphs() {
    let clips = [Action::Jab, Action::Wave].map(|action| Arc::new(clip(action, 0)));
    let graph = TransitionGraph::build(&clips, &GraphSettings::default(), &Ticket::default());
    let text = graph_file::write(&graph.unwrap()).unwrap();
    let read = |bytes: &[u8]| {
        let Ok(parts) = graph_file::parse(bytes) else {
            return false;
        };
        let Ok(graph) = parts.build(&Ticket::default()) else {
            return false;
        };
        let twice: Vec<SequenceAction> = graph
            .clips()
            .flat_map(|(_, clip)| [SequenceAction::whole(clip), SequenceAction::whole(clip)])
            .take(2)
            .collect();
        let settings = SequenceSettings::default();
        transition::sequence(&graph, &twice, &settings, &Ticket::default()).ok();
        true
    };
    Format {
        n_cases: 300,
        longest: Duration::from_secs(10),
        most_bytes: 100_000_000,
        ..text_format("graph", &[&text], &read)
    }
    .hold_out();
}

#[test]
fn nothing_breaks_the_reader_of_textures() {
    let clips = [Action::WalkTake, Action::FrontKick].map(|action| {
        let clip = clip(action, 0);
        LabelledClip {
            clip: Arc::new(edit::trim(&clip, 0..clip.n_frames().min(60)).unwrap()),
            label: format!("{action:?}"),
        }
    });
    let learned = Texture::learn(&clips, &TextureSettings::default(), &Ticket::default());
    let text = texture_file::write(&learned.unwrap().parts()).unwrap();
    let read = |bytes: &[u8]| {
        let ticket = Ticket::default();
        let Ok(parts) = texture_file::parse(bytes) else {
            return false;
        };
        let Ok(texture) = Texture::from_parts(&parts, &ticket) else {
            return false;
        };
        let order = texture.commands().first().map(|command| Ordered {
            action: command.name.clone(),
            secs: 1.0,
        });
        let order: Vec<Ordered> = order.into_iter().collect();
        texture
            .perform_order(&order, &PlaySettings::default(), &ticket)
            .ok();
        true
    };
    Format {
        n_cases: 150,
        longest: Duration::from_secs(10),
        most_bytes: 200_000_000,
        ..text_format("texture", &[&text], &read)
    }
    .hold_out();
}

#[test]
fn nothing_breaks_the_reader_of_bone_maps() {
    let skeleton: Arc<Skeleton> = Arc::clone(clip(Action::Jab, 0).skeleton());
    let n = skeleton.n_joints();
    let link = |joint: usize| Link {
        to: joint,
        from: joint,
        toward: (joint + 1) % n,
        share: if joint.is_multiple_of(3) { 0.25 } else { 0.0 },
    };
    let pairing = Pairing {
        map: BoneMap::new((0..n).map(link).collect(), n, n).unwrap(),
        source_pose: ReferencePose::Found,
        target_pose: ReferencePose::Found,
    };
    let text = map_file::write(&pairing, &skeleton, &skeleton).unwrap();
    let read = |bytes: &[u8]| {
        map_file::parse(bytes).is_ok_and(|map| {
            map.fit(&skeleton, &skeleton).ok();
            true
        })
    };
    text_format("map", &[&text], &read).hold_out();
}

fn plan() -> Plan {
    let clips: Vec<(String, String)> = (0..6)
        .map(|n| (["a", "b"][n % 2].to_owned(), format!("clip {n}")))
        .collect();
    Plan::new("Walks", Experiment::Natural, 3, 4, &clips).unwrap()
}

#[test]
fn nothing_breaks_the_reader_of_studies() {
    let text = study_plan::write(&plan()).unwrap();
    let read = |bytes: &[u8]| {
        study_plan::parse(bytes).is_ok_and(|plan| {
            study_plan::key_csv(&plan);
            plan.order("Ada").len() <= plan.stimuli().len().max(plan.per_rater())
        })
    };
    text_format("study", &[&text], &read).hold_out();
}

/// Its name, good ones, and its reader.
type Table<'a> = (&'static str, &'a [&'a str], &'a dyn Fn(&[u8]) -> bool);

#[test]
fn nothing_breaks_the_readers_of_tables() {
    let rating = |stimulus: &str, score| Rating {
        study: "Walks".to_owned(),
        experiment: Experiment::Natural,
        rater: "Ada, \"the first\"".to_owned(),
        trial: 1,
        stimulus: stimulus.to_owned(),
        condition: String::new(),
        score,
        seconds: 1.5,
    };
    let ratings = study_ratings::write(&[rating("m01", 3), rating("m02", 5)]);
    let ratings = String::from_utf8(ratings).unwrap();
    let tables: [Table<'_>; 7] = [
        (
            "trajectory",
            &["frame,joint,x,y,z\n0,Hips,1,2,3\n12.5,\"Left, Hand\",-1e1,2,3\n"],
            &|bytes| trajectory::parse(bytes).is_ok(),
        ),
        (
            "stroke",
            &["t,x,y\n0,1,2\n0.1,1.5,2.5\n0.2,2,3\n", "0;1,5;2\n1;2,5;3\n"],
            &|bytes| {
                stroke_csv::read(bytes, "stroke").is_ok_and(|(stroke, _)| {
                    stroke.resampled(30.0).ok();
                    true
                })
            },
        ),
        (
            "labels",
            &["file,label,start\na/walk.bvh,walk,1\nb.bvh,run,2\n"],
            &|bytes| texture_csv::labels(bytes).is_ok(),
        ),
        (
            "path",
            &["x,z,action\n0,0,walk\n10,5,run\n20,0,\n"],
            &|bytes| texture_csv::path(bytes).is_ok(),
        ),
        (
            "steering",
            &["time,heading,speed,action\n0,90,1.5,walk\n2,0,3,run\n"],
            &|bytes| texture_csv::steering(bytes).is_ok(),
        ),
        (
            "manifest",
            &[
                "file,variant,seed,amount,frames,log_likelihood,holds,missed_frames\nw_000.bvh,0,1,1,40,-1.5,2,0\nw_001.bvh,1,1,1,41,,2,0\n",
            ],
            &|bytes| study_manifest::parse(bytes).is_ok(),
        ),
        ("ratings", &[&ratings], &|bytes| {
            study_ratings::parse(bytes).is_ok()
        }),
    ];
    for (name, good, read) in tables {
        for mutate in [mutate as fn(&mut _, &mut _), mutate_values] {
            Format {
                mutate,
                n_cases: 2000,
                ..text_format(name, good, read)
            }
            .hold_out();
        }
    }
}

#[test]
fn nothing_breaks_the_reader_of_pictures() {
    let image = image::RgbImage::from_fn(24, 16, |x, y| image::Rgb([x as u8 * 9, y as u8 * 9, 7]));
    let written = |format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    };
    let read = |bytes: &[u8]| {
        picture::of_bytes("picture".to_owned(), bytes.to_vec()).is_ok_and(|file| {
            picture::pixels(&file, 64).ok();
            true
        })
    };
    Format {
        name: "picture",
        good: vec![
            written(image::ImageFormat::Png),
            written(image::ImageFormat::Jpeg),
        ],
        mutate: mutate_bytes,
        read: &read,
        n_cases: 2000,
        // Sixty-four million pixels may be claimed, and then there is not one.
        longest: Duration::from_secs(5),
        most_bytes: 600_000_000,
    }
    .hold_out();
}

#[test]
fn nothing_breaks_the_reader_of_projects() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("a.kinfolk");
    let clip = Arc::new(edit::trim(&clip(Action::Jab, 0), 0..3).unwrap());
    let settings = StyleSettings {
        method: StyleMethod::Gaussian,
        n_active: 3,
        ..StyleSettings::default()
    };
    let style = Style::learn(&[&clip], &settings, &Ticket::default()).unwrap();
    let commands = [
        Command::AddClips(vec![Arc::clone(&clip), Arc::clone(&clip)]),
        Command::AddStrokes(strokes(1).into_iter().map(Arc::new).collect()),
        Command::AddModel {
            name: "boxer".to_owned(),
            learned: Learned::Style(Arc::new(style)),
        },
        Command::AddStudy(Arc::new(study(&clip))),
        Command::RenameProject("Gaits".to_owned()),
    ];
    let document = commands
        .into_iter()
        .try_fold(Document::default(), |document, command| {
            document.edited(command)
        });
    let mut folder = ProjectFolder::create(&path, Overwrite::Never).unwrap();
    folder.save(&document.unwrap()).unwrap();
    drop(folder);
    let files = files_below(&path);
    assert!(
        files.len() >= 4,
        "the project, a motion, a style, a study: {files:?}"
    );
    for place in files {
        let read = |bytes: &[u8]| {
            fs::write(&place, bytes).unwrap();
            ProjectFolder::open(&path, Access::Read).is_ok_and(|opened| {
                opened.document.check().unwrap();
                true
            })
        };
        let good = fs::read(&place).unwrap();
        Format {
            good: vec![good.clone()],
            n_cases: if place.ends_with(PROJECT_FILE) {
                400
            } else {
                60
            },
            longest: Duration::from_secs(5),
            most_bytes: 50_000_000,
            ..text_format("project", &[], &read)
        }
        .hold_out();
        fs::write(&place, good).unwrap();
    }
}

/// A study of a clip beside itself.
fn study(clip: &Clip) -> RatingStudy {
    let clips: Vec<Clip> = vec![clip.clone(); 3];
    let mut shown = Shown::plain("motion capture", &clips);
    shown.extend(Shown::plain("variants", &clips));
    let settings = StudySettings {
        title: "Jabs".to_owned(),
        experiment: Experiment::Natural,
        seed: 1,
        per_rater: 4,
    };
    let (plan, clips) = blind(&settings, &shown, &Ticket::default()).unwrap();
    RatingStudy {
        stimuli: Arc::new(Stimuli {
            plan: Arc::new(plan),
            clips: clips.into_iter().map(Arc::new).collect(),
        }),
        ratings: Vec::new(),
    }
}

/// All files that hold something.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(files_below(&entry.path()));
        } else if entry.metadata().unwrap().len() > 0 {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_breaks_the_reader_of_recent_projects() {
    let mut recent = Recent::default();
    for name in ["Gaits", "Fight \"one\""] {
        recent.add(RecentProject {
            folder: Path::new("/home/ada").join(name),
            name: name.to_owned(),
            opened_unix_secs: 1_700_000_000,
        });
    }
    let text = recent.to_ron().unwrap();
    let read =
        |bytes: &[u8]| std::str::from_utf8(bytes).is_ok_and(|text| Recent::from_ron(text).is_ok());
    text_format("recent", &[&text], &read).hold_out();
}
