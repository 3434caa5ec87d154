//! Where a sequence that is played on and on has got to.

use crate::app::shell::context::UiContext;
use crate::sequence::Carry;

/// Counts the rounds while it plays.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    carry: Option<Carry>,
    carried: Option<Carry>,
    n_counted: u64,
    playhead_secs: f64,
}

impl Rounds {
    /// Once per frame: where the body has got to. It is back at its beginning when the motion becomes another one, and
    /// when the playhead is moved by hand while it stands.
    pub(super) fn turn(&mut self, cx: &UiContext, carry: Option<Carry>) -> Option<Carry> {
        let session = &cx.session;
        let is_moved = !session.is_playing && session.playhead_secs != self.playhead_secs;
        if is_moved || self.carry != carry {
            self.carry = carry;
            self.carried = None;
        } else if let Some(round) = carry.filter(|_| session.range_secs.is_none()) {
            for _ in self.n_counted..session.n_rounds {
                let so_far = self.carried.unwrap_or_else(Carry::none);
                self.carried = Some(so_far.then(&round));
            }
        }
        self.n_counted = session.n_rounds;
        self.playhead_secs = session.playhead_secs;
        self.carried
    }
}
