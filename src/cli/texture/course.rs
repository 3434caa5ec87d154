//! A path from its table: corners rounded as the allowed actions turn.

use std::path::Path;

use anyhow::Context as _;

use crate::file::bytes_of;
use crate::file::texture_csv;
use crate::motion::path::{FloorPath, PathPoint, PathSettings};
use crate::texture::Texture;

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
    /// Reads a path. Actions that no clip has are refused with the line that asks for them.
    pub(super) fn read(
        file: &Path,
        radius: Option<f64>,
        actions: &[String],
        texture: &Texture,
    ) -> anyhow::Result<Self> {
        let read = || -> anyhow::Result<Self> {
            let rows = texture_csv::path(&bytes_of(file)?)?;
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
                None => texture.turning_radius(&wanted)?,
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
