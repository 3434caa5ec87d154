//! The page of the demo tour.

use kinfolk::demo::{Action, make};
use kinfolk::file::tour_page::{Figure, Section, Show, ShowKind, Table, page};

fn section() -> Section {
    let figure = Figure {
        clip: make(Action::Walk, 3, 0).clip,
        is_generated: true,
    };
    Section {
        title: "A <b>".to_owned(),
        commands: vec!["kinfolk learn a.bvh && b".to_owned()],
        shows: vec![Show {
            kind: ShowKind::Path,
            caption: "walks".to_owned(),
            figures: vec![figure],
        }],
        table: Table {
            head: vec!["name".to_owned()],
            rows: vec![vec!["</script>".to_owned()]],
        },
        ..Default::default()
    }
}

#[test]
fn a_page_holds_what_it_was_given_and_nothing_runs_that_should_not() {
    let page = page(&[section()]).unwrap();
    for part in [
        "A &lt;b&gt;",
        "<span>a.bvh</span> <span>&amp;&amp;</span> <span>b</span>",
        "<td>&lt;/script&gt;</td>",
        "class Stage",
        "data-show=\"0\"",
        "\"tone\":\"made\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("</script>").count(), 1, "one script");
    assert!(
        !page.contains("/*DATA*/null") && !page.contains("<!--BODY-->"),
        "filled"
    );
}
