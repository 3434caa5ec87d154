//! From an action and its traits to a clip.

use super::act::{Performer, Place, Recipe};
use super::action::Action;
use super::body::{Arm, Moment, Turn};
use super::curve::ease;
use super::gait::{Route, Walker, turning};
use super::recipes;
use super::record::{FPS, record};
use super::style;
use super::traits::{Trait, Traits};
use crate::motion::{Clip, rotation};
use crate::numerics::random::Stream;

/// One take of the action.
pub(super) fn perform(action: Action, traits: &Traits, index: u64, stream: &mut Stream) -> Clip {
    let name = format!("{}_{:02}", action.name(), index + 1);
    let clip = |from_secs: f64, secs: f64, at: &dyn Fn(f64) -> Moment| {
        let n_frames = (secs * FPS).round() as usize;
        record(name.clone(), action.tags(), from_secs, n_frames, at)
    };
    let secs = traits.get(Trait::Duration);
    if let Some((style, turn_deg)) = cycle(action) {
        let route = Route::Steady {
            secs,
            turning_rad_s: turning(turn_deg, secs),
        };
        let walker = Walker::new(style, *traits, &route, stream);
        return clip(walker.secs(0.0), secs, &|t| walker.at(t));
    }
    if let Some(recipe) = recipe(action) {
        let step_cm = action.variation().mean(Trait::StepLength);
        let performer = Performer::new(&recipe, traits, step_cm, Place::ORIGIN, stream);
        return clip(0.0, secs, &|t| performer.at(t));
    }
    match action {
        Action::TurnInPlace => {
            let (walker, secs) = turn_in_place(traits, index, stream);
            clip(0.0, secs, &|t| walker.at(t))
        }
        Action::MixedTake => {
            let (scenes, secs) = mixed(traits, stream);
            clip(0.0, secs, &|t| scene_at(&scenes, t))
        }
        _ => {
            let (walker, secs) = walk_take(traits, stream);
            clip(0.0, secs, &|t| walker.at(t))
        }
    }
}

/// The style of a gait, and by how many degrees it turns in each cycle.
fn cycle(action: Action) -> Option<(style::Style, f64)> {
    match action {
        Action::Walk => Some((style::WALK, 0.0)),
        Action::WalkBigArms => Some((style::BIG_ARMS, 0.0)),
        Action::WalkLeft => Some((style::WALK, 45.0)),
        Action::WalkRight => Some((style::WALK, -45.0)),
        Action::Limp => Some((style::LIMP, 0.0)),
        Action::Jog => Some((style::JOG, 0.0)),
        Action::Sneak => Some((style::SNEAK, 0.0)),
        _ => None,
    }
}

fn recipe(action: Action) -> Option<Recipe> {
    match action {
        Action::Hop => Some(recipes::hop()),
        Action::Jump => Some(recipes::jump()),
        Action::Cheer => Some(recipes::cheer()),
        Action::Wave => Some(recipes::wave()),
        Action::Throw => Some(recipes::throw()),
        Action::Jab => Some(recipes::jab()),
        Action::Cross => Some(recipes::cross()),
        Action::Hook => Some(recipes::hook()),
        Action::FrontKick => Some(recipes::front_kick()),
        Action::RoundKick => Some(recipes::round_kick()),
        Action::Squat => Some(recipes::squat()),
        Action::Dodge => Some(recipes::dodge()),
        Action::Idle => Some(recipes::idle()),
        _ => None,
    }
}

/// A half turn in four steps; odd takes turn right.
fn turn_in_place(traits: &Traits, index: u64, stream: &mut Stream) -> (Walker, f64) {
    let cycle = traits.get(Trait::Duration);
    let secs = 3.2 * cycle;
    let way = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
    let angle = way * (std::f64::consts::PI + 0.12 * stream.normal_within(2.0));
    let route = Route::Errand {
        secs,
        speed: vec![(0.0, 0.0)],
        heading_rad: vec![(0.3 * cycle, 0.0), (2.7 * cycle, angle)],
    };
    (Walker::new(style::TURN, *traits, &route, stream), secs)
}

/// Standing, walking, a turn to the left, walking, a turn to the right, standing: about 24 seconds.
fn walk_take(traits: &Traits, stream: &mut Stream) -> (Walker, f64) {
    let secs = 24.0;
    let route = Route::Errand {
        secs,
        speed: vec![
            (0.6, 0.0),
            (2.2, 1.0),
            (8.0, 1.0),
            (9.2, 0.85),
            (11.0, 0.85),
            (12.0, 1.0),
            (20.6, 1.0),
            (22.6, 0.0),
        ],
        heading_rad: vec![(8.2, 0.0), (11.6, 2.3), (16.0, 2.3), (18.6, 1.2)],
    };
    (Walker::new(style::WALK, *traits, &route, stream), secs)
}

/// A part of a longer take.
struct Scene {
    from_secs: f64,
    at: Box<dyn Fn(f64) -> Moment>,
}

/// Feet stand still while one scene becomes the next.
const CHANGE_SECS: f64 = 0.4;

/// Idling, a wave, a walk, a cheer, a squat, a jump, a throw.
fn mixed(traits: &Traits, stream: &mut Stream) -> (Vec<Scene>, f64) {
    let walk_secs = 7.0;
    let route = Route::Errand {
        secs: walk_secs,
        speed: vec![(0.4, 0.0), (1.8, 1.0), (4.6, 1.0), (6.2, 0.0)],
        heading_rad: vec![(2.0, 0.0), (4.4, -0.9)],
    };
    let order = [
        Action::Idle,
        Action::Wave,
        Action::Walk,
        Action::Cheer,
        Action::Squat,
        Action::Jump,
        Action::Throw,
        Action::Idle,
    ];
    let mut scenes = Vec::new();
    let mut place = Place::ORIGIN;
    let mut from_secs = 0.0;
    for action in order {
        let begins = from_secs;
        let secs = if let Some(recipe) = recipe(action) {
            let own = action.variation().draw(stream);
            let step_cm = action.variation().mean(Trait::StepLength);
            let performer = Performer::new(&recipe, &own, step_cm, place.clone(), stream);
            place = performer.end();
            scenes.push(Scene {
                from_secs,
                at: Box::new(move |t| performer.at(t - begins)),
            });
            own.get(Trait::Duration)
        } else {
            let walker = Walker::new(style::WALK, *traits, &route, stream).starting(&place);
            place = walker.end();
            scenes.push(Scene {
                from_secs,
                at: Box::new(move |t| walker.at(t - begins)),
            });
            walk_secs
        };
        from_secs += secs + CHANGE_SECS;
    }
    (scenes, from_secs - CHANGE_SECS)
}

fn scene_at(scenes: &[Scene], secs: f64) -> Moment {
    let next = scenes.partition_point(|scene| scene.from_secs - CHANGE_SECS <= secs);
    let now = (scenes[next.max(1) - 1].at)(secs);
    let before = next.checked_sub(2).map(|i| &scenes[i]);
    match before {
        Some(before) if secs < scenes[next - 1].from_secs => {
            let share = (secs - scenes[next - 1].from_secs) / CHANGE_SECS + 1.0;
            between(&(before.at)(secs), &now, ease(share))
        }
        _ => now,
    }
}

/// The body on its way from one moment to another over the same feet.
fn between(a: &Moment, b: &Moment, share: f64) -> Moment {
    let mix = |a: f64, b: f64| a + (b - a) * share;
    let turn = |a: &Turn, b: &Turn| Turn {
        yaw_rad: mix(a.yaw_rad, b.yaw_rad),
        pitch_rad: mix(a.pitch_rad, b.pitch_rad),
        roll_rad: mix(a.roll_rad, b.roll_rad),
    };
    let arm = |a: &Arm, b: &Arm| Arm {
        upper: rotation::slerp(&a.upper, &b.upper, share),
        elbow_rad: mix(a.elbow_rad, b.elbow_rad),
        pronation_rad: mix(a.pronation_rad, b.pronation_rad),
        wrist_rad: mix(a.wrist_rad, b.wrist_rad),
    };
    Moment {
        heading_rad: mix(a.heading_rad, b.heading_rad),
        pelvis: a.pelvis.lerp(&b.pelvis, share),
        pelvis_turn: turn(&a.pelvis_turn, &b.pelvis_turn),
        chest_turn: turn(&a.chest_turn, &b.chest_turn),
        head_turn: turn(&a.head_turn, &b.head_turn),
        arms: [arm(&a.arms[0], &b.arms[0]), arm(&a.arms[1], &b.arms[1])],
        feet: b.feet,
        lifts: b.lifts,
    }
}
