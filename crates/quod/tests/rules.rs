//! The example that is no game gives the right answers.

#[allow(dead_code, unreachable_pub)]
#[path = "../examples/rules.rs"]
mod rules;

#[test]
fn what_follows_is_proven_and_nothing_else() {
    let picnic = rules::picnic();
    for (fact, expected) in
        [("picnic", true), ("food", true), ("dry", true), ("sunny", false), ("snow", false)]
    {
        assert_eq!(rules::follows(&picnic, fact), expected, "{fact}");
    }
}
