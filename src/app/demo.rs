//! The demo project in every workspace: a model and its variants, a style and a posed character, a sequence, a path,
//! and sets that are measured.
//!
//! The clips are there at once; the models are learned in the background
//! ([`demo_models`](crate::app::shell::demo_models)), and what they make possible comes as one step. If nobody has
//! touched the project until then, it is where the work begins: nothing to undo, and no question when the window is
//! closed.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::app::App;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::demo_models::DemoModels;
use crate::app::shell::messages::Severity;
use crate::app::shell::session::Subject;
use crate::app::shell::view_options::Arrangement;
use crate::app::study::sets::{Source, StudySet};
use crate::demo::tour;
use crate::document::{
    ActionSource, ClipId, Command, DrawnPath, GraphId, GraphRecipe, KeptPose, Learned, ModelId,
    Sequence,
};
use crate::motion::path::PathPoint;
use crate::sequence::ActionList;
use crate::study::baselines::BaselineSet;
use crate::study::measures::Role;
use crate::transition::GraphSettings;

/// The character is posed like this clip at this moment: a straight punch at full reach.
const POSED: (&str, f64) = ("cross_02", 0.62);
/// Kept poses: name, clip and seconds.
const POSES: [(&str, &str, f64); 4] = [
    ("guard", "jab_01", 0.0),
    ("straight punch", "cross_02", 0.62),
    ("hook", "hook_01", 0.7),
    ("front kick", "front_kick_01", 0.85),
];
/// The path as an animator would draw it.
const PATH_POINTS: usize = 13;

impl App {
    /// Once per frame: shows what was learned of the demo.
    pub(in crate::app) fn turn_demo(&mut self) {
        let Some(models) = self.shell.demo_models.take() else {
            return;
        };
        let is_untouched = !self.shell.has_unsaved_work();
        let walk = ModelId(self.shell.document().next_number());
        let what = "furnish the demo".to_owned();
        let commands = commands(&self.shell, &models);
        if self
            .shell
            .edit(Command::Together { what, commands })
            .is_none()
        {
            return;
        }
        self.pose_demo_character();
        if is_untouched {
            self.shell.begin_here();
        }
        let [takes, held_back] = models.walks;
        self.variation.takes.chosen.clone_from(&takes);
        self.variation.chosen = Some(walk);
        self.variation.make_variants(&mut self.shell);
        // Fifteen walks over each other look like one.
        let session = &mut self.shell.session;
        session.stands_first(Subject::Family, Arrangement::Grid);
        let set = |name: &str, role, clips| StudySet {
            name: name.to_owned(),
            role,
            source: Source::Library(clips),
        };
        self.study.sets.sets = vec![
            set("walks", Role::Inputs, takes),
            set("walks held back", Role::Real, held_back),
        ];
        self.demo_waits_for_variants = true;
        self.shell
            .say(Severity::Info, "the demo is ready in all workspaces");
    }

    /// A character in the style that was learned, and poses for it.
    fn pose_demo_character(&mut self) {
        let (name, secs) = POSED;
        let Some(id) = clip_called(&self.shell, name) else {
            return;
        };
        if let Some(mut posed) = PoseWorkspace::character_at(&self.shell, id, secs) {
            "boxer".clone_into(&mut posed.name);
            self.shell.edit(Command::AddPosed(Arc::new(posed)));
        }
        let kept = POSES.into_iter().filter_map(|(name, clip, secs)| {
            let clip = self
                .shell
                .document()
                .clip(clip_called(&self.shell, clip)?)?;
            Some(Arc::new(KeptPose {
                name: name.to_owned(),
                tags: BTreeSet::from(["fight".to_owned()]),
                skeleton: Arc::clone(clip.skeleton()),
                up: clip.info.up,
                pose: clip.pose_at(secs * clip.fps()),
            }))
        });
        let kept = kept.collect();
        self.shell.edit(Command::AddPoses(kept));
    }

    /// Once per frame: variants of the demo are measured when all are there.
    pub(in crate::app) fn turn_demo_study(&mut self) {
        let is_making = self
            .shell
            .work
            .is_running(crate::app::variation::variants::make::MAKE);
        if !self.demo_waits_for_variants || is_making {
            return;
        }
        self.demo_waits_for_variants = false;
        let offers = self.variation.offers(&mut self.shell);
        let Some(offer) = offers.into_iter().next() else {
            return;
        };
        self.study.sets.sets.push(StudySet {
            name: offer.name,
            role: Role::Asked,
            source: Source::Made(offer.clips),
        });
        self.study.measure.baselines = BTreeSet::from(BaselineSet::ALL);
        self.study.measure.model = offer.model;
        self.study.measure_sets(&mut self.shell);
    }
}

/// Models, a graph with a sequence, a texture with a path, and sets of the clips that they are made of.
fn commands(shell: &Shell, models: &DemoModels) -> Vec<Command> {
    let first = shell.document().next_number();
    let (texture, graph) = (ModelId(first + 2), GraphId(first + 3));
    let model = |name: &str, learned| Command::AddModel {
        name: name.to_owned(),
        learned,
    };
    let tagged = |tag: &str| -> Vec<ClipId> {
        let clips = shell.document().clips();
        let own = clips.filter(|(_, clip)| clip.info.tags.contains(tag));
        own.map(|(id, _)| id).collect()
    };
    let mut actions = ActionList::default();
    let moves = tour::FIGHT.iter();
    for id in moves.filter_map(|name| clip_called(shell, name)) {
        actions.insert(usize::MAX, ActionSource::Clip(id));
    }
    let points = tour::path(PATH_POINTS).into_iter();
    let points = points.map(|[x, z]| PathPoint::at(x, z)).collect();
    let path = DrawnPath {
        actions: vec!["walk".to_owned()],
        ..DrawnPath::new("S", texture, points)
    };
    let set = |name: &str, clips: Vec<ClipId>| Command::AddSet {
        name: name.to_owned(),
        clips,
    };
    vec![
        model("walk", Learned::Variation(Arc::clone(&models.walk))),
        model("boxing", Learned::Style(Arc::clone(&models.boxing))),
        model("takes", Learned::Texture(Arc::clone(&models.takes))),
        Command::AddGraph(Arc::new(GraphRecipe {
            name: "fight".to_owned(),
            clips: tagged("fight"),
            settings: GraphSettings::default(),
        })),
        Command::AddSequence(Arc::new(Sequence {
            name: "fight in six moves".to_owned(),
            graph: Some(graph),
            actions,
        })),
        Command::AddPath(Arc::new(path)),
        set("walks", models.walks.concat()),
        set("fight", tagged("fight")),
    ]
}

fn clip_called(shell: &Shell, name: &str) -> Option<ClipId> {
    let mut clips = shell.document().clips();
    let found = clips.find(|(_, clip)| clip.info.name == name);
    found.map(|(id, _)| id)
}
