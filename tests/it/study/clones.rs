//! Repetition that was planted is found, wherever it stands and faces, and nothing else.

use kinfolk::jobs::Ticket;
use kinfolk::motion::edit::{Join, Placement, align, concatenate, resample};
use kinfolk::motion::{Clip, Vec3};
use kinfolk::study::clones::{CloneError, CloneKind, CloneReport, CloneSettings, find};

use crate::figure::{Walk, stiff};
use crate::takes::{cut, scaled};

fn look(clips: &[&Clip]) -> CloneReport {
    find(clips, CloneSettings::default(), &Ticket::default()).unwrap()
}

/// A walk unlike any other: its swing grows all the time.
fn walk(swing: f64, n_frames: usize) -> Clip {
    let mut clip = Walk {
        swing,
        drift: 0.06,
        n_frames,
        period_secs: 1.1 + 0.13 * swing,
        ..Walk::default()
    }
    .clip();
    clip.info.name = format!("walk {swing}");
    clip
}

#[test]
fn a_stretch_that_comes_again_is_found_where_it_is() {
    let clip = walk(0.3, 1000);
    assert!(
        look(&[&clip]).clones.is_empty(),
        "nothing repeats: {:?}",
        look(&[&clip]).clones
    );
    let again = cut(&clip, 200, 440, 1);
    let long = concatenate(&[&clip, &again], Join::Continue).unwrap();
    let found = look(&[&long]);
    assert_eq!(found.clones.len(), 1, "{:?}", found.clones);
    let pair = &found.clones[0];
    assert_eq!(pair.kind, CloneKind::Exact);
    let near = |frames: &std::ops::Range<usize>, from: usize, to: usize| {
        frames.start.abs_diff(from) <= 16 && frames.end.abs_diff(to) <= 16
    };
    assert!(near(&pair.first.frames, 200, 440), "{pair:?}");
    assert!(near(&pair.second.frames, 1000, 1240), "{pair:?}");
}

#[test]
fn copies_in_a_crowd_are_found_at_any_place_heading_size_rate_and_start() {
    let walks: Vec<Clip> = [0.2, 0.5, 0.8].map(|swing| walk(swing, 400)).to_vec();
    let placement = Placement {
        frame: 0,
        place: Some(Vec3::new(70.0, 0.0, -30.0)),
        heading_rad: Some(2.1),
    };
    let copy = align(&cut(&walks[1], 131, 400, 1), &placement).unwrap();
    let copy = scaled(&resample(&copy, 50.0).unwrap(), 2.54);
    let mut crowd: Vec<&Clip> = walks.iter().collect();
    assert!(
        look(&crowd).clones.is_empty(),
        "all differ: {:?}",
        look(&crowd).clones
    );
    crowd.push(&copy);
    let found = look(&crowd);
    assert_eq!(found.clones.len(), 1, "{:?}", found.clones);
    let pair = &found.clones[0];
    assert_eq!((pair.first.clip, pair.second.clip), (1, 3));
    assert!(pair.first.frames.start.abs_diff(131) <= 16, "{pair:?}");
    assert!(pair.distance < 0.002, "{pair:?}");
    let nearest = found.nearest[3].as_ref().unwrap();
    assert_eq!(nearest.other.clip, 1);
}

#[test]
fn a_loop_played_on_repeats_itself_all_the_time() {
    let clip = Walk {
        n_frames: 132 * 6,
        ..Walk::default()
    }
    .clip();
    let found = look(&[&clip]);
    assert!(found.share > 0.99, "{}", found.share);
    assert!(
        found.clones.iter().all(|pair| pair.distance < 0.002),
        "{:?}",
        found.clones
    );
}

#[test]
fn standing_still_is_no_repetition() {
    let found = look(&[&stiff(kinfolk::motion::Axis::Y, 60.0, 400, |_| {
        Vec3::zeros()
    })]);
    assert_eq!((found.share, found.median), (0.0, None));
    assert!(found.clones.is_empty(), "{:?}", found.clones);
}

#[test]
fn what_cannot_be_looked_for_is_said() {
    let none = find(&[], CloneSettings::default(), &Ticket::default());
    assert!(matches!(none, Err(CloneError::Features(_))), "{none:?}");
    let clip = walk(0.3, 20);
    let odd = find(
        &[&clip],
        CloneSettings { near: f64::NAN },
        &Ticket::default(),
    );
    assert!(matches!(odd, Err(CloneError::Near(_))), "{odd:?}");
    // Too short for any window: nothing is found, and nothing breaks.
    assert!(look(&[&cut(&clip, 0, 5, 1)]).clones.is_empty(), "short");
    let ticket = Ticket::default();
    ticket.cancel();
    let stopped = find(&[&clip], CloneSettings::default(), &ticket);
    assert!(
        matches!(stopped, Err(CloneError::Cancelled(_))),
        "{stopped:?}"
    );
}
