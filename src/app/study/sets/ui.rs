//! The panel of sets: what there is to measure, and what each set is to the comparison.

use egui_material_icons::icons::ICON_CLOSE;

use crate::app::shell::actions::Action;
use crate::app::shell::context::UiContext;
use crate::app::shell::offers::Offer;
use crate::app::shell::requests::Request;
use crate::app::shell::theme::Colours;
use crate::app::shell::ui::name_button;
use crate::app::shell::words::counted;
use crate::app::study::sets::{Choice, Member, SetsView, Source, StudySet, library_sets, tagged};
use crate::app::study::state::StudyWorkspace;
use crate::study::measures::Role;

const ROLES: [(Role, &str, &str); 3] = [
    (
        Role::Inputs,
        "inputs",
        "What everything is measured against: the takes that motions were made from",
    ),
    (
        Role::Real,
        "real, held back",
        "Motion capture of the same kind that no model has seen: it widens the range of real clips",
    ),
    (
        Role::Asked,
        "judged",
        "What is asked about: variants, sequences, another tool's output",
    ),
];

/// Draws the choice of sets to be compared.
pub(in crate::app) fn sets_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    egui::ScrollArea::vertical()
        .auto_shrink(false)
        .show(ui, |ui| {
            offers_ui(ui, study);
            add_ui(ui, cx, study);
            ui.separator();
            if study.sets.sets.is_empty() {
                ui.weak("No sets yet. Add the takes that motions were made from first: everything is measured against them. Then add what is to be judged: variants, sequences, another program's files. Clips that no model has seen, added as \"real, held back\", tell how much real clips differ.");
                return;
            }
            let mut out = None;
            for at in 0..study.sets.sets.len() {
                let members = study.sets.sets[at].members(cx.document());
                if set_ui(ui, cx, study, at, &members) {
                    out = Some(at);
                }
            }
            if let Some(at) = out {
                study.sets.sets.remove(at);
            }
            hint_ui(ui, &study.sets);
        });
}

/// One click for what most people want: a model's variants beside its takes.
fn offers_ui(ui: &mut egui::Ui, study: &mut StudyWorkspace) {
    let ready: Vec<Offer> = study
        .offers
        .iter()
        .filter(|o| !o.inputs.is_empty())
        .cloned()
        .collect();
    for offer in ready {
        let words = format!("Compare {} with their takes", offer.name);
        let n = counted(offer.clips.len(), "motion");
        let tip = format!(
            "Puts the takes of the model and the {n} it made here, in place of what is chosen"
        );
        if ui.button(words).on_hover_text(tip).clicked() {
            study.sets.compare_offer(&offer);
            study.measure.model = offer.model;
        }
    }
}

fn add_ui(ui: &mut egui::Ui, cx: &mut UiContext, study: &mut StudyWorkspace) {
    ui.horizontal_wrapped(|ui| {
        let selected: Vec<_> = cx.selected_clips().iter().map(|clip| clip.0).collect();
        let words = format!("Add {}", counted(selected.len(), "selected clip"));
        let button = ui.add_enabled(!selected.is_empty(), egui::Button::new(words));
        if button
            .on_hover_text("The clips that are selected in the table")
            .clicked()
        {
            study.sets.add("clips", Source::Library(selected));
        }
        let made = study.offers.iter().map(|offer| Choice {
            name: offer.name.clone(),
            n: offer.clips.len(),
            source: Source::Made(offer.clips.clone()),
        });
        let lists = [
            ("a set", library_sets(cx)),
            ("a tag", tagged(cx)),
            ("variants", made.collect()),
        ];
        for (words, choices) in lists {
            choices_ui(ui, &mut study.sets, words, choices);
        }
        let button = ui.button("Import…");
        name_button(&button, "Import clips to compare");
        let tip = "Reads another program's files into the library; they are selected then, and can be added here";
        if button.on_hover_text(tip).clicked() {
            cx.ask(Request::Do(Action::Import));
        }
    });
}

fn choices_ui(ui: &mut egui::Ui, sets: &mut SetsView, words: &str, choices: Vec<Choice>) {
    const WIDTH: f32 = 92.0;
    // Lists do not wrap by themselves.
    if ui.available_size_before_wrap().x < WIDTH {
        ui.end_row();
    }
    ui.add_enabled_ui(!choices.is_empty(), |ui| {
        egui::ComboBox::from_id_salt(("add", words))
            .width(60.0)
            .selected_text(format!("Add {words}"))
            .show_ui(ui, |ui| {
                for choice in choices {
                    let words = format!("{} ({})", choice.name, choice.n);
                    if ui.selectable_label(false, words).clicked() {
                        sets.add(&choice.name, choice.source);
                    }
                }
            });
    });
}

/// One set; whether it should go.
fn set_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    at: usize,
    members: &[Member],
) -> bool {
    let mut is_out = false;
    let set = &mut study.sets.sets[at];
    ui.horizontal(|ui| {
        let colours = Colours::of(ui);
        let colour = if set.role == Role::Asked {
            colours.generated
        } else {
            colours.given
        };
        let (dot, _) = ui.allocate_exact_size(egui::vec2(10.0, 18.0), egui::Sense::hover());
        ui.painter().circle_filled(dot.center(), 4.0, colour);
        name_ui(ui, set);
        role_ui(ui, set);
        let button = ui.small_button(ICON_CLOSE);
        name_button(&button, &format!("Remove set {}", set.name));
        is_out = button
            .on_hover_text("Takes the set out of this list; its clips stay")
            .clicked();
    });
    let secs: f64 = members.iter().map(|member| member.clip.seconds()).sum();
    let what = match set.source {
        Source::Library(_) => "clip",
        Source::Made(_) => "motion",
    };
    let words = format!("{}, {secs:.1} s", counted(members.len(), what));
    egui::CollapsingHeader::new(words)
        .id_salt(("members", at))
        .show(ui, |ui| members_ui(ui, cx, study, members));
    is_out
}

/// Wide enough for every role, so that names and buttons of all sets stand under each other.
const ROLE_WIDTH: f32 = 120.0;

fn name_ui(ui: &mut egui::Ui, set: &mut StudySet) {
    let width = (ui.available_width() - ROLE_WIDTH - 52.0).clamp(60.0, 200.0);
    let edit = egui::TextEdit::singleline(&mut set.name).desired_width(width);
    let response = ui.add(edit);
    response.widget_info(|| {
        let mut info = egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Name of the set");
        info.current_text_value = Some(set.name.clone());
        info
    });
    response.on_hover_text("What tables, plots and raters' conditions call it");
}

fn role_ui(ui: &mut egui::Ui, set: &mut StudySet) {
    let now = ROLES.iter().find(|role| role.0 == set.role);
    egui::ComboBox::from_id_salt(("role", &set.name))
        .width(ROLE_WIDTH)
        .selected_text(now.map_or("", |role| role.1))
        .show_ui(ui, |ui| {
            for (role, name, tip) in ROLES {
                ui.selectable_value(&mut set.role, role, name)
                    .on_hover_text(tip);
            }
        })
        .response
        .on_hover_text(now.map_or("", |role| role.2));
}

/// Its motions; a click shows one.
fn members_ui(
    ui: &mut egui::Ui,
    cx: &mut UiContext,
    study: &mut StudyWorkspace,
    members: &[Member],
) {
    const MOST: usize = 100;
    for member in members.iter().take(MOST) {
        let words = format!("{}, {:.2} s", member.clip.info.name, member.clip.seconds());
        if ui.selectable_label(false, words).clicked() {
            study.look_at(cx, member, None);
        }
    }
    if members.len() > MOST {
        ui.weak(format!("and {} more", members.len() - MOST));
    }
}

/// What is still missing.
fn hint_ui(ui: &mut egui::Ui, sets: &SetsView) {
    let has = |role| sets.sets.iter().any(|set| set.role == role);
    let words = if !has(Role::Inputs) {
        "No set is \"inputs\": measures need one to compare with."
    } else if !has(Role::Asked) {
        "Nothing is judged yet: add variants, sequences or another tool's output."
    } else if !has(Role::Real) {
        "Real clips that were held back would tell how much real clips differ: hold back what you can."
    } else {
        return;
    };
    ui.add_space(4.0);
    ui.add(egui::Label::new(egui::RichText::new(words).weak()).wrap());
}
