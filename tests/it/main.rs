//! One integration binary: it links once.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "test helpers may panic, and say when a test is skipped"
)]

mod alignment;
mod asf_amc;
mod atomic;
mod bone_map;
mod bvh_read;
mod bvh_write;
mod by_hand;
mod chart;
mod cheapest_paths;
mod cli_convert;
mod cli_craft;
mod cli_faults;
mod cli_info;
mod cli_render;
mod cli_retarget;
mod cli_texture;
mod cli_transition;
mod cli_variation;
mod command;
mod contacts;
mod cycles;
mod data;
mod demo;
mod document;
mod edit;
mod edit_any;
mod edit_real;
mod fbx;
#[path = "../fbx_text.rs"]
mod fbx_text;
mod figure;
mod gltf;
mod imports;
mod limbs;
mod metrics;
mod network;
mod parametric;
mod planted;
mod posed;
mod project;
mod quick;
mod repeats;
mod retarget;
mod rig_names;
mod rigs;
mod rooms;
mod sequence;
mod similarity;
mod stance;
mod study;
mod style_model;
mod style_solve;
mod style_solve_real;
mod takes;
mod texture;
mod texture_file;
mod tour_page;
mod transition;
mod variation;
mod variation_acts;
mod variation_v1;
mod viewport;
mod window;
