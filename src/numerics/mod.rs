//! Mathematics that the other rooms share.
