//! Two skeletons side by side, with lines between the joints that go together.

use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, pos2, vec2};

use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::main_button;
use crate::app::shell::retarget::map_sides::{MapBox, MapSide};
use crate::app::shell::retarget::tool_ui::cost;
use crate::app::shell::theme::Colours;
use crate::retarget::{Link, ReferencePose, SeenIn};

const HEIGHT: f32 = 400.0;
const LIST_WIDTH: f32 = 330.0;
/// A joint can be clicked within this distance.
const REACH: f32 = 7.0;

/// Which of the two figures: the source or the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

impl MapBox {
    /// Whether it stays open.
    pub(in crate::app::shell) fn map_ui(&mut self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        ui.weak("Click a joint of one figure, then its partner on the other. Right-click a joint of the target to leave it to its parent. Drag to turn, wheel to zoom, shift or middle drag to pan.");
        ui.add_space(4.0);
        ui.horizontal_top(|ui| {
            ui.vertical(|ui| self.canvas_ui(ui));
            ui.vertical(|ui| self.list_ui(ui));
        });
        ui.add_space(4.0);
        self.poses_ui(ui, cx);
        let words = cost(&self.unmapped());
        egui::ScrollArea::vertical()
            .id_salt("cost")
            .max_height(54.0)
            .show(ui, |ui| {
                ui.add(egui::Label::new(egui::RichText::new(words).weak()).wrap());
            });
        ui.add_space(4.0);
        self.answers_ui(ui, cx)
    }

    fn canvas_ui(&mut self, ui: &mut egui::Ui) {
        let width = (ui.available_width() - LIST_WIDTH - 12.0).max(300.0);
        let (rect, canvas) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::click_and_drag());
        canvas.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Bone map"));
        let colours = Colours::of(ui);
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 4.0, colours.sunken);
        let half = vec2(rect.width() / 2.0, rect.height());
        let cards = [
            Rect::from_min_size(rect.min, half),
            Rect::from_min_size(rect.center_top(), half),
        ];
        self.look.follow(ui, &canvas, cards[0]);
        if canvas.clicked() {
            self.source.chosen = None;
            self.target.chosen = None;
        }
        for (card, side, word) in [
            (cards[0], &self.source, "From"),
            (cards[1], &self.target, "To"),
        ] {
            title(&painter, card, side, word, &colours);
        }
        let sources = self.source.figure.on(cards[0], &self.look);
        let targets = self.target.figure.on(cards[1], &self.look);
        for (side, seen) in [(&self.source, &sources), (&self.target, &targets)] {
            for bone in side.figure.bones(seen) {
                painter.line_segment(bone, Stroke::new(2.0, colours.line));
            }
        }
        let places = (sources.as_slice(), targets.as_slice());
        let pointed = pointed(ui, rect, places);
        self.paint_links(&painter, &colours, places, pointed);
        self.paint_joints(&painter, &colours, places, pointed);
        self.joints_ui(ui, rect, places, pointed);
        if let Some((side, joint)) = pointed {
            let at = match side {
                Side::Source => sources[joint],
                Side::Target => targets[joint],
            };
            let words = self.words(side, joint);
            name(&painter, rect, at, &words, &colours);
        }
    }

    fn is_lit(&self, link: &Link, pointed: Option<(Side, usize)>) -> bool {
        let chosen = [
            self.source.chosen.map(|joint| (Side::Source, joint)),
            self.target.chosen.map(|joint| (Side::Target, joint)),
            pointed,
        ];
        let of = |(side, joint): (Side, usize)| match side {
            Side::Source => link.from == joint || (link.share > 0.0 && link.toward == joint),
            Side::Target => link.to == joint,
        };
        chosen.into_iter().flatten().any(of)
    }

    fn paint_links(
        &self,
        painter: &egui::Painter,
        colours: &Colours,
        (sources, targets): (&[Pos2], &[Pos2]),
        pointed: Option<(Side, usize)>,
    ) {
        for is_lit in [false, true] {
            let links = self.pairing.map.links().iter();
            for link in links.filter(|link| self.is_lit(link, pointed) == is_lit) {
                let (colour, width) = if is_lit {
                    (colours.selected, 2.0)
                } else {
                    (colours.given.gamma_multiply(0.32), 1.0)
                };
                let to = targets[link.to];
                painter.line_segment([sources[link.from], to], Stroke::new(width, colour));
                if link.share > 0.0 {
                    let ends = [sources[link.toward], to];
                    let faint = Stroke::new(width, colour.gamma_multiply(0.6));
                    painter.extend(egui::Shape::dashed_line(&ends, faint, 5.0, 4.0));
                }
            }
        }
    }

    /// Mapped joints are filled, others are rings.
    fn paint_joints(
        &self,
        painter: &egui::Painter,
        colours: &Colours,
        (sources, targets): (&[Pos2], &[Pos2]),
        pointed: Option<(Side, usize)>,
    ) {
        let links = self.pairing.map.links();
        let gives = |joint: usize| {
            let uses = |l: &Link| l.from == joint || (l.share > 0.0 && l.toward == joint);
            links.iter().any(uses)
        };
        for (joint, at) in sources.iter().enumerate() {
            let is_lit =
                self.source.chosen == Some(joint) || pointed == Some((Side::Source, joint));
            let own = gives(joint).then_some(colours.given);
            dot(painter, *at, own, is_lit, colours);
        }
        for (joint, at) in targets.iter().enumerate() {
            let is_mapped = self.pairing.map.link_of(joint).is_some();
            let is_lit =
                self.target.chosen == Some(joint) || pointed == Some((Side::Target, joint));
            let own = is_mapped.then_some(colours.generated);
            dot(painter, *at, own, is_lit, colours);
        }
    }

    /// Every joint is something to click on, with a name for the keyboard and screen readers.
    fn joints_ui(
        &mut self,
        ui: &egui::Ui,
        rect: Rect,
        (sources, targets): (&[Pos2], &[Pos2]),
        pointed: Option<(Side, usize)>,
    ) {
        // Joints that lie close together share their ground: the nearest is meant, as it is lit.
        let meant = |own: (Side, usize)| pointed.unwrap_or(own);
        let size = vec2(2.0 * REACH, 2.0 * REACH);
        let inside = |at: &Pos2| rect.shrink(REACH).contains(*at);
        for (joint, at) in sources.iter().enumerate().filter(|(_, at)| inside(at)) {
            let spot = Rect::from_center_size(*at, size);
            let id = ui.scope_id().with(("source joint", joint));
            let response = ui.interact(spot, id, Sense::click());
            let words = format!("Source joint {}", self.source.joint(joint));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
            if response.clicked() {
                self.choose(meant((Side::Source, joint)));
            }
        }
        for (joint, at) in targets.iter().enumerate().filter(|(_, at)| inside(at)) {
            let spot = Rect::from_center_size(*at, size);
            let id = ui.scope_id().with(("target joint", joint));
            let response = ui.interact(spot, id, Sense::click());
            let words = format!("Target joint {}", self.target.joint(joint));
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &words));
            if response.clicked() {
                self.choose(meant((Side::Target, joint)));
            } else if response.secondary_clicked()
                && let (Side::Target, joint) = meant((Side::Target, joint))
            {
                self.link(joint, None);
            }
        }
    }

    /// A click on a joint: chosen, or not any more; with one on each side, the two are linked.
    fn choose(&mut self, (side, joint): (Side, usize)) {
        let own = match side {
            Side::Source => &mut self.source.chosen,
            Side::Target => &mut self.target.chosen,
        };
        *own = (*own != Some(joint)).then_some(joint);
        self.link_chosen();
    }

    /// What a joint does, such as "`LeftArm` moves `upperarm_l`".
    fn words(&self, side: Side, joint: usize) -> String {
        let links = self.pairing.map.links();
        match side {
            Side::Source => {
                let moved = links.iter().filter(|link| link.from == joint);
                let moved: Vec<&str> = moved.map(|link| self.target.joint(link.to)).collect();
                let own = self.source.joint(joint);
                if moved.is_empty() {
                    format!("{own}: not carried over")
                } else {
                    format!("{own} moves {}", moved.join(", "))
                }
            }
            Side::Target => {
                let own = self.target.joint(joint);
                match self.pairing.map.link_of(joint) {
                    Some(link) => format!("{own} is moved by {}", self.mover(link)),
                    None => format!("{own}: follows its parent"),
                }
            }
        }
    }

    /// "Spine", or "Spine, 30 % Spine1".
    fn mover(&self, link: &Link) -> String {
        let from = self.source.joint(link.from);
        if link.share > 0.0 {
            let toward = self.source.joint(link.toward);
            format!("{from}, {:.0} % {toward}", 100.0 * link.share)
        } else {
            from.to_owned()
        }
    }

    /// Every joint of the target and what moves it: also for joints that lie over each other.
    fn list_ui(&mut self, ui: &mut egui::Ui) {
        let mut changed = None;
        egui::ScrollArea::vertical()
            .id_salt("links")
            .max_height(HEIGHT)
            .min_scrolled_height(HEIGHT)
            .auto_shrink([false, false])
            .show(ui, |ui| {
                egui::Grid::new("links")
                    .num_columns(2)
                    .striped(true)
                    .show(ui, |ui| {
                        for joint in 0..self.target.skeleton().n_joints() {
                            self.row_ui(ui, joint, &mut changed);
                            ui.end_row();
                        }
                    });
            });
        if let Some((to, from)) = changed {
            self.link(to, from);
        }
    }

    fn row_ui(&self, ui: &mut egui::Ui, to: usize, changed: &mut Option<(usize, Option<usize>)>) {
        let is_chosen = self.target.chosen == Some(to);
        let name = egui::RichText::new(self.target.joint(to));
        let name = if is_chosen { name.strong() } else { name };
        ui.add_sized([130.0, 18.0], egui::Label::new(name).truncate());
        let link = self.pairing.map.link_of(to);
        let shown = link.map_or_else(|| "–".to_owned(), |link| self.mover(link));
        let combo = egui::ComboBox::from_id_salt(("link", to))
            .width(160.0)
            .selected_text(shown)
            .truncate()
            .show_ui(ui, |ui| {
                if ui
                    .selectable_label(link.is_none(), "– follows its parent")
                    .clicked()
                {
                    *changed = Some((to, None));
                }
                for (from, joint) in self.source.skeleton().joints().iter().enumerate() {
                    let is_it = link.is_some_and(|link| link.from == from && link.share == 0.0);
                    if ui.selectable_label(is_it, &joint.name).clicked() {
                        *changed = Some((to, Some(from)));
                    }
                }
            });
        let words = format!("Moves {}", self.target.joint(to));
        combo
            .response
            .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &words));
    }

    /// The pose that shows each body upright.
    fn poses_ui(&self, ui: &mut egui::Ui, cx: &mut UiContext) {
        ui.horizontal(|ui| {
            ui.label("Reference pose:").on_hover_text(
                "A pose in which the body stands upright and looks ahead. Both bodies are bent into a T-pose from there; rotations are measured from it.",
            );
            let (source, target) = (&self.pairing.source_pose, &self.pairing.target_pose);
            if let Some(pose) = pose_ui(ui, cx, "from", &self.source, source) {
                let mut pairing = self.pairing.clone();
                pairing.source_pose = pose;
                self.open_again(cx, pairing);
            }
            if let Some(pose) = pose_ui(ui, cx, "to", &self.target, target) {
                let mut pairing = self.pairing.clone();
                pairing.target_pose = pose;
                self.open_again(cx, pairing);
            }
        });
    }

    fn answers_ui(&self, ui: &mut egui::Ui, cx: &mut UiContext) -> bool {
        let mut stays = true;
        ui.horizontal(|ui| {
            if main_button(ui, true, "Use this map") {
                self.keep(cx);
                stays = false;
            }
            let reset = ui.add_enabled(!self.is_as_found(), egui::Button::new("Reset to found"));
            let tip = "What the program finds by names and shape";
            if reset.on_hover_text(tip).clicked() {
                self.reset(cx);
            }
            stays &= !ui.button("Cancel").clicked();
            let n = self.pairing.map.links().len();
            let all = self.target.skeleton().n_joints();
            ui.weak(format!(
                "{n} of {all} joints mapped; kept for this pair of skeletons and used from now on"
            ));
        });
        stays
    }
}

/// The joint under the pointer: of several the nearest.
fn pointed(ui: &egui::Ui, rect: Rect, places: (&[Pos2], &[Pos2])) -> Option<(Side, usize)> {
    let pointer = ui.input(|input| input.pointer.hover_pos())?;
    if !rect.contains(pointer) {
        return None;
    }
    let near = |side: Side, places: &[Pos2]| {
        let off = places.iter().map(|place| place.distance(pointer));
        let nearest = off.enumerate().min_by(|a, b| a.1.total_cmp(&b.1))?;
        (nearest.1 <= REACH).then_some((nearest.1, (side, nearest.0)))
    };
    let found = [near(Side::Source, places.0), near(Side::Target, places.1)];
    let found = found.into_iter().flatten();
    found
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, joint)| joint)
}

/// One list of poses. What was chosen.
fn pose_ui(
    ui: &mut egui::Ui,
    cx: &UiContext,
    word: &str,
    side: &MapSide,
    now: &ReferencePose,
) -> Option<ReferencePose> {
    let found = match side.seen_in {
        SeenIn::Rest => "found: rest pose",
        SeenIn::FirstFrame => "found: first frame",
    };
    let shown = match now {
        ReferencePose::Found => found.to_owned(),
        ReferencePose::Rest => "rest pose".to_owned(),
        ReferencePose::Frame(frame) => format!("frame {frame}"),
        ReferencePose::Turns(_) => "set by hand".to_owned(),
    };
    let mut chosen = None;
    let frame = (cx.session.playhead_secs * side.clip.fps()).round() as usize;
    let frame = frame.min(side.clip.n_frames() - 1);
    let combo = egui::ComboBox::from_id_salt(("pose", word))
        .width(150.0)
        .selected_text(format!("{word}: {shown}"))
        .show_ui(ui, |ui| {
            let is_found = *now == ReferencePose::Found;
            if ui.selectable_label(is_found, found).clicked() {
                chosen = Some(ReferencePose::Found);
            }
            let is_rest = *now == ReferencePose::Rest;
            if ui.selectable_label(is_rest, "rest pose").clicked() {
                chosen = Some(ReferencePose::Rest);
            }
            let words = format!("frame {frame} of {} (playhead)", side.name);
            if ui.selectable_label(false, words).clicked() {
                chosen = Some(ReferencePose::of_frame(&side.clip, frame));
            }
        });
    let words = format!("Reference pose {word}");
    combo
        .response
        .widget_info(|| egui::WidgetInfo::labeled(egui::Role::ComboBox, true, &words));
    chosen
}

fn title(painter: &egui::Painter, card: Rect, side: &MapSide, word: &str, colours: &Colours) {
    let names = side
        .names
        .map_or_else(String::new, |names| format!(", {names} names"));
    let n = side.skeleton().n_joints();
    let words = format!("{word} {}: {n} joints{names}", side.name);
    let at = card.center_top() + vec2(0.0, 8.0);
    let font = FontId::proportional(12.5);
    painter.text(at, Align2::CENTER_TOP, words, font, colours.text);
}

/// A joint: filled in its own colour if it has a partner, else a ring.
fn dot(
    painter: &egui::Painter,
    at: Pos2,
    own: Option<egui::Color32>,
    is_lit: bool,
    colours: &Colours,
) {
    let lit = is_lit.then_some(colours.selected);
    let radius = if is_lit { 5.5 } else { 3.5 };
    if let Some(own) = own {
        painter.circle_filled(at, radius, lit.unwrap_or(own));
    } else {
        let colour = lit.unwrap_or(colours.warning);
        painter.circle_filled(at, radius, colours.sunken);
        painter.circle_stroke(at, radius, Stroke::new(1.5, colour));
    }
}

/// Words beside a joint, inside the canvas.
fn name(painter: &egui::Painter, rect: Rect, at: Pos2, words: &str, colours: &Colours) {
    let font = FontId::proportional(13.0);
    let galley = painter.layout_no_wrap(words.to_owned(), font, colours.text);
    let size = galley.size() + vec2(10.0, 6.0);
    let left = (at.x + 10.0)
        .min(rect.right() - size.x - 4.0)
        .max(rect.left() + 4.0);
    let top = (at.y - size.y - 8.0).max(rect.top() + 4.0);
    let ground = Rect::from_min_size(pos2(left, top), size);
    painter.rect_filled(ground, 4.0, colours.raised);
    painter.galley(ground.min + vec2(5.0, 3.0), galley, colours.text);
}
