//! Names on the command line that nothing is called by.

/// "did you mean X? " for the name that was probably meant, or nothing if none is like it at all.
pub(super) fn did_you_mean<'a>(names: impl IntoIterator<Item = &'a str>, wanted: &str) -> String {
    const LIKE: f64 = 0.75;
    let wanted = wanted.to_lowercase();
    let match_of = |name: &str| strsim::jaro_winkler(&name.to_lowercase(), &wanted);
    let rated = names.into_iter().map(|name| (match_of(name), name));
    let best = rated.max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|best| best.0 >= LIKE)
        .map_or_else(String::new, |(_, near)| {
            format!("did you mean \"{near}\"? ")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_joint_is_recognised() {
        let names = ["Hips", "LeftHand", "RightHand"];
        let meant = |wanted| did_you_mean(names, wanted);
        assert_eq!(meant("lefthand"), "did you mean \"LeftHand\"? ");
        assert_eq!(meant("RigthHand"), "did you mean \"RightHand\"? ");
        assert_eq!(meant("zzz"), "");
    }
}
