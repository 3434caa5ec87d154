//! The lower level of a texture: the frames of one system, and where transitions leave and enter them.

use egui::{Rect, Sense, Stroke, pos2, vec2};

use crate::app::sequence::figure::paint_figure;
use crate::app::sequence::graph_view::mesh::hue;
use crate::app::sequence::state::SequenceWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::theme::Colours;
use crate::app::shell::words::counted;
use crate::texture::{FrameId, Section, Texture};

/// A row for each stretch of frames.
const ROW: f32 = 46.0;
/// Of more transitions of a frame only some are drawn: they overlap anyhow.
const MOST_TICKS: usize = 4;

/// The lower level of a texture: clips and the transitions between them.
pub(super) fn lower_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    sequence: &mut SequenceWorkspace,
    system: usize,
) {
    let Some((_, texture)) = sequence.chosen_texture(cx) else {
        return;
    };
    let sections: Vec<&Section> = texture
        .sections()
        .iter()
        .filter(|section| section.system == system)
        .collect();
    ui.horizontal_wrapped(|ui| {
        if ui.button("All systems").clicked() {
            sequence.graph_view.opened = None;
        }
        ui.strong(format!("System {system}"));
        ui.weak(format!(
            "{}; ticks below lead elsewhere, ticks above come from there",
            counted(sections.len(), "stretch")
        ));
    });
    let mut wanted = None;
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            for section in sections {
                let to = section_ui(ui, &texture, section);
                wanted = wanted.or(to);
            }
        });
    if let Some(system) = wanted {
        sequence.graph_view.opened = Some(system);
    }
}

/// One stretch; the system that a clicked tick leads to.
fn section_ui(ui: &mut egui::Ui, texture: &Texture, section: &Section) -> Option<usize> {
    let colours = Colours::of(ui);
    let clip = &texture.corpus().clips[section.clip].join.clip;
    let (row, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let painter = ui.painter_at(row);
    let label = texture.search().label(FrameId {
        clip: section.clip,
        frame: section.frames.start,
    });
    let words = format!(
        "{}  {} to {}",
        clip.info.name,
        section.frames.start,
        section.frames.end - 1
    );
    let font = egui::FontId::proportional(11.0);
    painter.text(
        row.left_top(),
        egui::Align2::LEFT_TOP,
        words,
        font,
        colours.weak,
    );
    let bar = Rect::from_min_max(
        pos2(row.left(), row.top() + 22.0),
        pos2(row.right(), row.top() + 30.0),
    );
    painter.rect_filled(bar, 2.0, hue(label, &colours));
    let n = section.frames.len().max(1) as f32;
    let x =
        |frame: usize| bar.left() + bar.width() * ((frame - section.frames.start) as f32 + 0.5) / n;
    let system = |at: FrameId| texture.upper().system_of(at);
    for frame in section.frames.clone() {
        let at = FrameId {
            clip: section.clip,
            frame,
        };
        for leaving in texture.graph().leaving(at).iter().take(MOST_TICKS) {
            let colour = hue(system(leaving.to).unwrap_or_default(), &colours);
            let ends = [pos2(x(frame), bar.bottom()), pos2(x(frame), row.bottom())];
            painter.line_segment(ends, Stroke::new(1.5, colour));
        }
        for entering in texture.graph().entering(at).take(MOST_TICKS) {
            let colour = hue(system(entering.from).unwrap_or_default(), &colours);
            let ends = [pos2(x(frame), bar.top()), pos2(x(frame), bar.top() - 7.0)];
            painter.line_segment(ends, Stroke::new(1.5, colour));
        }
    }
    let pointer = response.hover_pos()?;
    let share = ((pointer.x - bar.left()) / bar.width()).clamp(0.0, 0.999);
    let frame = section.frames.start + (share * n) as usize;
    let at = FrameId {
        clip: section.clip,
        frame: frame.min(section.frames.end - 1),
    };
    let leaving = texture.graph().leaving(at).first();
    let to = leaving.and_then(|t| system(t.to));
    let is_clicked = response.clicked();
    response.on_hover_ui_at_pointer(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(90.0, 90.0), Sense::hover());
        let painter = ui.painter_at(rect);
        paint_figure(&painter, rect, (clip, at.frame), hue(label, &colours));
        ui.label(format!("frame {}", at.frame));
        if let (Some(to), Some(leaving)) = (to, leaving) {
            ui.label(format!(
                "nearest transition: to system {to}, distance {:.2}",
                leaving.distance
            ));
            ui.weak("Click: goes there");
        }
    });
    to.filter(|_| is_clicked)
}
