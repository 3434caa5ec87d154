//! Texture files: what is written comes back, and what makes no sense is refused in words.

use std::sync::{Arc, OnceLock};

use kinfolk::demo::{Action, make};
use kinfolk::file::texture_file;
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Clip, ClipInfo, edit};
use kinfolk::texture::{
    LabelledClip, Ordered, PlaySettings, Span, Texture, TextureParts, TextureSettings, Window,
};

use crate::command::{Bench, read, small_walk};

fn learn(clips: &[LabelledClip]) -> Texture {
    Texture::learn(clips, &TextureSettings::default(), &Ticket::default()).unwrap()
}

/// The texture of a walk and two kicks, with a name by hand.
fn demo_texture() -> Texture {
    let clips = [
        (Action::WalkTake, 0, "walk", 240),
        (Action::FrontKick, 0, "kick", 60),
        (Action::FrontKick, 1, "kick", 60),
    ];
    let clips = clips.map(|(action, index, label, n)| {
        let clip = edit::resample(&make(action, 5, index).clip, 30.0).unwrap();
        let mut clip = edit::trim(&clip, 0..n.min(clip.n_frames())).unwrap();
        clip.info.name = format!("{label} \"{index}\"");
        clip.info.file = Some("/home/somebody/takes/one.bvh".into());
        LabelledClip {
            clip: Arc::new(clip),
            label: label.to_owned(),
        }
    });
    let spans = vec![Span {
        clip: 0,
        frames: 100..180,
    }];
    learn(&clips).annotated("walk, then on", spans).unwrap()
}

/// What a file does not keep of a clip.
fn without_past(parts: &TextureParts) -> TextureParts {
    let mut parts = parts.clone();
    for labelled in &mut parts.clips {
        let old = &labelled.clip;
        let info = ClipInfo {
            file: Some("one.bvh".into()),
            up: old.info.up,
            ..ClipInfo::named(old.info.name.clone())
        };
        let clip = Clip::new(info, Arc::clone(old.skeleton()), old.motion().clone()).unwrap();
        labelled.clip = Arc::new(clip.with_contacts(old.contacts().to_vec()).unwrap());
    }
    parts
}

#[test]
fn a_texture_comes_back_from_its_file_as_it_was() {
    let learned = demo_texture();
    let text = texture_file::write(&learned.parts()).unwrap();
    assert!(!text.contains("somebody"), "no folders of this machine");
    let parts = texture_file::parse(text.as_bytes()).unwrap();
    let kept = without_past(&learned.parts());
    assert_eq!(parts, kept, "bit for bit");
    assert!(parts.transitions.len() > 20, "{}", parts.transitions.len());
    let opened = Texture::from_parts(&parts, &Ticket::default()).unwrap();
    assert!(opened == Texture::from_parts(&kept, &Ticket::default()).unwrap());
    assert_eq!(
        opened.systems(),
        learned.systems(),
        "fitted again to the bit"
    );
    assert_eq!(opened.sections(), learned.sections());
    assert!(opened.graph() == learned.graph());
    assert_eq!(opened.summary(), learned.summary());
    assert_eq!(opened.commands(), learned.commands());
    let order = [Ordered {
        action: "walk, then on".to_owned(),
        secs: 2.0,
    }];
    let play = |texture: &Texture| {
        let settings = PlaySettings::default();
        texture
            .perform_order(&order, &settings, &Ticket::default())
            .unwrap()
    };
    assert!(play(&opened).clip.same_motion(&play(&learned).clip));
    assert_eq!(texture_file::write(&parts).unwrap(), text, "and again");
}

/// The parts of a small texture, on a skeleton of few joints; learned once.
fn small() -> &'static TextureParts {
    static SMALL: OnceLock<TextureParts> = OnceLock::new();
    SMALL.get_or_init(|| {
        let bench = Bench::new();
        let clips = [("a", 90), ("b", 70)].map(|(name, n)| {
            let path = bench.put(&format!("{name}.bvh"), &small_walk(n));
            LabelledClip {
                clip: Arc::new(read(&path)),
                label: "walk".to_owned(),
            }
        });
        let spans = vec![Span {
            clip: 1,
            frames: 10..30,
        }];
        learn(&clips).annotated("by hand", spans).unwrap().parts()
    })
}

/// Captures of 60 and 120 Hz round the time of a frame; the clips they make were read as 60 a second, the texture's
/// rate was not.
#[test]
fn a_texture_of_clips_with_rounded_frame_times_is_opened() {
    for frame_secs in [0.016_666_7, 0.008_333_3, 0.033_33] {
        let mut parts = small().clone();
        for labelled in &mut parts.clips {
            let old = &labelled.clip;
            let mut motion = old.motion().clone();
            motion.frame_secs = frame_secs;
            let clip = Clip::new(old.info.clone(), Arc::clone(old.skeleton()), motion).unwrap();
            labelled.clip = Arc::new(clip.with_contacts(old.contacts().to_vec()).unwrap());
        }
        let text = texture_file::write(&parts).unwrap();
        let again = texture_file::parse(text.as_bytes()).unwrap();
        assert_eq!(again.clips[0].clip.frame_secs(), frame_secs);
    }
}

/// Written by the program before version 2, from two small walks of 60 and 50 frames.
const VERSION_1: &[u8] = include_bytes!("../data/texture_v1.ron");

#[test]
fn a_file_of_version_1_is_opened_and_becomes_one_of_version_2() {
    let parts = texture_file::parse(VERSION_1).unwrap();
    assert!(parts.windows.is_none() && parts.spreads.is_none());
    assert_eq!((parts.clips.len(), parts.transitions.len()), (2, 40));
    let opened = Texture::from_parts(&parts, &Ticket::default()).unwrap();
    let text = texture_file::write(&opened.parts()).unwrap();
    assert!(text.contains("version: 2") && 2 * text.len() < VERSION_1.len());
    let again = texture_file::parse(text.as_bytes()).unwrap();
    assert_eq!(again.windows, opened.parts().windows);
    assert_eq!(again.sections, parts.sections);
    assert!(Texture::from_parts(&again, &Ticket::default()).is_ok());
    let cut =
        String::from_utf8_lossy(VERSION_1).replacen("transitions: \"", "transitions: \"AAAA", 1);
    let error = texture_file::parse(cut.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("expected 24 bytes for each"), "{error}");
}

#[test]
fn texture_files_that_make_no_sense_are_refused_in_words() {
    let parts = small();
    let text = texture_file::write(parts).unwrap();
    let said = |text: &str| {
        let parsed = texture_file::parse(text.as_bytes());
        parsed.map(|_| ()).expect_err("refused").to_string()
    };
    let refuse = |from: &str, to: &str, words: &str| {
        assert!(text.contains(from), "{from}");
        let error = said(&text.replacen(from, to, 1));
        assert!(error.contains(words), "{words}: {error}");
    };
    refuse("version: 2", "version: 7", "format 7");
    refuse("version: 2", "of: (), version: 2", "a variation model");
    refuse("version: 2", "features: (), version: 2", "a style");
    refuse("version: 2", "rig: (), version: 2", "a transition graph");
    refuse("max_error_deg: 6.0", "max_error_deg: -6.0", "found -6");
    refuse(
        "max_error_deg: 6.0",
        "max_error_deg: 6.0, threshold: NaN",
        "found NaN",
    );
    refuse("em_rounds: 0", "em_rounds: 99999999", "at most 100 rounds");
    refuse("up: \"Y\"", "up: \"W\"", "the axis that is up");
    refuse("parent: 0", "parent: 77", "skeleton 0");
    refuse(
        "skeleton: 0",
        "skeleton: 9",
        "clip 0 (\"a\"): there is no skeleton 9",
    );
    refuse(
        "frames: 90",
        "frames: 18446744073709551615",
        "expected 18446744073709551615",
    );
    refuse("motion: \"", "motion: \"A", "groups of four");
    refuse("frame_secs: 0.0", "frame_secs: -0.0", "clip 0 (\"a\")");
    let second = text.rfind("frame_secs: ").unwrap();
    let mut other_rate = text.clone();
    other_rate.insert(second + "frame_secs: ".len(), '1');
    assert!(
        said(&other_rate).contains("clip 1 (\"b\"): it has"),
        "{}",
        said(&other_rate)
    );
    refuse("transitions: \"", "transitions: \"AAAA", "transitions: ");
    refuse("transitions: \"", "transitions: \"A", "transitions: base64");
    refuse(
        "spans: [(1, 10, 30)]",
        "spans: [(2, 10, 30)]",
        "the name \"by hand\": there is no clip 2",
    );
    refuse(
        "spans: [(1, 10, 30)]",
        "spans: [(1, 10, 71)]",
        "has frames 0..70, not 10..71",
    );
    refuse(
        "(name: \"by hand\"",
        "(name: \"by hand\", spans: []), (name: \"by hand\"",
        "given twice",
    );
    let with = |change: &dyn Fn(&mut TextureParts)| {
        let mut parts = parts.clone();
        change(&mut parts);
        said(&texture_file::write(&parts).unwrap())
    };
    let refuse = |change: &dyn Fn(&mut TextureParts), words: &str| {
        let error = with(change);
        assert!(error.contains(words), "{words}: {error}");
    };
    refuse(&|p| p.clips.clear(), "clips: there is none");
    refuse(&|p| p.threshold = f64::INFINITY, "the threshold");
    refuse(&|p| p.sections[0].clip = 7, "section 0: there is no clip 7");
    refuse(
        &|p| p.sections[0].frames.end = 91,
        "section 0: clip 0 has frames 0..90",
    );
    refuse(&|p| p.sections[0].frames = 5..5, "section 0");
    refuse(&|p| p.sections[0].system = 1000, "section 0: system 1000");
    refuse(
        &|p| p.sections.push(p.sections[0].clone()),
        "lies before the end of the last one",
    );
    refuse(
        &|p| p.sections[0].fit = kinfolk::texture::Fit::TooFar(f64::NAN),
        "the error of section 0",
    );
    refuse(
        &|p| p.transitions[1].to.frame = 500,
        "transitions: there is no frame 500",
    );
    refuse(
        &|p| p.transitions[0].to.clip = 2,
        "transitions: there is no frame",
    );
    refuse(
        &|p| p.transitions[0].distance = f64::NAN,
        "transitions: NaN",
    );
    refuse(
        &|p| p.transitions[0].distance = -1.0,
        "transitions: -1 is no distance",
    );
    let windows = |p: &mut TextureParts, change: &dyn Fn(&mut Window)| {
        change(&mut p.windows.as_mut().unwrap()[0]);
    };
    refuse(
        &|p| windows(p, &|w| w.clip = 9),
        "windows: window 0: it does not lie in its clip",
    );
    refuse(
        &|p| windows(p, &|w| w.passes[0].moments[0] = 5000.0),
        "windows: window 0: another take does not lie in its clip",
    );
    refuse(&|p| p.spreads = Some(Vec::new()), "spreads: expected one");
    refuse(
        &|p| p.spreads.as_mut().unwrap()[0] = f64::INFINITY,
        "spreads: expected numbers",
    );
    assert!(said(&text[..text.len() / 2]).contains("line"), "cut off");
    for (text, what) in [
        ("", "an empty file"),
        ("HIERARCHY\nROOT Hips\n", "a BVH file with motion"),
        ("file,label\nwalk.bvh,walk\n", "some other text"),
        ("# Motions\n", "some other text"),
    ] {
        let words = said(text);
        assert!(
            words.contains(&format!("this is {what}; actions and paths need")),
            "{words}"
        );
    }
}
