//! The same files learned from in the window and on the command line give the same model, byte by byte.

use std::fs;
use std::sync::Arc;

use kinfolk::demo::Action;
use kinfolk::document::Learned;
use kinfolk::file::{style_file, texture_file, variation_model};
use kinfolk::motion::edit::{self, RestPose, rest_as};
use kinfolk::motion::{Clip, Motion, Pose};

use super::Window;
use super::library::{demo_clips, text_of, with};
use crate::command::Bench;

/// Half a second more than a step each, at 20 frames a second, so that learning takes a moment only. The first file
/// begins with the T-pose that converters write.
fn takes() -> Vec<(String, Clip)> {
    let mut takes = demo_clips(Action::Walk, 0..4);
    for (at, (name, clip)) in takes.iter_mut().enumerate() {
        let short = edit::resample(clip, 20.0).unwrap();
        let short = edit::trim(&short, 0..short.n_frames().min(30)).unwrap();
        *clip = rest_as(&short, RestPose::T).unwrap();
        if at == 0 {
            *clip = after_t_pose(clip);
        }
        // A label and a number, as textures want them.
        *name = format!("walk_{at}");
    }
    takes
}

fn after_t_pose(clip: &Clip) -> Clip {
    let skeleton = Arc::clone(clip.skeleton());
    let mut motion = Motion::with_capacity(&skeleton, clip.frame_secs(), clip.n_frames() + 1);
    motion.push(Pose::rest(&skeleton).as_ref());
    for frame in clip.frames() {
        motion.push(frame);
    }
    Clip::new(clip.info.clone(), skeleton, motion).unwrap()
}

fn window_with(takes: &[(String, Clip)]) -> Window {
    let named: Vec<(&str, &Clip)> = takes.iter().map(|(n, c)| (n.as_str(), c)).collect();
    let mut window = with(&named);
    let app = window.app_mut();
    let ids: Vec<_> = app.shell.document().clips().map(|(id, _)| id).collect();
    app.variation.takes.chosen.clone_from(&ids);
    app.shell.session.selection = ids.into_iter().collect();
    window
}

/// What the command line writes for the same files.
fn on_the_command_line(takes: &[(String, Clip)], words: &[&str]) -> String {
    let bench = Bench::new();
    for (name, clip) in takes {
        bench.put(&format!("takes/{name}.bvh"), &text_of(clip));
    }
    let more = ["takes", "--out", "model.ron", "--quiet"];
    bench.run(words.iter().chain(&more)).ok();
    fs::read_to_string(bench.path("model.ron")).unwrap()
}

/// The first line that differs, so that a failure does not print two models.
fn assert_same(window: &str, command_line: &str) {
    let lines = window.lines().zip(command_line.lines()).enumerate();
    let differing = lines.filter(|(_, (a, b))| a != b);
    let first = differing.map(|(at, (a, b))| {
        let from = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
        let part = |line: &str| {
            line.chars()
                .skip(from.saturating_sub(40))
                .take(120)
                .collect()
        };
        let [a, b]: [String; 2] = [part(a), part(b)];
        format!("line {}: window {a:?}, command line {b:?}", at + 1)
    });
    let first: Vec<String> = first.take(3).collect();
    assert!(window == command_line, "{first:#?}");
}

fn learned(window: &mut Window) -> Learned {
    window.until("learned", |app| app.shell.document().models().len() == 1);
    let models = window.app().shell.document().models();
    models[0].learned.clone()
}

#[test]
fn variation_models_are_the_same() {
    let takes = takes();
    let mut window = window_with(&takes);
    let app = window.app_mut();
    app.variation.learn_all_the_same(&mut app.shell);
    let Learned::Variation(model) = learned(&mut window) else {
        panic!("not a model of variation");
    };
    let text = variation_model::write_clips(&model).unwrap();
    assert_same(&text, &on_the_command_line(&takes, &["learn"]));
}

#[test]
fn styles_are_the_same() {
    let takes = takes();
    let mut window = window_with(&takes);
    let app = window.app_mut();
    app.pose.learn_style(&mut app.shell);
    let Learned::Style(style) = learned(&mut window) else {
        panic!("not a style");
    };
    let text = style_file::write(&style).unwrap();
    assert_same(&text, &on_the_command_line(&takes, &["style", "learn"]));
}

#[test]
fn textures_are_the_same() {
    let takes = takes();
    let mut window = window_with(&takes);
    let app = window.app_mut();
    app.sequence.learn_texture(&mut app.shell);
    let Learned::Texture(texture) = learned(&mut window) else {
        panic!("not a texture");
    };
    let text = texture_file::write(&texture.parts()).unwrap();
    assert_same(&text, &on_the_command_line(&takes, &["texture", "learn"]));
}
