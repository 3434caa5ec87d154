//! Colours that tell clips apart, the same in the 3D view and on the timeline.

use crate::app::render::Colour;
use crate::app::shell::context::UiContext;
use crate::app::shell::previews::{ComparedKind, GhostSide};
use crate::app::shell::stage::StageId;

/// Eight that differ in hue and lightness, also for those who see red and green alike (after Okabe and Ito 2008). None
/// is the orange of motions that were made.
const OWN: [Colour; 8] = [
    Colour::GIVEN,
    Colour::rgb(0x2f, 0xb5, 0x8a),
    Colour::rgb(0xe0, 0xc2, 0x3e),
    Colour::rgb(0xd0, 0x7f, 0xb0),
    Colour::rgb(0x8f, 0xd0, 0xf2),
    Colour::rgb(0xb0, 0x8a, 0x68),
    Colour::rgb(0x9a, 0x86, 0xe0),
    Colour::rgb(0xb8, 0xbd, 0xc6),
];

/// The colour of a clip on stage: blue for what was given, or one of its own; orange for what was made.
pub(in crate::app) fn tint(cx: &UiContext, id: StageId) -> Colour {
    if cx.variant_on_stage(id).is_some() || cx.played_on_stage(id).is_some() {
        return Colour::GENERATED;
    }
    if let Some(ghost) = cx.ghost_on_stage(id) {
        return tint_of_side(ghost.side);
    }
    if let Some(kind) = cx.compared_on_stage(id) {
        return tint_of(kind);
    }
    if !cx.preferences.view.has_own_colours || cx.session.selection.len() < 2 {
        return Colour::GIVEN;
    }
    let mut selected = cx.session.selection.iter();
    let place = selected
        .position(|other| StageId::Clip(*other) == id)
        .unwrap_or(0);
    OWN[place % OWN.len()]
}

/// The colour of what variants are compared with; the takes again are as pale as an echo of their blue.
pub(in crate::app) const fn tint_of(kind: ComparedKind) -> Colour {
    match kind {
        ComparedKind::SmoothedNoise => Colour::rgb(0xd0, 0x7f, 0xb0),
        ComparedKind::Perlin => Colour::rgb(0x2f, 0xb5, 0x8a),
        ComparedKind::CycleAnimation => Colour::rgb(0x8f, 0xd0, 0xf2),
    }
}

/// The colour of a side of a transition: the source is yellow, the destination red.
pub(in crate::app) const fn tint_of_side(side: GhostSide) -> Colour {
    match side {
        GhostSide::Source => Colour::rgb(0xf0, 0xcf, 0x3c),
        GhostSide::Destination => Colour::rgb(0xe2, 0x4b, 0x4b),
    }
}

impl From<Colour> for egui::Color32 {
    fn from(colour: Colour) -> Self {
        let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
        Self::from_rgb(byte(colour.r), byte(colour.g), byte(colour.b))
    }
}
