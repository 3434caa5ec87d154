//! What of a character can be taken hold of.

use crate::document::Posed;
use crate::motion::Site;

pub(in crate::app::pose) fn is_site(posed: &Posed, site: Site) -> bool {
    match site {
        Site::Joint(joint) => joint < posed.skeleton.n_joints(),
        Site::End(end) => end < posed.skeleton.ends().len(),
    }
}
