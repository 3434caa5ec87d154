//! A corpus with known ways: straight walks, turns to either side, and a run.

use super::*;
use crate::motion::path::{FloorPath, PathPoint, PathSettings, Vec2, direction};
use crate::texture::{FrameGraph, FrameId, Transition};

const WALK: usize = 0;
const RUN: usize = 1;
const FPS: f64 = 30.0;

/// Three walks (straight, left, right) and a run; every tenth frame of each leads to every tenth of the others with the
/// same remainder, as if all were in step. The run is reached only from the straight walk.
fn corpus() -> (Vec<FloorTrack>, FrameGraph) {
    let made = [
        (0.0, 1.2, WALK),
        (0.02, 1.2, WALK),
        (-0.02, 1.2, WALK),
        (0.0, 3.0, RUN),
    ];
    let n = 120;
    let tracks: Vec<FloorTrack> = made
        .iter()
        .map(|&(turn, speed, label)| {
            let mut place = Vec2::new(3.0, -2.0);
            let (mut places, mut headings) = (Vec::new(), Vec::new());
            for frame in 0..n {
                let heading = 0.7 + turn * f64::from(frame);
                places.push(place);
                headings.push(heading);
                place += direction(heading) * (speed / FPS);
            }
            FloorTrack::new(places, headings, vec![label; n as usize], FPS)
        })
        .collect();
    let mut transitions = Vec::new();
    for from in 0..4 {
        for to in 0..4 {
            let is_run = from == 3 || to == 3;
            if from == to || (is_run && from + to != 3) {
                continue;
            }
            for leave in (5..115).step_by(5) {
                for enter in (5..60).step_by(20) {
                    transitions.push(Transition {
                        from: FrameId {
                            clip: from,
                            frame: leave,
                        },
                        to: FrameId {
                            clip: to,
                            frame: enter,
                        },
                        distance: 1.0,
                    });
                }
            }
        }
        for leave in (30..115).step_by(5) {
            transitions.push(Transition {
                from: FrameId {
                    clip: from,
                    frame: leave,
                },
                to: FrameId {
                    clip: from,
                    frame: leave % 20 + 1,
                },
                distance: 1.0,
            });
        }
    }
    (tracks, FrameGraph::new(&[120; 4], transitions))
}

fn path(points: &[(f64, f64)]) -> FloorPath {
    let points: Vec<PathPoint> = points.iter().map(|p| PathPoint::at(p.0, p.1)).collect();
    FloorPath::new(&points, &PathSettings { least_radius: 2.0 }).unwrap()
}

fn all_of(path: &FloorPath, label: usize) -> Vec<Section> {
    vec![Section {
        arc: 0.0..path.length() + 1.0,
        labels: vec![label],
    }]
}

/// Every piece lies in its clip, and each begins where a transition leads from the one before.
fn check_pieces(graph: &FrameGraph, pieces: &[crate::texture::Piece]) {
    for pair in pieces.windows(2) {
        let leave = FrameId {
            clip: pair[0].clip,
            frame: pair[0].frames.end - 1,
        };
        let enter = FrameId {
            clip: pair[1].clip,
            frame: pair[1].frames.start,
        };
        let leads = graph.leaving(leave).iter().any(|t| t.to == enter);
        assert!(leads, "{leave:?} does not lead to {enter:?}");
    }
    assert!(
        pieces
            .iter()
            .all(|p| !p.frames.is_empty() && p.frames.end <= 120)
    );
}

#[test]
fn a_line_is_walked_straight() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let line = path(&[(1.0, 1.0), (1.0, 9.0)]);
    let found = follow_path(
        &corpus,
        &line,
        &all_of(&line, WALK),
        &SearchSettings::default(),
    );
    let found = found.unwrap();
    assert!(found.is_done && found.reached > 7.9, "{found:?}");
    assert!(
        found.pieces.iter().all(|p| p.clip == 0),
        "the straight clip"
    );
    assert!(found.bends.is_empty() && found.off_label.is_empty());
    check_pieces(&graph, &found.pieces);
    assert!(found.root.iter().all(|p| (p.x - 1.0).abs() < 0.01));
}

#[test]
fn an_s_is_walked_with_the_right_turns() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    // Left by about a radian, then right by two.
    let bow = path(&[(0.0, 0.0), (0.0, 4.0), (4.0, 7.0), (4.0, 12.0)]);
    let settings = SearchSettings::default();
    let found = follow_path(&corpus, &bow, &all_of(&bow, WALK), &settings).unwrap();
    assert!(found.is_done && found.bends.is_empty(), "{found:?}");
    check_pieces(&graph, &found.pieces);
    let off = |p: &Vec2| bow.nearest(p, 0.0..bow.length()).1;
    let most = found.root.iter().map(off).fold(0.0, f64::max);
    assert!(most < 0.25, "{most} m off");
    let frames = |clip: usize| -> usize {
        let own = found.pieces.iter().filter(|p| p.clip == clip);
        own.map(|p| p.frames.len()).sum()
    };
    assert!(frames(1) > 10 && frames(2) > 10, "{:?}", found.pieces);
    let again = follow_path(&corpus, &bow, &all_of(&bow, WALK), &settings).unwrap();
    assert_eq!(found, again, "the same seed, the same motion");
}

#[test]
fn a_search_is_taken_up_again_before_what_was_rough() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let bow = path(&[(0.0, 0.0), (0.0, 4.0), (4.0, 7.0), (4.0, 12.0)]);
    let settings = SearchSettings::default();
    let mut following = Following::new(&corpus, &bow, &all_of(&bow, WALK), &settings);
    let first = following.search(&[], 0).unwrap();
    let n_frames: usize = first.pieces.iter().map(|p| p.frames.len()).sum();
    for frame in [0, n_frames / 2, n_frames - 1] {
        let again = following.search(&[], frame).unwrap();
        assert_eq!((&again.pieces, &again.root), (&first.pieces, &first.root));
    }
    // The last jump is rough.
    let [.., leave, enter] = &first.pieces[..] else {
        panic!("no jump in {first:?}");
    };
    let rough = Rough {
        from: FrameId {
            clip: leave.clip,
            frame: leave.frames.end - 1,
        },
        to: enter.first(),
        cost: 100.0,
    };
    let at = n_frames - enter.frames.len();
    let other = following.search(&[rough], at).unwrap();
    assert!(other.is_done && other.pieces != first.pieces, "{other:?}");
    assert!(other.n_tried < first.n_tried, "not from the beginning");
    let kept = at.saturating_sub(3 * FPS as usize);
    assert_eq!(
        other.root[..kept],
        first.root[..kept],
        "what was before stays"
    );
}

#[test]
fn the_action_changes_within_its_section() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let line = path(&[(0.0, 0.0), (0.0, 12.0)]);
    let sections = [
        Section {
            arc: 0.0..5.0,
            labels: vec![WALK],
        },
        Section {
            arc: 5.0..13.0,
            labels: vec![RUN],
        },
    ];
    let found = follow_path(&corpus, &line, &sections, &SearchSettings::default()).unwrap();
    assert!(found.is_done, "{found:?}");
    let labels: Vec<usize> = found
        .pieces
        .iter()
        .map(|p| tracks[p.clip].labels[0])
        .collect();
    assert_eq!((labels[0], labels[labels.len() - 1]), (WALK, RUN));
    let off: f64 = found.off_label.iter().map(|o| o.secs).sum();
    assert!(off < 0.8, "{off} s of the wrong action");
}

#[test]
fn what_no_clip_turns_is_told() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    // A run cannot turn at all.
    let corner = path(&[(0.0, 0.0), (0.0, 6.0), (6.0, 6.0)]);
    let found = follow_path(
        &corpus,
        &corner,
        &all_of(&corner, RUN),
        &SearchSettings::default(),
    );
    let found = found.unwrap();
    assert!(
        !found.bends.is_empty() || !found.off_label.is_empty(),
        "{found:?}"
    );
    let nobody = follow_path(
        &corpus,
        &corner,
        &all_of(&corner, 7),
        &SearchSettings::default(),
    );
    assert_eq!(nobody, Err(FollowError::NoStart));
}

#[test]
fn steering_turns_to_the_wanted_side() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let start = Start {
        at: FrameId { clip: 0, frame: 20 },
        turn_rad: -0.7,
        place: Vec2::zeros(),
        cost: 0.0,
        may_jump: true,
    };
    let walk = LabelRoutes::to(&corpus, &[WALK]);
    for (side, clip) in [(0.8, 1), (-0.8, 2), (0.0, 0)] {
        let goal = SteerGoal {
            heading_rad: side,
            speed: Some(1.2),
            labels: Some(&walk),
            secs: 1.2,
        };
        let found = beam(&corpus, &goal, &[start], &SearchSettings::default()).unwrap();
        assert!(found.is_done);
        assert_eq!(found.pieces[0].frames.start, 20, "from what is shown");
        let last = found.pieces.last().unwrap();
        assert_eq!(last.clip, clip, "{side}: {:?}", found.pieces);
    }
}

#[test]
fn an_order_is_kept_in_time() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let part = |label: usize, secs: f64| OrderPart {
        labels: LabelRoutes::to(&corpus, &[label]),
        secs,
    };
    let parts = vec![part(WALK, 2.0), part(RUN, 2.0), part(WALK, 2.0)];
    let goal = OrderGoal::new(parts, &corpus, 1);
    let start = Start {
        at: FrameId { clip: 2, frame: 6 },
        turn_rad: 0.0,
        place: Vec2::zeros(),
        cost: 0.0,
        may_jump: true,
    };
    let found = beam(&corpus, &goal, &[start], &SearchSettings::default()).unwrap();
    assert!(found.is_done);
    let shown: Vec<usize> = found
        .pieces
        .iter()
        .flat_map(|p| tracks[p.clip].labels[p.frames.clone()].iter().copied())
        .collect();
    let wanted = |f: usize| if (60..120).contains(&f) { RUN } else { WALK };
    let wrong = (0..shown.len()).filter(|&f| shown[f] != wanted(f)).count();
    assert!(
        shown.len() >= 178 && wrong < 40,
        "{wrong} of {} frames",
        shown.len()
    );
}

#[test]
fn routes_know_how_far_a_label_is() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let run = LabelRoutes::to(&corpus, &[RUN]);
    let at = |clip, frame| run.secs(FrameId { clip, frame });
    assert_eq!(at(3, 0), 0.0);
    assert!((at(0, 5) - 0.33).abs() < 1e-2, "a jump away");
    assert!(at(1, 5) > at(0, 5), "through the straight walk");
    assert_eq!(at(1, 119), f64::INFINITY, "nothing leaves the last frames");
    assert!(run.contains(RUN) && !run.contains(WALK) && run.is_entered());
    assert!(
        !LabelRoutes::to(&corpus, &[7]).is_entered(),
        "nobody does that"
    );
    assert!(
        LabelRoutes::to(&corpus, &[]).contains(9),
        "an empty set allows all"
    );
}

#[test]
fn the_tightest_radius_is_that_of_the_turns() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    // 1.2 m/s at 0.6 rad/s.
    let radius = corpus.tightest_radius(&[WALK]).unwrap();
    assert!((radius - 2.0).abs() < 0.1, "{radius}");
    assert!(corpus.tightest_radius(&[RUN]).unwrap() > 1e3);
    assert_eq!(corpus.tightest_radius(&[5]), None);
}

#[test]
fn nothing_to_search_in() {
    let graph = FrameGraph::new(&[], Vec::new());
    let corpus = SearchCorpus::new(&[], &graph, FPS);
    let line = path(&[(0.0, 0.0), (0.0, 5.0)]);
    let found = follow_path(&corpus, &line, &[], &SearchSettings::default());
    assert_eq!(found, Err(FollowError::NoStart));
    let one = [FloorTrack::new(
        vec![Vec2::zeros()],
        vec![0.0],
        vec![0],
        FPS,
    )];
    let graph = FrameGraph::new(&[1], Vec::new());
    let corpus = SearchCorpus::new(&one, &graph, FPS);
    let found = follow_path(&corpus, &line, &[], &SearchSettings::default());
    assert_eq!(found, Err(FollowError::NoStart), "one frame");
}

#[test]
fn nobody_stands_before_an_action_that_cannot_be_reached() {
    let (mut tracks, graph) = corpus();
    // Somebody stands, in the right action, and can be reached from every walk; the run cannot any more.
    tracks.push(FloorTrack::new(
        vec![Vec2::zeros(); 120],
        vec![0.0; 120],
        vec![WALK; 120],
        FPS,
    ));
    let walks = |t: &&Transition| t.from.clip != 3 && t.to.clip != 3;
    let mut transitions: Vec<Transition> =
        graph.transitions().iter().filter(walks).copied().collect();
    let id = |clip, frame| FrameId { clip, frame };
    for frame in (5..100).step_by(5) {
        for (from, to) in [(0, 4), (4, 0), (4, 4)] {
            let (from, to) = (id(from, frame), id(to, (frame + 40) % 90 + 1));
            let distance = 1.0;
            transitions.push(Transition { from, to, distance });
        }
    }
    let graph = FrameGraph::new(&[120; 5], transitions);
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let line = path(&[(0.0, 0.0), (0.0, 10.0)]);
    let section = |arc, label| Section {
        arc,
        labels: vec![label],
    };
    let sections = [section(0.0..5.0, WALK), section(5.0..11.0, RUN)];
    let found = follow_path(&corpus, &line, &sections, &SearchSettings::default()).unwrap();
    assert!(found.is_done && found.waited_secs < 1.0, "{found:?}");
    let off: f64 = found.off_label.iter().map(|o| o.secs).sum();
    assert!(off > 3.0, "and that the run is missing is told");
}

#[test]
fn a_timetable_knows_what_is_still_to_pay() {
    use super::timetable::{FrameCosts, Timetable};
    /// The run is wanted from the sixth metre on; everything else costs one a frame there.
    struct Costs<'a>(&'a [FloorTrack]);
    impl FrameCosts for Costs<'_> {
        fn n_parts(&self) -> usize {
            2
        }
        fn part_at(&self, arc: f64) -> usize {
            usize::from(arc >= 6.0)
        }
        fn frame_cost(&self, part: usize, at: FrameId) -> f64 {
            let wanted = [WALK, RUN][part];
            f64::from(u8::from(self.0[at.clip].labels[at.frame] != wanted))
        }
        fn jump_cost(&self, distance: f64) -> f64 {
            0.1 * distance
        }
    }
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let table = Timetable::new(&corpus, &Costs(&tracks), 12.0, 10);
    let to_go = |clip, frame, arc| table.to_go(FrameId { clip, frame }, arc);
    assert_eq!(to_go(3, 50, 12.0), 0.0, "nothing after the end");
    let (ready, aside) = (to_go(0, 20, 6.0), to_go(1, 20, 6.0));
    assert!(
        ready < 6.0,
        "a jump away from the run, at most five frames off: {ready}"
    );
    assert!(aside > ready + 5.0, "through the straight walk: {aside}");
    let early = to_go(1, 20, 2.0);
    assert!(
        early < 3.0,
        "four metres before there is time for that: {early}"
    );
    let end = to_go(1, 119, 0.0);
    assert!(end > 50.0, "the clip ends and nothing leads on: {end}");
}

#[test]
fn each_action_comes_in_its_part_and_nobody_runs_past() {
    let (tracks, graph) = corpus();
    let corpus = SearchCorpus::new(&tracks, &graph, FPS);
    let line = path(&[(0.0, 0.0), (0.0, 15.0)]);
    let part = |arc, label| Section {
        arc,
        labels: vec![label],
    };
    let sections = [
        part(0.0..5.0, RUN),
        part(5.0..10.0, WALK),
        part(10.0..16.0, RUN),
    ];
    for seed in 1..=5 {
        let settings = SearchSettings {
            seed,
            ..SearchSettings::default()
        };
        let found = follow_path(&corpus, &line, &sections, &settings).unwrap();
        assert!(found.is_done, "{found:?}");
        let off = found.off_label_secs();
        assert!(off < 0.9, "seed {seed}: {off} s of the wrong action");
        let walked = found
            .pieces
            .iter()
            .filter(|p| tracks[p.clip].labels[0] == WALK);
        let frames: usize = walked.map(|p| p.frames.len()).sum();
        assert!(frames > 90, "seed {seed}: walks for {frames} frames");
    }
}
