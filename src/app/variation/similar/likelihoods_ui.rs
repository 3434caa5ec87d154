//! The plot of the similarity wizard: how likely every clip is, against the threshold.

use egui::{Color32, FontId, Painter, Pos2, Rect, Sense, Stroke, pos2, vec2};

use crate::app::shell::theme::Colours;
use crate::app::variation::similar::Findings;
use crate::variation::similar::Dropped;

/// Likelihood of every clip against the threshold: the known ones above as a row of dots, the candidates below.
pub(in crate::app::variation) fn likelihoods_ui(ui: &mut egui::Ui, findings: &Findings) {
    let Some(selection) = &findings.selection else {
        return;
    };
    let spots = spots(findings);
    let across = Across::of(selection.threshold, &spots);
    let size = vec2(ui.available_width(), 92.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Likelihoods"));
    let colours = Colours::of(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 3.0, colours.sunken);
    let inner = rect.shrink2(vec2(12.0, 20.0));
    let x = |likelihood: f64| inner.left() + inner.width() * across.share(likelihood);
    let threshold = x(selection.threshold);
    let line = [
        pos2(threshold, rect.top() + 14.0),
        pos2(threshold, rect.bottom() - 12.0),
    ];
    let stroke = Stroke::new(1.0, colours.weak);
    painter.extend(egui::Shape::dashed_line(&line, stroke, 4.0, 3.0));
    let place = |spot: &Spot<'_>| {
        let y = match spot.standing {
            None => inner.top() + 6.0,
            Some(_) => inner.bottom() - 6.0,
        };
        pos2(x(spot.likelihood), y)
    };
    for spot in &spots {
        spot_ui(&painter, &colours, place(spot), spot.standing);
    }
    words_ui(&painter, &colours, (rect, threshold), selection.threshold);
    let near = response.hover_pos().and_then(|pointer| {
        let away = |spot: &&Spot<'_>| place(spot).distance(pointer);
        let nearest = spots.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.filter(|spot| away(spot) < 9.0)
    });
    if let Some(spot) = near {
        let why = if spot.is_astray {
            ", takes another path"
        } else {
            ""
        };
        let words = format!("{}: {:.2}{why}", spot.name, spot.likelihood);
        response.on_hover_text_at_pointer(words);
    }
}

/// A clip in the plot of likelihoods.
struct Spot<'a> {
    name: &'a str,
    likelihood: f64,
    /// For candidates; known clips are not judged.
    standing: Option<Standing>,
    /// Whether it was dropped for something that likelihood does not show.
    is_astray: bool,
}

/// What has become of a candidate so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app::variation) enum Standing {
    Fits,
    /// Nothing is decided before the last round.
    Open,
    /// Below the threshold by little: worth a look.
    NearMiss,
    Dropped,
}

impl Standing {
    pub(in crate::app::variation) fn of(findings: &Findings, dropped: Option<&Dropped>) -> Self {
        match dropped {
            Some(dropped) if dropped.is_near => Self::NearMiss,
            Some(_) => Self::Dropped,
            None if findings.is_over => Self::Fits,
            None => Self::Open,
        }
    }

    pub(in crate::app::variation) const fn colour(self, colours: &Colours) -> Color32 {
        match self {
            Self::Fits => colours.good,
            Self::Open => colours.weak,
            Self::NearMiss => colours.warning,
            Self::Dropped => colours.error,
        }
    }
}

fn spots(findings: &Findings) -> Vec<Spot<'_>> {
    let known = findings.selection.iter().flat_map(|s| &s.reference);
    let known = known.map(|(clip, likelihood)| Spot {
        name: findings.known.get(*clip).map_or("", |k| &k.1.info.name),
        likelihood: *likelihood,
        standing: None,
        is_astray: false,
    });
    let judged = findings.candidates.iter().enumerate();
    let judged = judged.filter_map(|(at, (_, clip))| {
        let (judged, dropped) = findings.verdict(at)?;
        Some(Spot {
            name: &clip.info.name,
            likelihood: judged.likelihood,
            standing: Some(Standing::of(findings, dropped)),
            is_astray: dropped.is_some_and(|dropped| dropped.astray.is_some()),
        })
    });
    let all = known.chain(judged);
    all.filter(|spot| spot.likelihood.is_finite()).collect()
}

/// Where likelihoods are in the plot. Clips that do not belong are often a hundred times as far from the threshold as
/// those that do, so that only nearness to it is to scale: far away, distances are drawn by their logarithm.
struct Across {
    threshold: f64,
    spread: f64,
    low: f64,
    high: f64,
}

impl Across {
    fn of(threshold: f64, spots: &[Spot<'_>]) -> Self {
        let known = spots.iter().filter(|spot| spot.standing.is_none());
        let away = known.map(|spot| (spot.likelihood - threshold).abs());
        let mut across = Self {
            threshold,
            spread: away.fold(1e-6, f64::max),
            low: 0.0,
            high: 0.0,
        };
        for spot in spots {
            let bent = across.bent(spot.likelihood);
            across.low = across.low.min(bent);
            across.high = across.high.max(bent);
        }
        across
    }

    fn bent(&self, likelihood: f64) -> f64 {
        ((likelihood - self.threshold) / self.spread).asinh()
    }

    fn share(&self, likelihood: f64) -> f32 {
        ((self.bent(likelihood) - self.low) / (self.high - self.low).max(1e-9)) as f32
    }
}

fn spot_ui(painter: &Painter, colours: &Colours, at: Pos2, standing: Option<Standing>) {
    let Some(standing) = standing else {
        painter.circle_filled(at, 3.0, colours.given.gamma_multiply(0.6));
        return;
    };
    let colour = standing.colour(colours);
    let stroke = Stroke::new(1.5, colour);
    // A sign of its own for each, so that it is not colour alone.
    match standing {
        Standing::Fits => {
            painter.circle_filled(at, 4.0, colour);
        }
        Standing::Open => {
            painter.circle_stroke(at, 3.5, stroke);
        }
        Standing::NearMiss => {
            let mark = [
                vec2(0.0, -4.5),
                vec2(4.5, 0.0),
                vec2(0.0, 4.5),
                vec2(-4.5, 0.0),
            ];
            let mark = mark.map(|corner| at + corner).to_vec();
            painter.add(egui::Shape::closed_line(mark, stroke));
        }
        Standing::Dropped => {
            painter.line_segment([at + vec2(-3.5, -3.5), at + vec2(3.5, 3.5)], stroke);
            painter.line_segment([at + vec2(-3.5, 3.5), at + vec2(3.5, -3.5)], stroke);
        }
    }
}

fn words_ui(
    painter: &Painter,
    colours: &Colours,
    (rect, threshold_x): (Rect, f32),
    threshold: f64,
) {
    let layout = |words: &str| {
        let font = FontId::proportional(11.0);
        painter.layout_no_wrap(words.to_owned(), font, colours.weak)
    };
    let known = layout("known clips");
    let corner = rect.left_top() + vec2(4.0, 1.0);
    let room = corner.x + known.size().x + 8.0;
    painter.galley(corner, known, colours.weak);
    let candidates = layout("candidates; likelier to the right");
    let corner = rect.left_bottom() + vec2(4.0, -1.0 - candidates.size().y);
    painter.galley(corner, candidates, colours.weak);
    // Over its line, but neither outside nor over other words.
    let words = layout(&format!("threshold {threshold:.2}"));
    let left = threshold_x - 0.5 * words.size().x;
    let left = left.max(room).min(rect.right() - 4.0 - words.size().x);
    painter.galley(pos2(left, rect.top() + 1.0), words, colours.weak);
}
