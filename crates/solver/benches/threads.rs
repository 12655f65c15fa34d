//! How much faster two threads are than one: ten questions that take one thread some ten seconds and more, each with one thread
//! and with two in turn, and the median of the ratios of time and of nodes.

use quod_solver::{Aim, Algorithm, Evaluate, Init, Limits, Place, Request, Switches, games};

const QUESTIONS: [(&str, &str, Init, Evaluate); 10] = [
    ("connect4:7x6", "", Init::Guess, Evaluate::Judged),
    ("connect4:7x6", "2", Init::Guess, Evaluate::Judged),
    ("connect4:7x6", "3", Init::Guess, Evaluate::Judged),
    ("connect4:7x6", "12", Init::Guess, Evaluate::Judged),
    ("connect4:8x5", "", Init::Guess, Evaluate::Judged),
    ("connect4:6x7", "", Init::Guess, Evaluate::Judged),
    ("connect4:7x6", "", Init::Mobility, Evaluate::Judged),
    ("connect4:7x5", "", Init::Mobility, Evaluate::Judged),
    ("connect4:7x6", "4", Init::Mobility, Evaluate::Judged),
    ("connect4:6x5", "", Init::Mobility, Evaluate::Immediate),
];

/// Seconds and nodes.
fn solve(question: &(&str, &str, Init, Evaluate), threads: usize) -> (f64, u64) {
    let (game, moves, init, evaluate) = *question;
    let request = Request {
        aim: Aim::AtLeast(1),
        algorithm: Algorithm::Dfpn,
        switches: Switches { init: Some(init), evaluate: Some(evaluate), ..Switches::default() },
        limits: Limits { memory: Some(256 << 20), ..Limits::default() },
        threads: Some(threads),
        certificate: false,
        ..Request::default()
    };
    let place = Place { position: None, moves: Some(moves.to_owned()) };
    let game = games().open(game).expect("a game");
    let report = game.solve(&place, &request, &mut ()).expect("a right request").report;
    assert_ne!(report.verdict, "unknown");
    (report.seconds, report.nodes)
}

fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_unstable_by(f64::total_cmp);
    let middle = ratios.len() / 2;
    (ratios[middle] + ratios[ratios.len() - 1 - middle]) / 2.0
}

fn main() {
    let (mut times, mut works) = (Vec::new(), Vec::new());
    println!("\"wins?\", 256 MiB                      one thread            two threads     time   nodes");
    for question in &QUESTIONS {
        let ((one, one_nodes), (two, two_nodes)) = (solve(question, 1), solve(question, 2));
        let (time, work) = (one / two, two_nodes as f64 / one_nodes as f64);
        let (game, moves, init, evaluate) = question;
        println!(
            "{:<36} {one:>6.1} s {:>6.1} M  {two:>6.1} s {:>6.1} M  {time:>5.2}   {work:>5.2}",
            format!("{game} {moves} {init:?} {evaluate:?}"),
            one_nodes as f64 / 1e6,
            two_nodes as f64 / 1e6,
        );
        times.push(time);
        works.push(work);
    }
    println!("median: {:.2} times as fast, {:.2} of the nodes", median(times), median(works));
}
