//! From seconds to pixels and back, and how the wheel changes that.

use crate::app::shell::session::Span;

/// From seconds to pixels and back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::app) struct Scale {
    pub(in crate::app) span: Span,
    pub(in crate::app) left: f32,
    /// Width of the track in points, over zero.
    pub(in crate::app) width: f32,
}

impl Scale {
    pub(in crate::app) fn x(&self, secs: f64) -> f32 {
        let share = (secs - self.span.from_secs) / self.span.wide_secs;
        // Far outside the picture the exact place does not matter, and must not be too much for the painter.
        self.left + share.clamp(-100.0, 100.0) as f32 * self.width
    }

    pub(in crate::app) fn secs(&self, x: f32) -> f64 {
        let share = f64::from((x - self.left) / self.width);
        self.span.from_secs + share * self.span.wide_secs
    }
}

/// The narrowest stretch that can be looked at.
const NARROWEST_SECS: f64 = 0.05;

impl Span {
    /// Narrower by a factor under one, with the moment at `fixed_secs` staying where it is.
    #[must_use]
    pub(in crate::app) fn zoomed(self, factor: f64, fixed_secs: f64, length_secs: f64) -> Self {
        let share = (fixed_secs - self.from_secs) / self.wide_secs;
        let widest = length_secs.max(NARROWEST_SECS);
        let wide_secs = (self.wide_secs * factor).clamp(NARROWEST_SECS, widest);
        Self {
            from_secs: fixed_secs - share * wide_secs,
            wide_secs,
        }
        .within(length_secs)
    }

    /// Later by this much.
    #[must_use]
    pub(in crate::app) fn moved(self, by_secs: f64, length_secs: f64) -> Self {
        Self {
            from_secs: self.from_secs + by_secs,
            ..self
        }
        .within(length_secs)
    }

    fn within(self, length_secs: f64) -> Self {
        let latest = (length_secs - self.wide_secs).max(0.0);
        Self {
            from_secs: self.from_secs.clamp(0.0, latest),
            ..self
        }
    }
}

/// The wheel zooms what is shown about the pointer, with Shift it moves it along. All is none.
pub(in crate::app) fn wheel(
    ui: &egui::Ui,
    response: &egui::Response,
    scale: &Scale,
    length_secs: f64,
    shown: &mut Option<Span>,
) {
    let Some(at) = response.hover_pos() else {
        return;
    };
    let (scroll, is_shift) = ui.input(|i| (i.smooth_scroll_delta(), i.modifiers.shift));
    let sideways = if is_shift && scroll.x == 0.0 {
        scroll.y
    } else {
        scroll.x
    };
    let span = if sideways != 0.0 {
        let by_secs = -f64::from(sideways / scale.width) * scale.span.wide_secs;
        scale.span.moved(by_secs, length_secs)
    } else if scroll.y != 0.0 {
        let factor = f64::from(-scroll.y * 0.004).exp();
        scale.span.zoomed(factor, scale.secs(at.x), length_secs)
    } else {
        return;
    };
    *shown = (span.wide_secs < length_secs).then_some(span);
}

/// A step for the ruler that leaves this much room for its numbers: 1, 2 or 5 times a power of ten.
pub(in crate::app) fn ruler_step(smallest: f64) -> f64 {
    let tens = 10f64.powf(smallest.max(1e-6).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|lead| lead * tens);
    steps
        .into_iter()
        .find(|step| *step >= smallest)
        .unwrap_or(10.0 * tens)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPAN: Span = Span {
        from_secs: 2.0,
        wide_secs: 4.0,
    };

    #[test]
    fn the_ruler_has_round_steps_with_room_for_numbers() {
        for (smallest, step) in [
            (0.9, 1.0),
            (1.1, 2.0),
            (30.0, 50.0),
            (0.03, 0.05),
            (7.0, 10.0),
        ] {
            let found = ruler_step(smallest);
            assert!((found - step).abs() < 1e-9, "{smallest}: {found}");
        }
    }

    #[test]
    fn seconds_and_pixels_agree() {
        let scale = Scale {
            span: SPAN,
            left: 100.0,
            width: 800.0,
        };
        assert_eq!(scale.x(2.0), 100.0);
        let back = scale.secs(scale.x(3.7));
        assert!((back - 3.7).abs() < 1e-3, "{back}");
    }

    #[test]
    fn zooming_keeps_the_moment_under_the_pointer_and_the_ends_in() {
        let near = SPAN.zoomed(0.5, 3.0, 10.0);
        assert_eq!(near.wide_secs, 2.0);
        let share = |span: Span| (3.0 - span.from_secs) / span.wide_secs;
        assert!((share(near) - share(SPAN)).abs() < 1e-12, "{near:?}");
        let all = SPAN.zoomed(1e9, 3.0, 10.0);
        assert_eq!((all.from_secs, all.wide_secs), (0.0, 10.0));
        let narrowest = SPAN.zoomed(0.0, 3.0, 10.0);
        assert_eq!(narrowest.wide_secs, NARROWEST_SECS);
        assert_eq!(SPAN.moved(99.0, 10.0).from_secs, 6.0);
        assert_eq!(SPAN.moved(-99.0, 10.0).from_secs, 0.0);
    }
}
