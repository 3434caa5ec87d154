//! Opening the file, and moving between its numbers and ours.

use ufbx::{AllocatorOpts, CoordinateAxes, LoadOpts, SceneRoot, SpaceConversion};

use super::FbxError;
use crate::motion::{Quat, Vec3};

/// Hierarchies of rigs are some dozens deep.
const MOST_DEPTH: u32 = 1000;

/// Parses a file into a scene with Y up and lengths in centimetres. Geometry and embedded pictures are skipped.
pub(super) fn load(bytes: &[u8]) -> Result<SceneRoot, FbxError> {
    // Parsed structures take a few times the bytes that describe them; compressed blocks may claim anything.
    let memory_limit = (64 << 20) + bytes.len().saturating_mul(64);
    let limited = || AllocatorOpts {
        memory_limit,
        ..AllocatorOpts::default()
    };
    let opts = LoadOpts {
        temp_allocator: limited(),
        result_allocator: limited(),
        ignore_geometry: true,
        ignore_embedded: true,
        node_depth_limit: MOST_DEPTH,
        file_format: ufbx::FileFormat::Fbx,
        space_conversion: SpaceConversion::AdjustTransforms,
        target_axes: CoordinateAxes::right_handed_y_up(),
        target_unit_meters: 0.01,
        ..LoadOpts::default()
    };
    // The longer text of the error may hold bytes of the file; the description is the parser's own.
    ufbx::load_memory(bytes, opts).map_err(|error| FbxError::Parse(error.description.to_string()))
}

pub(super) fn vec3(v: &ufbx::Vec3) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

/// As a unit quaternion; what has no length, or is not finite, is no turn at all.
pub(super) fn quat(q: &ufbx::Quat) -> Quat {
    let q = nalgebra::Quaternion::new(q.w, q.x, q.y, q.z);
    Quat::try_new(q, 1e-12).unwrap_or_else(Quat::identity)
}
