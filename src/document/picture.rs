//! Pictures to pose over: a photo, the camera that took it, and where parts of the body are seen on it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::PosedId;
use crate::motion::{Quat, Site, Skeleton, Vec3};

/// What kind of file a picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    /// PNG, which keeps every pixel as it is.
    Png,
    /// JPEG, as cameras write it.
    Jpeg,
}

/// The file of a picture, as it was loaded. Shared by all states of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureFile {
    /// What it is called, without ending.
    pub name: String,
    /// The format of the bytes.
    pub kind: PictureKind,
    /// The file, byte by byte.
    pub bytes: Vec<u8>,
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// The camera that took a picture, as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PhotoCamera {
    /// The position of the camera in the world.
    pub eye: Vec3,
    /// World from camera; it looks along its -Z with +Y up.
    pub rotation: Quat,
    /// From the bottom of the picture to its top.
    pub field_of_view_rad: f64,
}

/// A part of the body that is seen at a point of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeenSite {
    /// The joint or end site that is seen there.
    pub site: Site,
    /// From -1 at the left to 1 at the right, and from -1 at the bottom to 1 at the top.
    pub at: [f64; 2],
    /// Whether it also stands on the floor.
    pub is_on_floor: bool,
}

/// A picture behind a character. Immutable behind an `Arc`: every change makes a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The file of the picture, as it was imported.
    pub file: Arc<PictureFile>,
    /// The camera that took it, as far as it is known.
    pub lens: PhotoCamera,
    /// What is seen where; each site once, by site.
    pub seen: Vec<SeenSite>,
}

impl Picture {
    /// Says where a part of the body is seen.
    pub fn set_seen(&mut self, seen: SeenSite) {
        match self.seen.binary_search_by_key(&seen.site, |seen| seen.site) {
            Ok(at) => self.seen[at] = seen,
            Err(at) => self.seen.insert(at, seen),
        }
    }

    /// What is wrong with it on this skeleton, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self, skeleton: &Skeleton) -> Option<&'static str> {
        let is_site = |site: Site| match site {
            Site::Joint(joint) => joint < skeleton.n_joints(),
            Site::End(end) => end < skeleton.ends().len(),
        };
        let lens = &self.lens;
        let is_lens = lens.eye.iter().all(|x| x.is_finite())
            && (lens.rotation.coords.norm() - 1.0).abs() < 1e-6
            && (0.01..3.1).contains(&lens.field_of_view_rad);
        if self.file.width == 0 || self.file.height == 0 {
            Some("it has no pixels")
        } else if !is_lens {
            Some("its camera is nowhere")
        } else if !self.seen.iter().all(|seen| is_site(seen.site)) {
            Some("what is seen on it is no joint of the character")
        } else if !self.seen.windows(2).all(|two| two[0].site < two[1].site) {
            Some("a joint is seen twice, or out of order")
        } else if !self.seen.iter().all(|s| s.at.iter().all(|x| x.is_finite())) {
            Some("a joint is seen at no finite place")
        } else {
            None
        }
    }
}

/// The picture under each posed character that has one.
pub(super) type Pictures = Arc<BTreeMap<PosedId, Arc<Picture>>>;
