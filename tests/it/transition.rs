//! Transitions between real actions: what the engine promises, over many pairs.

use std::sync::{Arc, LazyLock};

use kinfolk::demo::{Action as DemoAction, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::join::{JoinClip, JoinError, JoinKind};
use kinfolk::motion::{Clip, Vec3, WorldPose, edit};
use kinfolk::transition::{
    GraphSettings, Leave, Player, RandomPlay, SequenceAction, SequenceSettings, Sequenced,
    Transition, TransitionError, TransitionGraph, TransitionMethod, TransitionSettings, sequence,
};

use crate::data::{files_below, shared};
use crate::takes::{cut, take};

fn graph_of(clips: &[Arc<Clip>]) -> TransitionGraph {
    TransitionGraph::build(clips, &GraphSettings::default(), &Ticket::default()).unwrap()
}

fn demo_clips() -> Vec<Arc<Clip>> {
    [
        DemoAction::Walk,
        DemoAction::Jab,
        DemoAction::FrontKick,
        DemoAction::Jump,
        DemoAction::Squat,
        DemoAction::Wave,
    ]
    .into_iter()
    .map(|action| Arc::new(edit::resample(&make(action, 1, 0).clip, 30.0).unwrap()))
    .collect()
}

static DEMO: LazyLock<Arc<TransitionGraph>> = LazyLock::new(|| Arc::new(graph_of(&demo_clips())));

/// Martial arts at 30 frames a second.
fn martial() -> Option<Vec<Arc<Clip>>> {
    let folder = shared("actions/martial_s144")?;
    let files = files_below(&folder, "bvh");
    Some(
        files
            .iter()
            .map(|file| Arc::new(edit::resample(&take(file), 30.0).unwrap()))
            .collect(),
    )
}

fn clips_of(graph: &TransitionGraph) -> Vec<Arc<JoinClip>> {
    graph.clips().map(|(_, clip)| Arc::clone(clip)).collect()
}

fn whole(graph: &TransitionGraph, actions: &[usize], settings: &SequenceSettings) -> Sequenced {
    let clips = clips_of(graph);
    let actions: Vec<SequenceAction> = actions
        .iter()
        .map(|&a| SequenceAction::whole(&clips[a]))
        .collect();
    sequence(graph, &actions, settings, &Ticket::default()).unwrap()
}

/// The value that this share of a list stays below.
fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// The bounds that good joins keep to, at the 95th percentile of joins.
fn assert_good(graph: &TransitionGraph, made: &[Transition], what: &str) {
    let norms = graph.norms();
    let check = |name: &str, most: f64, value: &dyn Fn(&Transition) -> f64| {
        let found = percentile(made.iter().map(value).collect(), 0.95);
        eprintln!(
            "{what}: {name} {found:.2} of {most:.2} at the 95th percentile of {}",
            made.len()
        );
        assert!(found <= most, "{what}: {name} {found}, at most {most}");
    };
    check("pose jump", norms.step_deg, &|t| {
        t.quality.report.pose_jump_deg
    });
    check("velocity jump", norms.velocity_step_deg, &|t| {
        t.quality.report.velocity_jump_deg
    });
    check("jerk", 1.0, &|t| t.quality.report.jerk_ratio);
    check("overshoot", 5.0, &|t| t.quality.report.overshoot_deg);
    check("foot slide", 1.5 * norms.foot_slide, &|t| {
        t.quality.report.foot_slide
    });
}

#[test]
fn joins_of_martial_arts_keep_to_what_the_clips_do() {
    let Some(clips) = martial() else { return };
    let graph = graph_of(&clips);
    let summary = graph.summary();
    assert!(
        summary.clusters > 40 && summary.clusters < 160,
        "{summary:?}"
    );
    assert!(summary.islands.is_empty(), "{summary:?}");
    let mut made = Vec::new();
    for from in (0..clips.len()).step_by(5) {
        for to in (2..clips.len()).step_by(4) {
            let seed = (from * 100 + to) as u64;
            let settings = SequenceSettings {
                seed,
                ..SequenceSettings::default()
            };
            let done = whole(&graph, &[from, to], &settings);
            assert_continuous(&graph, &done, &clips);
            made.extend(done.transitions);
        }
    }
    assert_good(&graph, &made, "martial arts");
    let by_path = made.iter().filter(|t| t.kind.word() == "path").count();
    assert!(by_path > 0, "the graph is used");
}

/// Neither the root nor the heading moves further in a frame than the clips do anywhere.
fn assert_continuous(graph: &TransitionGraph, made: &Sequenced, clips: &[Arc<Clip>]) {
    static MOST: LazyLock<std::sync::Mutex<Option<(f64, f64)>>> = LazyLock::new(Default::default);
    let step = |places: &dyn Fn(usize) -> Vec3, n: usize| {
        let steps = (1..n).map(|f| (places(f) - places(f - 1)).xz().norm());
        steps.fold(0.0, f64::max)
    };
    let (most_step, most_turn) = *MOST.lock().unwrap().get_or_insert_with(|| {
        let tracks: Vec<_> = graph.clips().map(|(_, c)| c.track.clone()).collect();
        let steps = tracks
            .iter()
            .map(|t| step(&|f| t.positions[f], t.positions.len()));
        let turns = tracks
            .iter()
            .flat_map(|t| t.headings.windows(2).map(|w| (w[1] - w[0]).abs()));
        (steps.fold(0.0, f64::max), turns.fold(0.0, f64::max))
    });
    let strip = &made.strip;
    let found = step(&|f| strip.place(f), strip.n_frames());
    assert!(
        found <= 1.2 * most_step,
        "root step {found} of {most_step} ({} clips)",
        clips.len()
    );
    let turns =
        (1..strip.n_frames()).map(|f| (strip.heading_rad(f) - strip.heading_rad(f - 1)).abs());
    let turn = turns.fold(0.0, f64::max);
    assert!(turn <= 1.2 * most_turn, "turn {turn} of {most_turn}");
}

#[test]
fn actions_can_be_interrupted_and_interrupted_again() {
    let Some(clips) = martial() else { return };
    let graph = Arc::new(graph_of(&clips));
    let actions = clips_of(&graph);
    let mut made = Vec::new();
    for from in (0..actions.len()).step_by(5) {
        for frame in (10..actions[from].n_frames()).step_by(10) {
            let to = (from + frame) % actions.len();
            let settings = TransitionSettings::default();
            let mut player = Player::new(&graph, actions.clone(), from, &settings, frame as u64);
            for _ in 0..frame {
                player.next_frame().unwrap();
            }
            player.command(to).unwrap();
            let first = player.last_transition().unwrap().clone();
            assert_eq!(first.at, frame, "it starts with the next frame");
            for _ in 0..first.frames / 2 {
                player.next_frame().unwrap();
            }
            player.command((to + 7) % actions.len()).unwrap();
            made.push(first);
            made.push(player.last_transition().unwrap().clone());
        }
    }
    assert_good(&graph, &made, "interruptions");
}

#[test]
fn a_player_goes_on_for_ever_in_bounded_memory() {
    let graph = &*DEMO;
    let settings = TransitionSettings::default();
    let mut player = Player::new(graph, clips_of(graph), 0, &settings, 3);
    let mut random = RandomPlay::even(6);
    random.set(0, 0, 0.0);
    player.random = Some(random);
    let skeleton = Arc::clone(graph.rig().skeleton());
    let mut before: Option<Vec3> = None;
    let mut seen = [false; 6];
    for frame in 0..1500 {
        if frame == 700 {
            player.queue(3);
        }
        let place = WorldPose::of(&skeleton, player.next_frame().unwrap()).positions[0];
        if let Some(before) = before {
            assert!((place - before).norm() < 20.0, "frame {frame} jumps");
        }
        before = Some(place);
        seen[player.running()] = true;
    }
    assert_eq!(player.n_shown(), 1500);
    assert!(seen.iter().all(|s| *s), "all come up: {seen:?}");
}

#[test]
fn the_same_seed_gives_the_same_motion() {
    let settings = SequenceSettings {
        seed: 7,
        ..SequenceSettings::default()
    };
    let [a, b] = [(); 2].map(|()| whole(&DEMO, &[0, 2, 1, 3], &settings));
    assert_eq!(a.strip, b.strip);
    assert_eq!(a.transitions, b.transitions);
    assert_eq!(a.transitions.len(), 3);
}

#[test]
fn a_clip_that_is_not_in_the_graph_is_joined_as_well() {
    let outside = Arc::new(edit::resample(&make(DemoAction::Hook, 4, 1).clip, 30.0).unwrap());
    let outside = Arc::new(JoinClip::new(DEMO.rig(), &outside).unwrap());
    let known = clips_of(&DEMO);
    let actions = [
        SequenceAction::whole(&known[0]),
        SequenceAction::whole(&outside),
        SequenceAction::whole(&known[2]),
    ];
    let made = sequence(&DEMO, &actions, &Default::default(), &Ticket::default()).unwrap();
    for transition in &made.transitions {
        let report = &transition.quality.report;
        assert!(report.jerk_ratio < 1.0, "{report:?}");
        assert!(report.pose_jump_deg < DEMO.norms().step_deg, "{report:?}");
        // Demo feet do not slide at all, so a share of that says nothing: a centimetre in a tenth of a second does.
        assert!(report.foot_slide < 0.1, "{report:?}");
    }
}

#[test]
fn every_means_leads_to_the_action() {
    let clips = clips_of(&DEMO);
    let skeleton = DEMO.rig().skeleton();
    for means in [
        TransitionMethod::Direct,
        TransitionMethod::Path,
        TransitionMethod::Bezier,
        TransitionMethod::Paper,
        TransitionMethod::Linear,
    ] {
        for kind in [None, Some(JoinKind::Fade), Some(JoinKind::Quintic)] {
            let transition = TransitionSettings {
                means,
                kind,
                ..TransitionSettings::default()
            };
            let settings = SequenceSettings {
                transition,
                seed: 1,
            };
            let made = whole(&DEMO, &[3, 2], &settings);
            let transition = &made.transitions[0];
            // The action is played to its end: its last posture is that of the clip.
            let last = made.strip.pose(made.strip.n_frames() - 1);
            let own = clips[2].clip.frame(clips[2].n_frames() - 1);
            // Feet may be locked where they stood before, so legs may differ.
            for joint in ["Spine", "LeftArm", "RightForeArm", "Head"] {
                let joint = skeleton.find(joint).unwrap();
                let off = last.rotations[joint].angle_to(&own.rotations[joint]);
                assert!(off < 1e-6, "{means:?} {kind:?}");
            }
            assert_eq!(transition.action.end, made.strip.n_frames(), "{means:?}");
            assert!(transition.enter <= clips[2].n_frames() / 10, "{means:?}");
        }
    }
}

#[test]
fn clips_come_and_go_without_starting_over() {
    let clips = demo_clips();
    let mut graph = graph_of(&clips[..5]);
    let before = graph.summary();
    let number = graph.add(&clips[5]).unwrap();
    let more = graph.summary();
    assert!(
        more.frames > before.frames && more.clusters >= before.clusters,
        "{more:?}"
    );
    assert_eq!(more.threshold, before.threshold);
    let name = graph.clips().last().unwrap().1.clip.info.name.clone();
    assert_eq!(graph.find(&name), Some(number));
    graph.remove(number).unwrap();
    let after = graph.summary();
    assert_eq!(
        (after.frames, after.edges, after.short_clips),
        (before.frames, before.edges, before.short_clips)
    );
    graph.remove(0).unwrap();
    assert!(
        graph.summary().frames < before.frames,
        "the first one is out"
    );
    for cluster in graph.clusters().iter().filter(|c| !c.runs.is_empty()) {
        assert_ne!(cluster.centre.0, 0, "no centre in a clip that is gone");
    }
    let error = graph.remove(0).unwrap_err();
    assert!(matches!(error, TransitionError::NoSuchClip(_)), "{error}");
}

#[test]
fn backward_play_connects_more() {
    let clips = demo_clips();
    let settings = GraphSettings {
        threshold: Some(0.8),
        ..GraphSettings::default()
    };
    let directed = TransitionGraph::build(&clips, &settings, &Ticket::default()).unwrap();
    let both = GraphSettings {
        is_undirected: true,
        ..settings
    };
    let both = TransitionGraph::build(&clips, &both, &Ticket::default()).unwrap();
    let pairs = |graph: &TransitionGraph| {
        graph
            .path_table(&Ticket::default())
            .unwrap()
            .n_pairs_with_path()
    };
    assert!(
        pairs(&both) > pairs(&directed),
        "{} and {}",
        pairs(&both),
        pairs(&directed)
    );
    let transition = TransitionSettings {
        means: TransitionMethod::Path,
        ..TransitionSettings::default()
    };
    let settings = SequenceSettings {
        transition,
        seed: 2,
    };
    for (from, to) in [(1, 2), (3, 0), (4, 5)] {
        assert!(
            whole(&both, &[from, to], &settings).strip.n_frames() > 30,
            "it plays"
        );
    }
}

#[test]
fn what_cannot_be_meant_is_said() {
    let clips = demo_clips();
    let build = |clips: &[Arc<Clip>]| {
        TransitionGraph::build(clips, &GraphSettings::default(), &Ticket::default()).map(|_| ())
    };
    assert_eq!(build(&[]), Err(TransitionError::NoClips));
    let pose = Arc::new(cut(&clips[0], 0, 1, 1));
    let error = build(&[Arc::clone(&clips[0]), pose]).unwrap_err();
    assert!(
        matches!(error, TransitionError::Join(JoinError::OneFrame(_))),
        "{error}"
    );
    if let Some(file) = shared("walk_cycles/s35/extra/132_29_c2_bouncy.bvh") {
        let error = build(&[Arc::clone(&clips[0]), Arc::new(take(&file))]).unwrap_err();
        assert!(error.to_string().contains("another skeleton"), "{error}");
    }
    let settings = GraphSettings {
        threshold: Some(-1.0),
        ..GraphSettings::default()
    };
    let error = TransitionGraph::build(&clips, &settings, &Ticket::default()).unwrap_err();
    assert!(error.to_string().contains("over zero"), "{error}");
    let known = clips_of(&DEMO);
    let late = SequenceAction {
        leave: Leave::At(1000),
        ..SequenceAction::whole(&known[0])
    };
    let actions = [late, SequenceAction::whole(&known[1])];
    let error = sequence(&DEMO, &actions, &Default::default(), &Ticket::default()).unwrap_err();
    assert!(
        error.to_string().contains("cannot be left at frame 1000"),
        "{error}"
    );
    let error = sequence(&DEMO, &[], &Default::default(), &Ticket::default()).unwrap_err();
    assert_eq!(error, TransitionError::NoActions);
    let stopped = Ticket::default();
    stopped.cancel();
    let error = TransitionGraph::build(&clips, &GraphSettings::default(), &stopped).unwrap_err();
    assert!(matches!(error, TransitionError::Cancelled(_)), "{error}");
}

#[test]
fn a_foot_that_lands_out_of_this_world_does_no_harm() {
    let mut clips = demo_clips();
    let wild = &clips[1];
    let mut motion = wild.motion().clone();
    let slots = wild.skeleton().translating().len();
    for (at, t) in motion.translations.iter_mut().enumerate() {
        if at / slots > wild.n_frames() / 20 {
            t.x += 1e14;
        }
    }
    let skeleton = Arc::clone(wild.skeleton());
    clips[1] = Arc::new(Clip::new(wild.info.clone(), skeleton, motion).unwrap());
    let built = TransitionGraph::build(&clips, &GraphSettings::default(), &Ticket::default());
    let Ok(graph) = built else { return };
    let known = clips_of(&graph);
    let actions = [0, 1, 2].map(|at| SequenceAction::whole(&known[at]));
    // What comes out of such a clip is nobody's motion; an error in words is as good.
    let made = sequence(
        &graph,
        &actions,
        &SequenceSettings::default(),
        &Ticket::default(),
    );
    if let Ok(made) = made {
        assert!(made.strip.n_frames() > 0, "a motion has frames");
    }
}

#[test]
fn the_leg_comes_back_before_the_arm_goes_out() {
    let Some(clips) = martial() else { return };
    let graph = graph_of(&clips);
    let known = clips_of(&graph);
    let find = |name: &str| {
        let at = known
            .iter()
            .position(|c| c.clip.info.name.starts_with(name));
        Arc::clone(&known[at.unwrap()])
    };
    let (kick, punch) = (find("front_kick_right"), find("punch_right"));
    let skeleton = graph.rig().skeleton();
    let [foot, hand, neck] = ["RightFoot", "RightHand", "Neck"].map(|n| skeleton.find(n).unwrap());
    // How high the foot is, and how far the hand is out.
    let raised = |world: &WorldPose| world.positions[foot].y;
    let reaches = |world: &WorldPose| (world.positions[hand] - world.positions[neck]).xz().norm();
    let peak = |clip: &JoinClip, value: &dyn Fn(&WorldPose) -> f64| {
        let at = |f: usize| value(&WorldPose::of(skeleton, clip.clip.frame(f)));
        (0..clip.n_frames())
            .max_by(|&a, &b| at(a).total_cmp(&at(b)))
            .unwrap()
    };
    let (out, hit) = (peak(&kick, &raised), peak(&punch, &reaches));
    // From the kick at its highest to the punch at its furthest, as in the paper's Fig. 11: when the leg is down but
    // for a tenth, and when the arm is out but for a tenth, as shares of the time.
    let moments = |means: TransitionMethod| {
        let actions = [
            SequenceAction {
                leave: Leave::At(out),
                ..SequenceAction::whole(&kick)
            },
            SequenceAction {
                frames: hit..punch.n_frames(),
                ..SequenceAction::whole(&punch)
            },
        ];
        let transition = TransitionSettings {
            means,
            secs: Some(0.8),
            lock_feet: false,
            ..TransitionSettings::default()
        };
        let settings = SequenceSettings {
            transition,
            seed: 1,
        };
        let made = sequence(&graph, &actions, &settings, &Ticket::default()).unwrap();
        let t = &made.transitions[0];
        let world = |frame: usize| WorldPose::of(skeleton, made.strip.pose(frame));
        let done = |value: &dyn Fn(&WorldPose) -> f64| {
            let (start, end) = (value(&world(t.at - 1)), value(&world(t.at + t.frames)));
            let left = |f: usize| (end - value(&world(f))) / (end - start);
            let late = (t.at..t.at + t.frames).rev().find(|&f| left(f) > 0.1);
            (late.unwrap() - t.at) as f64 / t.frames as f64
        };
        (done(&raised), done(&reaches))
    };
    let (leg, arm) = moments(TransitionMethod::Bezier);
    let (leg_linear, arm_linear) = moments(TransitionMethod::Linear);
    eprintln!(
        "leg down at {leg:.2}, arm out at {arm:.2}; linear {leg_linear:.2} and {arm_linear:.2}"
    );
    assert!(
        leg < arm - 0.25,
        "the leg comes back before the arm goes out"
    );
    assert!(leg < leg_linear - 0.2, "earlier than by interpolation");
}
