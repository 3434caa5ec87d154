//! Commands, and the way back.

use std::collections::BTreeSet;
use std::sync::Arc;

use kinfolk::document::{
    ActionSource, CheckError, ClipId, ClipSet, Command, DEPTH, Document, DocumentParts, EditError,
    GraphId, GraphRecipe, History, Sequence, SequenceId, SetId, StrokeId, TargetAction,
};
use kinfolk::motion::{
    Channels, Clip, ClipInfo, Joint, Motion, Pose, RotationOrder, Site, Skeleton, Stroke, Vec3,
};
use kinfolk::sequence::ActionList;
use kinfolk::transition::GraphSettings;

fn clip(name: &str, n_frames: usize) -> Arc<Clip> {
    let root = Joint {
        name: "Hips".to_owned(),
        parent: None,
        offset: Vec3::zeros(),
        channels: Channels::position_and_rotation(RotationOrder::ZXY),
    };
    let skeleton = Arc::new(Skeleton::new(vec![root], vec![]).unwrap());
    let mut motion = Motion::with_capacity(&skeleton, 0.01, n_frames);
    for _ in 0..n_frames {
        motion.push(Pose::rest(&skeleton).as_ref());
    }
    Arc::new(Clip::new(ClipInfo::named(name), skeleton, motion).unwrap())
}

fn stroke(name: &str) -> Arc<Stroke> {
    let points = vec![[0.0, 0.0, 0.0], [0.5, 1.0, 2.0]];
    Arc::new(Stroke::new(name, points).unwrap())
}

/// Three clips, 1 to 3, and a set of two of them, 4.
fn start() -> History {
    let mut history = History::default();
    let clips = vec![clip("walk", 2), clip("run", 3), clip("jump", 4)];
    let applied = history.apply(Command::AddClips(clips)).unwrap();
    assert_eq!(applied.added, ids(&[1, 2, 3]), "numbered from 1");
    let name = "fast".to_owned();
    let clips = ids(&[2, 3]);
    assert!(
        history
            .apply(Command::AddSet { name, clips })
            .unwrap()
            .changed,
        "a new set"
    );
    history
}

fn ids(numbers: &[u64]) -> Vec<ClipId> {
    numbers.iter().copied().map(ClipId).collect()
}

fn tags(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|&w| w.to_owned()).collect()
}

fn text(word: &str) -> String {
    word.to_owned()
}

fn graph(name: &str) -> Arc<GraphRecipe> {
    Arc::new(GraphRecipe {
        name: text(name),
        clips: ids(&[1, 3]),
        settings: GraphSettings::default(),
    })
}

fn sequence(name: &str) -> Arc<Sequence> {
    let mut actions = ActionList::default();
    actions.insert(0, ActionSource::Clip(ClipId(1)));
    Arc::new(Sequence {
        name: text(name),
        graph: None,
        actions,
    })
}

/// One of each kind, with the name of its step; all of them change what [`start`] gives.
fn every_command() -> Vec<(Command, &'static str)> {
    let shorter = vec![(ClipId(1), clip("walk", 1)), (ClipId(3), clip("jump", 1))];
    vec![
        (Command::AddClips(vec![clip("hop", 1)]), "add hop"),
        (
            Command::AddClips(vec![clip("a", 1), clip("b", 1)]),
            "add 2 clips",
        ),
        (Command::RemoveClips(ids(&[3, 1])), "remove 2 clips"),
        (
            Command::ReplaceClips {
                what: text("trim"),
                clips: shorter,
            },
            "trim 2 clips",
        ),
        (
            Command::RenameClip {
                id: ClipId(1),
                name: text("stroll"),
            },
            "rename walk",
        ),
        (
            Command::SetTags {
                clips: ids(&[1, 2]),
                tags: tags(&["a", "b"]),
            },
            "tag 2 clips",
        ),
        (
            Command::AddTag {
                clips: ids(&[3]),
                tag: text("high"),
            },
            "tag jump \"high\"",
        ),
        (
            Command::Together {
                what: text("retag"),
                commands: vec![
                    Command::AddTag {
                        clips: ids(&[1, 2]),
                        tag: text("new"),
                    },
                    Command::RemoveTag {
                        clips: ids(&[1, 3]),
                        tag: text("new"),
                    },
                ],
            },
            "retag",
        ),
        (
            Command::MoveClips {
                clips: ids(&[3]),
                to: 0,
            },
            "move jump",
        ),
        (
            Command::AddSet {
                name: text("all"),
                clips: ids(&[1, 2, 3]),
            },
            "make set all",
        ),
        (
            Command::RenameSet {
                id: SetId(4),
                name: text("quick"),
            },
            "rename set fast",
        ),
        (Command::RemoveSet(SetId(4)), "remove set fast"),
        (
            Command::SetMembers {
                id: SetId(4),
                clips: ids(&[1]),
            },
            "change members of set fast",
        ),
        (
            Command::AddToSet {
                id: SetId(4),
                clips: ids(&[1, 2]),
            },
            "add 2 clips to set fast",
        ),
        (
            Command::TakeFromSet {
                id: SetId(4),
                clips: ids(&[1, 2]),
            },
            "take 2 clips out of set fast",
        ),
        (Command::AddStrokes(vec![stroke("loop")]), "add loop"),
        (
            Command::Together {
                what: text("draw and rename"),
                commands: vec![
                    Command::AddStrokes(vec![stroke("a"), stroke("b")]),
                    Command::RenameStroke {
                        id: StrokeId(6),
                        name: text("c"),
                    },
                    Command::RemoveStrokes(vec![StrokeId(5)]),
                ],
            },
            "draw and rename",
        ),
        (Command::AddGraph(graph("fight")), "build graph fight"),
        (
            Command::Together {
                what: text("graphs"),
                commands: vec![
                    Command::AddGraph(graph("a")),
                    Command::ChangeGraph {
                        what: text("add clips to"),
                        id: GraphId(5),
                        graph: graph("b"),
                    },
                    Command::AddGraph(graph("c")),
                    Command::RemoveGraph(GraphId(5)),
                ],
            },
            "graphs",
        ),
        (Command::AddSequence(sequence("six")), "make sequence six"),
        (
            Command::Together {
                what: text("sequences"),
                commands: vec![
                    Command::AddSequence(sequence("a")),
                    Command::ChangeSequence {
                        what: text("move jab in a"),
                        id: SequenceId(5),
                        sequence: sequence("b"),
                    },
                    Command::AddSequence(sequence("c")),
                    Command::RemoveSequence(SequenceId(5)),
                ],
            },
            "sequences",
        ),
        (Command::RenameProject(text("Gaits")), "rename project"),
        (
            Command::SetProjectNotes(text("two\nlines")),
            "change project notes",
        ),
        (
            Command::Together {
                what: text("split walk"),
                commands: vec![
                    Command::ReplaceClips {
                        what: text("cut"),
                        clips: vec![(ClipId(1), clip("walk", 1))],
                    },
                    Command::AddClips(vec![clip("walk rest", 1)]),
                    Command::AddSet {
                        name: text("halves"),
                        clips: ids(&[1, 5]),
                    },
                ],
            },
            "split walk",
        ),
    ]
}

/// How many steps can be taken back.
fn n_steps(history: &History) -> usize {
    let mut history = history.clone();
    std::iter::from_fn(|| history.undo()).count()
}

#[test]
fn every_command_is_a_named_step_that_goes_back_and_forth() {
    for (command, label) in every_command() {
        let mut history = start();
        let before = history.document().clone();
        let revision = history.revision();
        let applied = history.apply(command.clone()).unwrap();
        let after = history.document().clone();
        after.check().unwrap();
        assert!(applied.changed, "{label}");
        assert_ne!(before, after, "{label}");
        assert_ne!(history.revision(), revision, "{label}");
        assert_eq!(history.undo_label(), Some(label));
        assert_eq!(history.undo().as_deref(), Some(label));
        assert_eq!(history.document(), &before, "{label}");
        assert_eq!(history.revision(), revision, "{label}");
        history.document().check().unwrap();
        assert_eq!(history.redo_label(), Some(label));
        assert_eq!(history.redo().as_deref(), Some(label));
        assert_eq!(history.document(), &after, "{label}");
        history.document().check().unwrap();
        assert_eq!(history.redo(), None, "{label}");
    }
}

#[test]
fn steps_are_named_also_where_nothing_is_there_to_name() {
    let document = Document::default();
    let label = |command: Command| command.label(&document);
    let tag = text("t");
    let clips = ids(&[1, 2, 3]);
    assert_eq!(
        label(Command::RemoveTag { clips, tag }),
        "take tag \"t\" off 3 clips"
    );
    assert_eq!(label(Command::RemoveClips(ids(&[1]))), "remove 1 clip");
    assert_eq!(label(Command::RemoveSet(SetId(1))), "remove a set");
}

#[test]
fn commands_do_what_they_say() {
    let after = |command| start().document().edited(command).unwrap();
    let names = |d: &Document| {
        d.clips()
            .map(|(_, c)| c.info.name.clone())
            .collect::<Vec<_>>()
    };
    let d = after(Command::RemoveClips(ids(&[2])));
    assert_eq!(names(&d), ["walk", "jump"]);
    assert_eq!(d.sets()[0].clips, ids(&[3]), "gone from the set too");
    let d = after(Command::MoveClips {
        clips: ids(&[3, 1]),
        to: 1,
    });
    assert_eq!(names(&d), ["run", "jump", "walk"]);
    assert_eq!(
        d.clip(ClipId(1)).unwrap().info.name,
        "walk",
        "found by number"
    );
    let d = after(Command::MoveClips {
        clips: ids(&[1]),
        to: 2,
    });
    assert_eq!(names(&d), ["run", "jump", "walk"]);
    let d = after(Command::RenameClip {
        id: ClipId(2),
        name: text("  sprint "),
    });
    assert_eq!(names(&d), ["walk", "sprint", "jump"]);
    let d = after(Command::AddTag {
        clips: ids(&[1, 2]),
        tag: text("gait"),
    });
    let d = d
        .edited(Command::AddTag {
            clips: ids(&[2]),
            tag: text("fast"),
        })
        .unwrap();
    assert_eq!(d.tags(), BTreeSet::from(["fast", "gait"]));
    let d = d
        .edited(Command::RemoveTag {
            clips: ids(&[1, 2, 3]),
            tag: text("gait"),
        })
        .unwrap();
    assert_eq!(d.clip(ClipId(2)).unwrap().info.tags, tags(&["fast"]));
    assert_eq!(d.clip(ClipId(1)).unwrap().info.tags, tags(&[]));
}

/// What cannot be kept of graphs and sequences, with the reason.
fn graph_and_sequence_refusals() -> Vec<(Command, EditError)> {
    let twice = GraphRecipe {
        clips: ids(&[1, 1]),
        ..GraphRecipe::clone(&graph("twice"))
    };
    let mut no_paths = GraphRecipe::clone(&graph("no paths"));
    no_paths.settings.n_paths = 0;
    let mut heavy = GraphRecipe::clone(&graph("heavy"));
    heavy.settings.metric.weights = vec![(text("Hips"), f64::NAN)];
    let change = |change: &dyn Fn(&mut Sequence)| {
        let mut changed = Sequence::clone(&sequence("s"));
        change(&mut changed);
        Command::AddSequence(Arc::new(changed))
    };
    let target = |n_examples, y| {
        ActionSource::Target(TargetAction {
            examples: ids(&[1, 2, 3])[..n_examples].to_vec(),
            site: Site::Joint(0),
            target: Vec3::new(0.0, y, 0.0),
        })
    };
    vec![
        (
            Command::RemoveGraph(GraphId(9)),
            EditError::NoSuchGraph(GraphId(9)),
        ),
        (
            Command::AddGraph(Arc::new(twice)),
            EditError::Graph("it names a clip twice"),
        ),
        (
            Command::AddGraph(Arc::new(no_paths)),
            EditError::Graph("its threshold, number of paths or cost limit is not over zero"),
        ),
        (
            Command::AddGraph(Arc::new(heavy)),
            EditError::Graph("a weight of its metric is not a number from 0"),
        ),
        (
            Command::AddGraph(graph("two\nlines")),
            EditError::NotALine {
                what: "the name of a graph",
                found: text("two\nlines"),
            },
        ),
        (
            Command::RemoveSequence(SequenceId(1)),
            EditError::NoSuchSequence(SequenceId(1)),
        ),
        (
            change(&|s| s.actions.entries[0].repeats = 0),
            EditError::Sequence("an action is repeated too often, or not played at all"),
        ),
        (
            change(&|s| s.actions.entries[0].source = target(1, 0.0)),
            EditError::Sequence("an action with a target needs two examples or more"),
        ),
        (
            change(&|s| s.actions.entries[0].source = target(3, f64::NAN)),
            EditError::Sequence("a target is at no finite place"),
        ),
        (
            change(&|s| s.name = text(" ")),
            EditError::NotALine {
                what: "the name of a sequence",
                found: text(" "),
            },
        ),
    ]
}

#[test]
fn every_refusal_leaves_the_document_alone() {
    let one = || vec![(ClipId(9), clip("x", 1))];
    let twice = vec![(ClipId(1), clip("x", 1)), (ClipId(1), clip("y", 1))];
    let not_a_line = |what, found: &str| EditError::NotALine {
        what,
        found: text(found),
    };
    let lost = EditError::NoSuchClip(ClipId(9));
    let cases = [
        (Command::RemoveClips(ids(&[1, 9])), lost.clone()),
        (
            Command::AddToSet {
                id: SetId(4),
                clips: ids(&[9]),
            },
            lost.clone(),
        ),
        (
            Command::TakeFromSet {
                id: SetId(9),
                clips: ids(&[1]),
            },
            EditError::NoSuchSet(SetId(9)),
        ),
        (
            Command::RemoveStrokes(vec![StrokeId(9)]),
            EditError::NoSuchStroke(StrokeId(9)),
        ),
        (
            Command::RenameStroke {
                id: StrokeId(9),
                name: text("s"),
            },
            EditError::NoSuchStroke(StrokeId(9)),
        ),
        (
            Command::RemoveClips(ids(&[1, 1])),
            EditError::ClipTwice(ClipId(1)),
        ),
        (
            Command::ReplaceClips {
                what: text("trim"),
                clips: one(),
            },
            lost.clone(),
        ),
        (
            Command::ReplaceClips {
                what: text("trim"),
                clips: twice,
            },
            EditError::ClipTwice(ClipId(1)),
        ),
        (
            Command::RenameClip {
                id: ClipId(9),
                name: text("x"),
            },
            lost.clone(),
        ),
        (
            Command::RenameClip {
                id: ClipId(1),
                name: text(" \t"),
            },
            not_a_line("the name of a clip", " \t"),
        ),
        (
            Command::AddTag {
                clips: ids(&[1]),
                tag: text("a\nb"),
            },
            not_a_line("a tag", "a\nb"),
        ),
        (
            Command::AddTag {
                clips: ids(&[9]),
                tag: text("a"),
            },
            lost.clone(),
        ),
        (
            Command::SetTags {
                clips: ids(&[1]),
                tags: tags(&["a", ""]),
            },
            not_a_line("a tag", ""),
        ),
        (
            Command::RemoveTag {
                clips: ids(&[9]),
                tag: text("a"),
            },
            lost.clone(),
        ),
        (
            Command::MoveClips {
                clips: ids(&[9]),
                to: 0,
            },
            lost.clone(),
        ),
        (
            Command::MoveClips {
                clips: ids(&[1]),
                to: 3,
            },
            EditError::NoSuchPlace { to: 3, n_others: 2 },
        ),
        (
            Command::AddSet {
                name: text("fast"),
                clips: vec![],
            },
            EditError::SetNameTaken(text("fast")),
        ),
        (
            Command::AddSet {
                name: text(""),
                clips: vec![],
            },
            not_a_line("the name of a set", ""),
        ),
        (
            Command::AddSet {
                name: text("x"),
                clips: ids(&[9]),
            },
            lost.clone(),
        ),
        (
            Command::RenameSet {
                id: SetId(9),
                name: text("x"),
            },
            EditError::NoSuchSet(SetId(9)),
        ),
        (Command::RemoveSet(SetId(1)), EditError::NoSuchSet(SetId(1))),
        (
            Command::SetMembers {
                id: SetId(4),
                clips: ids(&[1, 1]),
            },
            EditError::ClipTwice(ClipId(1)),
        ),
        (
            Command::SetMembers {
                id: SetId(9),
                clips: vec![],
            },
            EditError::NoSuchSet(SetId(9)),
        ),
        (
            Command::RenameProject(text("")),
            not_a_line("the name of a project", ""),
        ),
        (
            Command::Together {
                what: text("both"),
                commands: vec![
                    Command::RenameProject(text("x")),
                    Command::RemoveClips(ids(&[9])),
                ],
            },
            lost,
        ),
    ];
    let cases = cases.into_iter().chain(graph_and_sequence_refusals());
    for (command, expected) in cases {
        let mut history = start();
        let (before, steps) = (history.document().clone(), n_steps(&history));
        assert_eq!(history.apply(command.clone()), Err(expected), "{command:?}");
        assert_eq!(history.document(), &before, "{command:?}");
        assert_eq!(n_steps(&history), steps, "{command:?}");
    }
    let last = DocumentParts {
        next_number: u64::MAX,
        ..DocumentParts::default()
    };
    let last = Document::from_parts(last).unwrap();
    let refused = last.edited(Command::AddClips(vec![clip("x", 1)]));
    assert_eq!(refused, Err(EditError::NoMoreNumbers));
}

#[test]
fn what_changes_nothing_is_no_step() {
    let own_name = Command::RenameSet {
        id: SetId(4),
        name: text("fast"),
    };
    let equal = Command::ReplaceClips {
        what: text("x"),
        clips: vec![(ClipId(1), clip("walk", 2))],
    };
    let back_and_forth = Command::Together {
        what: text("nothing"),
        commands: vec![
            Command::AddClips(vec![clip("x", 1)]),
            Command::RemoveClips(ids(&[5])),
        ],
    };
    for command in [
        Command::AddClips(vec![]),
        Command::RemoveClips(vec![]),
        Command::RenameClip {
            id: ClipId(1),
            name: text("walk"),
        },
        Command::RemoveTag {
            clips: ids(&[1]),
            tag: text("none"),
        },
        Command::MoveClips {
            clips: ids(&[1, 2]),
            to: 0,
        },
        own_name,
        equal,
        back_and_forth,
    ] {
        let mut history = start();
        let (before, steps) = (history.revision(), n_steps(&history));
        let applied = history.apply(command.clone()).unwrap();
        assert!(!applied.changed, "{command:?}");
        assert_eq!(history.revision(), before, "{command:?}");
        assert_eq!(n_steps(&history), steps, "{command:?}");
    }
}

#[test]
fn a_new_step_forgets_what_was_undone_and_numbers_are_not_reused() {
    let mut history = start();
    let added = |history: &mut History, name| {
        history
            .apply(Command::AddClips(vec![clip(name, 1)]))
            .unwrap()
            .added
    };
    assert_eq!(added(&mut history, "first"), ids(&[5]));
    let first = history.revision();
    history.undo();
    assert_eq!(
        history.document().next_number(),
        6,
        "as the next clip will be called"
    );
    assert_eq!(added(&mut history, "second"), ids(&[6]));
    assert_ne!(history.revision(), first, "another document");
    assert_eq!(history.redo_label(), None);
    assert_eq!(history.redo(), None);
}

#[test]
fn a_hundred_steps_can_be_taken_back() {
    let mut history = start();
    for n in 0..DEPTH + 20 {
        let _step = history
            .apply(Command::RenameProject(format!("p{n}")))
            .unwrap();
    }
    let mut undone = 0;
    while history.undo().is_some() {
        undone += 1;
    }
    assert_eq!(undone, DEPTH);
    assert_eq!(history.document().name(), "p19");
    while history.redo().is_some() {}
    assert_eq!(history.document().name(), format!("p{}", DEPTH + 19));
}

#[test]
fn saved_is_known_across_undo_and_redo() {
    let rename = |history: &mut History, name: &str| {
        let _step = history.apply(Command::RenameProject(text(name))).unwrap();
    };
    let mut history = History::opened(start().document().clone());
    assert!(history.is_saved(), "just opened");
    rename(&mut history, "a");
    assert!(!history.is_saved(), "changed");
    let being_saved = history.revision();
    rename(&mut history, "b");
    history.mark_saved(being_saved);
    assert!(!history.is_saved(), "changed while it was saved");
    history.undo();
    assert!(history.is_saved(), "back at what was saved");
    history.undo();
    assert!(!history.is_saved(), "before what was saved");
    rename(&mut history, "c");
    assert!(!history.is_saved(), "on another way");
    assert!(
        !History::unsaved(Document::default()).is_saved(),
        "never saved"
    );
}

#[test]
fn steps_share_what_they_do_not_change() {
    let mut history = start();
    let before = history.document().clone();
    let clips = ids(&[1, 2, 3]);
    let _step = history
        .apply(Command::AddTag {
            clips,
            tag: text("t"),
        })
        .unwrap();
    for (id, clip) in history.document().clips() {
        let old = before.clip(id).unwrap();
        assert!(
            std::ptr::eq(clip.motion(), old.motion()),
            "the numbers are held once"
        );
    }
    let mut many = History::default();
    let one = clip("x", 1);
    let _step = many.apply(Command::AddClips(vec![one; 100_000])).unwrap();
    // As lists of their own these would take 24 GB.
    let copies: Vec<Document> = (0..10_000).map(|_| many.document().clone()).collect();
    assert_eq!(copies.last(), Some(many.document()));
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let set = |id, clips: &[u64]| ClipSet {
        id: SetId(id),
        name: text("s"),
        clips: ids(clips),
    };
    let parts = |numbers: &[u64], sets: Vec<ClipSet>, next_number| DocumentParts {
        clips: numbers.iter().map(|&n| (ClipId(n), clip("c", 1))).collect(),
        sets,
        next_number,
        ..DocumentParts::default()
    };
    let refused = |parts| Document::from_parts(parts).unwrap_err();
    assert_eq!(
        refused(parts(&[2, 1, 2], vec![], 9)),
        CheckError::ClipTwice(ClipId(2))
    );
    assert_eq!(
        refused(parts(&[1], vec![set(2, &[]), set(2, &[])], 9)),
        CheckError::SetTwice(SetId(2))
    );
    let (set_id, clip_id) = (SetId(2), ClipId(1));
    assert_eq!(
        refused(parts(&[3], vec![set(2, &[1])], 9)),
        CheckError::LostMember {
            set: set_id,
            clip: clip_id
        }
    );
    assert_eq!(
        refused(parts(&[1], vec![set(2, &[1, 1])], 9)),
        CheckError::MemberTwice {
            set: set_id,
            clip: clip_id
        }
    );
    assert_eq!(refused(parts(&[1, 4], vec![], 4)), CheckError::Number(4));
    let fine = Document::from_parts(parts(&[5, 1], vec![set(2, &[1, 5])], 6)).unwrap();
    assert_eq!(fine.clip_order(), ids(&[5, 1]));
}

#[test]
fn sets_grow_and_shrink_in_order_and_strokes_keep_theirs() {
    let mut history = start();
    let (id, clips) = (SetId(4), ids(&[1, 2]));
    assert!(
        history
            .apply(Command::AddToSet { id, clips })
            .unwrap()
            .changed,
        "grown"
    );
    assert_eq!(history.document().sets()[0].clips, ids(&[2, 3, 1]));
    let clips = ids(&[3]);
    assert!(
        history
            .apply(Command::TakeFromSet { id, clips })
            .unwrap()
            .changed,
        "shrunk"
    );
    assert_eq!(history.document().sets()[0].clips, ids(&[2, 1]));
    let draw = Command::AddStrokes(vec![stroke("a"), stroke("b")]);
    assert!(history.apply(draw).unwrap().changed, "drawn");
    let name = text("c");
    let id = StrokeId(5);
    assert!(
        history
            .apply(Command::RenameStroke { id, name })
            .unwrap()
            .changed,
        "renamed"
    );
    let strokes = history.document().strokes().iter();
    let named: Vec<(u64, &str)> = strokes.map(|(id, s)| (id.0, s.name())).collect();
    assert_eq!(named, [(5, "c"), (6, "b")]);
    let twice = DocumentParts {
        strokes: vec![(StrokeId(2), stroke("a")), (StrokeId(2), stroke("b"))],
        next_number: 9,
        ..DocumentParts::default()
    };
    let refused = Document::from_parts(twice).unwrap_err();
    assert_eq!(refused, CheckError::StrokeTwice(StrokeId(2)));
    let not_counted = DocumentParts {
        strokes: vec![(StrokeId(2), stroke("a"))],
        next_number: 2,
        ..DocumentParts::default()
    };
    assert_eq!(
        Document::from_parts(not_counted).unwrap_err(),
        CheckError::Number(2)
    );
}
