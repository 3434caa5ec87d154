//! Colours and shapes of the window: calm greys, blue for what was given, orange for what was made.

use egui::{Color32, CornerRadius, Stroke, Visuals};

/// The palette of one theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colours {
    /// The ground behind all panels.
    pub ground: Color32,
    /// The ground of a panel.
    pub panel: Color32,
    /// Windows, menus, the open tab.
    pub raised: Color32,
    /// Text boxes, the timeline's track.
    pub sunken: Color32,
    /// Lines between panels and around boxes.
    pub line: Color32,
    /// The ground of buttons at rest.
    pub button: Color32,
    /// Buttons under the pointer.
    pub hovered: Color32,
    /// Ordinary text, and signs on buttons.
    pub text: Color32,
    /// Text that explains, and labels of less weight.
    pub weak: Color32,
    /// Motions that were given; also what is chosen.
    pub given: Color32,
    /// Motions that were made; also where the playhead is.
    pub generated: Color32,
    /// Marks of what is selected.
    pub selected: Color32,
    /// The ground of selected rows.
    pub selected_ground: Color32,
    /// What has worked or is in range.
    pub good: Color32,
    /// Words and marks about what is odd, but may stay.
    pub warning: Color32,
    /// It did not work.
    pub error: Color32,
}

const fn rgb(r: u8, g: u8, b: u8) -> Color32 {
    Color32::from_rgb(r, g, b)
}

impl Colours {
    /// The dark theme, which is easier on the eyes over a long day.
    pub const DARK: Self = Self {
        ground: rgb(0x17, 0x19, 0x1d),
        panel: rgb(0x21, 0x24, 0x29),
        raised: rgb(0x2a, 0x2e, 0x35),
        sunken: rgb(0x1a, 0x1c, 0x20),
        line: rgb(0x37, 0x3c, 0x45),
        button: rgb(0x33, 0x38, 0x41),
        hovered: rgb(0x41, 0x48, 0x54),
        text: rgb(0xd6, 0xda, 0xe0),
        weak: rgb(0x8e, 0x97, 0xa4),
        given: rgb(0x5b, 0x9b, 0xe6),
        generated: rgb(0xf0, 0x8c, 0x32),
        selected: rgb(0xff, 0xee, 0xb4),
        selected_ground: rgb(0x2c, 0x46, 0x66),
        good: rgb(0x7d, 0xc4, 0x7f),
        warning: rgb(0xe9, 0xb9, 0x4a),
        error: rgb(0xf0, 0x71, 0x6a),
    };
    /// For bright rooms and for paper.
    pub const LIGHT: Self = Self {
        ground: rgb(0xd9, 0xdd, 0xe3),
        panel: rgb(0xee, 0xf0, 0xf3),
        raised: rgb(0xfb, 0xfc, 0xfd),
        sunken: rgb(0xff, 0xff, 0xff),
        line: rgb(0xc6, 0xcc, 0xd5),
        button: rgb(0xdd, 0xe2, 0xe9),
        hovered: rgb(0xcd, 0xd5, 0xe0),
        text: rgb(0x23, 0x28, 0x30),
        weak: rgb(0x5d, 0x66, 0x73),
        given: rgb(0x1f, 0x66, 0xb8),
        generated: rgb(0xb8, 0x5a, 0x06),
        selected: rgb(0x7a, 0x5c, 0x00),
        selected_ground: rgb(0xc4, 0xdb, 0xf5),
        good: rgb(0x2a, 0x7d, 0x35),
        warning: rgb(0x92, 0x63, 0x00),
        error: rgb(0xb6, 0x2b, 0x25),
    };

    /// The palette of what is being drawn.
    pub fn of(ui: &egui::Ui) -> Self {
        if ui.visuals().dark_mode {
            Self::DARK
        } else {
            Self::LIGHT
        }
    }

    fn visuals(&self, mut visuals: Visuals) -> Visuals {
        let widget = |ground: Color32, edge: Color32, words: Color32| egui::style::WidgetVisuals {
            bg_fill: ground,
            weak_bg_fill: ground,
            bg_stroke: Stroke::new(1.0, edge),
            corner_radius: CornerRadius::same(4),
            fg_stroke: Stroke::new(1.0, words),
            expansion: 0.0,
        };
        visuals.widgets.noninteractive = widget(self.panel, self.line, self.text);
        visuals.widgets.inactive = widget(self.button, Color32::TRANSPARENT, self.text);
        visuals.widgets.hovered = widget(self.hovered, self.line, self.text);
        visuals.widgets.active = widget(self.hovered, self.given, self.text);
        visuals.widgets.open = widget(self.raised, self.line, self.text);
        visuals.selection.bg_fill = self.selected_ground;
        visuals.selection.stroke = Stroke::new(1.0, self.text);
        visuals.weak_text_color = Some(self.weak);
        visuals.hyperlink_color = self.given;
        visuals.faint_bg_color = self.raised.gamma_multiply(0.45);
        visuals.extreme_bg_color = self.sunken;
        visuals.text_edit_bg_color = Some(self.sunken);
        visuals.warn_fg_color = self.warning;
        visuals.error_fg_color = self.error;
        visuals.window_fill = self.raised;
        visuals.window_stroke = Stroke::new(1.0, self.line);
        visuals.window_corner_radius = CornerRadius::same(8);
        visuals.menu_corner_radius = CornerRadius::same(6);
        visuals.panel_fill = self.panel;
        visuals.slider_trailing_fill = true;
        visuals
    }
}

/// Gives the window its look.
pub fn apply(ctx: &egui::Context, is_light: bool) {
    ctx.set_visuals_of(egui::Theme::Dark, Colours::DARK.visuals(Visuals::dark()));
    ctx.set_visuals_of(egui::Theme::Light, Colours::LIGHT.visuals(Visuals::light()));
    ctx.set_theme(if is_light {
        egui::Theme::Light
    } else {
        egui::Theme::Dark
    });
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(7.0, 5.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.interact_size.y = 22.0;
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.4;
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the accessibility guidelines of the W3C count it: 1 is none, 21 is black on white.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let light = |c: Color32| {
            let [r, g, b, _] = egui::Rgba::from(c).to_array();
            0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05
        };
        let (a, b) = (light(a), light(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn words_can_be_read_in_both_themes() {
        for colours in [Colours::DARK, Colours::LIGHT] {
            for ground in [colours.panel, colours.raised, colours.sunken] {
                for words in [
                    colours.text,
                    colours.weak,
                    colours.given,
                    colours.generated,
                    colours.good,
                    colours.warning,
                    colours.error,
                ] {
                    let found = contrast(words, ground);
                    assert!(found >= 4.0, "{words:?} on {ground:?}: {found}");
                }
            }
            let selected = contrast(colours.text, colours.selected_ground);
            assert!(selected >= 4.5, "selected rows: {selected}");
        }
    }
}
