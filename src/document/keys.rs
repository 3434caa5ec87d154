//! Keyframes of posed characters: whole poses at some frames, the paths of handles between them, and which styles fill
//! the rest of the motion, range by range.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ModelId, PosedId};
use crate::motion::{Pose, Site, Skeleton, Vec3, WorldPose};
use crate::style::solve::{Trajectory, TrajectoryKey};

/// A whole pose at a frame.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseKey {
    /// The frame of the key, counted from 0.
    pub frame: usize,
    /// On the character's skeleton.
    pub pose: Pose,
}

/// Something about the path of a handle at a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HandlePathKey {
    /// The frame of the key, counted from 0.
    pub frame: usize,
    /// In the world; none is where the pose key of this frame has it.
    pub place: Option<Vec3>,
    /// Velocity in units per frame; none lets the neighbours say.
    pub tangent: Option<Vec3>,
}

/// The path of a handle, through all pose keys and its own keys.
#[derive(Debug, Clone, PartialEq)]
pub struct HandlePath {
    /// The joint or end site that follows it.
    pub site: Site,
    /// By rising frame, no two at one.
    pub keys: Vec<HandlePathKey>,
}

/// From a frame on, other styles than the character's own.
#[derive(Debug, Clone, PartialEq)]
pub struct StyleRange {
    /// Its first frame; it lasts until the next range.
    pub from: usize,
    /// Styles with weights from 0.
    pub styles: Vec<(ModelId, f64)>,
}

/// The keyframes of one character. Immutable behind an `Arc`: every change makes a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Keying {
    /// The frame rate of the shot, in frames per second.
    pub fps: f64,
    /// How long the shot is; keys are before its end.
    pub n_frames: usize,
    /// By rising frame, no two at one.
    pub keys: Vec<PoseKey>,
    /// Handles that follow smooth paths between the keys; each site once, by site.
    pub paths: Vec<HandlePath>,
    /// By rising first frame. Before the first one the character keeps to its own styles.
    pub style_ranges: Vec<StyleRange>,
}

impl Keying {
    /// Longer shots than this are a mistake: memory follows the number of frames.
    pub const MOST_FRAMES: usize = 20_000;

    /// No key yet; these handles will follow paths.
    pub fn new(fps: f64, n_frames: usize, sites: impl IntoIterator<Item = Site>) -> Self {
        let paths = sites.into_iter().map(|site| HandlePath {
            site,
            keys: Vec::new(),
        });
        let mut paths: Vec<HandlePath> = paths.collect();
        paths.sort_by_key(|path| path.site);
        paths.dedup_by_key(|path| path.site);
        Self {
            fps,
            n_frames,
            keys: Vec::new(),
            paths,
            style_ranges: Vec::new(),
        }
    }

    /// The pose key at a frame.
    pub fn key(&self, frame: usize) -> Option<&PoseKey> {
        let at = self.keys.binary_search_by_key(&frame, |key| key.frame);
        at.ok().map(|at| &self.keys[at])
    }

    /// The path of a site.
    pub fn path(&self, site: Site) -> Option<&HandlePath> {
        let at = self.paths.binary_search_by_key(&site, |path| path.site);
        at.ok().map(|at| &self.paths[at])
    }

    /// From the first pose key to the last; none without keys.
    pub fn keyed_frames(&self) -> Option<std::ops::RangeInclusive<usize>> {
        Some(self.keys.first()?.frame..=self.keys.last()?.frame)
    }

    /// With a pose at a frame, in the place of the one that was there. The shot grows if it has to.
    pub fn set_key(&mut self, frame: usize, pose: Pose) {
        self.n_frames = self.n_frames.max(frame + 1);
        let key = PoseKey { frame, pose };
        match self.keys.binary_search_by_key(&frame, |key| key.frame) {
            Ok(at) => self.keys[at] = key,
            Err(at) => self.keys.insert(at, key),
        }
    }

    /// Without the pose key at a frame, and what paths said about it.
    pub fn remove_key(&mut self, frame: usize) {
        self.keys.retain(|key| key.frame != frame);
        for path in &mut self.paths {
            path.keys.retain(|key| key.frame != frame);
        }
    }

    /// Moves the pose key of a frame, with what paths say about it, onto another. A key that was there is gone.
    pub fn move_key(&mut self, from: usize, to: usize) {
        let Some(key) = self.key(from).cloned().filter(|_| from != to) else {
            return;
        };
        let own: Vec<Option<HandlePathKey>> = self.paths.iter().map(|path| path.at(from)).collect();
        self.remove_key(from);
        self.remove_key(to);
        self.set_key(to, key.pose);
        for (path, own) in self.paths.iter_mut().zip(own) {
            if let Some(own) = own {
                path.set(HandlePathKey { frame: to, ..own });
            }
        }
    }

    /// The same pose at another frame, too.
    pub fn copy_key(&mut self, from: usize, to: usize) {
        if let Some(key) = self.key(from).cloned() {
            self.set_key(to, key.pose);
        }
    }

    /// Says something about a path at a frame; nothing if it says nothing.
    pub fn set_path_key(&mut self, site: Site, key: HandlePathKey) {
        let at = self.paths.binary_search_by_key(&site, |path| path.site);
        if let Ok(at) = at {
            self.paths[at].set(key);
        }
    }

    /// Whether a handle follows a smooth path from now on.
    pub fn set_follows(&mut self, site: Site, follows: bool) {
        match self.paths.binary_search_by_key(&site, |path| path.site) {
            Ok(at) if !follows => {
                self.paths.remove(at);
            }
            Err(at) if follows => {
                let keys = Vec::new();
                self.paths.insert(at, HandlePath { site, keys });
            }
            _ => {}
        }
    }

    /// Other styles from a frame on; none ends the range that began there.
    pub fn set_style_range(&mut self, from: usize, styles: Option<Vec<(ModelId, f64)>>) {
        self.style_ranges.retain(|range| range.from != from);
        if let Some(styles) = styles {
            self.style_ranges.push(StyleRange { from, styles });
            self.style_ranges.sort_by_key(|range| range.from);
        }
    }

    /// The styles at a frame; none are the character's own.
    pub fn styles_at(&self, frame: usize) -> Option<&[(ModelId, f64)]> {
        let at = self.style_ranges.partition_point(|s| s.from <= frame);
        let range = self.style_ranges.get(at.checked_sub(1)?)?;
        Some(&range.styles)
    }

    /// The curve that a site follows; none if it follows none, or there are no keys.
    pub fn curve(&self, skeleton: &Skeleton, site: Site) -> Option<Trajectory> {
        let path = self.path(site)?;
        let mut keys: BTreeMap<usize, TrajectoryKey> = BTreeMap::new();
        for key in &self.keys {
            let world = WorldPose::of(skeleton, key.pose.as_ref());
            let place = world.site(skeleton, site);
            let frame = key.frame as f64;
            let tangent = None;
            let key_here = TrajectoryKey {
                frame,
                place,
                tangent,
            };
            keys.insert(key.frame, key_here);
        }
        let span = self.keyed_frames()?;
        for own in path.keys.iter().filter(|own| span.contains(&own.frame)) {
            match (keys.get_mut(&own.frame), own.place) {
                // The pose is what the animator keyed: its place counts.
                (Some(key), _) => key.tangent = own.tangent,
                (None, Some(place)) => {
                    let frame = own.frame as f64;
                    let tangent = own.tangent;
                    let key = TrajectoryKey {
                        frame,
                        place,
                        tangent,
                    };
                    keys.insert(own.frame, key);
                }
                (None, None) => {}
            }
        }
        Trajectory::new(site, keys.into_values().collect()).ok()
    }

    /// What is wrong with it on this skeleton, if anything is: only a file or a bug makes such a one.
    pub fn flaw(&self, skeleton: &Skeleton) -> Option<&'static str> {
        let is_place = |v: &Vec3| v.iter().all(|x| x.is_finite());
        let fits = |pose: &Pose| {
            pose.rotations.len() == skeleton.n_joints()
                && pose.translations.len() == skeleton.translating().len()
                && pose.translations.iter().all(is_place)
                && (pose.rotations.iter()).all(|q| (q.coords.norm() - 1.0).abs() < 1e-6)
        };
        let is_site = |site: Site| match site {
            Site::Joint(joint) => joint < skeleton.n_joints(),
            Site::End(end) => end < skeleton.ends().len(),
        };
        let path_keys = || self.paths.iter().flat_map(|path| &path.keys);
        let rises = |path: &HandlePath| path.keys.windows(2).all(|two| two[0].frame < two[1].frame);
        let styles = || self.style_ranges.iter().flat_map(|range| &range.styles);
        if !(self.fps.is_finite() && self.fps > 0.0) {
            Some("its frame rate is not over zero")
        } else if !(1..=Self::MOST_FRAMES).contains(&self.n_frames) {
            Some("it has no frames, or more than anybody can key")
        } else if !self.keys.iter().all(|key| key.frame < self.n_frames)
            || !path_keys().all(|key| key.frame < self.n_frames)
        {
            Some("a key comes after the end")
        } else if !self.keys.windows(2).all(|two| two[0].frame < two[1].frame)
            || !self.paths.iter().all(rises)
        {
            Some("two keys are at one frame, or keys are out of order")
        } else if !self.keys.iter().all(|key| fits(&key.pose)) {
            Some("a keyed pose is none of its skeleton")
        } else if !self.paths.iter().all(|path| is_site(path.site))
            || !self.paths.windows(2).all(|two| two[0].site < two[1].site)
        {
            Some("a handle path is of no joint of it, or there are two of one")
        } else if !path_keys().all(|key| key.place.iter().chain(&key.tangent).all(is_place)) {
            Some("a key of a handle path is at no finite place")
        } else if !self
            .style_ranges
            .windows(2)
            .all(|two| two[0].from < two[1].from)
        {
            Some("two style ranges begin at one frame, or are out of order")
        } else if !styles().all(|(_, weight)| weight.is_finite() && *weight >= 0.0) {
            Some("the weight of a style is not a number from 0")
        } else {
            None
        }
    }
}

impl HandlePath {
    /// What it says about a frame.
    pub fn at(&self, frame: usize) -> Option<HandlePathKey> {
        self.keys.iter().find(|key| key.frame == frame).copied()
    }

    fn set(&mut self, key: HandlePathKey) {
        self.keys.retain(|other| other.frame != key.frame);
        if key.place.is_some() || key.tangent.is_some() {
            let at = self.keys.partition_point(|other| other.frame < key.frame);
            self.keys.insert(at, key);
        }
    }
}

/// Keyframes of each posed character that has any.
pub(super) type Keyings = Arc<BTreeMap<PosedId, Arc<Keying>>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::{Channels, Joint, Quat, RotationOrder};

    /// Hips with one hand, keyed while it walks along x.
    fn keyed() -> (Keying, Arc<Skeleton>, Site) {
        let joint = |name: &str, parent, channels| Joint {
            name: name.to_owned(),
            parent,
            offset: Vec3::y(),
            channels,
        };
        let order = RotationOrder::ZXY;
        let joints = vec![
            joint("Hips", None, Channels::position_and_rotation(order)),
            joint("Hand", Some(0), Channels::rotation(order)),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, Vec::new()).unwrap());
        let site = Site::Joint(1);
        let mut keying = Keying::new(30.0, 10, [site]);
        for frame in [0, 6, 12] {
            let pose = Pose {
                translations: vec![Vec3::new(frame as f64, 1.0, 0.0)],
                rotations: vec![Quat::identity(); 2],
            };
            keying.set_key(frame, pose);
        }
        (keying, skeleton, site)
    }

    #[test]
    fn keys_move_with_their_tangents_and_curves_go_through_them() {
        let (mut keying, skeleton, site) = keyed();
        assert_eq!(keying.n_frames, 13, "the shot grew");
        let tangent = Some(Vec3::x());
        let place = None;
        keying.set_path_key(
            site,
            HandlePathKey {
                frame: 6,
                place,
                tangent,
            },
        );
        keying.move_key(6, 9);
        assert_eq!(keying.flaw(&skeleton), None);
        let frames: Vec<usize> = keying.keys.iter().map(|key| key.frame).collect();
        assert_eq!(frames, [0, 9, 12]);
        assert_eq!(keying.path(site).unwrap().keys[0].frame, 9);
        let curve = keying.curve(&skeleton, site).unwrap();
        for key in &keying.keys {
            let world = WorldPose::of(&skeleton, key.pose.as_ref());
            let at = curve.at(key.frame as f64).unwrap();
            assert_eq!(at, world.site(&skeleton, site), "frame {}", key.frame);
        }
        assert_eq!(curve.keys()[1].tangent, tangent);
        let own = Some(Vec3::y());
        keying.set_path_key(
            site,
            HandlePathKey {
                frame: 4,
                place: own,
                tangent: None,
            },
        );
        let curve = keying.curve(&skeleton, site).unwrap();
        assert_eq!(curve.at(4.0), own);
        keying.remove_key(9);
        assert_eq!(keying.path(site).unwrap().keys.len(), 1, "its tangent went");
        keying.move_key(12, 0);
        assert_eq!(keying.keys.len(), 1, "onto another key");
    }

    #[test]
    fn style_ranges_last_until_the_next() {
        let (mut keying, ..) = keyed();
        let styles = |id| vec![(ModelId(id), 1.0)];
        keying.set_style_range(8, Some(styles(2)));
        keying.set_style_range(3, Some(styles(1)));
        let at = |keying: &Keying, frame| keying.styles_at(frame).map(|styles| styles[0].0.0);
        assert_eq!(at(&keying, 2), None);
        assert_eq!(at(&keying, 7), Some(1));
        assert_eq!(at(&keying, 8), Some(2));
        keying.set_style_range(8, None);
        assert_eq!(at(&keying, 9), Some(1));
    }

    #[test]
    fn every_flaw() {
        let (good, skeleton, site) = keyed();
        let wrong = |change: &dyn Fn(&mut Keying)| {
            let mut keying = good.clone();
            change(&mut keying);
            keying.flaw(&skeleton)
        };
        assert_eq!(wrong(&|_| {}), None);
        let changes: [&dyn Fn(&mut Keying); 9] = [
            &|k| k.fps = f64::NAN,
            &|k| k.n_frames = usize::MAX,
            &|k| k.n_frames = 3,
            &|k| k.keys.swap(0, 1),
            &|k| k.keys[0].pose.rotations.clear(),
            &|k| k.paths[0].site = Site::Joint(9999),
            &|k| {
                let tangent = Some(Vec3::new(f64::NAN, 0.0, 0.0));
                let place = None;
                k.set_path_key(
                    site,
                    HandlePathKey {
                        frame: 1,
                        place,
                        tangent,
                    },
                );
            },
            &|k| k.set_style_range(1, Some(vec![(ModelId(1), -1.0)])),
            &|k| {
                k.set_style_range(1, Some(Vec::new()));
                k.style_ranges.push(k.style_ranges[0].clone());
            },
        ];
        for (which, change) in changes.iter().enumerate() {
            assert!(wrong(change).is_some(), "change {which} was not found");
        }
    }
}
