//! Styles of the project: learning them, choosing them for a character, and standing in where there is none.

pub mod shared;
pub mod sharing;
mod stand_in;
pub(in crate::app) mod ui;

use std::sync::Arc;

use crate::app::pose::handles::solver::{SolverOrder, SolverSetup, SolverThread};
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::clips::training::training_motions;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::{counted, free_model_name};
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command, Document, Learned, ModelId, Posed};
use crate::motion::Clip;
use crate::style::{LearnSettings, Method, Style};

pub use stand_in::StandIn;

/// The job, as the status bar names it.
pub const LEARN: &str = "learn style";
/// The share of that time before it is tried on clips that are left out.
const LEARNING: f64 = 0.6;
const STAND_IN: &str = "look how this body moves";

/// All styles of a project, in their order.
pub fn styles_of(document: &Document) -> impl Iterator<Item = (ModelId, &str, &Arc<Style>)> {
    let models = document.models().iter();
    models.filter_map(|model| match &model.learned {
        Learned::Style(style) => Some((model.id, model.name.as_str(), style)),
        Learned::Variation(_) | Learned::Strokes(_) | Learned::Texture(_) => None,
    })
}

/// Refuses what the engine would refuse only after a while.
pub fn can_learn(clips: &[(ClipId, Arc<Clip>)], settings: &LearnSettings) -> Result<(), String> {
    settings.check().map_err(|error| error.to_string())?;
    let Some((_, first)) = clips.first() else {
        return Err("choose clips to learn from: one is enough, a few are better".to_owned());
    };
    let other = clips.iter().find(|(_, clip)| {
        !clip.skeleton().same_structure(first.skeleton()) || clip.info.up != first.info.up
    });
    match other {
        Some((_, clip)) => {
            let name = &clip.info.name;
            Err(format!(
                "{name} has another skeleton or up axis than the first clip"
            ))
        }
        None => Ok(()),
    }
}

impl PoseWorkspace {
    /// The clips that a style is to be learned from: the chosen ones, or else the selected ones.
    pub fn style_clips(&self, cx: &UiContext) -> Vec<(ClipId, Arc<Clip>)> {
        if self.learn.chosen.is_empty() {
            return cx.selected_clips();
        }
        let ids = self.learn.chosen.iter();
        let clip = |id: &ClipId| Some((*id, Arc::clone(cx.document().clip(*id)?)));
        ids.filter_map(clip).collect()
    }

    /// Learns as a job; the style becomes part of the project, and of the character that has none.
    pub fn learn_style(&mut self, cx: &mut UiContext) {
        let clips: Vec<Arc<Clip>> = self
            .style_clips(cx)
            .into_iter()
            .map(|clip| clip.1)
            .collect();
        let settings = self.learn.settings.clone();
        let typed = self.learn.name.trim();
        let usual = clips
            .first()
            .map_or("style", |clip| clip.info.name.as_str());
        let wish = if typed.is_empty() { usual } else { typed }.to_owned();
        self.inbox.start(cx, LEARN, Shown::InBar, move |ticket| {
            let motions = training_motions(&clips)?;
            let refs: Vec<&Clip> = motions.iter().collect();
            let style = Style::learn(&refs, &settings, &ticket.stage(0.0..LEARNING))?
                .cross_validated(&refs, &ticket.stage(LEARNING..1.0))?;
            let style = Arc::new(style);
            let n_clips = clips.len();
            let delivery: DeliveryTo<Self> =
                Box::new(move |pose, shell| pose.take_style(shell, &wish, &style, n_clips));
            Ok(delivery)
        });
    }

    /// The style, a character if there is none, and the style chosen for it: one step.
    fn take_style(&mut self, shell: &mut Shell, wish: &str, style: &Arc<Style>, n_clips: usize) {
        self.finish_grab(shell);
        let name = free_model_name(shell.document(), wish);
        let id = ModelId(shell.document().next_number());
        let mut commands = vec![Command::AddModel {
            name: name.clone(),
            learned: Learned::Style(Arc::clone(style)),
        }];
        let fits = |posed: &Posed| {
            posed.skeleton.same_structure(style.skeleton()) && posed.up == up_of(style)
        };
        let mut is_new = false;
        match self
            .active_posed(shell)
            .map(|(id, posed)| (id, Arc::clone(posed)))
        {
            Some((posed_id, posed)) if posed.styles.is_empty() && fits(&posed) => {
                let mut posed = Posed::clone(&posed);
                posed.styles.push((id, 1.0));
                commands.push(Command::ChangePosed {
                    what: "give a style to".to_owned(),
                    id: posed_id,
                    posed: Arc::new(posed),
                });
            }
            Some(_) => {}
            None => {
                if let Some(mut posed) = Self::character_from_clip(shell).filter(fits) {
                    posed.styles.push((id, 1.0));
                    commands.push(Command::AddPosed(Arc::new(posed)));
                    is_new = true;
                }
            }
        }
        let what = format!("learn style {name}");
        if self
            .edit(shell, Command::Together { what, commands })
            .is_none()
        {
            return;
        }
        self.learn.name.clear();
        let clips = counted(n_clips, "clip");
        let then = if is_new { "; now drag a handle" } else { "" };
        let is_trusted = style.latent().is_none() || style.trusted_latent().is_some();
        let trust = if is_trusted {
            ""
        } else {
            "; on clips left out one Gaussian did better, so it judges poses"
        };
        shell.say(
            Severity::Done,
            format!("{name} learned from {clips}{trust}{then}"),
        );
    }

    /// Who judges the poses of a character: its styles, as far as they know its bones, or a stand-in.
    pub fn setup_of(&mut self, cx: &mut UiContext, posed: &Posed) -> Option<Arc<SolverSetup>> {
        let rig = Arc::clone(&self.figure(&posed.skeleton)?.rig);
        let chosen: Vec<(Arc<Style>, f64)> = Self::chosen_styles(cx, posed);
        let judge = self
            .map_style(cx, posed)
            .or_else(|| self.stand_in(cx, posed))?;
        let styles = match chosen.as_slice() {
            [] => vec![(Arc::clone(&judge), 1.0)],
            [_] => chosen,
            _ => self.shared(cx, chosen),
        };
        let skeleton = Arc::clone(&posed.skeleton);
        Some(Arc::new(SolverSetup {
            skeleton,
            rig,
            styles,
            judge,
        }))
    }

    /// The styles of a character that know its bones, with weights that are not all zero.
    pub fn chosen_styles(cx: &UiContext, posed: &Posed) -> Vec<(Arc<Style>, f64)> {
        let mut chosen: Vec<(Arc<Style>, f64)> = posed
            .styles
            .iter()
            .filter_map(|(id, weight)| match &cx.document().model(*id)?.learned {
                Learned::Style(style) => Some((Arc::clone(style), *weight)),
                Learned::Variation(_) | Learned::Strokes(_) | Learned::Texture(_) => None,
            })
            .filter(|(style, _)| knows(style, posed))
            .collect();
        if chosen.iter().all(|(_, weight)| *weight <= 0.0) {
            for (_, weight) in &mut chosen {
                *weight = 1.0;
            }
        }
        chosen
    }

    /// The style whose map and meter are shown: the picked one, or else the one that weighs most.
    pub fn map_style(&self, cx: &UiContext, posed: &Posed) -> Option<Arc<Style>> {
        let chosen = Self::chosen_styles(cx, posed);
        let picked = self.map.picked.and_then(|id| cx.document().model(id));
        if let Some(Learned::Style(style)) = picked.map(|model| &model.learned)
            && chosen.iter().any(|(other, _)| Arc::ptr_eq(other, style))
        {
            return Some(Arc::clone(style));
        }
        let heaviest = chosen
            .into_iter()
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        heaviest.map(|(style, _)| style)
    }

    /// A plain style of all clips of the same bones, for a character that has none yet.
    fn stand_in(&mut self, cx: &mut UiContext, posed: &Posed) -> Option<Arc<Style>> {
        /// More would take longer than it takes to reach for a handle.
        const MOST_CLIPS: usize = 6;
        let is_of = |known: &&StandIn| Arc::ptr_eq(&known.skeleton, &posed.skeleton);
        if let Some(known) = self.stand_ins.iter().find(is_of) {
            return known.style.clone();
        }
        let fits = |clip: &Arc<Clip>| {
            clip.skeleton().same_structure(&posed.skeleton) && clip.info.up == posed.up
        };
        let clips = cx.document().clips().map(|(_, clip)| clip);
        let clips: Vec<Arc<Clip>> = clips
            .filter(|c| fits(c))
            .take(MOST_CLIPS)
            .cloned()
            .collect();
        if !clips.is_empty() && !cx.work.is_running(STAND_IN) {
            let skeleton = Arc::clone(&posed.skeleton);
            self.inbox.look(
                cx,
                STAND_IN,
                Shown::Quietly,
                move |ticket| {
                    let refs: Vec<&Clip> = clips.iter().map(|clip| &**clip).collect();
                    let plain = LearnSettings {
                        method: Method::Gaussian,
                        ..LearnSettings::default()
                    };
                    Ok(Style::learn(&refs, &plain, ticket).ok())
                },
                move |pose, _, style| {
                    let style = style.ok().flatten().map(Arc::new);
                    pose.stand_ins.push(StandIn { skeleton, style });
                },
            );
        }
        None
    }

    /// Leaves an order with the solver, which is started for the first one.
    pub(in crate::app::pose) fn leave_order(&mut self, cx: &mut UiContext, order: SolverOrder) {
        if self.handles.solver.is_none() {
            match SolverThread::start(cx.waker()) {
                Ok(thread) => self.handles.solver = Some(thread),
                Err(error) => {
                    self.handles.grab = None;
                    cx.say(
                        Severity::Error,
                        format!("the solver could not start: {error}"),
                    );
                    return;
                }
            }
        }
        if let Some(solver) = &self.handles.solver {
            solver.ask(order);
        }
    }
}

/// Whether a style can solve poses of these bones.
pub fn knows(style: &Style, posed: &Posed) -> bool {
    style.skeleton().same_structure(&posed.skeleton) && up_of(style) == posed.up
}

fn up_of(style: &Style) -> crate::motion::Axis {
    style.map().parts().heading.up
}
