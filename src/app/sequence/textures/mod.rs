//! Motion textures in the window: learned from clips with labels, chosen, looked at in words.

mod labels;
pub mod ui;
mod view;

use std::sync::Arc;

use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::jobs::Worked;
use crate::app::shell::messages::Severity;
use crate::app::shell::words::free_model_name;
use crate::app::shell::work::Shown;
use crate::document::{ClipId, Command, Learned, ModelId};
use crate::jobs::Cancelled;
use crate::motion::{Clip, edit};
use crate::texture::{LabelledClip, Span, Texture};

pub use labels::LabelSource;
pub use view::{TextureView, Told};

/// The job, as the status bar calls it.
pub const LEARN_JOB: &str = "learn a motion texture";

impl SequenceWorkspace {
    /// The texture that is played: the chosen one, or else the last that was learned.
    pub fn chosen_texture(&self, cx: &UiContext) -> Option<(ModelId, Arc<Texture>)> {
        let of = |id: ModelId| match &cx.document().model(id)?.learned {
            Learned::Texture(texture) => Some((id, Arc::clone(texture))),
            _ => None,
        };
        let chosen = self.textures.chosen.and_then(of);
        let models = cx.document().models().iter().rev();
        chosen.or_else(|| models.map(|model| model.id).find_map(of))
    }

    /// What there is to say about a texture, once it is known.
    pub fn told(&self, texture: &Arc<Texture>) -> Option<&Told> {
        let (known, told) = self.textures.told.as_ref()?;
        Arc::ptr_eq(known, texture).then_some(told)
    }

    /// Looks at a texture in the background, if nobody has yet.
    pub(in crate::app::sequence) fn look_at_texture(
        &mut self,
        cx: &mut UiContext,
        texture: &Arc<Texture>,
    ) {
        if self.textures.is_looking || self.told(texture).is_some() {
            return;
        }
        let (own, looked_at) = (Arc::clone(texture), Arc::clone(texture));
        self.textures.is_looking = self.inbox.look(
            cx,
            "look at a motion texture",
            Shown::Quietly,
            move |_| Ok::<Told, Cancelled>(Told::of(&own)),
            move |workspace: &mut Self, _, told| {
                workspace.textures.is_looking = false;
                if let Ok(told) = told {
                    workspace.textures.told = Some((looked_at, told));
                }
            },
        );
    }

    /// The clips that a texture would be learned from, with their labels: the selected ones, or else all that go with
    /// the active one.
    pub fn labelled_clips(&self, cx: &UiContext) -> Vec<(ClipId, LabelledClip)> {
        let mut clips = cx.selected_clips();
        if clips.len() < 2
            && let Some((_, first)) = clips.first()
        {
            let skeleton = Arc::clone(first.skeleton());
            let all = cx.document().clips();
            let all = all.filter(|(_, clip)| clip.skeleton().same_structure(&skeleton));
            clips = all.map(|(id, clip)| (id, Arc::clone(clip))).collect();
        }
        let all: Vec<&Clip> = clips.iter().map(|(_, clip)| &**clip).collect();
        let source = self.textures.labels;
        let source = source.unwrap_or_else(|| LabelSource::fitting(&all));
        let labelled = clips.iter().filter_map(|(id, clip)| {
            let label = source.label(clip)?;
            let clip = Arc::clone(clip);
            Some((*id, LabelledClip { clip, label }))
        });
        labelled.collect()
    }

    /// Learns a texture from the selected clips.
    pub fn learn_texture(&mut self, cx: &mut UiContext) {
        let clips: Vec<LabelledClip> = self.labelled_clips(cx).into_iter().map(|c| c.1).collect();
        if clips.is_empty() {
            cx.say(Severity::Warning, "select clips to learn a texture from");
            return;
        }
        let settings = self.textures.settings.clone();
        let wish = match self.textures.name.trim() {
            "" => "texture",
            name => name,
        };
        let wish = wish.to_owned();
        let work = move |ticket: &crate::jobs::Ticket| -> Worked<_> {
            let texture = Arc::new(Texture::learn(&clips, &settings, ticket)?);
            let delivery: crate::app::shell::jobs::DeliveryTo<Self> =
                Box::new(move |workspace, shell| workspace.take_texture(shell, &wish, texture));
            Ok(delivery)
        };
        self.inbox.start(cx, LEARN_JOB, Shown::InBar, work);
    }

    fn take_texture(&mut self, shell: &mut Shell, wish: &str, texture: Arc<Texture>) {
        let id = ModelId(shell.document().next_number());
        let name = free_model_name(shell.document(), wish);
        let command = Command::AddModel {
            name: name.clone(),
            learned: Learned::Texture(texture),
        };
        if shell.edit(command).is_some() {
            self.textures.chosen = Some(id);
            self.textures.name.clear();
            shell.say(
                Severity::Info,
                format!("{name} can be steered and follow paths"),
            );
        }
    }

    /// Gives the play range of the active clip a name of its own in the chosen texture.
    pub(in crate::app::sequence) fn annotate(&mut self, shell: &mut Shell) {
        let name = self.textures.annotation.trim().to_owned();
        let annotated = self.annotated(shell, &name);
        match annotated {
            Ok((id, texture)) => {
                let what = format!("name \"{name}\" in");
                let learned = Learned::Texture(Arc::new(texture));
                shell.edit(Command::ReplaceModel { what, id, learned });
                self.textures.annotation.clear();
            }
            Err(why) => shell.say(Severity::Warning, why),
        }
    }

    fn annotated(&self, cx: &UiContext, name: &str) -> Result<(ModelId, Texture), String> {
        let (id, texture) = self.chosen_texture(cx).ok_or("there is no texture yet")?;
        let clip = cx.active_clip().ok_or("select the take that shows it")?;
        if name.is_empty() {
            return Err("type a name for the action first".to_owned());
        }
        let clips = &texture.corpus().clips;
        let at = clips
            .iter()
            .position(|own| own.join.clip.info.name == clip.info.name)
            .ok_or_else(|| format!("{} is not in the texture", clip.info.name))?;
        let (from, to) = cx
            .session
            .range_secs
            .ok_or("mark the frames with a play range first: I and shift+I")?;
        let fps = texture.corpus().fps();
        let n_frames = clips[at].join.n_frames();
        // Textures do not know the T-pose before a motion.
        let before = edit::leading_tpose_frames(clip) as f64 * clip.frame_secs();
        let frame = |secs: f64| (((secs - before) * fps).round() as usize).min(n_frames);
        let (from, to) = (frame(from), frame(to));
        let mut spans: Vec<Span> = texture
            .annotations()
            .iter()
            .filter(|a| a.name == name)
            .flat_map(|a| a.spans.clone())
            .collect();
        spans.push(Span {
            clip: at,
            frames: from..to,
        });
        let annotated = Texture::clone(&texture).annotated(name, spans);
        annotated.map(|t| (id, t)).map_err(|e| e.to_string())
    }
}
