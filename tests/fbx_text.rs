//! A small FBX file in the ASCII form of version 7.4, for tests that know what is in it.

use std::fmt::Write as _;

/// Ticks of FBX in a second.
const SECOND: f64 = 46_186_158_000.0;

/// A joint as the file has it.
#[derive(Clone)]
pub(crate) struct Bone {
    pub(crate) name: &'static str,
    pub(crate) parent: Option<usize>,
    pub(crate) at: [f64; 3],
    /// Degrees; part of the axes, not of the motion.
    pub(crate) pre_rotation: [f64; 3],
}

/// Degrees about one axis of a bone, linear between the first and the last key.
#[derive(Clone)]
pub(crate) struct Turn {
    pub(crate) bone: usize,
    pub(crate) axis: char,
    pub(crate) to_deg: f64,
}

/// A take: turns in one or several layers.
#[derive(Clone)]
pub(crate) struct Take {
    pub(crate) name: &'static str,
    pub(crate) seconds: f64,
    pub(crate) layers: Vec<Vec<Turn>>,
}

/// What a file says.
#[derive(Clone)]
pub(crate) struct Fbx {
    /// 1 is Y, 2 is Z.
    pub(crate) up_axis: usize,
    /// Centimetres.
    pub(crate) unit: f64,
    pub(crate) node_kind: &'static str,
    pub(crate) bones: Vec<Bone>,
    pub(crate) takes: Vec<Take>,
}

pub(crate) fn bone(name: &'static str, parent: Option<usize>, at: [f64; 3]) -> Bone {
    Bone {
        name,
        parent,
        at,
        pre_rotation: [0.0; 3],
    }
}

impl Fbx {
    /// Three bones in a row, each 10 above the one before.
    pub(crate) fn arm() -> Self {
        Self {
            up_axis: 1,
            unit: 1.0,
            node_kind: "LimbNode",
            bones: vec![
                bone("Shoulder", None, [0.0, 100.0, 0.0]),
                bone("rig:Elbow", Some(0), [0.0, 10.0, 0.0]),
                bone("Wrist", Some(1), [0.0, 10.0, 0.0]),
            ],
            takes: vec![Take {
                name: "Bend",
                seconds: 1.0,
                layers: vec![vec![Turn {
                    bone: 1,
                    axis: 'X',
                    to_deg: 90.0,
                }]],
            }],
        }
    }

    /// As text; scenes run at 30 frames a second.
    pub(crate) fn text(&self) -> String {
        let mut objects = String::new();
        let mut links = String::new();
        for (idx, bone) in self.bones.iter().enumerate() {
            let id = 1000 + idx;
            let [x, y, z] = bone.at;
            let [a, b, c] = bone.pre_rotation;
            write!(
                objects,
                "\tNodeAttribute: {attr}, \"NodeAttribute::\", \"{kind}\" {{\n\t\tTypeFlags: \"Skeleton\"\n\t}}\n\
                 \tModel: {id}, \"Model::{name}\", \"{kind}\" {{\n\t\tVersion: 232\n\t\tProperties70:  {{\n\
                 \t\t\tP: \"RotationActive\", \"bool\", \"\", \"\",1\n\
                 \t\t\tP: \"PreRotation\", \"Vector3D\", \"Vector\", \"\",{a},{b},{c}\n\
                 \t\t\tP: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",{x},{y},{z}\n\t\t}}\n\t}}\n",
                attr = 2000 + idx,
                kind = self.node_kind,
                name = bone.name,
            )
            .unwrap();
            let parent = bone.parent.map_or(0, |parent| 1000 + parent);
            writeln!(links, "\tC: \"OO\",{id},{parent}").unwrap();
            writeln!(links, "\tC: \"OO\",{},{id}", 2000 + idx).unwrap();
        }
        let mut next = 3000;
        for take in &self.takes {
            next = put_take(take, next, &mut objects, &mut links);
        }
        let (up, front) = if self.up_axis == 2 { (2, 1) } else { (1, 2) };
        let front_sign = if self.up_axis == 2 { -1 } else { 1 };
        format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 7400\n}}\n\
             GlobalSettings:  {{\n\tVersion: 1000\n\tProperties70:  {{\n\
             \t\tP: \"UpAxis\", \"int\", \"Integer\", \"\",{up}\n\t\tP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
             \t\tP: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\n\t\tP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{front_sign}\n\
             \t\tP: \"CoordAxis\", \"int\", \"Integer\", \"\",0\n\t\tP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
             \t\tP: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{unit}\n\
             \t\tP: \"TimeMode\", \"enum\", \"\", \"\",6\n\t}}\n}}\n\
             Objects:  {{\n{objects}}}\nConnections:  {{\n{links}}}\n",
            unit = self.unit,
        )
    }
}

/// Adds the objects and links of a take; the first number that is free afterwards.
fn put_take(take: &Take, first: usize, objects: &mut String, links: &mut String) -> usize {
    let stop = (take.seconds * SECOND) as i64;
    let stack = first;
    write!(
        objects,
        "\tAnimationStack: {stack}, \"AnimStack::{}\", \"\" {{\n\t\tProperties70:  {{\n\
         \t\t\tP: \"LocalStop\", \"KTime\", \"Time\", \"\",{stop}\n\t\t}}\n\t}}\n",
        take.name
    )
    .unwrap();
    let mut next = first + 1;
    for turns in &take.layers {
        let layer = next;
        writeln!(
            objects,
            "\tAnimationLayer: {layer}, \"AnimLayer::Layer\", \"\" {{\n\t}}"
        )
        .unwrap();
        writeln!(links, "\tC: \"OO\",{layer},{stack}").unwrap();
        next += 1;
        for turn in turns {
            let (node, curve) = (next, next + 1);
            next += 2;
            write!(
                objects,
                "\tAnimationCurveNode: {node}, \"AnimCurveNode::R\", \"\" {{\n\t\tProperties70:  {{\n\
                 \t\t\tP: \"d|X\", \"Number\", \"\", \"A\",0\n\t\t\tP: \"d|Y\", \"Number\", \"\", \"A\",0\n\
                 \t\t\tP: \"d|Z\", \"Number\", \"\", \"A\",0\n\t\t}}\n\t}}\n\
                 \tAnimationCurve: {curve}, \"AnimCurve::\", \"\" {{\n\t\tDefault: 0\n\t\tKeyVer: 4008\n\
                 \t\tKeyTime: *2 {{\n\t\t\ta: 0,{stop}\n\t\t}}\n\t\tKeyValueFloat: *2 {{\n\t\t\ta: 0,{}\n\t\t}}\n\
                 \t\tKeyAttrFlags: *1 {{\n\t\t\ta: 4\n\t\t}}\n\t\tKeyAttrDataFloat: *4 {{\n\t\t\ta: 0,0,0,0\n\t\t}}\n\
                 \t\tKeyAttrRefCount: *1 {{\n\t\t\ta: 2\n\t\t}}\n\t}}\n",
                turn.to_deg
            )
            .unwrap();
            let bone = 1000 + turn.bone;
            writeln!(links, "\tC: \"OO\",{node},{layer}").unwrap();
            writeln!(links, "\tC: \"OP\",{node},{bone}, \"Lcl Rotation\"").unwrap();
            writeln!(links, "\tC: \"OP\",{curve},{node}, \"d|{}\"", turn.axis).unwrap();
        }
    }
    next
}
