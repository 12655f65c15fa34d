//! Limits are kept in every combination of switches: nodes exactly, memory within a tenth, time within half a
//! second.

use std::time::{Duration, Instant};

use quod_search::NODE_BYTES;
use quod_solver::{
    Aim, Algorithm, CertificateFile, Deletion, Init, Length, Limits, Phase, Place, Report, Request,
    SecondLevel, Snapshot, Solution, Stop, Switches, TableKind, Watch, games,
};

mod common;
use common::combinations;

/// Far more than any limit here allows.
const LARGE: &str = "connect4:6x5";

fn solve(game: &str, aim: Aim, switches: Switches, limits: Limits, certificate: bool) -> Solution {
    let request =
        Request { aim, algorithm: Algorithm::Pn, switches, limits, certificate, ..Request::default() };
    let game = games().open(game).expect("a game");
    game.solve(&Place::default(), &request, &mut ()).expect("a right request")
}

fn large(switches: Switches, limits: Limits) -> Report {
    solve(LARGE, Aim::Value, switches, limits, false).report
}

#[test]
fn nodes_are_never_exceeded() {
    for switches in combinations() {
        let limits = Limits { nodes: Some(10_000), memory: Some(8 << 20), time: None };
        let report = large(switches, limits);
        assert_eq!(report.stop, Stop::Nodes, "{switches:?}");
        // The expansion that would pass the limit has at most six children.
        assert!((9_995..=10_000).contains(&report.nodes), "{} nodes, {switches:?}", report.nodes);
        assert_eq!((report.verdict, report.value), ("unknown", None));
    }
}

#[test]
fn memory_stays_within_a_tenth() {
    for switches in combinations() {
        let limit = 256 << 10;
        let limits = Limits { nodes: Some(60_000), memory: Some(limit), time: None };
        let report = large(switches, limits);
        assert!(matches!(report.stop, Stop::Memory | Stop::Nodes), "{switches:?}");
        let used = report.memory_bytes;
        assert!(used <= limit + limit / 10, "{used} bytes, {switches:?}");
        if report.stop == Stop::Memory {
            assert!(used > limit / 2, "stopped at {used} bytes, {switches:?}");
        }
    }
}

#[test]
fn time_is_kept_within_half_a_second() {
    for switches in combinations() {
        let time = Duration::from_millis(15);
        let begun = Instant::now();
        let report = large(switches, Limits { nodes: None, memory: Some(64 << 20), time: Some(time) });
        let took = begun.elapsed();
        // With little memory some searches end before the time.
        assert!(matches!(report.stop, Stop::Time | Stop::Memory), "{:?} {switches:?}", report.stop);
        assert!(took < time + Duration::from_millis(500), "{took:?}, {switches:?}");
    }
}

/// Every search but that on trees with one level, with and without deletion.
fn other_searches() -> Vec<(Algorithm, Switches)> {
    let full = Switches {
        delete_solved: Some(Deletion::WhenFull),
        delete_least_proving: true,
        ..Switches::default()
    };
    let plain = Switches::default();
    vec![
        (Algorithm::PnDag, plain),
        (Algorithm::PnDag, full),
        (Algorithm::PnDcg, plain),
        (Algorithm::PnGraph, plain),
        (Algorithm::PnGraph, full),
        (Algorithm::Auto, plain),
        (Algorithm::Pn2, plain),
        (Algorithm::Pn2, full),
        (Algorithm::Gpn, plain),
        (Algorithm::GpnDag, plain),
        (Algorithm::Gpn2, plain),
        (Algorithm::AlphaBeta, plain),
        (Algorithm::AlphaBeta, Switches { deepen: true, ..plain }),
        (Algorithm::AlphaBetaTt, plain),
        (Algorithm::AlphaBetaTt, Switches { table: Some(TableKind::Published), ..plain }),
        (Algorithm::Brute, plain),
        (Algorithm::Mtdf, plain),
        (Algorithm::NegacStar, plain),
        (Algorithm::Nws, plain),
        (Algorithm::Pvs, plain),
        (Algorithm::Scout, plain),
        (Algorithm::Sss2, plain),
        (Algorithm::SssStar, plain),
    ]
}

fn other_report(game: &str, algorithm: Algorithm, switches: Switches, limits: Limits) -> Report {
    let request = Request {
        aim: Aim::AtLeast(1),
        algorithm,
        switches,
        limits,
        threads: None,
        certificate: false,
        length: Length::Any,
    };
    let game = games().open(game).expect("a game");
    game.solve(&Place::default(), &request, &mut ()).expect("a right request").report
}

#[test]
fn other_searches_keep_their_limits() {
    for (algorithm, switches) in other_searches() {
        let games = match algorithm {
            // It is for games in which no position comes again, and solves the other one at once.
            Algorithm::Mtdf => &["connect4:7x6"][..],
            _ => &[LARGE, "morris:9"],
        };
        for game in games {
            let told = format!("{game} {algorithm:?} {switches:?}");
            let limits = Limits { nodes: Some(50_000), memory: Some(64 << 20), time: None };
            let report = other_report(game, algorithm, switches, limits);
            assert_eq!(report.stop, Stop::Nodes, "{told}");
            assert!((49_900..=50_000).contains(&report.nodes), "{} nodes, {told}", report.nodes);
            let limit = 512 << 10;
            let limits = Limits { nodes: Some(400_000), memory: Some(limit), time: None };
            let report = other_report(game, algorithm, switches, limits);
            assert!(matches!(report.stop, Stop::Memory | Stop::Nodes), "{told}");
            assert!(report.memory_bytes <= limit + limit / 10, "{} bytes, {told}", report.memory_bytes);
            // Two levels take little memory for many nodes.
            let used = report.memory_bytes > limit / 2 || report.stop == Stop::Nodes;
            assert!(used, "{} bytes, {told}", report.memory_bytes);
            let begun = Instant::now();
            let time = Duration::from_millis(200);
            let limits = Limits { nodes: None, memory: Some(256 << 20), time: Some(time) };
            let report = other_report(game, algorithm, switches, limits);
            assert_eq!(report.stop, Stop::Time, "{told}");
            assert!(begun.elapsed() < time + Duration::from_millis(500), "{told}");
        }
    }
}

/// Two levels solve in a fraction of the memory that one fills, and both stay within it.
#[test]
fn two_levels_solve_what_one_cannot_in_the_same_memory() {
    let solve = |algorithm, second_level, aim, memory| {
        // What folding back would do is another matter.
        let prune = (algorithm == Algorithm::Gpn).then_some(false);
        let switches = Switches { second_level, prune, ..Switches::default() };
        let limits = Limits { memory: Some(memory), ..Limits::default() };
        let request = Request {
            aim,
            algorithm,
            switches,
            limits,
            threads: None,
            certificate: true,
            length: Length::Any,
        };
        let game = games().open("connect4:4x4").expect("a game");
        game.solve(&Place::default(), &request, &mut ()).expect("a right request")
    };
    let breuker = SecondLevel::Breuker { a: 2_000, b: 500 };
    for (two, second_level, one, limit) in [
        (Algorithm::Pn2, Some(SecondLevel::Allis), Algorithm::Pn, 64 << 10),
        (Algorithm::Pn2, Some(breuker), Algorithm::Pn, 80 << 10),
        (Algorithm::Gpn2, Some(SecondLevel::Allis), Algorithm::Gpn, 128 << 10),
        (Algorithm::Gpn2, Some(breuker), Algorithm::Gpn, 256 << 10),
    ] {
        for aim in [Aim::AtLeast(1), Aim::AtLeast(0), Aim::Value] {
            let told = format!("{two:?} {second_level:?} {aim}");
            assert_eq!(solve(one, None, aim, limit).report.stop, Stop::Memory, "{told}");
            let solution = solve(two, second_level, aim, limit);
            let report = &solution.report;
            println!("{told}: {} bytes, {} nodes", report.memory_bytes, report.nodes);
            assert_eq!(report.stop, Stop::Solved, "{told}");
            let nodes_max = limit / NODE_BYTES as u64;
            assert!(report.peak_nodes <= nodes_max, "{} nodes, {told}", report.peak_nodes);
            assert!(report.memory_bytes <= limit + limit / 10, "{} bytes, {told}", report.memory_bytes);
            // The strategy alone takes more than the search.
            let file = solve(two, second_level, aim, 8 * limit).certificate.expect("enough memory").encode();
            let game = games().open("connect4:4x4").expect("a game");
            let file = CertificateFile::open(&file).expect("a good file");
            game.check(&file, &mut |_| true).unwrap_or_else(|error| panic!("{error}: {told}"));
        }
    }
}

/// Depth-first searches by windows need room for a path alone; what they could not keep is solved again for the certificate.
#[test]
fn searches_by_windows_solve_in_any_memory() {
    for (name, algorithm) in [
        ("connect4:5x4", Algorithm::AlphaBeta),
        ("connect4:4x4", Algorithm::AlphaBetaTt),
        ("connect4:4x4", Algorithm::NegacStar),
        ("connect4:5x4", Algorithm::Nws),
        ("connect4:4x4", Algorithm::Pvs),
        ("connect4:4x4", Algorithm::Scout),
        ("connect4:5x4", Algorithm::Mtdf),
    ] {
        let solve = |memory| {
            let limits = Limits { memory: Some(memory), ..Limits::default() };
            let init = (algorithm != Algorithm::Mtdf).then_some(Init::Guess);
            let switches = Switches { init, ..Switches::default() };
            let request = Request { algorithm, switches, limits, certificate: true, ..Request::default() };
            let game = games().open(name).expect("a game");
            game.solve(&Place::default(), &request, &mut ()).expect("a right request")
        };
        let limit = 64 << 10;
        let report = solve(limit).report;
        assert_eq!((report.stop, report.value), (Stop::Solved, Some(0)), "{algorithm:?}");
        assert!(report.memory_bytes <= limit + limit / 10, "{} bytes, {algorithm:?}", report.memory_bytes);
        let file = solve(256 * limit).certificate.expect("enough memory").encode();
        let file = CertificateFile::open(&file).expect("a good file");
        let checked = games().open(name).expect("a game").check(&file, &mut |_| true);
        assert_eq!(checked.expect("accepted").exact.expect("an exact value").0.0, 0);
    }
}

/// A graph is solved in a fraction of the memory that it takes otherwise, and forgets nothing that matters.
#[test]
fn a_graph_is_solved_in_less_memory_than_it_fills() {
    let switches = Switches {
        init: Some(Init::Mobility),
        delete_solved: Some(Deletion::WhenFull),
        delete_least_proving: true,
        ..Switches::default()
    };
    for (game, needed) in [("connect4:5x4", 8), ("morris:3,fly", 2)] {
        let whole = other_report(game, Algorithm::PnGraph, switches, Limits::default());
        let limits = Limits { memory: Some(whole.memory_bytes / needed), ..Limits::default() };
        let report = other_report(game, Algorithm::PnGraph, switches, limits);
        println!(
            "{game}: {} bytes, {} nodes; {} bytes, {} nodes",
            whole.memory_bytes, whole.nodes, report.memory_bytes, report.nodes
        );
        assert_eq!((report.stop, report.verdict), (Stop::Solved, whole.verdict), "{game}");
        assert!(report.nodes > whole.nodes);
    }
}

/// The certificate keeps the limits too: it may be missing, and says why, and the answer stays.
#[test]
fn a_certificate_keeps_the_limits() {
    let aim = Aim::AtLeast(1);
    for delete_solved in [Deletion::Never, Deletion::AtOnce, Deletion::WhenFull] {
        let switches = Switches { delete_solved: Some(delete_solved), ..Switches::default() };
        let whole = solve("connect4:4x4", aim, switches, Limits::default(), true);
        assert!(whole.certificate.is_some());
        let nodes = 233_152;
        let limits = Limits { nodes: Some(nodes), memory: Some(6 << 20), time: None };
        let limited = solve("connect4:4x4", aim, switches, limits, true);
        assert_eq!((limited.report.verdict, limited.report.stop), ("disproven", Stop::Solved));
        assert!(limited.report.nodes <= nodes);
        // Only what was deleted must be searched again, and no node is left for that.
        assert_eq!(limited.certificate.is_none(), delete_solved == Deletion::AtOnce, "{delete_solved:?}");
        assert_eq!(limited.certificate_problem.is_some(), limited.certificate.is_none());
    }
}

/// Small memory, solved subtrees deleted, and still a certificate that checks.
#[test]
fn a_certificate_comes_out_when_most_was_deleted() {
    for delete_solved in [Deletion::AtOnce, Deletion::WhenFull] {
        let switches = Switches { delete_solved: Some(delete_solved), ..Switches::default() };
        let limits = Limits { memory: Some(3 << 20), ..Limits::default() };
        let solution = solve("connect4:4x4", Aim::Value, switches, limits, true);
        assert_eq!(solution.report.value, Some(0));
        assert!(solution.report.memory_bytes <= (3 << 20) * 11 / 10, "{}", solution.report.memory_bytes);
        let file = solution.certificate.expect("a certificate").encode();
        let file = CertificateFile::open(&file).expect("a good file");
        let checked = games().open("connect4:4x4").expect("a game").check(&file, &mut |_| true);
        assert_eq!(checked.expect("accepted").exact.expect("an exact value").0.0, 0);
    }
}

struct StopAt(u64);

impl Watch for StopAt {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        snapshot.nodes < self.0
    }
}

/// Stops the work when a strategy that was put together is written down: positions are counted anew then.
#[derive(Default)]
struct StopAtRecording {
    most: u64,
    recording: bool,
}

impl Watch for StopAtRecording {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        if let Phase::Certificate(positions) = snapshot.phase {
            self.recording |= positions < self.most;
            self.most = positions;
        }
        !self.recording
    }
}

#[test]
fn writing_a_certificate_down_is_interrupted_too() {
    let game = games().open("connect4:5x5").expect("a game");
    let request = Request { certificate: true, aim: Aim::AtLeast(0), ..Request::default() };
    let mut watch = StopAtRecording::default();
    let solution = game.solve(&Place::default(), &request, &mut watch).expect("a right request");
    assert!(watch.recording && solution.certificate.is_none());
    assert_eq!((solution.report.stop, solution.report.verdict), (Stop::Solved, "proven"));
    assert_eq!(solution.certificate_problem.as_deref(), Some("interrupted before it was put together"));
}

#[test]
fn an_interrupted_search_reports_what_it_knows() {
    let request = Request { aim: Aim::Value, ..Request::default() };
    let game = games().open("connect4:6x5,score").expect("a game");
    let solution = game.solve(&Place::default(), &request, &mut StopAt(50_000)).expect("a right request");
    let report = solution.report;
    assert_eq!((report.stop, report.verdict, report.value), (Stop::Interrupted, "unknown", None));
    assert!(report.lower < report.upper && report.lower >= -12 && report.upper <= 12);
}
