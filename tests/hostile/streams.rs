//! Long streams: nothing about them is hostile, but here every allocation is counted.

use kinfolk::demo::{Action, make};
use kinfolk::jobs::Ticket;
use kinfolk::motion::edit;
use kinfolk::variation::{ClipModel, Hold, LearnSettings, SampleSettings};

use crate::{MEMORY, one_at_a_time};

#[test]
fn a_stream_of_any_length_takes_the_same_memory() {
    let _alone = one_at_a_time();
    let clips =
        [0, 1, 2].map(|index| edit::resample(&make(Action::Walk, 1, index).clip, 10.0).unwrap());
    let settings = LearnSettings::default();
    let model = ClipModel::learn(&clips.each_ref(), &settings, &Ticket::default()).unwrap();
    let peak = |n_frames: usize| {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let settings = SampleSettings::default();
        let pieces = model.pieces(&settings, 0, n_frames, Hold::Feet).unwrap();
        let made: usize = pieces.map(|piece| piece.unwrap().n_frames()).sum();
        assert_eq!(made, n_frames, "every frame once");
        MEMORY.peak_usage().saturating_sub(before)
    };
    let few = 4 * model.piece_frames();
    let (short, long) = (peak(few), peak(6 * few));
    eprintln!("a stream of {few} frames takes {short} bytes, six times as long {long}");
    assert!(
        long < short + short / 4,
        "{short} bytes for {few} frames, {long} for six times as many"
    );
}
