//! The rating page in a real browser, driven by its own keyboard events.
//!
//! Needs Chromium (`apt install chromium`); where there is none, the test says so and ends. `KINFOLK_CHROMIUM` names
//! another program.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use kinfolk::demo::{self, Action};
use kinfolk::file::{study_page, study_ratings};
use kinfolk::motion::Clip;
use kinfolk::motion::edit::resample;
use kinfolk::study::session::{Experiment, Plan, Session};

use super::session::clips;
use crate::data::not_here;

fn chromium() -> Option<PathBuf> {
    let named = std::env::var_os("KINFOLK_CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut places = std::env::split_paths(&path).flat_map(|dir| names.map(|name| dir.join(name)));
    let found = named.or_else(|| places.find(|place| place.is_file()));
    if found.is_none() {
        not_here("there is no Chromium (apt install chromium)");
    }
    found
}

/// What a page says after it ran a script, and perhaps a picture of it.
fn drive(browser: &Path, folder: &Path, page: &str, name: &str, script: &str) -> String {
    let driven = page.replacen("</body>", &format!("<script>{script}</script></body>"), 1);
    let file = folder.join(name);
    std::fs::write(&file, driven).unwrap();
    let profile = format!("--user-data-dir={}", folder.join("profile").display());
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--window-size=700,800",
        // Time of the page, which runs ahead of the clock.
        "--virtual-time-budget=60000",
        "--dump-dom",
    ];
    let output = Command::new(browser)
        .args(flags)
        .arg(profile)
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Gives answers by keyboard: first too early, then one that is taken back; reports what the page says.
const DRIVER: &str = r#"
const report = [];
// Under virtual time the browser itself draws hardly any frames.
const wait = () => new Promise(done => setTimeout(() => { tick(performance.now()); done(); }, 60));
const press = key => dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
(async () => {
  by("rater").value = "Zoë, \"Z\"";
  by("rater").oninput();
  report.push(by("resume").textContent);
  by("begin").requestSubmit();
  press("9");
  report.push(by("note").textContent);
  for (let n = 0; n < STOP && !session.isOver; n++) {
    const before = session.answers.length;
    while (!clock.seen) await wait();
    press(String(1 + (before % 9)));
    if (before === 1 && n === 1) { press("Backspace"); report.push(by("count").textContent); press("7"); }
  }
  await wait();
  report.push(by("count").textContent, String(session.isOver));
  const canvas = view.getContext("2d").getImageData(0, 0, view.width, view.height).data;
  report.push(String(new Set(canvas).size > 40));
  const out = document.createElement("pre");
  out.id = "out"; out.textContent = report.join("|") + "\n" + session.csv();
  document.body.append(out);
})();
"#;

fn said(dom: &str) -> Vec<String> {
    let text = dom.split("<pre id=\"out\">").nth(1);
    let text = text.unwrap_or_else(|| panic!("the page did not come to its end: {dom:.2000}"));
    let text = text
        .split("</pre>")
        .next()
        .unwrap()
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_page_asks_keeps_and_goes_on_like_the_program() {
    let Some(browser) = chromium() else { return };
    let listed = clips(9);
    let plan = Plan::new(
        "Walks & \"more\" </script>",
        Experiment::Natural,
        7,
        6,
        &listed,
    )
    .unwrap();
    let plan = Arc::new(plan);
    let made: Vec<Clip> = (0..9)
        .map(|index| resample(&demo::make(Action::Walk, 3, index).clip, 30.0).unwrap())
        .collect();
    let page = study_page::page(&plan, &made.iter().collect::<Vec<_>>()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let stop = |n: usize| DRIVER.replace("STOP", &n.to_string());
    // Two answers, one of them taken back and given again; then the browser is closed.
    let first = said(&drive(
        &browser,
        folder.path(),
        &page,
        "first.html",
        &stop(2),
    ));
    assert_eq!(
        first[0],
        "|Please watch the motion to its end once.|Motion 2 of 6|Motion 3 of 6|false|true"
    );
    // It goes on where it was.
    let second = said(&drive(
        &browser,
        folder.path(),
        &page,
        "second.html",
        &stop(99),
    ));
    assert!(
        second[0].starts_with("Goes on after 2 answers given before.|"),
        "{second:?}"
    );
    assert!(second[0].ends_with("|true|true"), "{second:?}");
    // What is downloaded is what the program would have asked and saved.
    let csv = second[1..].join("\n");
    let ratings = study_ratings::parse(csv.as_bytes()).unwrap();
    let mut session = Session::begin(&plan, "Zoë, \"Z\"").unwrap();
    for score in [1, 7, 3, 4, 5, 6] {
        session.answer(score, 0.0).unwrap();
    }
    let mut expected = session.ratings();
    for (rating, found) in expected.iter_mut().zip(&ratings) {
        rating.condition.clear();
        rating.seconds = found.seconds;
    }
    assert_eq!(ratings, expected);
    assert!(ratings.iter().all(|r| r.seconds >= 0.0), "times");
}
