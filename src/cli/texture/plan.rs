//! A motion seen from above: the path that was drawn, the way of the body in the colour of its action, and where feet
//! stood.
//!
//! As in Figs. 6 and 7 of Gao and Hong 2007: grey is the path to be followed, the line on it what the body does.

use std::io::Cursor;
use std::path::Path;

use anyhow::Context as _;
use image::{Rgb, RgbImage};

use super::played::Played;
use super::report;
use crate::cli::{Common, write_file};
use crate::motion::WorldPose;
use crate::motion::path::{Vec2, direction, on_floor};
use crate::texture::Texture;

/// Pixels of the longer side, and of the margin around.
const LONGEST: f64 = 1200.0;
const MARGIN: f64 = 60.0;
/// Widths of lines in pixels: the drawn path, the way of the root, feet.
const PATH: f64 = 9.0;
const WAY: f64 = 3.0;
const FOOT: f64 = 5.0;
/// The body is marked so often; seconds.
const MARK_SECS: f64 = 0.5;
const MARK: f64 = 14.0;

/// Lines that a path is drawn with.
const PATH_STEPS: usize = 800;

const PAPER: Rgb<u8> = Rgb([255, 255, 255]);
const GREY: Rgb<u8> = Rgb([205, 205, 205]);
const DARK: Rgb<u8> = Rgb([90, 90, 90]);
/// For the actions, in the order in which they are shown; told apart by most who do not see all colours.
const COLOURS: [(&str, Rgb<u8>); 6] = [
    ("blue", Rgb([0, 114, 178])),
    ("orange", Rgb([230, 130, 0])),
    ("green", Rgb([0, 158, 115])),
    ("red", Rgb([200, 60, 0])),
    ("pink", Rgb([204, 90, 167])),
    ("light blue", Rgb([86, 180, 233])),
];

/// Writes the picture, and tells which colour is which action.
pub(super) fn write(
    played: &Played,
    texture: &Texture,
    out: &Path,
    common: &Common,
) -> anyhow::Result<Vec<(String, &'static str)>> {
    let clip = &played.motion.clip;
    let heading = &texture.corpus().rig.metric.heading;
    let track = heading.track(clip);
    let way: Vec<Vec2> = track
        .positions
        .iter()
        .map(|p| on_floor(heading.up, p))
        .collect();
    let path: Vec<Vec2> = played.along.as_ref().map_or(Vec::new(), |along| {
        let path = &along.course.path;
        let arc = |i: usize| path.length() * i as f64 / PATH_STEPS as f64;
        (0..=PATH_STEPS).map(|i| path.place(arc(i))).collect()
    });
    let mut sheet = Sheet::around(way.iter().chain(&path));
    sheet.line(&path, PATH, GREY);
    let mut world = WorldPose::of(clip.skeleton(), clip.frame(0));
    for contact in clip.contacts() {
        world.update(
            clip.skeleton(),
            clip.frame(contact.frames.start.midpoint(contact.frames.end)),
        );
        sheet.dot(
            &on_floor(heading.up, &world.positions[contact.joint]),
            FOOT,
            DARK,
        );
    }
    let mut legend: Vec<(String, &'static str)> = Vec::new();
    let runs = report::runs(played, texture);
    let ends = runs.iter().skip(1).map(|(_, at)| *at).chain([way.len()]);
    for ((name, from), to) in runs.iter().zip(ends) {
        let known = legend.iter().position(|(label, _)| label == name);
        let at = known.unwrap_or(legend.len());
        let (word, colour) = COLOURS[at % COLOURS.len()];
        if known.is_none() {
            legend.push((name.clone(), word));
        }
        sheet.line(&way[from.saturating_sub(1)..to.min(way.len())], WAY, colour);
    }
    let every = (MARK_SECS * clip.fps()).max(1.0) as usize;
    for frame in (0..way.len()).step_by(every) {
        sheet.mark(&way[frame], track.headings[frame]);
    }
    let mut bytes = Cursor::new(Vec::new());
    let packed = sheet.image.write_to(&mut bytes, image::ImageFormat::Png);
    packed.context("the picture cannot be packed")?;
    write_file(out, bytes.get_ref(), common)?;
    Ok(legend)
}

/// A picture of the floor; x to the right, forward is up.
struct Sheet {
    image: RgbImage,
    scale: f64,
    corner: Vec2,
}

impl Sheet {
    fn around<'a>(points: impl Iterator<Item = &'a Vec2>) -> Self {
        let far = f64::INFINITY;
        let mut ends = [Vec2::new(far, far), Vec2::new(-far, -far)];
        for point in points {
            ends = [ends[0].inf(point), ends[1].sup(point)];
        }
        let size = ends[1] - ends[0];
        // Who stays on the spot is drawn in the middle of a small sheet.
        let scale = if size.max() > 0.0 {
            LONGEST / size.max()
        } else {
            1.0
        };
        let side = |length: f64| (length * scale + 2.0 * MARGIN).ceil() as u32;
        Self {
            image: RgbImage::from_pixel(side(size.x), side(size.y), PAPER),
            scale,
            // Units of x grow to the left of the one who goes forward.
            corner: Vec2::new(ends[1].x, ends[1].y),
        }
    }

    fn pixel(&self, point: &Vec2) -> Vec2 {
        (self.corner - point) * self.scale + Vec2::new(MARGIN, MARGIN)
    }

    fn line(&mut self, points: &[Vec2], width: f64, colour: Rgb<u8>) {
        for pair in points.windows(2) {
            let (from, to) = (self.pixel(&pair[0]), self.pixel(&pair[1]));
            self.stroke(from, to, width, colour);
        }
    }

    fn dot(&mut self, point: &Vec2, width: f64, colour: Rgb<u8>) {
        let at = self.pixel(point);
        self.stroke(at, at, width, colour);
    }

    /// A short line to where the body faces.
    fn mark(&mut self, point: &Vec2, facing_rad: f64) {
        let at = self.pixel(point);
        let to = direction(facing_rad) * -MARK;
        self.stroke(at, at + to, 0.5 * WAY, DARK);
    }

    /// All pixels within half a width of a line, with soft edges.
    fn stroke(&mut self, from: Vec2, to: Vec2, width: f64, colour: Rgb<u8>) {
        let (way, reach) = (to - from, 0.5 * width + 1.0);
        let (low, high) = (
            from.inf(&to).add_scalar(-reach),
            from.sup(&to).add_scalar(reach),
        );
        let end = |value: f64, most: u32| value.clamp(0.0, f64::from(most)) as u32;
        let (columns, rows) = (self.image.width(), self.image.height());
        for y in end(low.y, rows)..end(high.y.ceil(), rows) {
            for x in end(low.x, columns)..end(high.x.ceil(), columns) {
                let here = Vec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let share = (here - from).dot(&way) / way.norm_squared().max(1e-9);
                let apart = (here - from - way * share.clamp(0.0, 1.0)).norm();
                let cover = (0.5 * width + 0.5 - apart).clamp(0.0, 1.0);
                let pixel = self.image.get_pixel_mut(x, y);
                for channel in 0..3 {
                    let (old, new) = (f64::from(pixel[channel]), f64::from(colour[channel]));
                    pixel[channel] = (old + cover * (new - old)).round() as u8;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_is_up_and_left_is_left() {
        let points = [Vec2::new(-1.0, 0.0), Vec2::new(1.0, 4.0)];
        let sheet = Sheet::around(points.iter());
        let size = (sheet.image.width(), sheet.image.height());
        assert_eq!(size, (720, 1320), "twice as high as wide, and margins");
        let (start, ahead) = (
            sheet.pixel(&Vec2::zeros()),
            sheet.pixel(&Vec2::new(0.0, 4.0)),
        );
        assert!(ahead.y < start.y && ahead.x == start.x, "{start} {ahead}");
        let left = sheet.pixel(&Vec2::new(1.0, 0.0));
        assert!(left.x < start.x, "x grows to the left of who goes forward");
    }

    #[test]
    fn lines_are_drawn_where_they_are_and_nowhere_else() {
        let ends = [Vec2::zeros(), Vec2::new(0.0, 2.0)];
        let mut sheet = Sheet::around(ends.iter());
        sheet.line(&ends, 4.0, DARK);
        let at = sheet.pixel(&Vec2::new(0.0, 1.0));
        let colour = |x: f64| *sheet.image.get_pixel(x as u32, at.y as u32);
        assert_eq!(colour(at.x), DARK);
        assert_eq!(colour(at.x + 4.0), PAPER);
        let drawn = sheet.image.pixels().filter(|p| **p != PAPER).count();
        assert!(
            (4800..8000).contains(&drawn),
            "{drawn} pixels of about 4 x 1200"
        );
    }

    #[test]
    fn a_motion_on_the_spot_has_a_picture() {
        let spot = [Vec2::zeros(); 2];
        let mut sheet = Sheet::around(spot.iter());
        assert_eq!((sheet.image.width(), sheet.image.height()), (120, 120));
        sheet.mark(&Vec2::zeros(), 0.0);
        sheet.dot(&Vec2::zeros(), FOOT, DARK);
        assert!(
            sheet.image.pixels().any(|p| *p != PAPER),
            "the body is marked"
        );
    }
}
