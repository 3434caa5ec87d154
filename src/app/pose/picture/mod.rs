//! Posing over a picture: the file is loaded and decoded in the background, the camera is fitted to the character, and
//! the character to what is seen.

pub(in crate::app) mod ui;
pub(in crate::app) mod view;

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::poses::in_pose;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::files::pick::Pick;
use crate::app::shell::jobs::DeliveryTo;
use crate::app::shell::messages::Severity;
use crate::app::shell::requests::Request;
use crate::app::shell::work::Shown;
use crate::document::{Command, PhotoCamera, Picture, PictureFile, Posed, PosedId, SeenSite};
use crate::file::picture::{self, PictureError};
use crate::jobs::Ticket;
use crate::motion::heading::turn;
use crate::motion::{Site, Vec3, WorldPose};
use crate::style::Style;
use crate::style::solve::{
    Constraint, ConstraintMode, PinholeCamera, SolveSettings, Solver, on_floor,
};

/// The job that reads a picture.
pub const LOAD: &str = "load picture";
/// The job that poses.
pub const POSE: &str = "pose from picture";

/// Fewer marks say too little about camera or body.
pub const FEWEST_MARKS: usize = 4;

/// The lens as a camera of this picture.
pub fn camera_of(picture: &Picture) -> PinholeCamera {
    let lens = &picture.lens;
    let file = &picture.file;
    PinholeCamera {
        eye: lens.eye,
        rotation: lens.rotation,
        field_of_view_rad: lens.field_of_view_rad,
        aspect: f64::from(file.width.max(1)) / f64::from(file.height.max(1)),
    }
}

fn lens_of(camera: &PinholeCamera) -> PhotoCamera {
    PhotoCamera {
        eye: camera.eye,
        rotation: camera.rotation,
        field_of_view_rad: camera.field_of_view_rad,
    }
}

/// Before the character, at a distance at which it fills most of the picture.
pub fn first_lens(posed: &Posed, file: &PictureFile) -> PhotoCamera {
    const FIELD_OF_VIEW_RAD: f64 = 0.7;
    const FILLED: f64 = 0.75;
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let up = posed.up.vector();
    let ahead = BodyHandles::of(&posed.skeleton).facing(&world, posed.up);
    let heights = world.positions.iter().map(|place| posed.up.along(place));
    let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
        (low.min(h), high.max(h))
    });
    let mean = world.positions.iter().sum::<Vec3>() / world.positions.len().max(1) as f64;
    let target = mean + up * (0.5 * (low + high) - posed.up.along(&mean));
    let tall = (high - low).max(1e-9);
    let distance = 0.5 * tall / (FILLED * (0.5 * FIELD_OF_VIEW_RAD).tan());
    let aspect = f64::from(file.width.max(1)) / f64::from(file.height.max(1));
    let eye = target + ahead * distance;
    lens_of(&PinholeCamera::looking_at(
        eye,
        target,
        up,
        FIELD_OF_VIEW_RAD,
        aspect,
    ))
}

/// What is seen where, for the camera to be fitted to.
fn seen_places(posed: &Posed, seen: &[SeenSite]) -> Vec<(Vec3, [f64; 2])> {
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    seen.iter()
        .map(|seen| (world.site(&posed.skeleton, seen.site), seen.at))
        .collect()
}

/// The camera that sees the character's pose where the picture has it. Tried from all around it: the character may have
/// turned its back to the first guess.
pub fn fit_lens(posed: &Posed, picture: &Picture) -> PhotoCamera {
    const AROUND: usize = 8;
    let seen = seen_places(posed, &picture.seen);
    let up = posed.up.vector();
    let now = camera_of(picture);
    if seen.is_empty() {
        return picture.lens;
    }
    let centre = seen.iter().map(|(place, _)| place).sum::<Vec3>() / seen.len() as f64;
    let tries = (0..AROUND).map(|k| {
        let by = std::f64::consts::TAU * k as f64 / AROUND as f64;
        let turn = turn(posed.up, by);
        PinholeCamera {
            eye: centre + turn * (now.eye - centre),
            rotation: turn * now.rotation,
            ..now
        }
    });
    let fitted = tries.map(|start| start.fitted(&seen, up));
    let best = fitted.min_by(|a, b| a.miss(&seen).total_cmp(&b.miss(&seen)));
    lens_of(&best.unwrap_or(now))
}

/// What the picture asks of the body. Marks are weighed against the style: nobody clicks to the millimetre, and a body
/// that is bent to meet every mark exactly is no body any more.
pub fn constraints(posed: &Posed, picture: &Picture, weight: f64) -> Vec<Constraint> {
    let camera = camera_of(picture);
    let rays = picture.seen.iter().map(|s| Constraint {
        mode: ConstraintMode::Soft(weight),
        ..camera.seen_at(s.site, s.at)
    });
    let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
    let standing = picture.seen.iter().filter(|seen| seen.is_on_floor);
    let floors = standing.map(|seen| {
        let level = posed.floor + sole(posed, &world, seen.site);
        on_floor(seen.site, posed.up, level)
    });
    rays.chain(floors).collect()
}

/// How high a site is over the lowest part of what hangs on it: an ankle over its sole.
fn sole(posed: &Posed, world: &WorldPose, site: Site) -> f64 {
    let skeleton = &posed.skeleton;
    let joint = skeleton.carrier(site);
    let below = skeleton.sites().filter(|other| {
        let carrier = skeleton.carrier(*other);
        carrier == joint || skeleton.ancestors(carrier).any(|above| above == joint)
    });
    let heights = below.map(|other| posed.up.along(&world.site(skeleton, other)));
    let lowest = heights.fold(f64::INFINITY, f64::min);
    (posed.up.along(&world.site(skeleton, site)) - lowest).max(0.0)
}

/// The character posed as it is seen, and the camera where it was fitted along.
fn posed_from(
    styles: &[(Arc<Style>, f64)],
    posed: &Posed,
    picture: &Picture,
    fits_camera: bool,
    ticket: &Ticket,
) -> anyhow::Result<(Posed, PhotoCamera)> {
    // While the camera is still wrong, marks count little: else the body takes on its error, and both agree on
    // nonsense.
    const WEIGHTS: [f64; 6] = [0.01, 0.01, 0.03, 0.1, 0.3, 1.0];
    let weighted: Vec<(&Style, f64)> = styles.iter().map(|(s, w)| (&**s, *w)).collect();
    let solver = Solver::blend(&weighted, SolveSettings::default())?;
    let mut solver = solver.on_skeleton(&posed.skeleton)?;
    let (mut posed, mut picture) = (posed.clone(), picture.clone());
    let weights = if fits_camera {
        &WEIGHTS[..]
    } else {
        &WEIGHTS[WEIGHTS.len() - 1..]
    };
    for (round, weight) in weights.iter().enumerate() {
        ticket.step(round as f64 / weights.len() as f64)?;
        if fits_camera {
            picture.lens = fit_lens(&posed, &picture);
        }
        let constraints = constraints(&posed, &picture, *weight);
        let solved = solver.solve(&constraints, &mut || ticket.check().is_ok())?;
        ticket.check()?;
        posed = in_pose(&posed, solved.pose);
    }
    Ok((posed, picture.lens))
}

impl PoseWorkspace {
    /// Asks the system for a picture, which is then loaded.
    pub(in crate::app::pose) fn browse_for_picture(&mut self, cx: &mut UiContext) {
        self.inbox.start(cx, "file dialog", Shown::Quietly, |_| {
            let picked = Pick::Picture.ask_system();
            let delivery: DeliveryTo<Self> =
                Box::new(
                    move |pose, shell| match picked.and_then(|mut paths| paths.pop()) {
                        Some(path) => pose.load_picture(shell, path),
                        None => shell.dialog_gave_nothing(),
                    },
                );
            Ok(delivery)
        });
    }

    /// Reads a picture in the background and puts it behind the character.
    pub fn load_picture(&mut self, cx: &mut UiContext, path: PathBuf) {
        let Some((id, _)) = self.active_posed(cx) else {
            cx.say(Severity::Warning, "make a character first");
            return;
        };
        self.inbox.start(cx, LOAD, Shown::InBar, move |_| {
            let shown = path.display().to_string();
            let loaded = picture::read(&path)
                // Decoded once here, so that a broken file is refused before it is in the project.
                .and_then(|file| picture::pixels(&file, 16).map(|_| file));
            let file = loaded.map_err(|error| anyhow::anyhow!("{error}: {shown}"))?;
            let delivery: DeliveryTo<Self> =
                Box::new(move |pose, shell| pose.take_picture(shell, id, file));
            Ok(delivery)
        });
    }

    fn take_picture(&mut self, shell: &mut Shell, id: PosedId, file: PictureFile) {
        let Some(posed) = shell.document().posed_by_id(id) else {
            return;
        };
        let picture = Picture {
            lens: first_lens(posed, &file),
            file: Arc::new(file),
            seen: Vec::new(),
        };
        self.edit(
            shell,
            Command::SetPicture {
                what: "add a picture to".to_owned(),
                id,
                picture: Some(Arc::new(picture)),
            },
        );
    }

    /// The picture behind the character that is posed.
    pub fn picture_now(&self, cx: &UiContext) -> Option<(PosedId, Arc<Picture>)> {
        let (id, _) = self.active_posed(cx)?;
        Some((id, Arc::clone(cx.document().picture(id)?)))
    }

    /// Changes the picture, as one step.
    pub fn edit_picture(
        &mut self,
        cx: &mut UiContext,
        what: impl Into<String>,
        change: impl FnOnce(&mut Picture),
    ) {
        let Some((id, picture)) = self.picture_now(cx) else {
            return;
        };
        let mut changed = Picture::clone(&picture);
        change(&mut changed);
        if changed != *picture {
            cx.ask(Request::Edit(Command::SetPicture {
                what: what.into(),
                id,
                picture: Some(Arc::new(changed)),
            }));
        }
    }

    /// Fits the camera to the character as it stands.
    pub fn fit_picture_camera(&mut self, cx: &mut UiContext) {
        if let Some((_, posed)) = self.posed_now(cx) {
            self.edit_picture(cx, "fit the camera of", |picture| {
                picture.lens = fit_lens(&posed, picture);
            });
        }
    }

    /// Poses the character as the picture shows it, in its styles, in the background.
    pub fn pose_from_picture(&mut self, cx: &mut UiContext, fits_camera: bool) {
        let Some((id, picture)) = self.picture_now(cx) else {
            return;
        };
        let Some((_, posed)) = self.posed_now(cx) else {
            return;
        };
        let Some(setup) = self.setup_of(cx, &posed) else {
            let words = "no style fits this skeleton yet: learn one from its clips";
            cx.say(Severity::Warning, words);
            return;
        };
        self.inbox.start(cx, POSE, Shown::InBar, move |ticket| {
            let made = posed_from(&setup.styles, &posed, &picture, fits_camera, ticket);
            if ticket.check().is_err() {
                return Err(crate::jobs::Cancelled.into());
            }
            let (after, lens) = made?;
            let delivery: DeliveryTo<Self> = Box::new(move |pose, shell| {
                pose.take_posed_from_picture(shell, id, &posed, after, (&picture, lens));
            });
            Ok(delivery)
        });
    }

    fn take_posed_from_picture(
        &mut self,
        shell: &mut Shell,
        id: PosedId,
        before: &Arc<Posed>,
        after: Posed,
        (picture, lens): (&Arc<Picture>, PhotoCamera),
    ) {
        let now = self.posed_now(shell).map(|(_, posed)| posed);
        if !now.is_some_and(|now| Arc::ptr_eq(&now, before) || now == *before) {
            shell.say(
                Severity::Warning,
                "the character was changed meanwhile: pose from the picture again",
            );
            return;
        }
        let mut seen_from = Picture::clone(picture);
        seen_from.lens = lens;
        let commands = vec![
            Command::ChangePosed {
                what: String::new(),
                id,
                posed: Arc::new(after),
            },
            Command::SetPicture {
                what: String::new(),
                id,
                picture: Some(Arc::new(seen_from)),
            },
        ];
        let what = format!("pose {} from picture", before.name);
        self.edit(shell, Command::Together { what, commands });
    }

    /// The pixels of a picture for the window, once they are decoded.
    pub fn picture_pixels(
        &mut self,
        cx: &mut UiContext,
        file: &Arc<PictureFile>,
    ) -> Option<Arc<egui::ColorImage>> {
        const LONGEST: u32 = 2048;
        const DECODE: &str = "decode picture";
        let view = &self.picture;
        if let Some((seen, pixels)) = &view.pixels
            && Arc::ptr_eq(seen, file)
        {
            return pixels.clone();
        }
        if !cx.work.is_running(DECODE) {
            let file = Arc::clone(file);
            self.inbox.look(
                cx,
                DECODE,
                Shown::Quietly,
                move |_| {
                    let pixels = picture::pixels(&file, LONGEST).map(|image| {
                        let side = [image.width() as usize, image.height() as usize];
                        egui::ColorImage::from_rgba_unmultiplied(side, image.as_raw())
                    });
                    Ok((file, pixels))
                },
                |pose, shell, seen| {
                    if let Ok((file, pixels)) = seen {
                        pose.take_pixels(shell, file, pixels);
                    }
                },
            );
        }
        None
    }

    fn take_pixels(
        &mut self,
        cx: &mut UiContext,
        file: Arc<PictureFile>,
        pixels: Result<egui::ColorImage, PictureError>,
    ) {
        let pixels = match pixels {
            Ok(pixels) => Some(Arc::new(pixels)),
            Err(error) => {
                cx.say(Severity::Error, format!("{error}: {}", file.name));
                None
            }
        };
        self.picture.pixels = Some((file, pixels));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::{Action, make};
    use crate::document::PictureKind;

    #[test]
    fn the_first_camera_sees_the_whole_body_and_a_turned_one_is_found() {
        let clip = make(Action::Walk, 1, 0).clip;
        let posed = Posed {
            name: "a".to_owned(),
            skeleton: Arc::clone(clip.skeleton()),
            up: clip.info.up,
            floor: 0.0,
            pose: clip.frame(10).to_pose(),
            pins: Vec::new(),
            styles: Vec::new(),
        };
        let file = PictureFile {
            name: "a".to_owned(),
            kind: PictureKind::Png,
            bytes: Vec::new(),
            width: 600,
            height: 800,
        };
        let lens = first_lens(&posed, &file);
        let mut picture = Picture {
            file: Arc::new(file),
            lens,
            seen: Vec::new(),
        };
        let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
        let camera = camera_of(&picture);
        for place in &world.positions {
            let [x, y] = camera.project(place).unwrap();
            assert!(x.abs() < 1.0 && y.abs() < 1.0, "{x} {y}");
        }
        // The photo was taken from behind.
        let centre = world.positions.iter().sum::<Vec3>() / world.positions.len() as f64;
        let half = turn(posed.up, 2.6);
        let behind = PinholeCamera {
            eye: centre + half * (camera.eye - centre),
            rotation: half * camera.rotation,
            ..camera
        };
        for handle in BodyHandles::of(&posed.skeleton).handles() {
            let place = world.site(&posed.skeleton, handle.site);
            picture.set_seen(SeenSite {
                site: handle.site,
                at: behind.project(&place).unwrap(),
                is_on_floor: false,
            });
        }
        picture.lens = fit_lens(&posed, &picture);
        let seen = seen_places(&posed, &picture.seen);
        let miss = camera_of(&picture).miss(&seen);
        assert!(miss < 2e-3, "{miss}");
    }
}
