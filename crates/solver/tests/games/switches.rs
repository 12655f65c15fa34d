//! Which algorithms know which switch: the others refuse it and name those that do.

use quod_solver::{
    Algorithm, Backup, Compat, Deletion, Ends, Epsilon, Evaluate, Init, Limits, Many, Order, Request,
    SecondLevel, Switches, TableKind, Update, games,
};

const BEST_FIRST: &str = "pn pn2 pn-dag pn-dcg pn-graph";
const QUESTIONS: &str = "pn pn2 pn-dag pn-dcg pn-graph dfpn pn-dfpn pn-star pds";
const NUMBERS: &str = "pn pn2 pn-dag pn-dcg pn-graph gpn gpn-dag gpn2 mopn mopn-dag dfpn pn-dfpn pn-star pds alphabeta \
                       alphabeta-tt brute negac-star nws pvs scout sss2 sss-star";

#[test]
fn a_switch_is_refused_by_all_who_do_not_know_it() {
    let none = Switches::default();
    let one = |switches: Switches| Request { switches, ..Request::default() };
    let cases = [
        (one(Switches { init: Some(Init::Mobility), ..none }), "--init", NUMBERS),
        (one(Switches { evaluate: Some(Evaluate::Delayed), ..none }), "--evaluate", QUESTIONS),
        (one(Switches { many: Some(Many::Binary), ..none }), "--many", QUESTIONS),
        (one(Switches { many: Some(Many::Guess), ..none }), "--many guess", "dfpn pn-dfpn pn-star pds"),
        (one(Switches { order: Some(Order::Generated), ..none }), "--order", BEST_FIRST),
        (one(Switches { stages: true, ..none }), "--stages", "pn-graph"),
        (one(Switches { delete_solved: Some(Deletion::Never), ..none }), "--delete-solved=never", BEST_FIRST),
        (one(Switches { delete_solved: Some(Deletion::AtOnce), ..none }), "--delete-solved=always", "pn pn2"),
        (
            one(Switches { delete_solved: Some(Deletion::WhenFull), ..none }),
            "--delete-solved=full",
            "pn pn2 pn-dag pn-graph",
        ),
        (
            one(Switches { delete_least_proving: true, ..none }),
            "--delete-least-proving",
            "pn pn2 pn-dag pn-graph",
        ),
        (
            one(Switches { backup: Some(Backup::Weak), ..none }),
            "--backup",
            "pn-dag pn-dcg pn-graph dfpn pn-dfpn",
        ),
        (
            one(Switches { symmetry: Some(false), ..none }),
            "--symmetry",
            "pn-dag pn-dcg pn-graph gpn-dag mopn-dag dfpn pn-dfpn pn-star pds alphabeta-tt mtdf",
        ),
        (one(Switches { epsilon: Some(Epsilon::QUARTER), ..none }), "--epsilon", "dfpn pn-dfpn"),
        (one(Switches { hysteresis: true, ..none }), "--hysteresis", "dfpn pn-dfpn"),
        (one(Switches { edge_cost: Some(1), ..none }), "--edge-cost", "dfpn pn-dfpn"),
        (one(Switches { compat: Some(Compat::Schijf1993), ..none }), "--compat schijf1993", "pn-dag"),
        (
            one(Switches { compat: Some(Compat::Allis1994), ..none }),
            "--compat allis1994",
            "pn alphabeta alphabeta-tt",
        ),
        (one(Switches { compat: Some(Compat::Breuker1994), ..none }), "--compat breuker1994", "pn pn-dcg"),
        (one(Switches { update: Some(Update::Early), ..none }), "--update early", "pn pn2 pn-dag pn-dcg"),
        (one(Switches { update: Some(Update::Full), ..none }), "--update full", "pn pn2 pn-dag"),
        (one(Switches { update: Some(Update::Queue), ..none }), "--update queue", "pn-dag"),
        (one(Switches { second_level: Some(SecondLevel::default()), ..none }), "--second-level", "pn2 gpn2"),
        (one(Switches { ends: Some(Ends::default()), ..none }), "--ends", "gpn gpn-dag gpn2"),
        (one(Switches { prune: Some(false), ..none }), "--prune", "gpn gpn-dag gpn2 mopn mopn-dag"),
        (one(Switches { deepen: true, ..none }), "--deepen", "alphabeta"),
        (one(Switches { table: Some(TableKind::Modern), ..none }), "--table", "alphabeta-tt"),
        (one(Switches { entries: Some(64), ..none }), "--entries", "alphabeta-tt"),
        (Request { threads: Some(2), ..Request::default() }, "--threads", "dfpn pn-dfpn pn-star pds"),
    ];
    let game = games().open("tictactoe").unwrap();
    for (request, switch, known_by) in cases {
        let known_by: Vec<&str> = known_by.split(' ').collect();
        for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| *algorithm != Algorithm::Auto) {
            let name = algorithm.name();
            let limits = Limits { nodes: Some(10), memory: Some(1 << 20), time: None };
            let request = Request { algorithm, limits, ..request };
            let answer = game.solve(&Default::default(), &request, &mut ());
            let message = answer.err().map(|error| error.to_string()).unwrap_or_default();
            let refused = message.contains(&format!("{name} does not know it"));
            assert_eq!(refused, !known_by.contains(&name), "{switch}, {name}: {message}");
            assert!(!refused || message.contains(&format!("\"{switch}\"")), "{switch}, {name}: {message}");
            assert!(!refused || message.contains(&known_by.join(", ")), "{switch}, {name}: {message}");
        }
    }
}
