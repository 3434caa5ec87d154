//! What the 3D view costs the program itself: building a body, and getting a picture of many characters ready. The
//! graphics card's work is not counted.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kinfolk::app::render::picking::hits;
use kinfolk::app::render::{Character, Colour, Frame, Mannequin, Scene, Size, View};
use kinfolk::demo::{Action, make};
use kinfolk::motion::Clip;

fn main() {
    divan::main();
}

const SIZE: Size = Size {
    width: 1280,
    height: 720,
};

fn walk() -> Clip {
    make(Action::Walk, 1, 0).clip
}

fn scene(n: usize, opacity: f32) -> Scene {
    let clip = walk();
    let mannequin = Arc::new(Mannequin::of(&clip));
    let characters = (0..n)
        .map(|i| {
            let frame = clip.frame(i * 3 % clip.n_frames());
            let mut character = Character::new(&mannequin, clip.skeleton(), frame, Colour::GIVEN);
            character.placement.offset.x = i as f64 * mannequin.height();
            character.opacity = opacity;
            character
        })
        .collect();
    Scene::of(characters, clip.info.up, 0.0, View::Front, 0.0, SIZE)
}

#[divan::bench]
fn mannequin(bencher: Bencher<'_, '_>) {
    let clip = walk();
    bencher.bench(|| Mannequin::of(black_box(&clip)));
}

#[divan::bench(args = [1, 16, 100])]
fn frame_of_characters(bencher: Bencher<'_, '_>, n: usize) {
    let scene = scene(n, 1.0);
    let mut frame = Frame::default();
    bencher.bench_local(|| {
        frame.build(black_box(&scene), SIZE);
        frame.n_bytes()
    });
}

#[divan::bench]
fn frame_of_16_ghosts(bencher: Bencher<'_, '_>) {
    let scene = scene(16, 0.5);
    let mut frame = Frame::default();
    bencher.bench_local(|| {
        frame.build(black_box(&scene), SIZE);
        frame.n_bytes()
    });
}

#[divan::bench]
fn poses_of_16_characters(bencher: Bencher<'_, '_>) {
    let clip = walk();
    let mannequin = Arc::new(Mannequin::of(&clip));
    bencher.bench(|| {
        let one =
            |i: usize| Character::new(&mannequin, clip.skeleton(), clip.frame(i), Colour::GIVEN);
        (0..16).map(one).collect::<Vec<_>>()
    });
}

#[divan::bench]
fn pick_among_16(bencher: Bencher<'_, '_>) {
    let scene = scene(16, 1.0);
    let ray = scene.camera.ray(640.0, 360.0, SIZE);
    bencher.bench(|| hits(black_box(&scene), black_box(&ray)));
}
