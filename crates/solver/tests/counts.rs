//! Published counts, and counts of our own that must not change unnoticed: one thread is deterministic to the
//! node.

use quod_solver::{
    Aim, Algorithm, Compat, Init, Limits, Measuring, Order, Place, Report, Request, Switches, TableKind,
    Update, games, tables,
};

fn solved(game: &str, request: &Request) -> Report {
    let game = games().open(game).expect("a game");
    game.solve(&Place::default(), request, &mut ()).expect("a right request").report
}

fn report(game: &str, aim: Aim, switches: Switches) -> Report {
    solved(game, &Request { aim, algorithm: Algorithm::Pn, switches, ..Request::default() })
}

/// Mean and standard deviation over random orders of children.
fn average(runs: u64, algorithm: Algorithm, switches: Switches, figure: fn(&Report) -> u64) -> (f64, f64) {
    let figures: Vec<f64> = (1..=runs)
        .map(|seed| {
            let switches = Switches { order: Some(Order::Random(seed)), ..switches };
            let request = Request { aim: Aim::AtLeast(1), algorithm, switches, ..Request::default() };
            figure(&solved("tictactoe", &request)) as f64
        })
        .collect();
    let mean = figures.iter().sum::<f64>() / runs as f64;
    let variance = figures.iter().map(|figure| (figure - mean).powi(2)).sum::<f64>() / (runs - 1) as f64;
    (mean, variance.sqrt())
}

/// Schijf 1993, tables 4.1 to 4.3 and A.1. The thesis gives means of a hundred runs: their standard error is what counts
/// beside a mean of a thousand.
#[test]
fn tic_tac_toe_averages_are_those_of_the_thesis() {
    type Figure = fn(&Report) -> u64;
    let nodes: Figure = |report| report.peak_nodes;
    let updates: Figure = |report| report.updates;
    let early = Switches { update: Some(Update::Early), ..Switches::default() };
    let full = Switches { update: Some(Update::Full), ..Switches::default() };
    let symmetric = Switches { symmetry: Some(true), compat: Some(Compat::Schijf1993), ..early };
    let joined = Switches { symmetry: Some(true), ..early };
    for (name, published, algorithm, switches, figure) in [
        ("4.1 tree nodes", 17_086.0, Algorithm::Pn, early, nodes),
        ("4.1 DAG nodes", 3_265.0, Algorithm::PnDag, early, nodes),
        ("4.2 tree updates", 25_137.0, Algorithm::Pn, full, updates),
        ("4.2 DAG updates", 32_922.0, Algorithm::PnDag, full, updates),
        ("4.3 tree updates", 18_894.0, Algorithm::Pn, early, updates),
        ("4.3 DAG updates", 9_816.0, Algorithm::PnDag, early, updates),
        ("A.1 symmetric nodes", 617.0, Algorithm::PnDag, symmetric, nodes),
        // Not of the thesis: what joining children of one expansion with each other gives.
        ("joined siblings", 535.0, Algorithm::PnDag, joined, nodes),
    ] {
        let (mean, deviation) = average(1000, algorithm, switches, figure);
        let error = deviation / 10.0;
        println!("{name}: published {published} ± {error:.0}, measured {mean:.0}");
        assert!((mean - published).abs() <= 3.0 * error, "{name}: {mean} beside {published} ± {error}");
    }
}

/// Each node is updated once where all paths to it have the same length (section 4.6): fewer than one parent after the other.
#[test]
fn a_queue_updates_less() {
    let updates = |update| {
        let switches = Switches { update: Some(update), ..Switches::default() };
        average(100, Algorithm::PnDag, switches, |report| report.updates).0
    };
    let (queue, early) = (updates(Update::Queue), updates(Update::Early));
    println!("updates in a queue {queue:.0}, one parent after the other {early:.0}");
    assert!(queue < early);
}

/// Saffidine and Cazenave 2011, tables 1 and 2: the boards that take less than a second here.
#[test]
fn connect_four_descents_are_those_of_the_paper() {
    let published = include_str!("../data/saffidine2011_connect4.csv");
    let mut cells = 0;
    for line in published.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (init, size) = (fields[0], fields[1]);
        if matches!(size, "3x8" | "5x4" | "3x9") {
            println!("{init} {size}: left to `quod reproduce`, it takes longer");
            continue;
        }
        let switches = Switches {
            init: Some(if init == "one" { Init::One } else { Init::Mobility }),
            ..Switches::default()
        };
        for (aim, field) in [(Aim::AtLeast(1), fields[2]), (Aim::AtLeast(0), fields[3])] {
            let descents = report(&format!("connect4:{size}"), aim, switches).expansions - 1;
            // The one misprint of the tables, found by experiment and carried into their sum.
            let published = if field == "132595" { "131595" } else { field };
            assert_eq!(descents.to_string(), published, "{init} {size} {aim}");
            cells += 1;
        }
    }
    assert_eq!(cells, 32);
}

/// What Algorithm 1 of the paper takes as it is printed: leaf numbers one, and mobility. The paper's own figures for it are
/// others, and no variant of it is known that gives them.
const GPN_CONNECT4: [(&str, u64, u64); 9] = [
    ("3x4", 1_804, 1_093),
    ("3x5", 7_418, 4_448),
    ("4x3", 14_013, 4_430),
    ("3x6", 29_806, 17_848),
    ("4x4", 117_058, 56_547),
    ("3x7", 189_044, 85_895),
    ("5x3", 482_285, 252_369),
    ("4x5", 739_414, 465_906),
    ("3x8", 896_899, 418_078),
];
const GPN_WOODPUSH: [(&str, i64, i64); 6] = [
    ("6", 218, 168),
    ("7", 1_221, 768),
    ("8", 3_932, 2_428),
    ("9", 19_990, 14_363),
    ("10", 58_301, 35_089),
    ("11", 341_589, 195_207),
];

#[test]
fn generalized_search_takes_the_descents_of_algorithm_1() {
    for (size, one, mobility) in GPN_CONNECT4 {
        for (init, descents) in [(Init::One, one), (Init::Mobility, mobility)] {
            let switches = Switches { init: Some(init), ..Switches::default() };
            let request = Request { algorithm: Algorithm::Gpn, switches, ..Request::default() };
            let report = solved(&format!("connect4:{size}"), &request);
            assert_eq!((report.value, report.expansions - 1), (Some(0), descents), "{size} {init:?}");
        }
    }
}

/// What our own search takes on the boards of tables 1 and 2: no more than the published figures. All of them but the longest,
/// 3x9 with mobility, where it takes 249,767 beside 230,508.
const MOPN_CONNECT4: [(&str, u64, u64); 8] = [
    ("3x4", 785, 618),
    ("3x5", 2_470, 2_077),
    ("4x3", 2_846, 1_855),
    ("3x6", 7_816, 6_487),
    ("4x4", 21_510, 16_326),
    ("3x7", 26_945, 21_635),
    ("5x3", 65_619, 48_540),
    ("4x5", 151_290, 130_342),
];

#[test]
fn our_search_for_many_outcomes_takes_no_more_than_the_published_figures() {
    let published = include_str!("../data/saffidine2011_connect4.csv");
    for (size, one, mobility) in MOPN_CONNECT4 {
        for (name, init, descents) in [("one", Init::One, one), ("mobility", Init::Mobility, mobility)] {
            let row =
                published.lines().find(|line| line.starts_with(&format!("{name},{size},"))).expect("a row");
            let gpns: u64 = row.rsplit(',').next().expect("a cell").parse().expect("a number");
            let switches = Switches { init: Some(init), ..Switches::default() };
            let request = Request { algorithm: Algorithm::Mopn, switches, ..Request::default() };
            let report = solved(&format!("connect4:{size}"), &request);
            assert_eq!((report.value, report.expansions - 1), (Some(0), descents), "{size} {name}");
            assert!(descents <= gpns, "{size} {name}");
        }
    }
}

/// Saffidine and Cazenave 2011, tables 3 and 4.
#[test]
fn woodpush_descents_are_those_of_the_paper() {
    let mut exact = 0;
    for table in tables("saffidine2011-3").chain(tables("saffidine2011-4")) {
        for cell in table.measure(&Measuring::new(&games()), &mut ()) {
            let told = format!("{cell:?}");
            let (published, measured) = (cell.published, cell.measured.expect("it was measured"));
            let (one, mobility) = {
                let (_, one, mobility) =
                    GPN_WOODPUSH.iter().find(|(row, ..)| *row == cell.row).expect("a row");
                (*one, *mobility)
            };
            match cell.column.as_str() {
                "own" => assert!(Some(measured) <= published, "{told}"),
                "own_dag" => {}
                "gpns" => {
                    let algorithm_1 = if cell.table.ends_with('3') { one } else { mobility };
                    assert_eq!(measured, algorithm_1, "{told}");
                }
                // The one cell that comes out otherwise.
                "pns_dichotomic" if published == Some(603_411) => assert_eq!(measured, 603_951),
                _ => {
                    assert_eq!(Some(measured), published, "{told}");
                    exact += 1;
                }
            }
        }
    }
    // Values, three columns of proof-number search, and eleven of twelve dichotomic ones.
    assert_eq!(exact, 12 + 36 + 11);
}

#[test]
fn every_table_names_its_cells_as_the_paper_does() {
    let names: Vec<_> = tables("").map(|table| table.name).collect();
    assert_eq!(
        names,
        [
            "allis1994-1",
            "allis1994-2",
            "allis1994-3",
            "allis1994-4",
            "allis1994-5",
            "allis1994-7.3",
            "allis1994-figure13",
            "breuker1994-3.1",
            "saffidine2011-1",
            "saffidine2011-2",
            "saffidine2011-3",
            "saffidine2011-4",
            "schijf1993-4.1",
            "schijf1993-4.2",
            "schijf1993-4.3",
            "schijf1993-5.1",
            "schijf1993-A.1",
            "schijf1993-B"
        ]
    );
    let table = tables("schijf1993-A").next().expect("a table");
    let cells = table.measure(&Measuring::new(&games()), &mut ());
    let named: Vec<_> = cells.iter().map(|cell| (cell.row.as_str(), cell.column.as_str())).collect();
    assert_eq!(named, [("average", "tree"), ("average", "symmetric")]);
    assert!(cells.iter().all(|cell| cell.measured.is_some()));
}

/// Our own counts. A change here must be meant, and said in the commit.
#[test]
fn counts_of_our_own() {
    let counts = |game, aim, switches| {
        let report = report(game, aim, switches);
        (report.nodes, report.expansions, report.updates, report.peak_nodes)
    };
    let with = |init| Switches { init: Some(init), ..Switches::default() };
    assert_eq!(counts("connect4:4x4", Aim::AtLeast(1), with(Init::One)), (233_152, 79_602, 339_042, 233_153));
    assert_eq!(counts("connect4:4x4", Aim::AtLeast(0), with(Init::One)), (105_471, 33_394, 126_428, 105_472));
    assert_eq!(counts("connect4:4x4", Aim::Value, with(Init::Guess)), COUNTS_GUESS);
    assert_eq!(counts("connect4:4x3,score", Aim::Value, with(Init::Mobility)), COUNTS_SCORE);
    assert_eq!(counts("tictactoe", Aim::Value, with(Init::One)), COUNTS_TICTACTOE);
}

#[test]
fn counts_of_our_own_on_graphs() {
    let counts = |game, algorithm| {
        let report = solved(game, &Request { algorithm, ..Request::default() });
        (report.nodes, report.expansions, report.updates, report.peak_nodes, report.peak_edges)
    };
    for (game, algorithm, expected) in GRAPH_COUNTS {
        assert_eq!(counts(game, algorithm), expected, "{game} {algorithm:?}");
    }
}

type GraphCounts = (u64, u64, u64, u64, u64);
const GRAPH_COUNTS: [(&str, Algorithm, GraphCounts); 14] = [
    ("connect4:4x4", Algorithm::PnDag, (58668, 19955, 145800, 22910, 31053)),
    ("connect4:4x4", Algorithm::PnDcg, (58668, 19955, 160104, 22910, 31053)),
    ("connect4:4x4", Algorithm::PnGraph, (41034, 14090, 65494, 15317, 21015)),
    ("connect4:5x4", Algorithm::GpnDag, (480613, 144783, 952958, 322867, 0)),
    ("connect4:5x4", Algorithm::PnGraph, (575381, 165007, 987974, 197088, 288852)),
    ("morris:3", Algorithm::PnDag, (23217, 4451, 32872, 8436, 12253)),
    ("morris:3", Algorithm::PnDcg, (5649, 1034, 8943, 3204, 5649)),
    ("morris:3", Algorithm::PnGraph, (2737, 520, 2482, 593, 1416)),
    ("connect4:4x4", Algorithm::Dfpn, (75412, 25020, 50029, 13583, 0)),
    ("connect4:5x4", Algorithm::Dfpn, (1396240, 387805, 775596, 201964, 0)),
    ("connect4:5x4", Algorithm::PnDfpn, (1838670, 513229, 1022773, 257109, 0)),
    ("morris:3", Algorithm::Dfpn, (5037, 918, 1833, 372, 0)),
    ("tictactoe", Algorithm::PnStar, (2732, 587, 1183, 351, 0)),
    ("tictactoe", Algorithm::Pds, (3332, 677, 1369, 353, 0)),
];

/// Plain minimax sees every game of tic-tac-toe: 549,946 positions with the root, 255,168 of them ends.
#[test]
fn counts_of_our_own_by_windows() {
    for (game, algorithm, switches, expected) in MINIMAX_COUNTS {
        // A table of the same size on every machine.
        let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
        let report = solved(game, &Request { algorithm, switches: switches(), limits, ..Request::default() });
        let Report { nodes, expansions, updates, peak_nodes, deepened_nodes, .. } = report;
        assert_eq!(
            (nodes, expansions, updates, peak_nodes, deepened_nodes),
            expected,
            "{game} {algorithm:?}"
        );
    }
}

type MinimaxCounts = (u64, u64, u64, u64, u64);
const PLAIN: fn() -> Switches = Switches::default;
const DEEPEN: fn() -> Switches = || Switches { deepen: true, ..Switches::default() };
const PUBLISHED: fn() -> Switches = || Switches { table: Some(TableKind::Published), ..Switches::default() };
type MinimaxRow = (&'static str, Algorithm, fn() -> Switches, MinimaxCounts);
const MINIMAX_COUNTS: [MinimaxRow; 41] = [
    ("connect4:4x4", Algorithm::AlphaBeta, PLAIN, (71904, 41979, 41979, 24542, 0)),
    ("connect4:4x4", Algorithm::AlphaBeta, DEEPEN, (107215, 48057, 48057, 23154, 15417)),
    ("connect4:4x4", Algorithm::AlphaBetaTt, PLAIN, (27820, 11815, 11815, 4942, 3731)),
    ("connect4:4x4", Algorithm::AlphaBetaTt, PUBLISHED, (27824, 11818, 11818, 4943, 3734)),
    ("connect4:4x4", Algorithm::Mtdf, PLAIN, (1839, 537, 537, 190, 0)),
    ("connect4:4x4", Algorithm::NegacStar, PLAIN, (71903, 41978, 41991, 24542, 0)),
    ("connect4:4x4", Algorithm::Nws, PLAIN, (71903, 41978, 41991, 24542, 0)),
    ("connect4:4x4", Algorithm::Pvs, PLAIN, (71904, 41979, 41981, 24542, 0)),
    ("connect4:4x4", Algorithm::Scout, PLAIN, (71904, 41979, 41981, 24542, 0)),
    ("connect4:4x4", Algorithm::Sss2, PLAIN, (71904, 41979, 41995, 71905, 0)),
    ("connect4:4x4", Algorithm::SssStar, PLAIN, (71904, 41979, 87251, 71905, 0)),
    ("connect4:4x3,score", Algorithm::AlphaBeta, PLAIN, (4304, 2174, 2174, 4104, 0)),
    ("connect4:4x3,score", Algorithm::AlphaBeta, DEEPEN, (13429, 5926, 5926, 3230, 2068)),
    ("connect4:4x3,score", Algorithm::AlphaBetaTt, PLAIN, (4680, 1898, 1898, 1062, 718)),
    ("connect4:4x3,score", Algorithm::AlphaBetaTt, PUBLISHED, (4680, 1898, 1898, 1062, 718)),
    ("connect4:4x3,score", Algorithm::Mtdf, PLAIN, (475, 190, 190, 52, 0)),
    ("connect4:4x3,score", Algorithm::NegacStar, PLAIN, (4192, 2100, 2582, 4104, 0)),
    ("connect4:4x3,score", Algorithm::Nws, PLAIN, (4284, 2166, 2175, 4084, 0)),
    ("connect4:4x3,score", Algorithm::Pvs, PLAIN, (4284, 2166, 2166, 4084, 0)),
    ("connect4:4x3,score", Algorithm::Scout, PLAIN, (4284, 2166, 2166, 4084, 0)),
    ("connect4:4x3,score", Algorithm::Sss2, PLAIN, (4120, 2068, 2709, 4121, 0)),
    ("connect4:4x3,score", Algorithm::SssStar, PLAIN, (4120, 2068, 6826, 4121, 0)),
    ("tictactoe", Algorithm::AlphaBeta, PLAIN, (22873, 10071, 10071, 5495, 0)),
    ("tictactoe", Algorithm::AlphaBeta, DEEPEN, (59465, 20970, 20970, 5555, 11067)),
    ("tictactoe", Algorithm::AlphaBetaTt, PLAIN, (3041, 679, 679, 315, 571)),
    ("tictactoe", Algorithm::AlphaBetaTt, PUBLISHED, (3041, 679, 679, 315, 571)),
    ("tictactoe", Algorithm::Brute, PLAIN, (549945, 294778, 294778, 50735, 0)),
    ("tictactoe", Algorithm::Mtdf, PLAIN, (1612, 466, 466, 98, 0)),
    ("tictactoe", Algorithm::NegacStar, PLAIN, (22816, 10042, 10054, 5487, 0)),
    ("tictactoe", Algorithm::Nws, PLAIN, (22816, 10042, 10054, 5487, 0)),
    ("tictactoe", Algorithm::Pvs, PLAIN, (22766, 10025, 10033, 5495, 0)),
    ("tictactoe", Algorithm::Scout, PLAIN, (22766, 10025, 10033, 5495, 0)),
    ("tictactoe", Algorithm::Sss2, PLAIN, (22549, 9918, 9927, 22550, 0)),
    ("tictactoe", Algorithm::SssStar, PLAIN, (22550, 9919, 20065, 22551, 0)),
    ("woodpush:7", Algorithm::AlphaBeta, PLAIN, (17988, 11751, 11751, 5127, 0)),
    ("woodpush:7", Algorithm::AlphaBetaTt, PLAIN, (14658, 6764, 6764, 288, 1583)),
    ("woodpush:7", Algorithm::Mtdf, PLAIN, (1367, 774, 774, 275, 0)),
    ("woodpush:7", Algorithm::Pvs, PLAIN, (14821, 9693, 9699, 4365, 0)),
    ("woodpush:7", Algorithm::Sss2, PLAIN, (16394, 10680, 11298, 16395, 0)),
    ("connect4:5x5,score", Algorithm::Mtdf, PLAIN, (201166, 54346, 54346, 21401, 0)),
    ("connect4:6x5,score", Algorithm::Auto, PLAIN, (1457559, 371319, 371319, 140030, 0)),
];

const COUNTS_GUESS: (u64, u64, u64, u64) = (71425, 28462, 247898, 51644);
const COUNTS_SCORE: (u64, u64, u64, u64) = (23493, 8363, 37893, 9511);
const COUNTS_TICTACTOE: (u64, u64, u64, u64) = (16458, 3797, 16039, 13950);
