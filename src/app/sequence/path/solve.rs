//! A texture walks a drawn path: the work, and what there is to say about the outcome. No window is needed.

use std::sync::Arc;

use crate::document::DrawnPath;
use crate::jobs::Ticket;
use crate::motion::Clip;
use crate::motion::path::{FloorPath, FootSkate, PathError, PathFit, PathSettings, Vec2};
use crate::motion::path::{gait_cycle, on_floor, smoothed};
use crate::texture::{PlaySettings, Texture, TextureError};

/// Farther beside the drawn line than this, rounding is worth a word; metres.
const WORTH_SAYING: f64 = 0.02;

/// Why a path cannot be walked.
#[derive(Debug, thiserror::Error)]
pub enum WalkError {
    /// The points are no path.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The texture cannot follow it.
    #[error(transparent)]
    Texture(#[from] TextureError),
}

/// A path that was walked.
#[derive(Debug, Clone)]
pub struct Walked {
    /// The path that was walked along, as it was then.
    pub path: Arc<DrawnPath>,
    /// The texture whose actions walk it.
    pub texture: Arc<Texture>,
    /// The motion along the path.
    pub clip: Arc<Clip>,
    /// The rounded curve, as places on the floor.
    pub curve: Vec<Vec2>,
    /// The way of the body, smoothed over gait cycles.
    pub root: Vec<Vec2>,
    /// How far it is from the curve; units of the clips.
    pub fit: PathFit,
    /// How fast toes move that are down.
    pub skate: FootSkate,
    /// Corners were rounded to this; units of the clips.
    pub radius: f64,
    /// How far that is beside what was drawn; units of the clips.
    pub left_drawn_by: f64,
    /// Places where the line turns back on itself.
    pub n_hairpins: usize,
    /// Whether the end was reached.
    pub is_done: bool,
    /// Other actions than wanted, and for how long.
    pub off_label: Vec<(String, f64)>,
    /// How far clips had to be bent, at most; metres.
    pub bent: f64,
}

/// The curve that would be walked.
pub fn curve(path: &DrawnPath, texture: &Texture) -> Result<(FloorPath, f64), WalkError> {
    let wanted: Vec<String> = path
        .named_actions()
        .into_iter()
        .map(str::to_owned)
        .collect();
    for action in &wanted {
        texture.command(action)?;
    }
    // A path that begins without a word may begin with anything.
    let says = path.points.first().is_some_and(|p| p.action.is_some());
    let is_free = path.actions.is_empty() && !says;
    let radius = match path.radius {
        Some(radius) => radius,
        None => texture.turning_radius(if is_free { &[] } else { &wanted })?,
    };
    let settings = PathSettings {
        least_radius: radius,
    };
    Ok((FloorPath::new(&path.points, &settings)?, radius))
}

/// Makes the motion along a path.
pub fn walk(
    path: &Arc<DrawnPath>,
    texture: &Arc<Texture>,
    ticket: &Ticket,
) -> Result<Walked, WalkError> {
    let (floor_path, radius) = curve(path, texture)?;
    let settings = PlaySettings {
        amount: path.amount,
        seed: path.seed,
        ..PlaySettings::default()
    };
    let made = texture.perform_path(&floor_path, &path.actions, &settings, ticket)?;
    let corpus = texture.corpus();
    let heading = &corpus.rig.metric.heading;
    let mut clip = made.motion.clip;
    clip.info.name.clone_from(&path.name);
    let track = heading.track(&clip);
    let root: Vec<Vec2> = track
        .positions
        .iter()
        .map(|p| on_floor(heading.up, p))
        .collect();
    let cycle = gait_cycle(&clip, heading);
    let mut off_label: Vec<(String, f64)> = Vec::new();
    for part in &made.followed.off_label {
        let name = texture.name_of_mark(part.label);
        match off_label.iter_mut().find(|(known, _)| known == name) {
            Some((_, secs)) => *secs += part.secs,
            None => off_label.push((name.to_owned(), part.secs)),
        }
    }
    const STEPS: usize = 400;
    let along = (0..=STEPS).map(|i| floor_path.length() * i as f64 / STEPS as f64);
    Ok(Walked {
        curve: along.map(|arc| floor_path.place(arc)).collect(),
        root: smoothed(&root, &cycle.frames(clip.fps())),
        fit: made.fit,
        skate: made.motion.skate,
        radius,
        left_drawn_by: floor_path.left_drawn_by(),
        n_hairpins: floor_path.hairpins().len(),
        is_done: made.followed.is_done,
        off_label,
        bent: made
            .followed
            .bends
            .iter()
            .map(|b| b.off)
            .fold(0.0, f64::max),
        clip: Arc::new(clip),
        path: Arc::clone(path),
        texture: Arc::clone(texture),
    })
}

impl Walked {
    /// Metres for one unit of the clips, for a body of 1.75 m.
    pub fn metres(&self) -> f64 {
        self.texture.corpus().rig.metric.metres
    }

    /// How well it was walked, in a line.
    pub fn line(&self) -> String {
        let cm = 100.0 * self.metres();
        let fit = &self.fit;
        format!(
            "off by {:.1} cm on average, {:.1} cm at 95 %; {:.0} % of the path hit; toes skate {:.1} cm/s",
            fit.mean * cm,
            fit.p95 * cm,
            100.0 * fit.hits,
            100.0 * self.skate.mean_metres_per_sec,
        )
    }

    /// What had to be changed, and what could not be done.
    pub fn sentences(&self) -> Vec<String> {
        let metres = self.metres();
        let mut said = Vec::new();
        let off = self.left_drawn_by * metres;
        if off > WORTH_SAYING {
            said.push(format!(
                "Corners are rounded to {:.2} m, as the actions turn: up to {:.0} cm beside the drawn line.",
                self.radius * metres,
                100.0 * off
            ));
        }
        if self.n_hairpins > 0 {
            said.push("Where the line turns back on itself, a loop is walked.".to_owned());
        }
        for (name, secs) in &self.off_label {
            said.push(format!(
                "{name} is shown for {secs:.1} s where another action is asked for."
            ));
        }
        if !self.is_done {
            said.push(format!(
                "Only {:.0} % of the path is walked: nothing leads further with these actions.",
                100.0 * self.fit.covered
            ));
        }
        if self.bent > 0.25 {
            said.push(format!(
                "Clips are bent by up to {:.0} cm: none of them turns as the path does there.",
                100.0 * self.bent
            ));
        }
        said
    }
}
