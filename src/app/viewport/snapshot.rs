//! A picture of a part of the window, as it is on the screen.
//!
//! The window is asked for a picture of itself, which comes some frames later, and the part is cut out of it. What is
//! under the pointer must not have a tooltip meanwhile: it would be in the picture.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use egui::{ColorImage, Context, Rect};

/// A picture that is waited for.
#[derive(Debug, Default)]
pub struct Snapshot {
    wanted: Option<WantedSnapshot>,
}

#[derive(Debug)]
struct WantedSnapshot {
    rect: Rect,
    whole: Receiver<Arc<ColorImage>>,
    n_frames: usize,
}

impl Snapshot {
    /// Where no picture comes within so many frames, none ever will: there may be no screen.
    const LONGEST_WAIT: usize = 120;

    /// Asks for a picture of this part.
    pub fn wish(&mut self, ctx: &Context, rect: Rect) {
        let (send, whole) = channel();
        self.wanted = Some(WantedSnapshot {
            rect,
            whole,
            n_frames: 0,
        });
        let wake = ctx.clone();
        ctx.request_screenshot(move |image| {
            // Nobody may wait any more.
            send.send(image).ok();
            wake.request_repaint();
        });
    }

    /// Whether one is waited for.
    pub const fn is_wished(&self) -> bool {
        self.wanted.is_some()
    }

    /// Once per frame: the picture if it has come, or that there is none.
    pub fn take(&mut self, ctx: &Context) -> Option<Result<Arc<ColorImage>, &'static str>> {
        let wanted = self.wanted.as_mut()?;
        wanted.n_frames += 1;
        if let Ok(whole) = wanted.whole.try_recv() {
            let picture = part(&whole, wanted.rect, ctx.pixels_per_point());
            self.wanted = None;
            return Some(
                picture
                    .map(Arc::new)
                    .ok_or("nothing of it is on the screen"),
            );
        }
        if wanted.n_frames > Self::LONGEST_WAIT {
            self.wanted = None;
            return Some(Err("the window could not take a picture of itself"));
        }
        ctx.request_repaint();
        None
    }
}

/// What is in this place of the window; none if that is outside.
fn part(whole: &ColorImage, rect: Rect, pixels_per_point: f32) -> Option<ColorImage> {
    let pixel =
        |at: f32, most: usize| ((at * pixels_per_point).round().max(0.0) as usize).min(most);
    let [width, height] = whole.size;
    let (left, right) = (pixel(rect.left(), width), pixel(rect.right(), width));
    let (top, bottom) = (pixel(rect.top(), height), pixel(rect.bottom(), height));
    let size = [right.checked_sub(left)?, bottom.checked_sub(top)?];
    (size[0] > 0 && size[1] > 0).then(|| whole.region_by_pixels([left, top], size))
}

#[cfg(test)]
mod tests {
    use egui::{Color32, pos2};

    use super::*;

    #[test]
    fn the_part_is_cut_out_of_the_window() {
        let mut whole = ColorImage::filled([4, 3], Color32::BLACK);
        whole.pixels[4 + 2] = Color32::RED;
        let rect =
            |x: f32, y: f32, to_x: f32, to_y: f32| Rect::from_min_max(pos2(x, y), pos2(to_x, to_y));
        let cut = part(&whole, rect(1.0, 1.0, 3.0, 2.0), 1.0).unwrap();
        assert_eq!(cut.size, [2, 1]);
        assert_eq!(cut.pixels, [Color32::BLACK, Color32::RED]);
        let over = part(&whole, rect(-9.0, 1.0, 99.0, 9.0), 1.0).unwrap();
        assert_eq!(over.size, [4, 2], "as far as the window goes");
        let beside = part(&whole, rect(9.0, 0.0, 12.0, 2.0), 1.0);
        assert!(beside.is_none(), "nothing of it is on the screen");
        assert!(
            part(&whole, rect(f32::NAN, 0.0, 2.0, 2.0), 1.0).is_some(),
            "no panic"
        );
    }

    #[test]
    fn nobody_waits_for_ever() {
        let ctx = Context::default();
        let mut snapshot = Snapshot::default();
        snapshot.wish(&ctx, Rect::EVERYTHING);
        let waited = (0..=Snapshot::LONGEST_WAIT).find_map(|_| snapshot.take(&ctx));
        assert!(matches!(waited, Some(Err(_))), "{waited:?}");
        assert!(!snapshot.is_wished(), "it gave up");
    }
}
