//! Which poses lie side by side: links that keep a latent map in one piece.
//!
//! Eq. (2) punishes different poses that share a place, and hardly punishes alike poses that lie apart. In two
//! dimensions points cannot pass each other on their way, so a map that starts folded is torn, and a motion jumps
//! between its pieces. A mild pull along links between poses that are alike keeps it together. The links are the
//! shortest that connect all poses (their minimum spanning tree), and those to the nearest few, which close the ring
//! of a cycle.

/// Links to the nearest poses.
const NEAREST: usize = 3;

/// Pairs of rows, each once, the lower first.
pub(super) fn links(rows: &[f64], width: usize) -> Vec<(usize, usize)> {
    let n = rows.len() / width;
    let row = |i: usize| &rows[i * width..][..width];
    let squared = |a: usize, b: usize| -> f64 {
        row(a)
            .iter()
            .zip(row(b))
            .map(|(a, b)| (a - b) * (a - b))
            .sum()
    };
    let mut links = Vec::new();
    // Prim (1957): the tree grows by the nearest pose that is not in it.
    let mut nearest: Vec<(f64, usize)> = (0..n).map(|i| (squared(0, i), 0)).collect();
    let mut is_open = vec![true; n];
    let mut last = 0;
    for _ in 1..n {
        is_open[last] = false;
        let open = (0..n).filter(|&i| is_open[i]);
        let next = open.min_by(|&a, &b| nearest[a].0.total_cmp(&nearest[b].0));
        let Some(next) = next else { break };
        links.push((next.min(nearest[next].1), next.max(nearest[next].1)));
        for i in (0..n).filter(|&i| is_open[i]) {
            let way = squared(next, i);
            if way < nearest[i].0 {
                nearest[i] = (way, next);
            }
        }
        last = next;
    }
    for i in 0..n {
        let mut others: Vec<(f64, usize)> = (0..n)
            .filter(|&j| j != i)
            .map(|j| (squared(i, j), j))
            .collect();
        others.sort_by(|a, b| a.0.total_cmp(&b.0));
        let near = others.iter().take(NEAREST);
        links.extend(near.map(|&(_, j)| (i.min(j), i.max(j))));
    }
    links.sort_unstable();
    links.dedup();
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_is_linked_all_round_and_islands_are_joined() {
        let ring = |middle: f64| {
            (0..12).flat_map(move |i| {
                let angle = f64::from(i) * std::f64::consts::TAU / 12.0;
                [middle + angle.cos(), angle.sin()]
            })
        };
        let rows: Vec<f64> = ring(0.0).chain(ring(10.0)).collect();
        let links = links(&rows, 2);
        for i in 0..12 {
            let next = (i + 1) % 12;
            let pair = (i.min(next), i.max(next));
            assert!(links.contains(&pair), "{pair:?} of {links:?}");
        }
        let bridges = links.iter().filter(|(a, b)| *a < 12 && *b >= 12).count();
        assert_eq!(bridges, 1, "one way over: {links:?}");
    }
}
