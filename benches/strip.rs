//! What the strip promises: an action added to a strip of 50 is there within 50 ms, and a value that is dragged in the
//! join editor is followed within 16 ms. The time is that of the job in the background: joins, places in the world, and
//! the clip that the 3D view plays.

mod common;

use std::cell::RefCell;
use std::sync::Arc;

use common::demo_takes;
use divan::{Bencher, black_box};
use kinfolk::demo::{Action, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::join::{JoinClip, Strip};
use kinfolk::motion::{Body, Clip, Site, Vec3, WorldPose};
use kinfolk::sequence::{ActionList, EntryId, Evaluation, Reach, Source};
use kinfolk::transition::parametric::{ActionStart, ParametricAction, ParametricSettings};
use kinfolk::transition::{GraphSettings, TransitionGraph};

fn main() {
    divan::main();
}

/// Plays the kick for a point.
const KICK: usize = 1000;

/// A strip of 50 actions, and what they are played from.
struct Bench {
    graph: Arc<TransitionGraph>,
    clips: Vec<Arc<JoinClip>>,
    kick: Arc<ParametricAction>,
    list: ActionList<usize>,
    evaluation: Evaluation,
    target: Vec3,
}

impl Bench {
    fn new(loops: bool) -> Self {
        let actions = [Action::Jab, Action::FrontKick, Action::Walk, Action::Hook];
        let takes = demo_takes(&actions, 2000).into_iter().map(Arc::new);
        let takes: Vec<Arc<Clip>> = takes.collect();
        let settings = GraphSettings::default();
        let graph = TransitionGraph::build(&takes, &settings, &Ticket::default());
        let graph = Arc::new(graph.expect("demo takes go together"));
        let clips: Vec<_> = graph.clips().map(|(_, clip)| Arc::clone(clip)).collect();
        let mut list = ActionList {
            loops,
            ..ActionList::default()
        };
        for at in 0..50 {
            list.insert(usize::MAX, (7 * at) % clips.len());
        }
        let kicks: Vec<Clip> = (0..4).map(|n| make(Action::FrontKick, 1, n).clip).collect();
        let kicks: Vec<&Clip> = kicks.iter().collect();
        let legs = Body::of(kicks[0].skeleton()).legs;
        let foot = Site::Joint(legs[0].end);
        let settings = ParametricSettings {
            fps: Some(graph.rig().fps),
            ..ParametricSettings::default()
        };
        let kick = ParametricAction::learn(&kicks, foot, &settings, &Ticket::default());
        let mut bench = Self {
            graph,
            clips,
            kick: Arc::new(kick.expect("kicks are alike")),
            list,
            evaluation: Evaluation::default(),
            target: Vec3::zeros(),
        };
        bench.follow();
        bench
    }

    fn entry(&self, at: usize) -> EntryId {
        self.list.entries[at].id
    }

    /// What the job of the strip does.
    fn follow(&mut self) -> usize {
        let (clips, kick, target) = (&self.clips, &self.kick, self.target);
        let resolve = |number: &usize| {
            Ok(match *number {
                KICK => Source::Reach(Reach {
                    action: Arc::clone(kick),
                    target,
                    name: "kick".to_owned(),
                    home: ActionStart::at_origin(),
                }),
                number => Source::Clip(Arc::clone(&clips[number])),
            })
        };
        let ticket = Ticket::default();
        let made = self
            .evaluation
            .update(&self.graph, &self.list, resolve, &ticket);
        made.expect("all can be joined");
        let motion = self.evaluation.motion("strip");
        let motion = motion.expect("it is a motion");
        motion.expect("there are actions").n_frames()
    }
}

/// As it is, and as a round that is played on and on.
#[divan::bench(args = [false, true], sample_count = 20, sample_size = 1)]
fn an_action_is_added_to_a_strip_of_50(bencher: Bencher<'_, '_>, loops: bool) {
    let bench = RefCell::new(Bench::new(loops));
    bencher
        .with_inputs(|| {
            let mut bench = bench.borrow_mut();
            if bench.list.entries.len() > 50 {
                let added = bench.entry(25);
                bench.list.remove(&[added]);
                bench.follow();
            }
        })
        .bench_local_values(|()| {
            let mut bench = bench.borrow_mut();
            bench.list.insert(25, 3);
            black_box(bench.follow())
        });
}

#[divan::bench(sample_count = 50, sample_size = 1)]
fn a_dragged_length_is_followed(bencher: Bencher<'_, '_>) {
    let mut bench = Bench::new(false);
    let entry = bench.entry(25);
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        let reached = &mut bench.list.entry_mut(entry).expect("it stays").reached;
        reached.secs = Some(0.3 + 0.01 * f64::from(n % 40));
        black_box(bench.follow())
    });
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn a_dragged_target_is_followed(bencher: Bencher<'_, '_>) {
    let mut bench = Bench::new(false);
    let entry = bench.entry(25);
    bench.list.entry_mut(entry).expect("it stays").source = KICK;
    bench.follow();
    let plays = bench.evaluation.plays();
    let hit = plays.iter().find_map(|play| play.hit).expect("one reaches");
    let strip: &Strip = bench.evaluation.strip().expect("it is played");
    let middle = plays.iter().find(|play| play.hit.is_some());
    let shown = middle.map_or(0, |play| play.shown.end - 1);
    let skeleton = strip.rig().skeleton();
    let world = WorldPose::of(skeleton, strip.pose(shown));
    let foot = world.site(skeleton, bench.kick.site());
    let up = bench.kick.up().vector();
    let from = foot + up * (0.4 * bench.kick.body_height());
    assert!(
        hit.missed.is_finite(),
        "it is known by how much the point is missed"
    );
    let mut n = 0;
    bencher.bench_local(|| {
        n += 1;
        bench.target = from + up * (0.002 * f64::from(n % 30));
        black_box(bench.follow())
    });
}
