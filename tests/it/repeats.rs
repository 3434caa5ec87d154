//! Finding all stretches like a marked one: planted, and in real walks.

use kinfolk::motion::repeats::{Marked, RepeatError, RepeatSettings, search_all};
use kinfolk::motion::{Clip, body};

use crate::cycles::known_cuts;
use crate::data::{files_below, shared};
use crate::takes::{CMU_CM, take};

#[test]
fn one_marked_cycle_finds_the_others() {
    let (Some(dir), Some(known)) = (shared("walk_full"), known_cuts()) else {
        return;
    };
    let takes: Vec<Clip> = files_below(&dir, "bvh").iter().map(|p| take(p)).collect();
    let list: Vec<&Clip> = takes.iter().collect();
    let clip = takes.iter().find(|t| t.info.name == "35_02").unwrap();
    let (from, to) = known["35_02"][0];
    let marked = Marked::new(clip, from..to, &RepeatSettings::default()).unwrap();
    let found = search_all(&marked, &list, &mut |_| true).unwrap();
    let cm = body::height(clip) * CMU_CM;
    eprintln!("threshold {:.2} cm", marked.threshold() * cm);
    for f in &found {
        eprintln!(
            "{} {:?} {:.2} cm",
            takes[f.take].info.name,
            f.found.frames,
            f.found.distance * cm
        );
    }
    let mut hit = 0;
    let mut all = 0;
    for (name, cuts) in &known {
        for (from, to) in cuts {
            let Some(t) = takes.iter().position(|t| t.info.name == *name) else {
                continue;
            };
            all += 1;
            let overlap = found
                .iter()
                .filter(|f| f.take == t)
                .map(|f| {
                    let r = &f.found.frames;
                    r.end.min(*to).saturating_sub(r.start.max(*from))
                })
                .max()
                .unwrap_or(0);
            eprintln!("{name} {from}..{to} overlap {overlap}");
            hit += usize::from(overlap * 10 >= (to - from) * 9);
        }
    }
    eprintln!("{hit} of {all}");
    let _ = RepeatError::Stopped;
}
