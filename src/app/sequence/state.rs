//! What the sequence workspace remembers, and what its panels may ask for.
//!
//! Whatever can be put on the strip is dragged there as an [`ActionSource`] (`egui::DragAndDrop`), or put at its end
//! by a double-click ([`SequenceWorkspace::ask_to_add`]).

use crate::app::sequence::graph_view::GraphView;
use crate::app::sequence::graphs::BuiltGraphs;
use crate::app::sequence::join::JoinView;
use crate::app::sequence::live::LiveView;
use crate::app::sequence::palette::PaletteView;
use crate::app::sequence::path::PathView;
use crate::app::sequence::strip::{Edit, Export, StripView};
use crate::app::sequence::targets::TargetView;
use crate::app::sequence::textures::TextureView;
use crate::app::shell::Shell;
use crate::app::shell::jobs::Inbox;
use crate::app::shell::requests::Requests;
use crate::document::{ActionSource, ClipId, GraphId, SequenceId};

/// What the workspace remembers; gone when another project is opened. Graphs and sequences themselves are in the
/// document; what is built from them is here.
#[derive(Debug, Default)]
pub struct SequenceWorkspace {
    /// The sequence on the strip; none is the first there is.
    pub chosen: Option<SequenceId>,
    /// The graph that was built, and the one that is being built.
    pub graphs: BuiltGraphs,
    /// Entries on the strip, and what was made of them.
    pub strip: StripView,
    /// The transition that is looked at.
    pub join: JoinView,
    /// Points that actions reach for.
    pub targets: TargetView,
    /// The actions that can be put on the strip.
    pub palette: PaletteView,
    /// The graph as a picture.
    pub graph_view: GraphView,
    /// Endless play, steered with keys and pad.
    pub live: LiveView,
    /// Paths on the floor.
    pub path: PathView,
    /// Learning, listing and choosing motion textures.
    pub textures: TextureView,
    pub(in crate::app::sequence) inbox: Inbox<Self>,
    /// What panels want done.
    pub requests: Requests<Request>,
}

/// What a panel of the workspace wants done that needs the document.
#[derive(Debug)]
pub enum Request {
    /// Makes a graph of these clips, and a sequence to use it.
    BuildGraph(Vec<ClipId>),
    /// Finds the transitions of the sequence in this graph.
    UseGraph(GraphId),
    /// Gives the chosen graph these clips, too.
    AddToGraph(Vec<ClipId>),
    /// Takes these clips out of the chosen graph.
    TakeFromGraph(Vec<ClipId>),
    /// Puts actions on the strip, before the entry that is at a place now; past the end they come last.
    AddActions {
        /// What is played, at least one.
        sources: Vec<ActionSource>,
        /// The place in the sequence, counted from 0.
        at: usize,
    },
    /// Makes a path of the line that was drawn on the floor.
    DrawPath,
    /// Puts the walk along the path into the library.
    KeepWalk,
    /// Puts what was recorded in live play on the strip.
    KeepRecordingAsSequence,
    /// Puts what was recorded in live play into the library.
    KeepRecordingAsClip,
    /// Makes a path of what was recorded while a texture was steered.
    KeepRecordingAsPath,
    /// Gives the play range a name of its own in the chosen texture.
    Annotate,
    /// Does something to entries of the strip.
    EditStrip(Edit),
    /// Keeps what was dragged.
    KeepDraft,
    /// Begins a new, empty sequence beside the others.
    NewSequence,
    /// A graph of these clips, and all of them on a strip.
    LineUp(Vec<ClipId>),
    /// A graph and six actions, to begin with.
    MakeExample,
    /// Makes a clip of the library of the whole motion.
    KeepAsClip,
    /// Asks where to write the motion, or its parts.
    Export(Export),
}

impl SequenceWorkspace {
    /// Queues something to be done before the next frame is drawn.
    pub fn ask(&mut self, request: Request) {
        self.requests.ask(request);
    }

    /// Puts an action at the end of the strip: what a double-click on it does.
    pub fn ask_to_add(&mut self, source: ActionSource) {
        let (sources, at) = (vec![source], usize::MAX);
        self.ask(Request::AddActions { sources, at });
    }

    /// Does what was asked for, and takes what jobs have brought.
    pub(in crate::app) fn answer_all(&mut self, shell: &mut Shell) {
        while let Some(delivery) = self.inbox.next(shell) {
            delivery(self, shell);
        }
        for request in self.requests.take() {
            // What is in the hand is a step of its own.
            self.keep_draft(shell);
            match request {
                Request::BuildGraph(clips) => self.build_graph(shell, clips),
                Request::UseGraph(graph) => self.use_graph(shell, graph),
                Request::AddToGraph(clips) => self.add_to_graph(shell, &clips),
                Request::TakeFromGraph(clips) => self.take_from_graph(shell, &clips),
                Request::AddActions { sources, at } => self.add_actions(shell, sources, at),
                Request::DrawPath => self.draw_path(shell),
                Request::KeepWalk => self.keep_walk(shell),
                Request::KeepRecordingAsSequence => self.keep_as_sequence(shell),
                Request::KeepRecordingAsClip => self.keep_recording_as_clip(shell),
                Request::KeepRecordingAsPath => self.keep_as_path(shell),
                Request::Annotate => self.annotate(shell),
                Request::EditStrip(edit) => self.edit_strip(shell, &edit),
                Request::KeepDraft => self.keep_draft(shell),
                Request::NewSequence => self.new_sequence(shell),
                Request::LineUp(clips) => self.line_up(shell, clips),
                Request::MakeExample => self.make_example(shell),
                Request::KeepAsClip => self.keep_as_clip(shell),
                Request::Export(what) => self.export(shell, what),
            }
        }
    }
}
