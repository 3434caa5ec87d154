//! What the program is, under which licence, and the papers behind it.

const PAPERS: [(&str, &str); 4] = [
    (
        "Variation",
        "M. Lau, Z. Bar-Joseph, J. Kuffner: Modeling Spatial and Temporal Variation in Motion Data. ACM Transactions on Graphics 28(5), 2009.",
    ),
    (
        "Style",
        "K. Grochow, S. L. Martin, A. Hertzmann, Z. Popović: Style-Based Inverse Kinematics. ACM Transactions on Graphics 23(3), 2004.",
    ),
    (
        "Transition",
        "J.-Y. Peng, I-C. Lin, J.-S. Chao, Y.-J. Chen, G.-H. Juang: Interactive and Flexible Motion Transition. 2007.",
    ),
    (
        "Texture",
        "Q. S. Gao, B. R. Hong: A Method for Character Animation Generation and Control. Journal of Software 18(9), 2007.",
    ),
];

/// Draws it; whether it stays open.
pub(in crate::app) fn about_ui(ui: &mut egui::Ui) -> bool {
    ui.label(format!("Version {}", crate::version()));
    ui.label(env!("CARGO_PKG_DESCRIPTION"));
    ui.label(format!("Licence: {}", env!("CARGO_PKG_LICENSE")));
    ui.add_space(8.0);
    ui.strong("Methods");
    for (part, paper) in PAPERS {
        ui.horizontal_top(|ui| {
            ui.add_sized([80.0, 18.0], egui::Label::new(part));
            ui.add(egui::Label::new(egui::RichText::new(paper).weak()).wrap());
        });
    }
    ui.add_space(8.0);
    !ui.button("Close").clicked()
}
