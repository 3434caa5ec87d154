//! The 3D view: bodies for odd skeletons, picking, and pictures where there is something to draw with.

use std::sync::{Arc, Mutex, OnceLock};

use kinfolk::app::render::picking::{handle_at, hits};
use kinfolk::app::render::staging::{Layout, Staging, StagingError, check, stage};
use kinfolk::app::render::{
    Camera, Character, Colour, Handle, Mannequin, Mark, Offscreen, Placement, RenderError, Samples,
    Scene, Size, Trail, View,
};
use kinfolk::demo::{Action, make};
use kinfolk::file::read_clip;
use kinfolk::motion::{
    Axis, Body, Channels, Clip, ClipInfo, EndSite, Joint, Motion, Pose, RotationOrder, Skeleton,
    Vec3, edit,
};

use crate::data::{files_below, shared};

const SMALL: Size = Size {
    width: 160,
    height: 120,
};

fn walker() -> Clip {
    make(Action::ALL[0], 1, 0).clip
}

/// A chain of joints, each this far from the one before.
fn chain(offsets: &[[f64; 3]], end: Option<[f64; 3]>) -> Clip {
    let joints = offsets.iter().enumerate().map(|(at, offset)| Joint {
        name: format!("bone{at}"),
        parent: at.checked_sub(1),
        offset: Vec3::from(*offset),
        channels: Channels::rotation(RotationOrder::ZXY),
    });
    let joints: Vec<Joint> = joints.collect();
    let ends = end.map(|offset| EndSite {
        joint: joints.len() - 1,
        offset: Vec3::from(offset),
    });
    let skeleton = Arc::new(Skeleton::new(joints, ends.into_iter().collect()).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 0.1, 1);
    motion.push(Pose::rest(&skeleton).as_ref());
    Clip::new(ClipInfo::named("chain"), skeleton, motion).unwrap()
}

fn check_mesh(name: &str, clip: &Clip) {
    let mannequin = Mannequin::of(clip);
    assert!(!mannequin.triangles().is_empty(), "{name}: nothing to see");
    assert!(!mannequin.capsules().is_empty(), "{name}: nothing to hit");
    let n_joints = clip.skeleton().n_joints() as u32;
    for vertex in mannequin.vertices() {
        assert!(
            vertex.place.iter().all(|x| x.is_finite()),
            "{name}: {vertex:?}"
        );
        let length: f32 = vertex.normal.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-3, "{name}: {vertex:?}");
        assert!(
            vertex.joints.iter().all(|j| *j < n_joints),
            "{name}: {vertex:?}"
        );
    }
    let n = mannequin.vertices().len() as u32;
    let corners = mannequin.triangles().iter().flatten();
    assert!(corners.clone().all(|c| *c < n), "{name}: a corner too many");
    for capsule in mannequin.capsules() {
        let is_sound = capsule.radius_from > 0.0 && capsule.radius_to > 0.0;
        assert!(is_sound, "{name}: {capsule:?}");
    }
}

#[test]
fn every_odd_skeleton_has_a_body() {
    for folder in ["odd_bvh", "bandai_nc", "malformed", "walk_cycles/s35"] {
        let Some(folder) = shared(folder) else { return };
        for file in files_below(&folder, "bvh") {
            // Some of the malformed ones cannot be read, as they should not.
            if let Ok(clip) = read_clip(&file) {
                check_mesh(&file.display().to_string(), &clip);
            }
        }
    }
}

#[test]
fn bones_without_length_and_lone_joints_have_a_body() {
    check_mesh("one joint", &chain(&[[0.0; 3]], None));
    check_mesh(
        "one joint with a tip",
        &chain(&[[0.0; 3]], Some([0.0, 2.0, 0.0])),
    );
    check_mesh("all in one place", &chain(&[[0.0; 3]; 5], Some([0.0; 3])));
    check_mesh(
        "some in one place",
        &chain(
            &[[5.0, 1.0, 0.0], [0.0; 3], [0.0, 1.0, 0.0], [0.0; 3]],
            None,
        ),
    );
    for huge in [1e15, 1e-200, 1e10] {
        check_mesh(
            "absurd",
            &chain(&[[0.0; 3], [huge, huge, 0.0], [0.0, huge, 0.0]], None),
        );
    }
}

/// What retargeting recognises by shape is drawn as a body, though of its joints only one has a name that says something.
#[test]
fn a_body_with_names_that_nobody_knows_is_drawn_as_a_body() {
    let scrubbed = crate::rigs::mixamo().scrubbed();
    let head = kinfolk::retarget::Labels::of(&scrubbed)
        .unwrap()
        .head
        .unwrap();
    let mut joints = scrubbed.skeleton().joints().to_vec();
    joints[head].name = "Head".to_owned();
    let skeleton = Skeleton::new(joints, scrubbed.skeleton().ends().to_vec()).unwrap();
    let (info, motion) = (scrubbed.info.clone(), scrubbed.motion().clone());
    let clip = Clip::new(info, Arc::new(skeleton), motion).unwrap();
    assert!(
        Body::of(clip.skeleton()).legs.is_empty(),
        "names say nothing of legs"
    );
    let mannequin = Mannequin::of(&clip);
    let thickness = |joint: usize| {
        let own = mannequin.capsules().iter().filter(|c| c.joint == joint);
        own.map(|c| c.radius_from).fold(0.0, f64::max) / mannequin.height()
    };
    assert!(thickness(head) > 0.04, "a head is no stick");
    let leg = &kinfolk::retarget::Labels::of(&clip).unwrap().legs[0];
    assert!(
        thickness(leg.upper) > thickness(leg.middle),
        "thigh and shin"
    );
}

#[test]
fn a_person_has_flesh_where_the_bones_are() {
    let clip = walker();
    let body = Body::of(clip.skeleton());
    let mannequin = Arc::new(Mannequin::of(&clip));
    let h = mannequin.height();
    let character = Character::new(&mannequin, clip.skeleton(), clip.frame(0), Colour::GIVEN);
    let capsules: Vec<_> = character.capsules().collect();
    let thickness = |joint: usize| {
        let own = capsules.iter().filter(|c| c.joint == joint);
        own.map(|c| c.radius_from / h).fold(0.0, f64::max)
    };
    for leg in &body.legs {
        assert!(
            thickness(leg.upper) > thickness(leg.middle),
            "a thigh is thicker than a shin"
        );
    }
    assert!(thickness(body.head.unwrap()) > 0.04, "a head is no stick");
    // Each joint of the limbs is inside something that moves with the body, in any frame.
    for frame in [0, clip.n_frames() / 2, clip.n_frames() - 1] {
        let character = Character::new(
            &mannequin,
            clip.skeleton(),
            clip.frame(frame),
            Colour::GIVEN,
        );
        for limb in body.legs.iter().chain(&body.arms) {
            for joint in [limb.upper, limb.middle, limb.end] {
                let place = character.pose.positions[joint];
                let nearest = character
                    .balls()
                    .map(|(centre, radius)| (centre - place).norm() - radius)
                    .fold(f64::INFINITY, f64::min);
                assert!(
                    nearest < 0.0,
                    "joint {joint} is {nearest} outside in frame {frame}"
                );
            }
        }
    }
}

#[test]
fn bodies_of_any_unit_and_up_axis_look_alike() {
    let clip = walker();
    let reference = Mannequin::of(&clip);
    let large = Mannequin::of(&edit::scale(&clip, 100.0).unwrap());
    assert_eq!(reference.vertices().len(), large.vertices().len());
    for (a, b) in reference.vertices().iter().zip(large.vertices()) {
        for (x, y) in a.place.iter().zip(b.place) {
            assert!((x * 100.0 - y).abs() < 1e-2, "{a:?} became {b:?}");
        }
    }
    let turned = Mannequin::of(&edit::set_up(&clip, Axis::Z).unwrap());
    assert_eq!(reference.capsules().len(), turned.capsules().len());
    for (a, b) in reference.capsules().iter().zip(turned.capsules()) {
        assert!(
            (a.radius_from - b.radius_from).abs() < 1e-9,
            "{a:?} became {b:?}"
        );
        let lengths = [(a.to - a.from).norm(), (b.to - b.from).norm()];
        assert!((lengths[0] - lengths[1]).abs() < 1e-9, "{a:?} became {b:?}");
    }
}

/// Two walkers in a row seen from the front, the second farther away.
fn two_walkers() -> Scene {
    let clip = walker();
    let mannequin = Arc::new(Mannequin::of(&clip));
    let h = mannequin.height();
    let near = Character::new(&mannequin, clip.skeleton(), clip.frame(0), Colour::GIVEN);
    let camera = Camera::new(clip.info.up, View::Front, Vec3::zeros(), 1.0);
    let away = camera.target - camera.eye();
    let far = Character {
        placement: Placement {
            offset: away * (1.5 * h),
            scale: 1.0,
        },
        colour: Colour::GENERATED,
        ..near.clone()
    };
    let floor = edit::find_floor(&clip).height;
    Scene::of(
        vec![far, near],
        clip.info.up,
        floor,
        View::Front,
        0.0,
        SMALL,
    )
}

#[test]
fn a_ray_finds_the_planted_joint_of_the_nearer_body_first() {
    let mut scene = two_walkers();
    let clip = walker();
    let head = Body::of(clip.skeleton()).head.unwrap();
    let middle = scene.characters[1]
        .capsules()
        .find(|c| c.joint == head)
        .unwrap()
        .from;
    let eye = scene.camera.eye();
    let seen = scene.camera.project(&middle, SMALL).unwrap();
    let ray = scene.camera.ray(seen.x, seen.y, SMALL);
    // Straight behind the nearer head is that of the other.
    scene.characters[0].placement.offset = ray.direction * (1.5 * scene.characters[1].height());
    let found = hits(&scene, &ray);
    assert_eq!((found[0].character, found[0].joint), (1, head), "{found:?}");
    let to_middle = (middle - eye).norm();
    assert!(
        found[0].distance < to_middle && found[0].distance > 0.9 * to_middle,
        "{found:?}"
    );
    let behind = found.iter().find(|hit| hit.character == 0).unwrap();
    assert_eq!(behind.joint, head, "the other is behind it: {found:?}");
    assert!(
        found.is_sorted_by(|a, b| a.distance <= b.distance),
        "{found:?}"
    );
    let sky = scene.camera.ray(1.0, 1.0, SMALL);
    assert_eq!(hits(&scene, &sky), [], "nothing in the corner");
}

#[test]
fn handles_are_grabbed_by_pixels() {
    let scene = two_walkers();
    let handle = |place: Vec3| Handle {
        place,
        radius_px: 5.0,
        colour: Colour::SELECTED,
    };
    let target = scene.camera.target;
    let nearer = target + (scene.camera.eye() - target) * 0.5;
    let handles = [handle(target), handle(nearer)];
    let at = |x: f64, y: f64| handle_at(&handles, &scene.camera, SMALL, (x, y), 1.0);
    assert_eq!(at(80.0, 60.0), Some(1), "the nearer one");
    assert_eq!(at(85.9, 60.0), Some(1));
    assert_eq!(at(86.1, 60.0), None);
    assert_eq!(
        handle_at(&handles[..1], &scene.camera, SMALL, (76.0, 60.0), 0.0),
        Some(0)
    );
}

/// One device for all tests, or `None` after saying that there is nothing to draw with.
fn offscreen() -> Option<&'static Mutex<Offscreen>> {
    static DEVICE: OnceLock<Option<Mutex<Offscreen>>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| match Offscreen::new(Samples::Four) {
        Ok(device) => Some(Mutex::new(device)),
        Err(error) => {
            assert!(error.to_string().contains("mesa-vulkan-drivers"), "{error}");
            None
        }
    });
    if device.is_none() {
        crate::data::skipped("nothing here can draw pictures");
    }
    device.as_ref()
}

fn draw(scene: &Scene, size: Size) -> Option<image::RgbaImage> {
    Some(offscreen()?.lock().unwrap().picture(scene, size).unwrap())
}

#[test]
fn a_character_is_drawn_where_it_is_projected() {
    let mut scene = two_walkers();
    scene.characters.remove(0);
    scene.ground.is_shown = false;
    scene.shows_axes = false;
    let Some(drawn) = draw(&scene, SMALL) else {
        return;
    };
    scene.characters.clear();
    let empty = draw(&scene, SMALL).unwrap();
    let scene = {
        let mut scene = two_walkers();
        scene.characters.remove(0);
        scene
    };
    let differs = |x: u32, y: u32| drawn.get_pixel(x, y) != empty.get_pixel(x, y);
    // Every pixel whose ray goes well through a body is drawn, and none far from all bodies.
    let (mut inside, mut painted) = (0, 0);
    for y in 0..SMALL.height {
        for x in 0..SMALL.width {
            let ray = scene
                .camera
                .ray(f64::from(x) + 0.5, f64::from(y) + 0.5, SMALL);
            let is_hit = !hits(&scene, &ray).is_empty();
            inside += usize::from(is_hit && differs(x, y));
            painted += usize::from(differs(x, y));
        }
    }
    assert!(painted > 600, "only {painted} pixels");
    let overlap = f64::from(inside as u32) / f64::from(painted as u32);
    assert!(
        overlap > 0.8,
        "only {overlap} of the drawn pixels can be hit"
    );
    let body_blue = drawn
        .pixels()
        .filter(|p| p[2] > 120 && p[2] > p[0] + 30)
        .count();
    assert!(
        body_blue > painted / 3,
        "given motions are blue: {body_blue} of {painted}"
    );
}

#[test]
fn the_same_scene_gives_the_same_picture() {
    let mut scene = two_walkers();
    scene.characters[0].opacity = 0.5;
    let place = scene.camera.target;
    scene.handles.push(Handle {
        place,
        radius_px: 4.0,
        colour: Colour::SELECTED,
    });
    scene.marks.push(Mark {
        place,
        radius: 0.1 * scene.characters[0].height(),
        colour: Colour::SELECTED,
    });
    let points = [place, scene.camera.eye() * 3.0 - place * 2.0, place * 2.0];
    scene.trails.push(Trail {
        points: Arc::from(points),
        colour: Colour::SELECTED,
        now: Some(1),
        width_px: 2.0,
    });
    let Some(first) = draw(&scene, SMALL) else {
        return;
    };
    let other = Size {
        width: 61,
        height: 33,
    };
    let odd = draw(&scene, other).unwrap();
    assert_eq!(odd.dimensions(), (61, 33));
    let again = scene.clone();
    assert_eq!(scene, again, "equal scenes need no new picture");
    assert!(
        first == draw(&again, SMALL).unwrap(),
        "same scene, other picture"
    );
    scene.characters[1].highlight = Some(0);
    assert_ne!(scene, again);
    assert!(first != draw(&scene, SMALL).unwrap(), "the highlight shows");
}

#[test]
fn sizes_that_cannot_be_drawn_are_refused() {
    let Some(device) = offscreen() else { return };
    for (width, height) in [(0, 10), (10, 0), (1 << 30, 10)] {
        let refused = device
            .lock()
            .unwrap()
            .picture(&two_walkers(), Size { width, height });
        assert!(
            matches!(refused, Err(RenderError::Size { .. })),
            "{width}x{height}"
        );
    }
}

#[test]
fn scenes_far_from_the_origin_look_the_same() {
    let scene = two_walkers();
    let cell = scene.ground.cell;
    let mut far = scene.clone();
    // A whole number of strong lines away, along the floor.
    let away = kinfolk::motion::heading::left(scene.ground.up) * (cell * 5e6);
    for character in &mut far.characters {
        character.placement.offset += away;
    }
    far.camera.target += away;
    let (Some(near), Some(far)) = (draw(&scene, SMALL), draw(&far, SMALL)) else {
        return;
    };
    // The coloured lines through the origin stay behind; the bodies must not tremble.
    let differing = near
        .pixels()
        .zip(far.pixels())
        .filter(|(a, b)| a.0.iter().zip(b.0).any(|(x, y)| x.abs_diff(y) > 12));
    let n = differing.count();
    assert!(n < 400, "{n} pixels differ");
}

#[test]
fn staging_refuses_what_is_not_there() {
    let clip = walker();
    let staging = |frames: Vec<usize>, trails: Vec<String>| Staging {
        frames,
        trails,
        ..Staging::default()
    };
    let late = check(&clip, &staging(vec![0, clip.n_frames()], vec![]));
    assert!(matches!(late, Err(StagingError::Frame { .. })), "{late:?}");
    let lost = check(&clip, &staging(vec![], vec!["tail".to_owned()]));
    assert!(
        matches!(&lost, Err(StagingError::Joint(name)) if name == "tail"),
        "{lost:?}"
    );
    let none = stage(&[], &Staging::default(), SMALL);
    assert!(matches!(none, Err(StagingError::NoClips)), "{none:?}");
}

#[test]
fn staged_bodies_do_not_stand_in_each_other() {
    let clip = walker();
    let small = edit::scale(&clip, 0.01).unwrap();
    let turned = edit::set_up(&clip, Axis::Z).unwrap();
    for view in [View::Front, View::Side, View::ThreeQuarter] {
        let staging = Staging {
            view,
            layout: Layout::Strip,
            ..Staging::default()
        };
        let scene = stage(
            &[clip.clone(), small.clone(), turned.clone()],
            &staging,
            SMALL,
        )
        .unwrap();
        assert_eq!(scene.characters.len(), 6, "two moments of each");
        let heights: Vec<f64> = scene.characters.iter().map(Character::height).collect();
        let h = heights[0];
        assert!(
            heights.iter().all(|x| (x - h).abs() < 1e-6 * h),
            "{heights:?}"
        );
        // The eye to the target, so across the picture is at right angles to it and to up.
        let across = (scene.camera.eye() - scene.camera.target)
            .cross(&clip.info.up.vector())
            .normalize();
        let mut spans: Vec<(f64, f64)> = scene
            .characters
            .iter()
            .map(|c| {
                let along = |(centre, radius): (Vec3, f64)| (centre.dot(&across), radius);
                c.balls()
                    .map(along)
                    .fold((f64::MAX, f64::MIN), |(low, high), (x, r)| {
                        (low.min(x - r), high.max(x + r))
                    })
            })
            .collect();
        spans.sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in spans.windows(2) {
            assert!(pair[0].1 < pair[1].0, "{view:?}: {spans:?}");
        }
    }
}
