//! Skeletons, poses and clips, and what can be done with them.
//!
//! Everything here is a value: no files, no clock, no random numbers. Angles are radians, rotations are unit
//! quaternions, lengths are in the units of the source file, frames count from 0.
//!
//! ```
//! use kinfolk::demo::{Action, make};
//! use kinfolk::motion::{WorldPose, edit};
//!
//! let take = make(Action::WalkTake, 1, 0).clip;
//! let cut = edit::resample(&edit::trim(&take, 30..150)?, 30.0)?;
//! let hips = WorldPose::of(cut.skeleton(), cut.frame(0)).positions[0];
//! assert!((cut.seconds() - 2.0).abs() < 0.1);
//! assert!(hips.y > 0.0, "above the floor");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod alignment;
mod axis;
pub mod body;
mod channels;
pub mod chart;
mod clip;
pub mod contacts;
pub mod cycles;
pub mod edit;
pub mod features;
pub mod foot_slide;
pub mod heading;
pub mod join;
pub mod joint_chart;
mod kinematics;
pub mod limb;
mod limb_geometry;
pub(crate) mod mannequin;
pub mod metrics;
pub(crate) mod names;
pub mod path;
mod pose;
pub mod pose_metric;
pub mod repeats;
mod root_mover;
pub mod rotation;
mod setting;
pub mod similarity;
mod skeleton;
pub mod stance;
pub mod stroke;

pub use axis::{Axis, Dim, NotAnAxis};
pub use body::{Body, Limb, UpGuess};
pub use channels::{Channel, Channels, NotARotationOrder, RotationOrder};
pub use chart::{ChartError, ChartSettings, Curves, Dof, DofChart};
pub use clip::{Clip, ClipError, ClipInfo, Contact, Motion, Note, NoteKind, fps_of};
pub use heading::{HeadingFrame, RootTrack};
pub use kinematics::{JacobianBlock, Move, WorldPose, jacobian};
pub use names::Side;
pub use pose::{Pose, PoseRef};
pub use pose_metric::{PoseMetric, PoseMetricError, PoseMetricSettings, PoseRows};
pub use setting::BadSetting;
pub use skeleton::{EndSite, Joint, LONGEST, Site, Skeleton, SkeletonError};
pub use stroke::{Stroke, StrokeError};

/// A place or direction.
pub type Vec3 = nalgebra::Vector3<f64>;
/// A rotation as a unit quaternion.
pub type Quat = nalgebra::UnitQuaternion<f64>;
