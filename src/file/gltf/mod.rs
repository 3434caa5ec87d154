//! Clips as glTF 2.0, for viewers, browsers and game engines.
//!
//! A file holds a node for every joint, called as in the clip and at rest; one animation; and a body of slim bones, so
//! that every viewer shows something. glTF has Y up: other clips hang in one more node that turns them. Lengths stay
//! in the units of the clip, though glTF speaks of metres: scale the clip before if that matters. What this leaves
//! out: end sites are only seen as the tips of bones, and contacts and tags have no place.

mod bones;
mod buffer;
mod parts;
mod single;

use serde_json::json;

use super::{WriteError, base64};
use crate::motion::{Axis, Clip, Pose, Quat, Vec3, WorldPose, rotation};
use bones::BoneMesh;
use buffer::{Buffer, Use};
use parts::{Animation, BufferPart, Channel, Document, Node, Sampler, Skin, Target};
use single::{single, single4};

/// How a glTF file is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GltfSettings {
    /// Whether the bones are drawn. Without them only the skeleton and its motion are there.
    pub body: bool,
}

impl Default for GltfSettings {
    fn default() -> Self {
        Self { body: true }
    }
}

/// The clip as a `.gltf` file: text, with the numbers inside.
pub fn write(clip: &Clip, settings: &GltfSettings) -> Vec<u8> {
    let (mut document, bytes) = document(clip, settings);
    let mut uri = "data:application/octet-stream;base64,".to_owned();
    base64::encode(&bytes, &mut uri);
    drop(bytes);
    document.buffers[0].uri = Some(uri);
    text(&document)
}

fn text(document: &Document<'_>) -> Vec<u8> {
    serde_json::to_vec(document).expect("names and finite numbers are JSON")
}

/// The clip as a `.glb` file: the same in one binary piece, and a quarter smaller. It cannot be 4 GB or more.
pub fn write_glb(clip: &Clip, settings: &GltfSettings) -> Result<Vec<u8>, WriteError> {
    let (document, bytes) = document(clip, settings);
    let mut text = text(&document);
    drop(document);
    text.resize(text.len().next_multiple_of(4), b' ');
    let total = 12 + 8 + text.len() + 8 + bytes.len();
    let too_large = |_| {
        std::io::Error::new(
            std::io::ErrorKind::FileTooLarge,
            "a .glb file cannot hold 4 GB or more; a .gltf file can",
        )
    };
    let total_u32 = u32::try_from(total).map_err(too_large)?;
    let mut glb = Vec::with_capacity(total);
    let words = |list: &[u32]| {
        list.iter()
            .flat_map(|w| w.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    glb.extend(words(&[0x4654_6c67, 2, total_u32]));
    // Both parts are shorter than the whole, which fits.
    glb.extend(words(&[text.len() as u32, 0x4e4f_534a]));
    glb.extend(text);
    glb.extend(words(&[bytes.len() as u32, 0x004e_4942]));
    glb.extend(bytes);
    Ok(glb)
}

/// Everything but where the numbers are kept.
fn document<'a>(clip: &'a Clip, settings: &GltfSettings) -> (Document<'a>, Vec<u8>) {
    let mut buffer = Buffer::default();
    let mut nodes = joint_nodes(clip);
    let mut roots = vec![0];
    if let Some(turn) = turn_to_y(clip.info.up) {
        roots = vec![nodes.len()];
        nodes.push(Node {
            name: "Y up",
            rotation: Some(single4(&turn)),
            children: vec![0],
            ..Node::default()
        });
    }
    let animation = animation(clip, &mut buffer);
    let (mut skins, mut meshes, mut materials) = (Vec::new(), Vec::new(), Vec::new());
    if settings.body {
        let matrices = buffer.floats("MAT4", Use::Data, false, &inverse_binds(clip));
        skins.push(Skin {
            joints: (0..clip.skeleton().n_joints()).collect(),
            skeleton: 0,
            inverse_bind_matrices: matrices,
        });
        let primitive = primitive(clip, &mut buffer);
        meshes.push(json!({ "name": "Bones", "primitives": [primitive] }));
        materials.push(json!({
            "name": "Bone",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.8, 0.76, 0.68, 1.0],
                "metallicFactor": 0.0,
                "roughnessFactor": 0.7,
            },
        }));
        // A skinned body is placed by its joints alone, so it stands beside them.
        roots.push(nodes.len());
        nodes.push(Node {
            name: "Body",
            mesh: Some(0),
            skin: Some(0),
            ..Node::default()
        });
    }
    let generator = concat!("Kinfolk ", env!("CARGO_PKG_VERSION"));
    let document = Document {
        asset: json!({ "version": "2.0", "generator": generator }),
        scene: 0,
        scenes: json!([{ "name": clip.info.name, "nodes": roots }]),
        nodes,
        animations: [animation],
        skins,
        meshes,
        materials,
        accessors: buffer.accessors,
        buffer_views: buffer.views,
        buffers: [BufferPart {
            byte_length: buffer.bytes.len(),
            uri: None,
        }],
    };
    (document, buffer.bytes)
}

/// The turn that brings this direction up, if it is not up already.
fn turn_to_y(up: Axis) -> Option<Quat> {
    (up != Axis::Y).then(|| rotation::align(&up.vector(), &Vec3::y()))
}

/// The joints at rest; node and joint numbers are the same.
fn joint_nodes(clip: &Clip) -> Vec<Node<'_>> {
    let joints = clip.skeleton().joints();
    let mut nodes: Vec<Node<'_>> = joints
        .iter()
        .map(|joint| Node {
            name: &joint.name,
            translation: Some(single(&joint.offset)),
            ..Node::default()
        })
        .collect();
    for (idx, joint) in joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            nodes[parent].children.push(idx);
        }
    }
    nodes
}

/// Nothing is turned at rest, so going back from the world to a joint is a shift.
fn inverse_binds(clip: &Clip) -> Vec<[f32; 16]> {
    let skeleton = clip.skeleton();
    let rest = WorldPose::of(skeleton, Pose::rest(skeleton).as_ref());
    let shift = |place: &Vec3| {
        let [x, y, z] = single(&-place);
        let mut matrix = [0.0; 16];
        for diagonal in 0..4 {
            matrix[5 * diagonal] = 1.0;
        }
        matrix[12..15].copy_from_slice(&[x, y, z]);
        matrix
    };
    rest.positions.iter().map(shift).collect()
}

fn primitive(clip: &Clip, buffer: &mut Buffer) -> serde_json::Value {
    let mesh = BoneMesh::of(clip.skeleton());
    let n_corners = mesh.positions.len();
    let corners: Vec<u32> = (0..n_corners as u32).collect();
    json!({
        "attributes": {
            "POSITION": buffer.floats("VEC3", Use::Vertices, true, &mesh.positions),
            "NORMAL": buffer.floats("VEC3", Use::Vertices, false, &mesh.normals),
            "JOINTS_0": buffer.joints(&mesh.joints),
            "WEIGHTS_0": buffer.floats("VEC4", Use::Vertices, false, &vec![[1.0, 0.0, 0.0, 0.0]; n_corners]),
        },
        "indices": buffer.indices(&corners),
        "material": 0,
    })
}

/// A curve for each joint that leaves its rest, and always one for the root, so that the animation is never empty.
fn animation<'a>(clip: &'a Clip, buffer: &mut Buffer) -> Animation<'a> {
    let skeleton = clip.skeleton();
    let times = buffer.floats("SCALAR", Use::Data, true, &times(clip));
    let mut samplers = Vec::new();
    let mut channels = Vec::new();
    let mut curve = |node: usize, path: &'static str, output: usize| {
        channels.push(Channel {
            sampler: samplers.len(),
            target: Target { node, path },
        });
        samplers.push(Sampler {
            input: times,
            output,
            interpolation: "LINEAR",
        });
    };
    for (slot, &joint) in skeleton.translating().iter().enumerate() {
        let places = clip.frames().map(|f| single(&f.translations[slot]));
        let places: Vec<[f32; 3]> = places.collect();
        let rest = single(&skeleton.joints()[joint].offset);
        if joint == 0 || places.iter().any(|place| *place != rest) {
            curve(
                joint,
                "translation",
                buffer.floats("VEC3", Use::Data, false, &places),
            );
        }
    }
    for joint in 0..skeleton.n_joints() {
        let turns = continuous(clip.frames().map(|f| f.rotations[joint]));
        if turns.iter().any(|turn| *turn != [0.0, 0.0, 0.0, 1.0]) {
            curve(
                joint,
                "rotation",
                buffer.floats("VEC4", Use::Data, false, &turns),
            );
        }
    }
    Animation {
        name: &clip.info.name,
        channels,
        samplers,
    }
}

/// Each later than the one before, as glTF demands, even where single precision can no longer tell two frames apart.
fn times(clip: &Clip) -> Vec<[f32; 1]> {
    let fps = clip.fps();
    let mut last = f32::NEG_INFINITY;
    let mut times = Vec::with_capacity(clip.n_frames());
    for frame in 0..clip.n_frames() {
        let time = ((frame as f64 / fps) as f32).min(f32::MAX);
        last = time.max(last.next_up());
        times.push([last]);
    }
    times
}

/// A rotation and its negative are the same, but what lies between two of opposite signs is not: keep to one side.
fn continuous(turns: impl Iterator<Item = Quat>) -> Vec<[f32; 4]> {
    let mut last = Quat::identity();
    let mut list = Vec::with_capacity(turns.size_hint().0);
    for mut turn in turns {
        if turn.coords.dot(&last.coords) < 0.0 {
            turn = Quat::new_unchecked(-turn.into_inner());
        }
        last = turn;
        list.push(single4(&turn));
    }
    list
}
