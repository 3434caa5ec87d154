//! Reads a texture file, with progress, since its systems are fitted again.

use std::path::Path;

use anyhow::Context as _;

use crate::cli::Common;
use crate::cli::progress::Watched;
use crate::file::texture_file;
use crate::jobs::Ticket;
use crate::texture::Texture;

/// Reads a texture and fits its systems again.
pub(super) fn open(path: &Path, common: &Common, ticket: &Ticket) -> anyhow::Result<Texture> {
    let parts = texture_file::read(path).with_context(|| path.display().to_string())?;
    let watched = Watched::start("opening", ticket, common.quiet);
    let texture = Texture::from_parts(&parts, ticket);
    watched.finish();
    texture.with_context(|| path.display().to_string())
}
