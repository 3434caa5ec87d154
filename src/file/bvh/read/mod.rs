//! Reads a BVH file from its bytes.
//!
//! One pass over the text: the hierarchy gives a skeleton and a plan of the columns, the plan turns each row straight
//! into a pose. Nothing recurses, and nothing is allocated because the file claims a size; a hostile file costs memory
//! in proportion to its length.

mod columns;
mod encoding;
mod header;
mod hierarchy;
mod lines;
mod notes;
mod number;
mod root_offset;
mod rows;
mod scan;

use std::sync::Arc;

use super::ReadSettings;
use crate::file::ReadError;
use crate::motion::{Clip, ClipInfo};
use columns::ColumnPlan;
use notes::Notes;
use scan::Cursor;

/// Reads a clip. It is called `clip` until the caller gives it the name of its file.
///
/// What the reader mended, guessed or found remarkable is in the notes of the clip.
pub fn read(bytes: &[u8], settings: &ReadSettings) -> Result<Clip, ReadError> {
    let mut notes = Notes::default();
    let text = encoding::decode(bytes, &mut notes);
    let mut cursor = Cursor::new(&text);
    let (skeleton, columns) =
        hierarchy::read(&mut cursor, &mut notes)?.into_skeleton(&mut notes)?;
    let header = header::read(&mut cursor, &mut notes)?;
    let plan = ColumnPlan::new(&skeleton, &columns);
    let mut motion = rows::read(&cursor, &header, &skeleton, &plan, &mut notes)?;
    root_offset::settle(settings.root_offset, &skeleton, &mut motion, &mut notes);
    let mut info = ClipInfo::named("clip");
    info.notes = notes.finish(&text);
    Ok(Clip::new(info, Arc::new(skeleton), motion)?)
}
