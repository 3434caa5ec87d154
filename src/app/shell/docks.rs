//! Panels that can be dragged to other places.

use egui_tiles::{Container, Tile, TileId, Tiles, Tree};

use crate::app::shell::preferences::Workspace;

use super::pane::Pane;

/// A column of a workspace: its share of the width, and its rows of tabs from top to bottom.
type Column = (f32, &'static [&'static [Pane]]);

/// The panels of a workspace as columns from left to right.
fn columns(workspace: Workspace) -> &'static [Column] {
    match workspace {
        Workspace::Library => &[
            (1.0, &[&[Pane::Clips, Pane::Sets]]),
            (1.25, &[&[Pane::View, Pane::Strokes]]),
            (0.75, &[&[Pane::Inspector, Pane::Clean, Pane::Cut]]),
        ],
        Workspace::Variation => &[
            (1.0, &[&[Pane::Takes, Pane::Clips, Pane::Network]]),
            (1.15, &[&[Pane::View, Pane::Plots, Pane::Strokes]]),
            (
                0.95,
                &[&[
                    Pane::Variants,
                    Pane::Models,
                    // Beside the clips, which are chosen for it.
                    Pane::Similar,
                    Pane::Node,
                    Pane::Holding,
                    Pane::Compare,
                ]],
            ),
        ],
        Workspace::Pose => &[
            (
                0.75,
                &[&[
                    Pane::Styles,
                    Pane::Poses,
                    Pane::Clips,
                    Pane::Picture,
                    Pane::Repair,
                ]],
            ),
            (1.5, &[&[Pane::View]]),
            (0.75, &[&[Pane::Body, Pane::Keys], &[Pane::Map]]),
        ],
        Workspace::Sequence => &[
            (0.85, &[&[Pane::Actions, Pane::Clips]]),
            (1.4, &[&[Pane::View, Pane::Graph]]),
            (0.85, &[&[Pane::Join, Pane::Live, Pane::Path]]),
        ],
        Workspace::Study => &[
            (0.8, &[&[Pane::Compared, Pane::Clips]]),
            (1.0, &[&[Pane::View]]),
            // The table of measures has a column for each set.
            (
                1.5,
                &[&[
                    Pane::Measures,
                    Pane::Clones,
                    Pane::Crowd,
                    Pane::Rating,
                    Pane::Analysis,
                ]],
            ),
        ],
    }
}

/// What there is on the left, what it looks like in the middle, what can be done to it on the right.
pub fn usual_layout(workspace: Workspace) -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let columns: Vec<(f32, TileId)> = columns(workspace)
        .iter()
        .map(|(share, rows)| {
            let mut row = |panes: &&[Pane]| {
                let panes = panes.iter().map(|pane| tiles.insert_pane(*pane)).collect();
                tiles.insert_tab_tile(panes)
            };
            let rows: Vec<TileId> = rows.iter().map(&mut row).collect();
            let column = match rows.as_slice() {
                [only] => *only,
                _ => tiles.insert_vertical_tile(rows),
            };
            (*share, column)
        })
        .collect();
    let root = tiles.insert_horizontal_tile(columns.iter().map(|column| column.1).collect());
    if let Some(Tile::Container(Container::Linear(linear))) = tiles.get_mut(root) {
        for (share, column) in columns {
            linear.shares.set_share(column, share);
        }
    }
    Tree::new(egui::Id::unique(workspace.name()), root, tiles)
}

/// Whether every panel of the workspace is there once: a layout of an older program may lack one.
pub fn is_whole(tree: &Tree<Pane>, workspace: Workspace) -> bool {
    let mut shown: Vec<Pane> = tree
        .tiles
        .tiles()
        .filter_map(|tile| match tile {
            Tile::Pane(pane) => Some(*pane),
            Tile::Container(_) => None,
        })
        .collect();
    shown.sort_unstable();
    let columns = columns(workspace).iter();
    let mut wanted: Vec<Pane> = columns
        .flat_map(|(_, rows)| rows.iter().copied().flatten().copied())
        .collect();
    wanted.sort_unstable();
    tree.root().is_some() && shown == wanted
}

/// Shows a panel that may be behind others. Whether there is one.
pub fn bring_to_front(tree: &mut Tree<Pane>, pane: Pane) -> bool {
    tree.make_active(|_, tile| matches!(tile, Tile::Pane(found) if *found == pane))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_layouts_are_whole_and_survive_being_kept() {
        for workspace in Workspace::ALL {
            let tree = usual_layout(workspace);
            assert!(is_whole(&tree, workspace), "{tree:?}");
            let text = ron::to_string(&tree).unwrap();
            let back: Tree<Pane> = ron::from_str(&text).unwrap();
            assert_eq!(back, tree);
            assert!(
                !is_whole(&Tree::empty(egui::Id::unique("none")), workspace),
                "an empty one is not"
            );
        }
        let library = usual_layout(Workspace::Library);
        assert!(
            !is_whole(&library, Workspace::Variation),
            "another workspace has other panels"
        );
    }
}
