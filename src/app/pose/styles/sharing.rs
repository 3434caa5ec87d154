//! Styles that were learned apart, made fit to be blended: learned again, in the background, on features that they
//! share.
//!
//! That depends on the styles alone and takes about a second, so it is remembered while the project is open and not
//! written into it: a file that holds every pair a second time would be larger than it is worth.

use std::sync::Arc;

use super::shared::{Fitted, Shared};
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::style::solve::on_shared_features;
use crate::style::{Style, StyleError};

/// The job, as the status bar names it.
pub const SHARE: &str = "fit styles together";

impl PoseWorkspace {
    /// Whether these styles can be blended.
    pub fn fitted(&self, styles: &[Arc<Style>]) -> Fitted {
        let mut pairs = styles.windows(2);
        if pairs.all(|two| two[0].map() == two[1].map()) {
            return Fitted::Together(styles.to_vec());
        }
        let known = self.shared.iter().find_map(|shared| shared.of(styles));
        known.unwrap_or(Fitted::NotYet)
    }

    /// The same styles on features that they share. Until that is learned, the one that weighs most stands for all.
    pub(in crate::app::pose) fn shared(
        &mut self,
        cx: &mut UiContext,
        chosen: Vec<(Arc<Style>, f64)>,
    ) -> Vec<(Arc<Style>, f64)> {
        let from: Vec<Arc<Style>> = chosen.iter().map(|(style, _)| Arc::clone(style)).collect();
        match self.fitted(&from) {
            Fitted::Together(to) => {
                let weights = chosen.iter().map(|(_, weight)| *weight);
                return to.into_iter().zip(weights).collect();
            }
            Fitted::NotYet => self.fit_together(cx, from),
            Fitted::Refused => {}
        }
        let heaviest = chosen
            .into_iter()
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        let heaviest = heaviest.into_iter();
        heaviest.map(|(style, _)| (style, 1.0)).collect()
    }

    fn fit_together(&mut self, cx: &mut UiContext, from: Vec<Arc<Style>>) {
        if cx.work.is_running(SHARE) {
            return;
        }
        let asked = from.clone();
        self.inbox.look(
            cx,
            SHARE,
            Shown::InBar,
            move |ticket| {
                let styles: Vec<&Style> = asked.iter().map(|style| &**style).collect();
                Ok(on_shared_features(&styles, ticket))
            },
            move |pose, shell, shared| pose.take_shared(shell, from, shared.ok()),
        );
    }

    fn take_shared(
        &mut self,
        cx: &mut UiContext,
        from: Vec<Arc<Style>>,
        shared: Option<Result<Vec<Style>, StyleError>>,
    ) {
        let to = match shared {
            Some(Ok(to)) => Some(to.into_iter().map(Arc::new).collect()),
            Some(Err(StyleError::Cancelled(_))) | None => None,
            Some(Err(error)) => {
                let words = format!("these styles cannot be blended: {error}");
                cx.say(Severity::Error, words);
                None
            }
        };
        self.remember_shared(from, to);
    }

    /// Keeps what was learned elsewhere, so that it need not be learned again.
    pub(in crate::app::pose) fn remember_shared(
        &mut self,
        from: Vec<Arc<Style>>,
        to: Option<Vec<Arc<Style>>>,
    ) {
        if matches!(self.fitted(&from), Fitted::NotYet) {
            self.shared.push(Shared { from, to });
        }
    }

    /// Gives styles that were not fitted together another try.
    pub fn fit_again(&mut self) {
        self.shared.retain(|shared| shared.to.is_some());
    }
}
