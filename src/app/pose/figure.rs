//! How the body of a character is drawn and taken hold of.

use std::sync::Arc;

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::render::Mannequin;
use crate::document::Posed;
use crate::motion::{Clip, ClipInfo, Motion, Skeleton};

/// A body as it is drawn and taken hold of; the same for all characters of one skeleton.
#[derive(Debug, Clone)]
pub struct Figure {
    /// The skeleton that it is for.
    pub skeleton: Arc<Skeleton>,
    /// The mesh that is drawn.
    pub mannequin: Arc<Mannequin>,
    /// The handles that can be taken hold of.
    pub rig: Arc<BodyHandles>,
}

pub(super) fn figure_of(posed: &Posed) -> Option<Figure> {
    let mut motion = Motion::with_capacity(&posed.skeleton, 1.0, 1);
    motion.push(posed.pose.as_ref());
    let mut info = ClipInfo::named(posed.name.as_str());
    info.up = posed.up;
    let clip = Clip::new(info, Arc::clone(&posed.skeleton), motion).ok()?;
    Some(Figure {
        skeleton: Arc::clone(&posed.skeleton),
        mannequin: Arc::new(Mannequin::of(&clip)),
        rig: Arc::new(BodyHandles::of(&posed.skeleton)),
    })
}
