//! World positions as a table, for spreadsheets, scripts and comparisons.

use crate::motion::{Clip, WorldPose};

use super::decimal::Decimal;

/// A row for every joint and end site of every frame: `frame,joint,x,y,z`.
///
/// Frames count from 0, end sites are called `NAME_end`, lengths stay in the units of the clip and are rounded to a
/// millionth. Names that hold commas, quotes or line ends are quoted as RFC 4180 says.
pub fn positions(clip: &Clip) -> Vec<u8> {
    let skeleton = clip.skeleton();
    let sites: Vec<_> = skeleton.sites().collect();
    let names: Vec<String> = sites
        .iter()
        .map(|&site| field(skeleton.site_name(site)))
        .collect();
    let whole = Decimal::new(0);
    let length = Decimal::new(Decimal::FEWEST);
    let mut out = b"frame,joint,x,y,z\n".to_vec();
    let mut world = WorldPose::of(skeleton, clip.frame(0));
    for (frame, pose) in clip.frames().enumerate() {
        world.update(skeleton, pose);
        for (&site, name) in sites.iter().zip(&names) {
            whole.push(&mut out, frame as f64);
            out.push(b',');
            out.extend_from_slice(name.as_bytes());
            for &coordinate in &world.site(skeleton, site) {
                out.push(b',');
                length.push(&mut out, coordinate);
            }
            out.push(b'\n');
        }
    }
    out
}

/// A text as one field of a CSV row, quoted where RFC 4180 asks for it.
pub fn field(name: String) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::motion::{
        Channels, ClipInfo, Dim, EndSite, Joint, Motion, Pose, RotationOrder, Skeleton, Vec3,
        rotation,
    };

    #[test]
    fn one_row_per_site_and_frame() {
        let joint = |name: &str, parent, offset| Joint {
            name: name.to_owned(),
            parent,
            offset,
            channels: Channels::rotation(RotationOrder::ZXY),
        };
        let joints = vec![
            joint("hips", None, Vec3::zeros()),
            joint("left, \"up\"", Some(0), Vec3::new(0.0, 2.5, 0.0)),
        ];
        let tip = EndSite {
            joint: 1,
            offset: Vec3::new(1.0, 0.0, 0.0),
        };
        let skeleton = Arc::new(Skeleton::new(joints, vec![tip]).unwrap());
        let mut motion = Motion::with_capacity(&skeleton, 0.1, 2);
        let mut pose = Pose::rest(&skeleton);
        motion.push(pose.as_ref());
        pose.translations[0] = Vec3::new(-0.25, 0.0, 1e-9);
        pose.rotations[0] = rotation::about(Dim::Z, std::f64::consts::FRAC_PI_2);
        motion.push(pose.as_ref());
        let clip = Clip::new(ClipInfo::named("test"), skeleton, motion).unwrap();
        let expected = "frame,joint,x,y,z\n\
            0,hips,0,0,0\n\
            0,\"left, \"\"up\"\"\",0,2.5,0\n\
            0,\"left, \"\"up\"\"_end\",1,2.5,0\n\
            1,hips,-0.25,0,0\n\
            1,\"left, \"\"up\"\"\",-2.75,0,0\n\
            1,\"left, \"\"up\"\"_end\",-2.75,1,0\n";
        assert_eq!(String::from_utf8(positions(&clip)).unwrap(), expected);
    }
}
