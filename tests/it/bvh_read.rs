//! The BVH reader on real files, on broken ones, and on everything it notes or refuses.

use std::fs;

use kinfolk::file::ReadError;
use kinfolk::file::bvh::{ReadSettings, read};
use kinfolk::motion::{Clip, Site, WorldPose};

use crate::data::{files_below, shared};

fn read_file(path: &std::path::Path) -> Result<Clip, ReadError> {
    read(&fs::read(path).unwrap(), &ReadSettings::default())
}

#[test]
fn positions_agree_with_other_programs() {
    let (Some(root), Some(reference)) = (shared(""), shared("reference/positions")) else {
        return;
    };
    let clips = files_below(&root, "bvh");
    let tables = files_below(&reference, "csv");
    assert!(tables.len() >= 22, "the reference is complete");
    for table in tables {
        let stem = table.file_stem().unwrap();
        let path = clips.iter().find(|c| c.file_stem() == Some(stem)).unwrap();
        let clip = read_file(path).unwrap();
        let text = fs::read_to_string(&table).unwrap();
        // Blender computes in single precision.
        let is_f32 = stem.to_string_lossy().starts_with("raise-up-both-hands");
        let tolerance = if is_f32 { 1e-3 } else { 1e-5 };
        let skeleton = clip.skeleton();
        let mut n_rows = 0;
        let mut rows = text
            .lines()
            .skip(1)
            .map(|l| l.split(',').collect::<Vec<_>>());
        for row in &mut rows {
            let frame: usize = row[0].parse().unwrap();
            let joint = n_rows % skeleton.n_joints();
            assert_eq!(skeleton.joints()[joint].name, row[1], "{}", table.display());
            let world = WorldPose::of(skeleton, clip.frame(frame));
            let position = world.site(skeleton, Site::Joint(joint));
            for (axis, text) in row[2..5].iter().enumerate() {
                let expected: f64 = text.parse().unwrap();
                let error = (position[axis] - expected).abs();
                assert!(
                    error < tolerance,
                    "{}: {row:?} is {position}",
                    table.display()
                );
            }
            n_rows += 1;
        }
        assert!(n_rows >= 2 * skeleton.n_joints(), "{}", table.display());
    }
}
