//! A path from its table: corners rounded as the allowed actions turn.

use std::path::Path;

use anyhow::Context as _;

use crate::file::texture_csv;
use crate::motion::path::{FloorPath, PathPoint, PathSettings};
use crate::texture::Texture;

/// Corners are rounded with at least this radius by default, whatever the actions turn with; metres of a body of 1.75 m.
const LEAST_METRES: f64 = 0.3;
/// And at most with this one: those who walk straight in all clips can still be bent around a corner.
const MOST_METRES: f64 = 0.6;

/// A path to follow.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Course {
    pub(super) path: FloorPath,
    /// Of corners, in units of the clips.
    pub(super) radius: f64,
    /// What is allowed where the path does not say.
    pub(super) actions: Vec<String>,
}

impl Course {
    /// Reads a path. Actions that nobody performs are refused with the line that asks for them.
    pub(super) fn read(
        file: &Path,
        radius: Option<f64>,
        actions: &[String],
        texture: &Texture,
    ) -> anyhow::Result<Self> {
        let read = || -> anyhow::Result<Self> {
            let rows = texture_csv::path(&std::fs::read(file)?)?;
            let mut wanted = actions.to_vec();
            for row in &rows {
                if let Some(action) = &row.action {
                    let known = texture.command(action);
                    known.with_context(|| format!("line {}", row.line))?;
                    wanted.push(action.clone());
                }
            }
            // A path that begins without a word may begin with anything.
            let is_free = actions.is_empty() && rows.first().is_none_or(|r| r.action.is_none());
            let wanted = if is_free { Vec::new() } else { wanted };
            let radius = match radius {
                Some(radius) => radius,
                None => usual_radius(texture, &wanted)?,
            };
            let points: Vec<PathPoint> = rows
                .into_iter()
                .map(|row| PathPoint {
                    action: row.action,
                    ..PathPoint::at(row.x, row.z)
                })
                .collect();
            let settings = PathSettings {
                least_radius: radius,
            };
            let path = FloorPath::new(&points, &settings)?;
            Ok(Self {
                path,
                radius,
                actions: actions.to_vec(),
            })
        };
        read().with_context(|| file.display().to_string())
    }
}

/// What these actions turn with, within bounds; all actions if there is none. Units of the clips.
fn usual_radius(texture: &Texture, actions: &[String]) -> anyhow::Result<f64> {
    let marks = if actions.is_empty() {
        let commands = texture.commands();
        commands.into_iter().flat_map(|c| c.marks).collect()
    } else {
        texture.path_marks(actions)?
    };
    let tightest = texture.search().tightest_radius(&marks);
    let metres = tightest.unwrap_or(MOST_METRES);
    Ok(metres.clamp(LEAST_METRES, MOST_METRES) / texture.corpus().rig.metric.metres)
}
