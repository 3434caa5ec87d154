//! A handle in the animator's hand: from taking hold to letting go is one step.
//!
//! Meanwhile the document stays as it is; what is seen is the draft, whose pins say what is wanted and whose pose is
//! the solver's newest. After letting go, a change that is still being eased into may come to its end.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::draft::{Grab, Thought};
use crate::app::pose::handles::rig::BodyHandles;
use crate::app::pose::handles::solver::{Aim, SolverAnswer, SolverOrder, SolverSetup};
use crate::app::pose::handles::symmetry as across;
use crate::app::pose::handles::targets::{HeldHandles, anchors, constraints};
use crate::app::pose::pin_at;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::Shell;
use crate::app::shell::context::UiContext;
use crate::app::shell::messages::Severity;
use crate::document::{Command, Pin, PinMode, Posed, PosedId};
use crate::motion::{Quat, Site, Vec3, WorldPose};
use crate::style::solve::Constraint;

/// A change may go on for so long after letting go.
const LONGEST_EASING_SECS: f64 = 0.8;

/// Even an answer that has not come yet is waited for no longer than this.
const LONGEST_ANSWER_SECS: f64 = 20.0;

impl PoseWorkspace {
    /// Takes hold of handles. Nothing is held where there is no style to solve with, and that is said.
    pub fn begin_grab(&mut self, shell: &mut Shell, mut held: HeldHandles, what: &str) -> bool {
        self.finish_grab(shell);
        let Some((id, posed)) = self.posed_now(shell) else {
            return false;
        };
        if let Some(figure) = self
            .figure(&posed.skeleton)
            .filter(|_| self.handles.is_symmetric)
        {
            let partners = |sites: &BTreeSet<Site>| -> Vec<Site> {
                sites.iter().map(|site| figure.rig.partner(*site)).collect()
            };
            held.places.extend(partners(&held.places));
            held.turns.extend(partners(&held.turns));
        }
        let setup = self.setup_of(shell, &posed);
        if setup.is_none() {
            let words = "no style fits this skeleton yet: learn one from its clips";
            shell.say(Severity::Warning, words);
            return false;
        }
        let world = WorldPose::of(&posed.skeleton, posed.pose.as_ref());
        let mut draft = Posed::clone(&posed);
        let sites: Vec<Site> = held.places.iter().chain(&held.turns).copied().collect();
        for site in sites {
            let mut pin = pin_at(&posed, &world, site);
            // A hand that takes hold of something begins where that is, not where it was wished to be.
            if held.places.contains(&site) {
                pin.place = world.site(&posed.skeleton, site);
            }
            if held.turns.contains(&site) {
                pin.turn = world.rotations[posed.skeleton.carrier(site)];
            }
            draft.set_pin(pin);
        }
        let rests = setup
            .as_ref()
            .map_or_else(Vec::new, |s| resting(&draft, &s.rig, &held));
        let mut first = constraints(&draft, &held);
        first.extend(&rests);
        self.put_grab(shell, id, posed, (draft, held, first), setup, what);
        if let Some(grab) = self.handles.grab.as_mut() {
            grab.rests = rests;
        }
        true
    }

    /// Begins a change that needs no handle: a blend, a walk over the map, or one that needs no solver at all.
    pub fn begin_change(&mut self, shell: &mut Shell, what: &str) -> bool {
        self.finish_grab(shell);
        let Some((id, posed)) = self.posed_now(shell) else {
            return false;
        };
        let setup = self.setup_of(shell, &posed);
        let draft = Posed::clone(&posed);
        let first = constraints(&draft, &HeldHandles::default());
        self.put_grab(
            shell,
            id,
            posed,
            (draft, HeldHandles::default(), first),
            setup,
            what,
        );
        true
    }

    fn put_grab(
        &mut self,
        cx: &mut UiContext,
        id: PosedId,
        before: Arc<Posed>,
        (draft, held, first): (Posed, HeldHandles, Vec<Constraint>),
        setup: Option<Arc<SolverSetup>>,
        what: &str,
    ) {
        self.handles.n_orders += 1;
        self.handles.grab = Some(Grab {
            id,
            before,
            draft: Arc::new(draft),
            held,
            what: what.to_owned(),
            drag: self.handles.n_orders,
            first,
            rests: Vec::new(),
            setup,
            revision: cx.revision(),
            asked: None,
            answered: 0,
            is_easing: false,
            let_go_secs: None,
        });
    }

    /// Moves and turns what is held to here.
    pub fn move_held(
        &mut self,
        cx: &mut UiContext,
        places: &[(Site, Vec3)],
        turns: &[(Site, Quat)],
    ) {
        let is_symmetric = self.handles.is_symmetric;
        let Some(grab) = self.handles.grab.as_mut() else {
            return;
        };
        let mut draft = Posed::clone(&grab.draft);
        for (site, place) in places {
            if let Some(mut pin) = draft.pin(*site).copied() {
                pin.place = *place;
                draft.set_pin(pin);
            }
        }
        for (site, turn) in turns {
            if let Some(mut pin) = draft.pin(*site).copied() {
                pin.turn = *turn;
                draft.set_pin(pin);
            }
        }
        let before = Arc::clone(&grab.before);
        if is_symmetric && let Some(figure) = self.figure(&draft.skeleton).cloned() {
            move_partners(&mut draft, &before, &figure.rig, places, turns);
        }
        if let Some(grab) = self.handles.grab.as_mut() {
            grab.draft = Arc::new(draft);
        }
        self.ask_solver(cx, Aim::Follow);
    }

    /// Another draft altogether, solved as `aim` says; none takes it as it is.
    pub fn change_draft(&mut self, cx: &mut UiContext, draft: Posed, aim: Option<Aim>) {
        let setup = self.setup_of(cx, &draft);
        if let Some(grab) = self.handles.grab.as_mut() {
            grab.draft = Arc::new(draft);
            grab.setup = setup;
        }
        if let Some(aim) = aim {
            self.ask_solver(cx, aim);
        }
    }

    fn ask_solver(&mut self, cx: &mut UiContext, aim: Aim) {
        let Some(grab) = self.handles.grab.as_mut() else {
            return;
        };
        let Some(setup) = grab.setup.clone() else {
            return;
        };
        let mut constraints = constraints(&grab.draft, &grab.held);
        constraints.extend(&grab.rests);
        let order = SolverOrder {
            number: self.handles.n_orders + 1,
            drag: grab.drag,
            setup,
            start: Arc::clone(&grab.before),
            first: grab.first.clone(),
            constraints,
            aim,
        };
        // A hand that rests asks for nothing new: only then the solver gets to look for something better.
        let newest = grab.asked.as_ref();
        if newest.is_some_and(|newest| newest.asks_the_same_as(&order)) {
            return;
        }
        grab.asked = Some(order.clone());
        self.handles.n_orders += 1;
        self.leave_order(cx, order);
    }

    /// Lets go: it is one step as soon as the newest pose is there.
    pub fn end_grab(&mut self, cx: &mut UiContext) {
        let now = cx.now_secs;
        if let Some(grab) = self.handles.grab.as_mut() {
            grab.let_go_secs.get_or_insert(now);
            settle_pins(grab);
        }
    }

    /// Puts everything back as it was.
    pub fn cancel_grab(&mut self) {
        self.handles.grab = None;
        self.handles.judged = None;
    }

    /// Makes one step of what is being done, as it is now.
    pub fn finish_grab(&mut self, shell: &mut Shell) {
        let Some(mut grab) = self.handles.grab.take() else {
            return;
        };
        settle_pins(&mut grab);
        let is_stale = grab.revision != shell.revision();
        if !is_stale && *grab.draft != *grab.before {
            self.edit(
                shell,
                Command::ChangePosed {
                    what: grab.what,
                    id: grab.id,
                    posed: grab.draft,
                },
            );
        }
    }

    /// Once per frame, and on letting go: whether the step is complete.
    pub(in crate::app::pose) fn turn_grab(&mut self, shell: &mut Shell) {
        let revision = shell.revision();
        let now = shell.now_secs;
        let Some(grab) = self.handles.grab.as_ref() else {
            return;
        };
        // Undo, or anything else that changed the document meanwhile, takes the place of what was in hand.
        if grab.revision != revision {
            self.handles.grab = None;
            return;
        }
        let Some(let_go) = grab.let_go_secs else {
            return;
        };
        let waited = now - let_go;
        let is_answered = grab.is_answered() || grab.setup.is_none();
        let is_as_good = is_answered && waited > LONGEST_EASING_SECS;
        if grab.is_settled() || is_as_good || waited > LONGEST_ANSWER_SECS {
            self.finish_grab(shell);
        }
    }

    /// A pose has come from the solver.
    pub(in crate::app::pose) fn take_answer(&mut self, cx: &mut UiContext, answer: SolverAnswer) {
        let failure = answer.pose.as_ref().err().map(ToString::to_string);
        let grab = self.handles.grab.as_mut();
        if let Some(grab) = grab.filter(|grab| grab.drag == answer.drag) {
            grab.answered = answer.number;
            grab.is_easing = answer.is_easing;
            if let Ok(pose) = answer.pose {
                Arc::make_mut(&mut grab.draft).pose = pose;
            }
            let of = Arc::clone(&grab.draft);
            if let Some(judgement) = answer.judgement {
                self.handles.thought = Some(Thought { of, judgement });
            }
        } else if let Some(judgement) = answer.judgement
            && let Some(of) = self.handles.judged.clone()
            && answer.number == self.handles.judged_number
        {
            self.handles.thought = Some(Thought { of, judgement });
        }
        if let Some(why) = failure {
            self.handles.grab = None;
            cx.say(Severity::Error, format!("no pose: {why}"));
        }
    }
}

/// A hand that is dragged should not carry the whole body off: where nothing else is pinned, the hips stay about where
/// they are.
fn resting(draft: &Posed, rig: &BodyHandles, held: &HeldHandles) -> Vec<Constraint> {
    let is_pinned = |pin: &Pin| pin.position != PinMode::Free && !held.places.contains(&pin.site);
    let hips = Site::Joint(rig.hips());
    let has_hips = held.places.contains(&hips) || held.turns.contains(&hips);
    if has_hips || draft.pins.iter().any(is_pinned) {
        return Vec::new();
    }
    anchors(&draft.pose, draft, rig).to_vec()
}

/// What was free and was moved stays softly where it was put.
fn settle_pins(grab: &mut Grab) {
    let held = grab.held.clone();
    let draft = Arc::make_mut(&mut grab.draft);
    for pin in &mut draft.pins {
        if held.places.contains(&pin.site) && pin.position == PinMode::Free {
            pin.position = PinMode::Soft;
        }
        if held.turns.contains(&pin.site) && pin.rotation == PinMode::Free {
            pin.rotation = PinMode::Soft;
        }
    }
}

/// The other side of the body does the same, mirrored.
fn move_partners(
    draft: &mut Posed,
    before: &Posed,
    rig: &BodyHandles,
    places: &[(Site, Vec3)],
    turns: &[(Site, Quat)],
) {
    for (site, place) in across::places(before, rig, places) {
        if let Some(mut pin) = draft.pin(site).copied() {
            pin.place = place;
            draft.set_pin(pin);
        }
    }
    for (site, turn) in across::turns(before, rig, turns) {
        if let Some(mut pin) = draft.pin(site).copied() {
            pin.turn = turn;
            draft.set_pin(pin);
        }
    }
}
