//! The dialog in which the map between two skeletons is looked at and changed.

use std::sync::Arc;

use super::map_sides::{MapBox, MapSide};
use crate::app::shell::Shell;
use crate::app::shell::context::{Delivery, UiContext};
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::retarget::choice::Target;
use crate::app::shell::retarget::figure::Look;
use crate::app::shell::work::Shown;
use crate::motion::Clip;
use crate::retarget::{Pairing, RetargetError, Unmapped};

impl MapBox {
    fn new(source: Target, target: Target, pairing: Pairing) -> Result<Self, RetargetError> {
        let found = Pairing::found(&source.clip, &target.clip)?;
        Ok(Self {
            source: MapSide::of(source, &pairing.source_pose)?,
            target: MapSide::of(target, &pairing.target_pose)?,
            pairing,
            found,
            look: Look::default(),
        })
    }

    /// Whether it is what the program finds by itself.
    pub fn is_as_found(&self) -> bool {
        self.pairing == self.found
    }

    /// What the map leaves out.
    pub fn unmapped(&self) -> Unmapped {
        let (source, target) = (self.source.skeleton(), self.target.skeleton());
        self.pairing.map.unmapped(source, target)
    }

    /// Lets a joint of the source move one of the target, or none.
    pub fn link(&mut self, to: usize, from: Option<usize>) {
        self.pairing.map = self.pairing.map.with(to, from);
        self.source.chosen = None;
        self.target.chosen = None;
    }

    /// Links what is chosen on both sides.
    pub(in crate::app::shell::retarget) fn link_chosen(&mut self) {
        if let (Some(from), Some(to)) = (self.source.chosen, self.target.chosen) {
            self.link(to, Some(from));
        }
    }

    /// Back to what is found. Both bodies stand as they are found, too.
    pub(in crate::app::shell::retarget) fn reset(&self, cx: &mut UiContext) {
        self.open_again(cx, self.found.clone());
    }

    /// With another pose for one of the bodies: figures are made anew.
    pub(in crate::app::shell::retarget) fn open_again(&self, cx: &mut UiContext, pairing: Pairing) {
        let of = |side: &MapSide| Target {
            name: side.name.clone(),
            clip: Arc::clone(&side.clip),
        };
        let look = self.look;
        open(cx, of(&self.source), of(&self.target), pairing, look);
    }

    /// Keeps it for all clips of these skeletons.
    pub(in crate::app::shell::retarget) fn keep(&self, cx: &mut UiContext) {
        let by_hand = (!self.is_as_found()).then_some(&self.pairing);
        cx.keep_bone_map(by_hand, self.source.skeleton(), self.target.skeleton());
    }
}

impl UiContext {
    /// Shows the map between the skeleton of a clip and a target.
    pub fn open_bone_map(&mut self, source: &Arc<Clip>, target: Target, pairing: Pairing) {
        open(self, Target::of(source), target, pairing, Look::default());
    }
}

fn open(cx: &mut UiContext, source: Target, target: Target, pairing: Pairing, look: Look) {
    cx.start("bone map", Shown::Quietly, move |_| {
        let mut made = MapBox::new(source, target, pairing)?;
        made.look = look;
        let delivery: Delivery = Box::new(move |shell: &mut Shell| {
            shell.dialog = Some(Dialog::BoneMap(Box::new(made)));
        });
        Ok(delivery)
    });
}
