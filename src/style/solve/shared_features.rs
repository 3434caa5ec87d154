//! Styles that were learned apart, made fit to be blended.

use std::sync::Arc;

use crate::jobs::Ticket;
use crate::motion::{Clip, ClipInfo, Motion};
use crate::style::{FeatureMap, LearnSettings, Style, StyleError};

/// The same styles on features that they share, learned again from the poses that they keep.
///
/// Styles that share theirs already come back as they are. For the best result learn both on one map in the first
/// place.
pub fn on_shared_features(styles: &[&Style], ticket: &Ticket) -> Result<Vec<Style>, StyleError> {
    let share_already = styles.windows(2).all(|pair| pair[0].map() == pair[1].map());
    if share_already {
        return Ok(styles.iter().map(|&style| style.clone()).collect());
    }
    let kept = styles.iter().map(|style| kept_poses(style));
    let kept: Vec<Clip> = kept.collect::<Result<_, _>>()?;
    let refs: Vec<&Clip> = kept.iter().collect();
    let map = FeatureMap::learn(&refs)?;
    let each = styles.iter().zip(&kept).map(|(style, clip)| {
        let settings = LearnSettings {
            n_active: style.active().len(),
            ..style.origin().settings.clone()
        };
        let mut learned = Style::learn_on(&map, &[clip], &settings, ticket)?;
        learned.cross_validation = style.cross_validation;
        Ok(learned)
    });
    each.collect()
}

/// The kept poses, one after another.
fn kept_poses(style: &Style) -> Result<Clip, StyleError> {
    let skeleton = style.skeleton();
    let mut motion = Motion::with_capacity(skeleton, 1.0, style.active().len());
    for pose in style.active() {
        motion.push(pose.as_ref());
    }
    let mut info = ClipInfo::named(style.origin().clips.join(", "));
    info.up = style.map().parts().heading.up;
    Clip::new(info, Arc::clone(skeleton), motion)
        .map_err(|_broken| StyleError::Numbers("a kept pose is not finite"))
}
