//! Motions brought from one skeleton onto another: whoever was captured, whatever program made the rig.
//!
//! Both skeletons are looked at ([`Labels`]: which joint is which part of the body, by names and by shape), brought into
//! one pose ([`ReferencePose`]), and matched joint by joint ([`BoneMap`]). Then turns are carried over in the world,
//! travel is scaled by the length of the legs, and feet (hands, if wanted) are brought to their places and locked with
//! the limb solver of [`crate::motion`].
//!
//! It assumes bodies with two legs; arms, neck, toes and fingers may be missing. Left out: animals, faces, props;
//! collisions of a thicker body with itself; scale of single bones.
//!
//! ```
//! use kinfolk::demo::{Action, make};
//! use kinfolk::motion::edit;
//! use kinfolk::retarget::{Character, ReferencePose, RetargetSettings, onto};
//!
//! let walk = make(Action::Walk, 1, 0).clip;
//! let giant = edit::scale(&make(Action::Jab, 1, 0).clip, 2.0)?;
//! let giant = Character::of(&giant, ReferencePose::Found)?;
//! let made = onto(&walk, &giant, &RetargetSettings::default())?;
//! assert!((made.scale - 2.0).abs() < 1e-6, "steps as long as the legs");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chain;
mod character;
mod error;
mod figure;
mod fingers;
mod labels;
mod limb_goals;
mod limbs;
mod map;
mod names;
mod pairing;
mod part;
mod presets;
mod reference;
mod root_motion;
mod seen_in;
mod settings;
mod slide;
mod transfer;
mod trunk;

use std::sync::Arc;

use crate::motion::{Clip, Contact};
use transfer::Transfer;

pub use crate::retarget::seen_in::SeenIn;
pub use character::Character;
pub use error::RetargetError;
pub use fingers::Finger;
pub use labels::{ArmLabels, Labels, LegLabels, NoBody};
pub use map::{BoneMap, Link, MapError, Unmapped};
pub use pairing::Pairing;
pub use part::Part;
pub use reference::ReferencePose;
pub use settings::{Feet, Hands, RetargetSettings, Root, RootMotion};
pub use slide::Slide;

/// A clip on its new skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Retargeted {
    /// With the contacts that were locked.
    pub clip: Clip,
    /// Target units for one of the source's.
    pub scale: f64,
    /// How far the whole body was moved for feet that were out of reach, at most.
    pub root_moved: f64,
    /// How much feet in contact slide, before and after.
    pub slide: Slide,
}

/// Brings a clip onto another character.
pub fn retarget(
    clip: &Clip,
    source: &Character,
    target: &Character,
    map: &BoneMap,
    settings: &RetargetSettings,
) -> Result<Retargeted, RetargetError> {
    let map = BoneMap::new(
        map.links().to_vec(),
        clip.skeleton().n_joints(),
        target.skeleton().n_joints(),
    )?;
    let transfer = Transfer::new(source, target, &map, settings.root);
    let (motion, goals) = transfer.carry(clip);
    let mut info = clip.info.clone();
    info.up = target.up();
    info.history
        .push("brought onto another skeleton".to_owned());
    let carried = Clip::new(info.clone(), Arc::clone(target.skeleton()), motion)?;
    let contacts = limb_goals::contacts_of(clip, source, target);
    let slide_before = slide::of(clip, contacts.iter().map(|pair| &pair.source));
    let on_target: Vec<Contact> = contacts.into_iter().map(|pair| pair.target).collect();
    let placed = limb_goals::place(carried, target, goals, on_target.clone(), settings)?;
    let slide = Slide {
        source: slide_before,
        target: slide::of(&placed.clip, &on_target),
    };
    let mut made = root_motion::carried_by(placed.clip, target, settings.root_motion)?;
    if settings.root_motion == RootMotion::Hips {
        made.info = info;
    }
    Ok(Retargeted {
        clip: made,
        scale: transfer.scale(),
        root_moved: placed.root_moved,
        slide,
    })
}

/// Brings a clip onto another character, with everything found by itself. A clip on that skeleton already comes back as
/// it is.
pub fn onto(
    clip: &Clip,
    target: &Character,
    settings: &RetargetSettings,
) -> Result<Retargeted, RetargetError> {
    if **clip.skeleton() == **target.skeleton() && *settings == RetargetSettings::default() {
        return Ok(Retargeted {
            clip: clip.clone(),
            scale: 1.0,
            root_moved: 0.0,
            slide: Slide::default(),
        });
    }
    let source = Character::of(clip, ReferencePose::Found)?;
    let map = BoneMap::between(&source, target);
    retarget(clip, &source, target, &map, settings)
}
