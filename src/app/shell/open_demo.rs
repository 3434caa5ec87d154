//! Opens the demo and learns its models.

use crate::app::shell::Shell;
use crate::app::shell::context::Delivery;
use crate::app::shell::demo_models::{DemoModels, DemoScope, LEARN, document_of};
use crate::app::shell::messages::Severity;
use crate::app::shell::work::Shown;
use crate::demo::{DemoClip, library};
use crate::document::History;

impl Shell {
    /// The demo as a project that is not saved yet.
    pub fn open_demo(&mut self, scope: DemoScope) {
        let number = self.projects.number();
        self.start_apart("make the demo motions", Shown::InBar, move |_| {
            let clips = library();
            let document = document_of(&clips)?;
            let delivery: Delivery = Box::new(move |shell: &mut Self| {
                if shell.projects.number() != number || shell.has_unsaved_work() {
                    // Something else was opened or imported meanwhile, and is worth more.
                    return;
                }
                shell.replace_document(History::unsaved(document));
                shell.session.is_playing = true;
                shell.say(Severity::Info, "the demo library: motions to try things on");
                if scope == DemoScope::Project {
                    shell.learn_demo_models(clips);
                }
            });
            Ok(delivery)
        });
    }

    fn learn_demo_models(&mut self, clips: Vec<DemoClip>) {
        self.start(LEARN, Shown::InBar, move |ticket| {
            let models = DemoModels::learn(&clips, ticket)?;
            let delivery: Delivery =
                Box::new(move |shell: &mut Self| shell.demo_models = Some(models));
            Ok(delivery)
        });
    }

    /// Takes what was done so far as where the work begins: nothing to undo, and nothing that would be lost.
    pub(in crate::app) fn begin_here(&mut self) {
        let document = self.document().clone();
        self.change_history(|history| *history = History::unsaved(document));
    }
}
