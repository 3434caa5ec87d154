//! What is refused before any work is done.

use super::{Hold, HoldPosition, LimbError, LimbMethod, LimbSettings, limb_of};
use crate::motion::setting::{BadSetting, check_least};
use crate::motion::skeleton::is_finite;
use crate::motion::{Body, Clip, Site, Skeleton};

/// Numbers that cannot be meant.
pub(super) fn settings(settings: &LimbSettings) -> Result<(), BadSetting> {
    check_least([("ease_secs", settings.ease_secs, 0.0)])?;
    if let LimbMethod::FrameByFrame {
        nearness,
        smoothness,
    } = settings.method
    {
        check_least([("smoothness", smoothness, 0.0)])?;
        if !(nearness.is_finite() && nearness > 0.0) {
            return Err(BadSetting {
                field: "nearness",
                expected: "a number above 0",
                found: nearness,
            });
        }
    }
    Ok(())
}

/// Holds that no pose could meet.
pub(super) fn holds(clip: &Clip, body: &Body, holds: &[Hold]) -> Result<(), LimbError> {
    let skeleton = clip.skeleton();
    if !holds.is_empty() && body.legs.is_empty() && body.arms.is_empty() {
        return Err(LimbError::NoLimbs);
    }
    for hold in holds {
        let is_known = match hold.site {
            Site::Joint(joint) => joint < skeleton.n_joints(),
            Site::End(end) => end < skeleton.ends().len(),
        };
        if !is_known {
            return Err(LimbError::NoSuchSite(hold.site));
        }
        let site = || skeleton.site_name(hold.site);
        if limb_of(skeleton, body, hold.site).is_none() {
            return Err(LimbError::NotOnALimb { site: site() });
        }
        if hold.frames.is_empty() || hold.frames.end > clip.n_frames() {
            return Err(LimbError::Frames {
                site: site(),
                from: hold.frames.start,
                to: hold.frames.end,
                n_frames: clip.n_frames(),
            });
        }
        let places = match &hold.at {
            HoldPosition::Point(point) => std::slice::from_ref(point),
            HoldPosition::Path(path) => path,
        };
        if matches!(hold.at, HoldPosition::Path(_)) && places.len() != hold.frames.len() {
            return Err(LimbError::PathLength {
                site: site(),
                frames: hold.frames.len(),
                places: places.len(),
            });
        }
        if !places.iter().all(is_finite) {
            return Err(LimbError::NotFinite { site: site() });
        }
    }
    twice(skeleton, holds)
}

fn twice(skeleton: &Skeleton, holds: &[Hold]) -> Result<(), LimbError> {
    let mut sorted: Vec<&Hold> = holds.iter().collect();
    sorted.sort_by_key(|h| (h.site, h.frames.start));
    for pair in sorted.windows(2) {
        if pair[0].site == pair[1].site && pair[1].frames.start < pair[0].frames.end {
            return Err(LimbError::Twice {
                site: skeleton.site_name(pair[0].site),
                frame: pair[1].frames.start,
            });
        }
    }
    Ok(())
}
