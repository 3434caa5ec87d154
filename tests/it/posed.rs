//! Posed characters in the document: what is refused, and what goes when a style goes.

use std::sync::Arc;

use kinfolk::demo::{Action, make};
use kinfolk::document::{Command, Document, EditError, Learned, ModelId, Pin, PinMode, Posed};
use kinfolk::jobs::Ticket;
use kinfolk::motion::{Quat, Site, Vec3};
use kinfolk::style::{LearnSettings, Method, Style};

fn walker() -> Posed {
    let clip = make(Action::Walk, 1, 0).clip;
    Posed {
        name: "walker".to_owned(),
        skeleton: Arc::clone(clip.skeleton()),
        up: clip.info.up,
        floor: 0.0,
        pose: clip.frame(0).to_pose(),
        pins: Vec::new(),
        styles: Vec::new(),
    }
}

fn pin(site: Site) -> Pin {
    Pin {
        site,
        position: PinMode::Hard,
        rotation: PinMode::Free,
        place: Vec3::zeros(),
        turn: Quat::identity(),
    }
}

#[test]
fn what_is_no_character_is_refused() {
    let document = Document::default();
    let refused = |why: &str, spoil: &dyn Fn(&mut Posed)| {
        let mut posed = walker();
        spoil(&mut posed);
        let error = document.edited(Command::AddPosed(Arc::new(posed)));
        let error = error.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    };
    refused("other joints", &|p| p.pose.rotations.truncate(3));
    refused("finite places", &|p| p.pose.translations[0].x = f64::NAN);
    refused("floor", &|p| p.floor = f64::INFINITY);
    refused("no joint of it", &|p| p.pins = vec![pin(Site::Joint(9999))]);
    let two = || vec![pin(Site::Joint(4)), pin(Site::Joint(4))];
    refused("pinned twice", &|p| p.pins = two());
    refused("weight", &|p| p.styles = vec![(ModelId(1), -1.0)]);
    refused("not in the project", &|p| {
        p.styles = vec![(ModelId(1), 1.0)];
    });
    refused("one line", &|p| p.name = " ".to_owned());
}

#[test]
fn pins_are_found_by_their_site_and_a_lost_style_is_forgotten() {
    let mut posed = walker();
    for joint in [7, 2, 5, 2] {
        posed.set_pin(pin(Site::Joint(joint)));
    }
    let sites: Vec<Site> = posed.pins.iter().map(|pin| pin.site).collect();
    assert_eq!(sites, [2, 5, 7].map(Site::Joint), "each once, in order");
    posed.remove_pin(Site::Joint(5));
    assert!(posed.pin(Site::Joint(5)).is_none(), "taken away");
    let clip = make(Action::Walk, 1, 0).clip;
    let plain = LearnSettings {
        method: Method::Gaussian,
        ..LearnSettings::default()
    };
    let style = Style::learn(&[&clip], &plain, &Ticket::default()).unwrap();
    let learned = Learned::Style(Arc::new(style));
    let name = "stroll".to_owned();
    let document = Document::default();
    let document = document.edited(Command::AddModel { name, learned });
    let document = document.unwrap();
    let model = document.models()[0].id;
    posed.styles = vec![(model, 1.0)];
    let with = document.edited(Command::AddPosed(Arc::new(posed))).unwrap();
    with.check().unwrap();
    let without = with.edited(Command::RemoveModel(model)).unwrap();
    without.check().unwrap();
    assert!(without.posed()[0].1.styles.is_empty(), "it goes without");
    let id = without.posed()[0].0;
    let gone = without.edited(Command::RemovePosed(id)).unwrap();
    assert!(gone.posed().is_empty(), "removed");
    let again = gone.edited(Command::RemovePosed(id));
    assert_eq!(again, Err(EditError::NoSuchPosed(id)));
}
