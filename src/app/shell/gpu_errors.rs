//! What the graphics driver complains about, as words for the animator. Left alone, wgpu ends the program.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

/// Errors of the graphics driver since they were last asked for.
#[derive(Debug, Default)]
pub(in crate::app) struct GpuErrors {
    heard: Arc<Mutex<Vec<String>>>,
    said: BTreeSet<String>,
}

impl GpuErrors {
    /// A broken picture complains anew in every frame; more than these are noise.
    const MOST: usize = 20;

    /// Listens to this device from now on.
    pub(in crate::app) fn listen(&self, device: &wgpu::Device, ctx: &egui::Context) {
        let (heard, ctx) = (Arc::clone(&self.heard), ctx.clone());
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            if heard.len() < Self::MOST {
                heard.push(error.to_string());
                ctx.request_repaint();
            }
        }));
    }

    /// The errors that came since this was asked last and were not told before.
    pub(in crate::app) fn take(&mut self) -> Vec<String> {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let mut new = std::mem::take(&mut *heard);
        new.retain(|words| self.said.len() < Self::MOST && self.said.insert(words.clone()));
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_complaint_is_said_once_and_not_without_end() {
        let mut errors = GpuErrors::default();
        let hear = |errors: &GpuErrors, words: &str| {
            errors.heard.lock().unwrap().push(words.to_owned());
        };
        hear(&errors, "no memory");
        hear(&errors, "no memory");
        assert_eq!(errors.take(), ["no memory"]);
        hear(&errors, "no memory");
        assert!(errors.take().is_empty(), "said before");
        for n in 0..100 {
            hear(&errors, &n.to_string());
        }
        assert_eq!(errors.take().len(), GpuErrors::MOST - 1);
    }
}
