//! The transition graph, its actions, or a texture as a picture: what is alike lies close together.

pub mod layout;
mod lower_ui;
mod mesh;
pub mod ui;
mod view;

use std::sync::Arc;

use crate::app::sequence::graph_view::layout::{Drawing, GraphDrawings};
use crate::app::sequence::live::Actions;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::work::Shown;
use crate::jobs::Cancelled;
use crate::numerics::cheapest_paths::NodePath;
use crate::texture::Texture;
use crate::transition::TransitionKind;

pub use view::{GraphLevel, GraphView};

impl SequenceWorkspace {
    /// The picture of the chosen level, once it is laid out. Asks for it if nobody has.
    pub fn graph_drawing(&mut self, cx: &mut UiContext) -> Option<Arc<Drawing>> {
        if self.graph_view.level == GraphLevel::Texture {
            let (_, texture) = self.chosen_texture(cx)?;
            return self.texture_drawing(cx, &texture);
        }
        let graph = Arc::clone(self.graph()?);
        let known = self.graph_view.graph.as_ref();
        let known = known.filter(|(of, _)| Arc::ptr_eq(of, &graph));
        if let Some((_, drawings)) = known {
            return Some(Arc::clone(match self.graph_view.level {
                GraphLevel::Actions => &drawings.actions,
                GraphLevel::Clusters | GraphLevel::Texture => &drawings.clusters,
            }));
        }
        if !self.graph_view.is_laying_out {
            let (own, of) = (Arc::clone(&graph), graph);
            self.graph_view.is_laying_out = self.inbox.look(
                cx,
                "lay out the graph",
                Shown::Quietly,
                move |_| Ok::<_, Cancelled>(Arc::new(GraphDrawings::of(&own))),
                move |workspace: &mut Self, _, drawn| {
                    let view = &mut workspace.graph_view;
                    view.is_laying_out = false;
                    view.picked = (None, None);
                    view.paths = None;
                    view.graph = drawn.ok().map(|drawings| (of, drawings));
                },
            );
        }
        None
    }

    fn texture_drawing(
        &mut self,
        cx: &mut UiContext,
        texture: &Arc<Texture>,
    ) -> Option<Arc<Drawing>> {
        let known = self.graph_view.texture.as_ref();
        if let Some((_, drawing)) = known.filter(|(of, _)| Arc::ptr_eq(of, texture)) {
            return Some(Arc::clone(drawing));
        }
        if !self.graph_view.is_laying_out {
            let (own, of) = (Arc::clone(texture), Arc::clone(texture));
            self.graph_view.is_laying_out = self.inbox.look(
                cx,
                "lay out the texture",
                Shown::Quietly,
                move |_| Ok::<_, Cancelled>(Arc::new(Drawing::of_texture(&own))),
                move |workspace: &mut Self, _, drawn| {
                    let view = &mut workspace.graph_view;
                    view.is_laying_out = false;
                    view.opened = None;
                    view.texture = drawn.ok().map(|drawing| (of, drawing));
                },
            );
        }
        None
    }

    /// The candidate paths between the two clusters that are picked, cheapest first.
    pub fn candidate_paths(&mut self, drawing: &Drawing) -> &[NodePath] {
        let (Some(from), Some(to)) = self.graph_view.picked else {
            self.graph_view.paths = None;
            return &[];
        };
        let is_known = matches!(&self.graph_view.paths, Some((a, b, _)) if (*a, *b) == (from, to));
        if !is_known {
            let number = |at: usize| {
                let node = drawing.nodes.get(at)?;
                u32::try_from(node.number).ok()
            };
            let found = match (self.graph(), number(from), number(to)) {
                (Some(graph), Some(a), Some(b)) => graph.paths(a, b),
                _ => Vec::new(),
            };
            self.graph_view.lit = 0;
            self.graph_view.paths = Some((from, to, found));
        }
        self.graph_view.paths.as_ref().map_or(&[], |p| &p.2)
    }

    /// The node that is shown now, live or on the strip, and the nodes of the transition.
    fn lit_nodes(&self, cx: &UiContext, drawing: &Drawing) -> (Option<usize>, Vec<usize>) {
        let Some(playing) = &self.live.playing else {
            return self.lit_by_strip(cx, drawing);
        };
        let is_texture = matches!(playing.actions(), Actions::Texture(..));
        let level = self.graph_view.level;
        match level {
            GraphLevel::Actions if !is_texture => {
                let Actions::Graph(built, clips) = playing.actions() else {
                    return (None, Vec::new());
                };
                let clip = playing.running().and_then(|at| clips.get(at));
                let number = clip.and_then(|clip| built.number(*clip));
                (number.and_then(|n| drawing.node(n)), Vec::new())
            }
            _ if is_texture == (level == GraphLevel::Texture) => {
                let of = |number: u32| drawing.node(number as usize);
                let way = playing.path().iter().filter_map(|n| of(*n));
                (playing.node().and_then(of), way.collect())
            }
            _ => (None, Vec::new()),
        }
    }

    /// Where the playhead of the strip is in the graph.
    fn lit_by_strip(&self, cx: &UiContext, drawing: &Drawing) -> (Option<usize>, Vec<usize>) {
        let nothing = (None, Vec::new());
        let (Some(shown), Some(built)) = (self.strip.shown(), self.built_graph()) else {
            return nothing;
        };
        if self.graph_view.level == GraphLevel::Texture || self.shows_path(cx) {
            return nothing;
        }
        let frame = (cx.session.playhead_secs * shown.graph.rig().fps).round() as usize;
        let Some(play) = shown.plays.iter().find(|play| play.shown.contains(&frame)) else {
            return nothing;
        };
        if self.graph_view.level == GraphLevel::Actions {
            let mut clips = built.graph.clips();
            let own = clips.find(|(_, clip)| Arc::ptr_eq(clip, &play.clip));
            return (own.and_then(|(number, _)| drawing.node(number)), Vec::new());
        }
        let made = play.transition.as_ref();
        let made = made.filter(|made| frame < made.at + made.frames);
        let node = |cluster: u32| drawing.node(cluster as usize);
        let way = match made.map(|made| &made.kind) {
            Some(TransitionKind::Path(way) | TransitionKind::Bezier(way)) => way.as_slice(),
            _ => &[],
        };
        let now = match made {
            // Between clips no frame of one is seen.
            Some(made) if !way.is_empty() => {
                let along = (frame - made.at) * way.len() / made.frames.max(1);
                way.get(along).copied()
            }
            _ => {
                let row = play.clip.rows.row(play.clip_frame(frame));
                built.graph.locate(row, None).map(|(cluster, _)| cluster)
            }
        };
        (
            now.and_then(node),
            way.iter().filter_map(|at| node(*at)).collect(),
        )
    }
}
