//! Clips at random, one after another.

use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;

use super::args::Probability;
use super::{Args, MadeSequence, SequenceJoin};
use crate::jobs::Ticket;
use crate::motion::join::JoinClip;
use crate::motion::{Clip, ClipInfo, Motion};
use crate::transition::{Player, RandomPlay, TransitionGraph, TransitionSettings};

pub(super) fn play(
    args: &Args,
    graph: &Arc<TransitionGraph>,
    clips: &[Arc<JoinClip>],
    seconds: f64,
    settings: &TransitionSettings,
    seed: u64,
    ticket: &Ticket,
) -> anyhow::Result<MadeSequence> {
    let rig = graph.rig();
    let n_frames = ((seconds * rig.fps).round() as usize).max(2);
    let random = weighed(clips, &args.probability)?;
    let mut player = Player::new(graph, clips.to_vec(), 0, settings, seed);
    player.random = Some(random);
    let mut motion = Motion::with_capacity(rig.skeleton(), 1.0 / rig.fps, n_frames);
    let mut joins: Vec<SequenceJoin> = Vec::new();
    let name = |at: usize| clips[at].clip.info.name.clone();
    let started = Instant::now();
    for frame in 0..n_frames {
        ticket.step(frame as f64 / n_frames as f64)?;
        let before = player.running();
        motion.push(player.next_frame()?);
        let is_new = |at: usize| joins.last().is_none_or(|join| join.made.at != at);
        if let Some(made) = player.last_transition()
            && is_new(made.at)
        {
            joins.push(SequenceJoin {
                from: name(before),
                to: name(player.running()),
                made: made.clone(),
            });
        }
    }
    let ms = started.elapsed().as_secs_f64() * 1e3;
    // The last one was made ahead of time, and may begin behind the end.
    joins.retain(|join| join.made.at < n_frames);
    let mut info = ClipInfo::named("random play");
    info.up = rig.metric.heading.up;
    Ok(MadeSequence {
        clip: Clip::new(info, Arc::clone(rig.skeleton()), motion)?,
        joins,
        hits: Vec::new(),
        ms_per_frame: ms / n_frames as f64,
    })
}

fn weighed(clips: &[Arc<JoinClip>], all: &[Probability]) -> anyhow::Result<RandomPlay> {
    let mut random = RandomPlay::even(clips.len());
    let number = |name: &str| {
        let mut each = clips.iter();
        let at = each.position(|clip| clip.clip.info.name == name);
        at.with_context(|| format!("--probability names \"{name}\", which is not played"))
    };
    for one in all {
        random.set(number(&one.from)?, number(&one.to)?, one.weight);
    }
    Ok(random)
}

#[cfg(test)]
mod tests {
    use super::super::args::seconds;
    use super::*;

    #[test]
    fn probabilities_are_read() {
        let read: Probability = "walk>high jump = 2.5".parse().unwrap();
        assert_eq!(
            (&*read.from, &*read.to, read.weight),
            ("walk", "high jump", 2.5)
        );
        for wrong in ["walk>jump", "walk=3", "walk>jump=-1", "walk>jump=inf", ""] {
            wrong.parse::<Probability>().unwrap_err();
        }
        assert_eq!(seconds("30"), Ok(30.0));
        for wrong in ["0", "1e9", "nan"] {
            seconds(wrong).unwrap_err();
        }
    }
}
