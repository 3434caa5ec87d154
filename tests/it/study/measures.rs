//! Measures of planted cases.

use std::sync::Arc;

use kinfolk::demo::{self, Action};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::{Join, concatenate, resample};
use kinfolk::motion::{Clip, body};
use kinfolk::study::blending::blends;
use kinfolk::study::measures::single::Reference;
use kinfolk::study::measures::{ClipSet, Comparison, Measure, MeasureError, compare};
use kinfolk::study::sequences::{Sequencer, cycle_orders, varied_orders};

use crate::figure::{noise, turned};

fn walks(from: u64, n: u64) -> Vec<Clip> {
    let made = (from..from + n).map(|index| demo::make(Action::Walk, 3, index).clip);
    made.map(|clip| resample(&clip, 60.0).unwrap()).collect()
}

fn refs(clips: &[Clip]) -> Vec<&Clip> {
    clips.iter().collect()
}

fn set<'a>(name: &str, clips: &'a [Clip]) -> ClipSet<'a> {
    ClipSet {
        name: name.to_owned(),
        clips: clips.iter().collect(),
    }
}

fn value(found: &Comparison, name: &str, measure: Measure) -> f64 {
    let set = found.sets.iter().find(|set| set.name == name).unwrap();
    set.get(measure).unwrap()
}

#[test]
fn slide_that_nobody_sees_is_no_fault_beside_feet_that_stand_still() {
    let (inputs, real) = (walks(0, 4), walks(10, 2));
    let drifting = |clip: &Clip, heights_a_second: f64| {
        let step = heights_a_second * body::height(clip) * clip.frame_secs();
        let mut motion = clip.motion().clone();
        let n_slots = clip.skeleton().translating().len();
        for (frame, places) in motion.translations.chunks_mut(n_slots).enumerate() {
            places[0].x += step * frame as f64;
        }
        Clip::new(clip.info.clone(), Arc::clone(clip.skeleton()), motion).unwrap()
    };
    let little: Vec<Clip> = inputs.iter().map(|clip| drifting(clip, 0.01)).collect();
    let much: Vec<Clip> = inputs.iter().map(|clip| drifting(clip, 0.06)).collect();
    let sets = [set("little", &little), set("much", &much)];
    let (inputs, real) = (refs(&inputs), refs(&real));
    let found = compare(&inputs, &real, &sets, None, &Ticket::default()).unwrap();
    assert!(
        found.range(Measure::FootSlide).unwrap().high < 0.005,
        "made feet stand"
    );
    for (name, slide, is_usual) in [("little", 0.01, true), ("much", 0.06, false)] {
        let set = found.sets.iter().find(|set| set.name == name).unwrap();
        let own = set.get(Measure::FootSlide).unwrap();
        assert!((own / slide - 1.0).abs() < 0.2, "{name} slides {own}");
        assert_eq!(found.is_usual(set, Measure::FootSlide), Some(is_usual));
    }
}

#[test]
fn planted_cases_come_out_as_they_must() {
    let (inputs, real) = (walks(0, 4), walks(10, 4));
    let copies = vec![inputs[2].clone(), inputs[0].clone(), inputs[2].clone()];
    let tremble = |clip: &Clip| {
        turned(clip, |frame, joint| {
            let seed = 7919 * frame + 31 * joint;
            nalgebra::Vector3::new(noise(seed), noise(seed + 1), noise(seed + 2)) * 0.02
        })
    };
    let noisy: Vec<Clip> = real.iter().map(tremble).collect();
    let sets = [set("copies", &copies), set("noisy", &noisy)];
    let found = compare(
        &refs(&inputs),
        &refs(&real),
        &sets,
        None,
        &Ticket::default(),
    )
    .unwrap();
    // A copied clip is nothing new.
    assert!(
        value(&found, "copies", Measure::Novelty) < 1e-6,
        "novelty of copies"
    );
    assert!(
        value(&found, "real, unseen", Measure::Novelty) > 0.005,
        "novelty of real ones"
    );
    for measure in [Measure::LocalDiversity, Measure::GlobalDiversity] {
        assert!(value(&found, "copies", measure) < 1e-6, "{}", measure.id());
        assert!(
            value(&found, "real, unseen", measure) > 0.1,
            "{}",
            measure.id()
        );
    }
    assert!(
        value(&found, "copies", Measure::Clones) > 0.5,
        "two of three are one"
    );
    assert_eq!(value(&found, "real, unseen", Measure::Clones), 0.0);
    assert!(
        value(&found, "copies", Measure::NearestPose) < 1e-3,
        "copied poses"
    );
    // Noise raises jerk.
    for measure in [Measure::Jerk, Measure::SpaceJerk] {
        let (calm, rough) = (
            value(&found, "real, unseen", measure),
            value(&found, "noisy", measure),
        );
        assert!(
            rough > 1.5 * calm,
            "{}: {rough} against {calm}",
            measure.id()
        );
        let noisy = found.sets.iter().find(|s| s.name == "noisy").unwrap();
        assert_eq!(found.is_usual(noisy, measure), Some(false));
    }
    assert!(
        found.range(Measure::Likelihood).is_none(),
        "there is no model"
    );
    // Every reading that is about a frame leads into its clip.
    for (set, clips) in found.sets.iter().zip([&inputs, &real, &copies, &noisy]) {
        for (readings, clip) in set.clips.iter().zip(clips.iter()) {
            for measure in Measure::ALL {
                let frame = readings.get(measure).and_then(|r| r.frame);
                assert!(
                    frame.is_none_or(|f| f < clip.n_frames()),
                    "{}",
                    measure.id()
                );
            }
        }
    }
}

#[test]
fn an_input_played_twice_covers_it_and_is_a_patchwork_of_it() {
    // At the rate of the measure: else the second round would lie between its frames.
    let input = resample(&walks(0, 1).remove(0), 30.0).unwrap();
    for join in [Join::Plain, Join::Continue] {
        let twice = concatenate(&[&input, &input], join).unwrap();
        let found = Reference::new(&[&input]).unwrap().measure(&twice);
        assert_eq!(found.coverage, Some(1.0));
        let global = found.global_diversity.unwrap();
        // Where the second round continues the first, one frame at the seam may have another contact.
        let room = if join == Join::Plain { 1e-6 } else { 0.03 };
        assert!(global < room, "{join:?}: {global}");
    }
    let kick = demo::make(Action::FrontKick, 3, 0).clip;
    let other = concatenate(&[&kick, &kick], Join::Plain).unwrap();
    let found = Reference::new(&[&input]).unwrap().measure(&other);
    assert!(
        found.coverage.unwrap() < 0.5,
        "a kick is no walk: {found:?}"
    );
    assert!(found.global_diversity.unwrap() > 1.0, "{found:?}");
}

#[test]
fn sequences_of_one_clip_repeat_themselves_and_of_many_do_not() {
    let (inputs, others) = (walks(0, 2), walks(20, 6));
    let mut sequences = Vec::new();
    for (clips, order) in [
        (&inputs, cycle_orders(1, 6, 1, 1).remove(0)),
        (&others, varied_orders(6, 6, 1, 1).remove(0)),
    ] {
        let sequencer = Sequencer::new(&refs(clips)).unwrap();
        sequences.push(
            sequencer
                .play(&order, "sequence", &Ticket::default())
                .unwrap(),
        );
    }
    let (cycle, varied) = sequences.split_at(1);
    let sets = [set("cycle", cycle), set("varied", varied)];
    let found = compare(&refs(&inputs), &[], &sets, None, &Ticket::default()).unwrap();
    let within = |name: &str| value(&found, name, Measure::Within);
    assert!(
        within("cycle") < 0.5 * within("varied"),
        "{} {}",
        within("cycle"),
        within("varied")
    );
    assert!(
        value(&found, "cycle", Measure::Clones) > 0.5,
        "one clip again and again"
    );
}

#[test]
fn orders_do_what_they_say() {
    let varied = varied_orders(20, 5, 4, 9);
    let mut all: Vec<usize> = varied.concat();
    all.sort_unstable();
    assert_eq!(all, (0..20).collect::<Vec<_>>(), "each once");
    assert_eq!(varied, varied_orders(20, 5, 4, 9));
    let cycles = cycle_orders(4, 15, 10, 9).concat();
    for clip in 0..4 {
        let n = cycles.iter().filter(|c| **c == clip).count();
        assert!((20..60).contains(&n), "{n} of 150");
    }
}

#[test]
fn blends_lie_between_their_clips() {
    let inputs = walks(0, 3);
    let made = blends(&refs(&inputs), 6, 5).unwrap();
    assert_eq!(made.len(), 6);
    let lengths: Vec<usize> = inputs.iter().map(Clip::n_frames).collect();
    let (low, high) = (lengths.iter().min().unwrap(), lengths.iter().max().unwrap());
    for blend in &made {
        let n = blend.n_frames();
        assert!(
            (low - 1..=high + 1).contains(&n),
            "{n} frames of {lengths:?}"
        );
    }
    let sets = [set("blends", &made)];
    let found = compare(&refs(&inputs), &[], &sets, None, &Ticket::default()).unwrap();
    let (own, real) = (
        value(&found, "blends", Measure::Diversity),
        value(&found, "inputs", Measure::Diversity),
    );
    assert!(own < real, "{own} against {real}");
    assert_eq!(
        made,
        blends(&refs(&inputs), 6, 5).unwrap(),
        "same seed, same bytes"
    );
}

#[test]
fn sets_that_cannot_be_compared_are_refused() {
    let inputs = walks(0, 2);
    let none: Vec<Clip> = Vec::new();
    let empty = compare(
        &refs(&inputs),
        &[],
        &[set("nothing", &none)],
        None,
        &Ticket::default(),
    );
    assert_eq!(empty, Err(MeasureError::Empty("nothing".to_owned())));
    let empty = compare(&[], &[], &[set("x", &inputs)], None, &Ticket::default());
    assert!(matches!(empty, Err(MeasureError::Empty(_))), "{empty:?}");
    let ticket = Ticket::default();
    ticket.cancel();
    let stopped = compare(&refs(&inputs), &[], &[set("x", &inputs)], None, &ticket);
    assert!(
        matches!(stopped, Err(MeasureError::Cancelled(_))),
        "{stopped:?}"
    );
}

#[test]
fn every_measure_has_words() {
    for measure in Measure::ALL {
        assert_eq!(Measure::by_id(measure.id()), Some(measure));
        assert_eq!(Measure::ALL[measure.index()], measure);
        assert!(measure.sentence().ends_with('.'), "{}", measure.sentence());
    }
}
