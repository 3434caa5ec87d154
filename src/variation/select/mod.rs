//! Which clips go together (section 9).

mod root_displacement;
pub mod similar;
