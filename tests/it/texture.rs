//! What textures promise of plays: clips are shown as much as was captured of them, deviations are as large as takes
//! differ, and what nothing near leads to is reached all the same.

use std::sync::Arc;

use kinfolk::demo::{Action, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::{RestPose, prepend_tpose, rest_as};
use kinfolk::motion::{Clip, edit};
use kinfolk::texture::{
    FrameId, LabelledClip, Ordered, Performance, Piece, PlaySettings, Player, Source, Texture,
    TextureSettings,
};

/// A demo clip at 30 frames a second.
fn demo(action: Action, index: u64, frames: std::ops::Range<usize>) -> Clip {
    let clip = edit::resample(&make(action, 5, index).clip, 30.0).unwrap();
    let end = frames.end.min(clip.n_frames());
    let mut clip = edit::trim(&clip, frames.start..end).unwrap();
    clip.info.name = format!("{action:?} {index} {}", frames.start);
    clip
}

fn labelled(label: &str, clip: Clip) -> LabelledClip {
    LabelledClip {
        clip: Arc::new(clip),
        label: label.to_owned(),
    }
}

fn learn(clips: &[LabelledClip], settings: &TextureSettings) -> Texture {
    Texture::learn(clips, settings, &Ticket::default()).unwrap()
}

fn play(texture: &Texture, actions: &[&str], secs: f64, seed: u64) -> Performance {
    let part = |action: &&str| Ordered {
        action: (*action).to_owned(),
        secs,
    };
    let order: Vec<Ordered> = actions.iter().map(part).collect();
    let settings = PlaySettings {
        source: Source::Replay,
        seed,
        ..PlaySettings::default()
    };
    let made = texture.perform_order(&order, &settings, &Ticket::default());
    made.unwrap()
}

/// Runs of one session lay close to each other, and were all that was played of 29 clips.
#[test]
fn plays_show_all_clips_as_much_as_was_captured_of_them() {
    let clips = [
        labelled("walk", demo(Action::WalkTake, 0, 90..390)),
        labelled("walk", demo(Action::WalkTake, 1, 90..240)),
        labelled("walk", demo(Action::WalkTake, 0, 400..550)),
    ];
    let texture = learn(&clips, &TextureSettings::default());
    let mut shown = [0; 3];
    for seed in 1..=20 {
        for at in &play(&texture, &["walk"], 5.0, seed).shown {
            shown[at.clip] += 1;
        }
    }
    let all: usize = shown.iter().sum();
    let shares = shown.map(|n| n as f64 / all as f64);
    let captured = [0.5, 0.25, 0.25];
    for (share, captured) in shares.iter().zip(captured) {
        assert!((share - captured).abs() < 0.15, "{shares:?}");
    }
}

#[test]
fn seeds_in_a_row_begin_all_over_the_clips() {
    const SEEDS: u64 = 8;
    let clips = [
        labelled("walk", demo(Action::WalkTake, 0, 90..390)),
        labelled("walk", demo(Action::WalkTake, 1, 90..390)),
    ];
    let texture = learn(&clips, &TextureSettings::default());
    let first = |seed: u64| play(&texture, &["walk"], 2.0, seed).shown[0];
    let mut starts: Vec<FrameId> = (1..=SEEDS).map(first).collect();
    assert_eq!(first(3), starts[2], "a seed is one motion");
    starts.sort();
    let counted: Vec<usize> = starts.iter().map(|at| 300 * at.clip + at.frame).collect();
    let gaps = counted.windows(2).map(|pair| pair[1] - pair[0]);
    let least = gaps.min().unwrap();
    assert!(least > 600 / 4 / SEEDS as usize, "{starts:?}");
}

#[test]
fn deviations_are_as_large_as_takes_differ() {
    let walk = |index| demo(Action::WalkTake, index, 90..300);
    let with = |second: Clip, third: Clip| {
        let clips = [walk(0), second, third].map(|clip| labelled("walk", clip));
        learn(&clips, &TextureSettings::default()).spreads()[0]
    };
    let alike = with(walk(0), walk(0));
    let different = with(walk(1), walk(2));
    assert!(alike < 0.3, "takes that are the same say nothing: {alike}");
    assert!(different > 2.0 * alike, "{different}, {alike}");
    let alone = learn(
        &[labelled("kick", demo(Action::FrontKick, 0, 0..60))],
        &TextureSettings::default(),
    );
    assert_eq!(alone.spreads(), [1.0], "one short take cannot say");
}

#[test]
fn what_nothing_near_leads_to_is_reached_and_said_so() {
    let clips = [
        labelled("walk", demo(Action::WalkTake, 0, 90..390)),
        labelled("kick", demo(Action::FrontKick, 0, 0..90)),
        labelled("cheer", demo(Action::Cheer, 0, 0..90)),
    ];
    let settings = TextureSettings {
        threshold: Some(1e-9),
        ..TextureSettings::default()
    };
    let texture = learn(&clips, &settings);
    let far = texture.graph().transitions().iter();
    let far: Vec<_> = far.filter(|t| t.distance > texture.threshold()).collect();
    assert!(!far.is_empty());
    for t in &far {
        assert!(texture.is_fallback(t.from, t.to));
    }
    let clips_of = |end: fn(&kinfolk::texture::Transition) -> FrameId| {
        let mut clips: Vec<usize> = far.iter().map(|t| end(t).clip).collect();
        clips.sort_unstable();
        clips.dedup();
        clips.len()
    };
    assert_eq!(clips_of(|t| t.to), 3, "every clip is entered");
    let made = play(&texture, &["kick", "walk", "cheer"], 1.0, 1);
    for clip in 0..3 {
        assert!(made.shown.iter().any(|at| at.clip == clip), "{clip}");
    }
    let n_far = made.joins.iter().filter(|join| join.is_fallback).count();
    assert!(n_far >= 2, "{n_far} of two ways are told");
}

/// The command line dropped it and the window did not.
#[test]
fn a_t_pose_before_a_take_is_no_part_of_a_texture() {
    let bare = rest_as(&demo(Action::WalkTake, 0, 90..300), RestPose::T).unwrap();
    let exported = prepend_tpose(&bare).unwrap();
    assert!(edit::leading_tpose_frames(&exported) > 0);
    let n_frames = |clip: Clip| {
        let texture = learn(&[labelled("walk", clip)], &TextureSettings::default());
        texture.corpus().clips[0].join.clip.n_frames()
    };
    assert_eq!(n_frames(exported), n_frames(bare));
}

/// A join may begin earlier than its piece, in frames that were played already.
#[test]
fn a_motion_that_went_back_goes_on_as_if_it_had_not_been_elsewhere() {
    let clips = [
        labelled("walk", demo(Action::WalkTake, 0, 90..390)),
        labelled("kick", demo(Action::FrontKick, 0, 0..90)),
    ];
    let texture = learn(&clips, &TextureSettings::default());
    let piece = |clip, frames| Piece { clip, frames };
    let (first, second) = (piece(0, 20..80), piece(0, 150..220));
    let settings = PlaySettings::default();
    let mut straight = Player::new(&texture, &settings);
    let mut changed = Player::new(&texture, &settings);
    for player in [&mut straight, &mut changed] {
        player.play(&first, None).unwrap();
    }
    let mark = changed.bookmark();
    let mut n_earlier = 0;
    let n_kick = texture.corpus().clips[1].join.n_frames();
    for from in (0..n_kick - 20).step_by(3) {
        for other in [piece(1, from..n_kick), piece(0, 4 * from..4 * from + 60)] {
            changed.play(&other, None).unwrap();
            n_earlier += usize::from(changed.joins()[0].at < first.frames.len());
            changed.back_to(&mark);
        }
    }
    assert!(n_earlier > 0);
    for player in [&mut straight, &mut changed] {
        player.play(&second, None).unwrap();
    }
    assert_eq!(straight.shown(), changed.shown());
    assert_eq!(straight.joins(), changed.joins());
    let [a, b] = [&straight, &changed].map(|player| player.to_clip("played").unwrap());
    assert!(a.same_motion(&b));
}
