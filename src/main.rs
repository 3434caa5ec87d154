//! Kinfolk: window or command line, nothing else.

fn main() {}
