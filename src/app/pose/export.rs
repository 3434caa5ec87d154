//! What was posed, as files for other programs, without a way round through the library.

use std::sync::Arc;

use crate::app::pose::keys::motion;
use crate::app::pose::state::PoseWorkspace;
use crate::app::shell::context::UiContext;
use crate::app::shell::dialogs::Dialog;
use crate::app::shell::dialogs::dialog::ExportBox;
use crate::app::shell::messages::Severity;
use crate::document::Posed;
use crate::motion::{Clip, ClipInfo, Motion};

/// A file holds at least one frame, and each frame has a length.
const FRAME_SECS: f64 = 1.0 / 30.0;

impl PoseWorkspace {
    /// Asks where the pose that is seen goes.
    pub(in crate::app::pose) fn export_pose(&self, cx: &mut UiContext) {
        if let Some((_, posed)) = self.posed_now(cx) {
            ask_where(cx, clip_of(&posed));
        }
    }

    /// Asks where the motion of the keys goes.
    pub(in crate::app::pose) fn export_key_motion(&self, cx: &mut UiContext) {
        let Some((_, posed)) = self.active_posed(cx) else {
            return;
        };
        let name = posed.name.clone();
        if let Some(motion) = self.key_motion(cx) {
            let clip = motion::clip_of(motion, &name);
            ask_where(cx, clip);
        }
    }
}

/// The pose as a clip of one frame.
fn clip_of(posed: &Posed) -> Result<Clip, String> {
    let mut info = ClipInfo::named(format!("{} pose", posed.name));
    info.up = posed.up;
    info.history.push("posed by its handles".to_owned());
    let mut motion = Motion::with_capacity(&posed.skeleton, FRAME_SECS, 1);
    motion.push(posed.pose.as_ref());
    let clip = Clip::new(info, Arc::clone(&posed.skeleton), motion);
    clip.map_err(|error| error.to_string())
}

fn ask_where(cx: &mut UiContext, clip: Result<Clip, String>) {
    match clip {
        Ok(clip) => {
            let name = clip.info.name.clone();
            let mut files = ExportBox::of_clips(cx, name, vec![Arc::new(clip)]);
            files.name_by_clip();
            cx.dialog = Some(Dialog::Export(files));
        }
        Err(why) => cx.say(Severity::Error, format!("not exported: {why}")),
    }
}
