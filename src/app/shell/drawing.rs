//! A drawing of egui as a picture, without window and graphics card: for files that come out the same everywhere.
//!
//! What egui paints are triangles with soft edges and one texture of letters; filling them takes a few milliseconds on
//! the processor.

use egui::epaint::{ClippedPrimitive, ImageData, Mesh, Primitive, Vertex};
use egui::{Color32, ColorImage, Context, Painter, RawInput, Rect, Vec2};

/// Larger pictures are not made: four thousand pixels fill any paper.
const MOST_PIXELS: f32 = 4096.0;

/// Draws onto a picture of this size in points, twice as fine as a usual screen where there is room.
pub fn drawn(size: Vec2, ground: Color32, draw: impl Fn(&Painter)) -> ColorImage {
    let size = size.max(Vec2::splat(1.0));
    let scale = (MOST_PIXELS / size.max_elem()).min(2.0);
    let ctx = Context::default();
    let input = || {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(egui::Pos2::ZERO, size)),
            ..RawInput::default()
        };
        let screen = input.viewports.entry(input.viewport_id).or_default();
        screen.native_pixels_per_point = Some(scale);
        input
    };
    let mut letters = ColorImage::filled([1, 1], Color32::WHITE);
    let mut primitives = Vec::new();
    // The first round finds out which letters there are; the second one is drawn with all of them.
    for _ in 0..2 {
        let mut output = ctx.run_ui(input(), |ui| draw(&ui.ctx().debug_painter()));
        let deltas = output.textures_delta.set.iter();
        for delta in deltas.flat_map(|(_, deltas)| deltas) {
            let ImageData::Color(image) = &delta.image;
            patch(&mut letters, image, delta.pos);
        }
        output.textures_delta.clear();
        primitives = ctx.tessellate(output.shapes, scale);
    }
    let pixels = (size * scale).ceil();
    let mut picture = ColorImage::filled([pixels.x as usize, pixels.y as usize], ground);
    for ClippedPrimitive {
        clip_rect,
        primitive,
    } in &primitives
    {
        if let Primitive::Mesh(mesh) = primitive {
            fill_mesh(&mut picture, mesh, &letters, *clip_rect, scale);
        }
    }
    picture
}

/// Puts a part of a texture in its place, or all of it.
fn patch(whole: &mut ColorImage, part: &ColorImage, at: Option<[usize; 2]>) {
    let Some([left, top]) = at else {
        *whole = part.clone();
        return;
    };
    let [width, height] = whole.size;
    for y in 0..part.size[1].min(height.saturating_sub(top)) {
        for x in 0..part.size[0].min(width.saturating_sub(left)) {
            whole.pixels[(top + y) * width + left + x] = part.pixels[y * part.size[0] + x];
        }
    }
}

fn fill_mesh(picture: &mut ColorImage, mesh: &Mesh, letters: &ColorImage, clip: Rect, scale: f32) {
    let clip = (clip * scale).intersect(Rect::from_min_size(
        egui::Pos2::ZERO,
        Vec2::new(picture.size[0] as f32, picture.size[1] as f32),
    ));
    for corner in mesh.indices.chunks_exact(3) {
        let corners = [corner[0], corner[1], corner[2]].map(|at| {
            let mut vertex = mesh.vertices[at as usize];
            vertex.pos = (vertex.pos.to_vec2() * scale).to_pos2();
            vertex
        });
        fill_triangle(picture, &corners, letters, clip);
    }
}

/// Every pixel whose middle is inside; on an edge that two triangles share it belongs to the one of them.
fn fill_triangle(
    picture: &mut ColorImage,
    corners: &[Vertex; 3],
    letters: &ColorImage,
    clip: Rect,
) {
    let [a, b, c] = corners.map(|corner| corner.pos);
    let area = (b - a).x * (c - a).y - (b - a).y * (c - a).x;
    if area.abs() < 1e-9 || !area.is_finite() {
        return;
    }
    let bounds = Rect::from_points(&[a, b, c]).intersect(clip);
    if !bounds.is_positive() {
        return;
    }
    let width = picture.size[0];
    let rows =
        bounds.top().floor() as usize..(bounds.bottom().ceil() as usize).min(picture.size[1]);
    for y in rows {
        for x in bounds.left().floor() as usize..(bounds.right().ceil() as usize).min(width) {
            let at = egui::pos2(x as f32 + 0.5, y as f32 + 0.5);
            let share = |(from, to): (egui::Pos2, egui::Pos2)| {
                ((to - from).x * (at - from).y - (to - from).y * (at - from).x) / area
            };
            let edges = [(b, c), (c, a), (a, b)];
            let shares = edges.map(share);
            // A common edge runs the other way in the other triangle, so just one of them has it.
            let has_edge = |(from, to): (egui::Pos2, egui::Pos2)| {
                let along = (to - from) * area.signum();
                along.y > 0.0 || (along.y == 0.0 && along.x < 0.0)
            };
            let mut sides = shares.iter().zip(edges);
            let is_inside = sides.all(|(s, edge)| *s > 0.0 || (*s == 0.0 && has_edge(edge)));
            if is_inside && clip.contains(at) {
                let pixel = &mut picture.pixels[y * width + x];
                *pixel = pixel.blend(colour_at(corners, &shares, letters));
            }
        }
    }
}

fn colour_at(corners: &[Vertex; 3], shares: &[f32; 3], letters: &ColorImage) -> Color32 {
    let mix = |part: &dyn Fn(&Vertex) -> f32| -> f32 {
        corners.iter().zip(shares).map(|(v, s)| s * part(v)).sum()
    };
    let [width, height] = letters.size;
    let place = |share: f32, most: usize| {
        let at = (share * most as f32 - 0.5).clamp(0.0, most.saturating_sub(1) as f32);
        (at as usize, at.fract())
    };
    let (x, right) = place(mix(&|v| v.uv.x), width);
    let (y, down) = place(mix(&|v| v.uv.y), height);
    let texel = |x: usize, y: usize| {
        let at = y.min(height - 1) * width + x.min(width - 1);
        letters.pixels[at].to_array().map(f32::from)
    };
    let (top, bottom) = (
        [texel(x, y), texel(x + 1, y)],
        [texel(x, y + 1), texel(x + 1, y + 1)],
    );
    let channel = |at: usize| {
        let top = top[0][at] + right * (top[1][at] - top[0][at]);
        let bottom = bottom[0][at] + right * (bottom[1][at] - bottom[0][at]);
        let ink = top + down * (bottom - top);
        let paint = mix(&|v| f32::from(v.color.to_array()[at]));
        (ink * paint / 255.0).round() as u8
    };
    Color32::from_rgba_premultiplied(channel(0), channel(1), channel(2), channel(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Align2, FontId, pos2, vec2};

    #[test]
    fn boxes_and_letters_are_where_they_were_drawn() {
        let picture = drawn(vec2(60.0, 40.0), Color32::BLACK, |painter| {
            let rect = Rect::from_min_max(pos2(10.0, 5.0), pos2(30.0, 15.0));
            painter.rect_filled(rect, 0.0, Color32::RED);
            let font = FontId::proportional(14.0);
            painter.text(
                pos2(35.0, 20.0),
                Align2::LEFT_TOP,
                "MM",
                font,
                Color32::WHITE,
            );
        });
        assert_eq!(picture.size, [120, 80], "twice as fine");
        let at = |x: usize, y: usize| picture.pixels[y * 120 + x];
        assert_eq!(at(40, 20), Color32::RED);
        assert_eq!(at(70, 20), Color32::BLACK);
        let whites = |left: usize, right: usize| {
            let rows = 40..80_usize;
            let all = rows.flat_map(|y| (left..right).map(move |x| (x, y)));
            all.filter(|(x, y)| at(*x, *y).g() > 128).count()
        };
        assert!(whites(70, 120) > 60, "letters: {}", whites(70, 120));
        assert_eq!(whites(0, 60), 0, "and none elsewhere");
        // Where two triangles of a half-transparent box meet, nothing is drawn twice or left out.
        let glass = drawn(vec2(40.0, 40.0), Color32::BLACK, |painter| {
            let rect = Rect::from_min_max(pos2(5.0, 5.0), pos2(35.0, 35.0));
            painter.rect_filled(rect, 0.0, Color32::from_white_alpha(100));
        });
        let inner = (14..66).flat_map(|y| (14..66).map(move |x| (x, y)));
        let mut tones: Vec<u8> = inner.map(|(x, y)| glass.pixels[y * 80 + x].r()).collect();
        tones.sort_unstable();
        tones.dedup();
        assert_eq!(tones.len(), 1, "one tone, found {tones:?}");
    }
}
