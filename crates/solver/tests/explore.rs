//! What front ends show of searches, proofs and moves is what is so.

use std::time::{Duration, Instant};

use quod_solver::{
    Aim, Algorithm, CertificateFile, Door, FollowValues, KeptTree, Limits, Look, MoveValue, NodeState, Place,
    Player, Request, Snapshot, TreeRow, Unfold, Unfolded, Watch, games,
};

/// The searches that hold a tree or graph.
const WITH_TREES: [Algorithm; 10] = [
    Algorithm::Pn,
    Algorithm::Pn2,
    Algorithm::PnDag,
    Algorithm::PnDcg,
    Algorithm::PnGraph,
    Algorithm::Gpn,
    Algorithm::GpnDag,
    Algorithm::Gpn2,
    Algorithm::Mopn,
    Algorithm::MopnDag,
];

fn open(game: &str) -> Box<dyn Door> {
    games().open(game).expect("a game")
}

fn place(moves: &str) -> Place {
    Place { position: None, moves: Some(moves.to_owned()) }
}

/// Looks on, compares what is live with its copy, and keeps the last one.
struct Looker<'d> {
    door: &'d dyn Door,
    root: Place,
    kept: Option<KeptTree>,
    looks: u32,
}

const EVERYTHING: Unfold<'_> = Unfold { path: "", depth: 3, rows_max: 100_000 };

impl Watch for Looker<'_> {
    fn goes_on(&mut self, _: &Snapshot) -> bool {
        true
    }

    fn look(&mut self, look: &Look<'_>) {
        self.looks += 1;
        let copy = KeptTree::copy(look, 1 << 20);
        let live = self.door.unfold(&self.root, look, false, &EVERYTHING).expect("a right path");
        let kept = self.door.unfold(&self.root, &copy.look(), false, &EVERYTHING).expect("a right path");
        assert_eq!(live, kept);
        if look.ended {
            self.kept = Some(copy);
        }
    }
}

fn after(path: &str, row: &TreeRow) -> String {
    format!("{path} {}", row.mv.as_deref().expect("a row below another has a move")).trim_start().to_owned()
}

/// Every node of a tree, with the moves that lead to it.
fn walk(tree: &dyn Fn(&str) -> Unfolded, path: &str, visit: &mut dyn FnMut(&str, &TreeRow, &[TreeRow])) {
    let Unfolded { node, rows, cut } = tree(path);
    assert!(!cut && rows.iter().all(|row| row.depth == 1));
    assert_eq!(rows.len(), node.children, "{path}");
    visit(path, &node, &rows);
    for row in rows {
        let path = after(path, &row);
        walk(tree, &path, visit);
    }
}

#[test]
fn a_search_tree_is_listed_as_it_is() {
    for (name, moves) in
        [("connect4:4x3", ""), ("connect4:4x4", "1 1 2"), ("tictactoe", "b2"), ("morris:3", "")]
    {
        let door = open(name);
        for algorithm in WITH_TREES {
            let root = place(moves);
            // Win or no win: one question, so that the last tree is about the answer.
            let limits = Limits { nodes: Some(3_000), ..Limits::default() };
            let request = Request { aim: Aim::AtLeast(1), algorithm, limits, ..Request::default() };
            let mut looker = Looker { door: &*door, root: root.clone(), kept: None, looks: 0 };
            let report = door.solve(&root, &request, &mut looker).expect("a right request").report;
            assert!(algorithm.holds_a_tree() && looker.looks > 0, "{name} {algorithm:?}");
            let kept = looker.kept.expect("the search has ended");
            let unfold = |path: &str, solution: bool, depth: u32| {
                let how = Unfold { path, depth, rows_max: 1000 };
                door.unfold(&root, &kept.look(), solution, &how).expect("a right path").expect("a node")
            };
            let mut seen = 0;
            // All nodes near the root; below, the most-proving path.
            let mut open = vec![String::new()];
            while let Some(path) = open.pop() {
                let Unfolded { node, rows, .. } = unfold(&path, false, 1);
                seen += 1;
                let tree =
                    matches!(algorithm, Algorithm::Pn | Algorithm::Pn2 | Algorithm::Gpn | Algorithm::Mopn);
                check_node(&*door, &root, &path, &node, &rows, !tree);
                let deep = path.split_whitespace().count() >= 3;
                open.extend(rows.iter().filter(|row| !deep || row.is_best).map(|row| after(&path, row)));
            }
            assert!(seen > 10, "{name} {algorithm:?}: {seen}");
            let state = unfold("", false, 0).node.state;
            let expected = match report.verdict {
                "proven" => NodeState::Proven,
                "disproven" => NodeState::Disproven,
                _ => NodeState::Open,
            };
            assert_eq!(state, expected, "{name} {algorithm:?}");
            if state != NodeState::Open {
                let ends = check_solution(&*door, &root, &|path| unfold(path, true, 1), state);
                // Searches of two levels keep the upper one.
                let two_levels = matches!(algorithm, Algorithm::Pn2 | Algorithm::Gpn2);
                assert!(ends > 0 || two_levels, "{name} {algorithm:?}");
            }
        }
    }
}

/// The rows of a node are moves that can be played, and solved nodes have children that show it.
fn check_node(door: &dyn Door, root: &Place, path: &str, node: &TreeRow, rows: &[TreeRow], joined: bool) {
    let moves = format!("{} {path}", root.moves.as_deref().unwrap_or_default());
    let scene = door.scene(&place(&moves)).expect("a path of legal moves");
    assert_eq!(node.state == NodeState::End, scene.over.is_some(), "{moves}");
    let legal: Vec<&str> = scene.moves.iter().map(|mv| mv.text.as_str()).collect();
    let listed: Vec<&str> = rows.iter().filter_map(|row| row.mv.as_deref()).collect();
    assert!(listed.iter().all(|mv| legal.contains(mv)), "{moves}: {listed:?} of {legal:?}");
    assert!(rows.is_empty() || listed.len() == legal.len(), "{moves}: {listed:?} of {legal:?}");
    assert!(rows.iter().filter(|row| row.is_best).count() <= 1, "{moves}");
    let (pn, dn) = node.numbers.map_or((None, None), |numbers| (Some(numbers.pn), Some(numbers.dn)));
    if node.state == NodeState::Open {
        // Nothing that is not solved looks as if it were.
        assert!(pn != Some(0) && dn != Some(0), "{moves}");
    }
    match node.state {
        NodeState::Proven => assert_eq!(pn, Some(0), "{moves}"),
        NodeState::Disproven => assert_eq!(dn, Some(0), "{moves}"),
        NodeState::Open => {
            // Of nodes with several parents not all are told at once.
            let open = |row: &TreeRow| matches!(row.state, NodeState::Open | NodeState::Again);
            assert!(joined || rows.is_empty() || rows.iter().any(open), "{moves}");
        }
        NodeState::End | NodeState::Again => assert!(rows.is_empty()),
    }
}

/// A solution has one move of the winner and all of the other, and its ends are what it says.
fn check_solution(door: &dyn Door, root: &Place, tree: &dyn Fn(&str) -> Unfolded, state: NodeState) -> u32 {
    let start = root.moves.as_deref().unwrap_or_default();
    let mover = door.scene(root).expect("a root").to_move;
    let mut ends = 0;
    walk(tree, "", &mut |path, node, rows| {
        let scene = door.scene(&place(&format!("{start} {path}"))).expect("a path of legal moves");
        if let Some((text, player)) = scene.over {
            let won = (text.as_str(), player) == ("win", mover);
            assert_eq!(won, state == NodeState::Proven, "{path}");
            ends += 1;
        } else if !rows.is_empty() {
            assert_eq!(node.state, state, "{path}");
            let winner_moves = node.is_or == (state == NodeState::Proven);
            assert_eq!(rows.iter().filter(|row| row.is_best).count(), usize::from(winner_moves), "{path}");
            assert_eq!(rows.len(), if winner_moves { 1 } else { scene.moves.len() }, "{path}");
        }
    });
    ends
}

#[test]
fn a_copy_that_is_cut_keeps_what_is_near_the_root() {
    struct Copy(Vec<KeptTree>);
    impl Watch for Copy {
        fn goes_on(&mut self, _: &Snapshot) -> bool {
            true
        }
        fn look(&mut self, look: &Look<'_>) {
            if look.ended {
                self.0 = vec![KeptTree::copy(look, 50), KeptTree::copy(look, 1 << 20)];
            }
        }
    }
    let door = open("connect4:5x4");
    let limits = Limits { nodes: Some(2_000), ..Limits::default() };
    let request = Request { aim: Aim::AtLeast(1), algorithm: Algorithm::Pn, limits, ..Request::default() };
    let mut copies = Copy(Vec::new());
    door.solve(&Place::default(), &request, &mut copies).expect("a right request");
    let list = |copy: &KeptTree, depth| {
        let how = Unfold { path: "", depth, rows_max: 10_000 };
        door.unfold(&Place::default(), &copy.look(), false, &how).expect("a path").expect("a root").rows
    };
    assert_eq!(list(&copies.0[0], 1), list(&copies.0[1], 1));
    let (few, all) = (list(&copies.0[0], 99), list(&copies.0[1], 99));
    assert!((20..=50).contains(&few.len()) && all.len() > 500, "{} {}", few.len(), all.len());
    // What was left out is marked, and counted.
    assert!(few.iter().any(|row| row.is_cut) && all.iter().all(|row| !row.is_cut));
    assert!(few.iter().all(|row| !row.is_cut || row.children == 0));
    assert_eq!(copies.0[0].look().view.nodes(), copies.0[1].look().view.nodes());
    let cut = Unfold { path: "", depth: 99, rows_max: 7 };
    let cut =
        door.unfold(&Place::default(), &copies.0[1].look(), false, &cut).expect("a path").expect("a root");
    assert_eq!((cut.rows.as_slice(), cut.cut), (&all[..7], true));
    let gone = Unfold { path: "1 2 3 4 5 1 2 3 4 5", depth: 1, rows_max: 7 };
    assert_eq!(door.unfold(&Place::default(), &copies.0[0].look(), false, &gone), Ok(None));
    let wrong = Unfold { path: "9", depth: 1, rows_max: 7 };
    assert!(door.unfold(&Place::default(), &copies.0[0].look(), false, &wrong).is_err());
}

/// A small generator, so that games differ and runs do not.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize
}

#[test]
fn a_proof_keeps_its_claim_against_whatever_is_played() {
    let mut seed = 7;
    for (name, moves) in
        [("tictactoe", ""), ("connect4:4x4", ""), ("connect4:5x4", "3"), ("morris:3", ""), ("woodpush:8", "")]
    {
        let door = open(name);
        let root = place(moves);
        let request = Request { certificate: true, ..Request::default() };
        let solution = door.solve(&root, &request, &mut ()).expect("a right request");
        let bytes = solution.certificate.expect("it is solved").encode();
        let file = CertificateFile::open(&bytes).expect("it was just written");
        let (checked, proof) = door.demonstrate(&file, &mut |_| true).expect("it is accepted");
        let value = checked.exact.expect("an exact value").0.0;
        let mover = door.scene(&root).expect("a root").to_move;
        let claimers = proof.claimers();
        assert_eq!(claimers.len(), checked.claims.len());
        for (claim, claimer) in claimers.iter().enumerate() {
            for _ in 0..60 {
                let mut path = String::new();
                for _ in 0..200 {
                    let how = Unfold { path: &path, depth: 1, rows_max: 100 };
                    let unfolded =
                        proof.unfold(claim, &how).expect("legal moves").expect("it covers all play");
                    let node = &unfolded.node;
                    assert_ne!(node.state, NodeState::Open, "{name} {path}");
                    let at = Place { position: Some(checked.root.clone()), moves: Some(path.clone()) };
                    let scene = door.scene(&at).expect("legal moves");
                    if let Some((text, player)) = scene.over {
                        let got = match text.as_str() {
                            "win" => 1,
                            "draw" => 0,
                            "loss" => -1,
                            score => score.parse().expect("a score"),
                        };
                        let got = if player == mover { got } else { -got };
                        let kept = if *claimer == mover { got >= value } else { got <= value };
                        assert!(kept, "{name} {path}: {got} beside {value}");
                        break;
                    }
                    if matches!(node.state, NodeState::End | NodeState::Again) {
                        break;
                    }
                    assert_eq!(node.is_or, scene.to_move == *claimer);
                    let expected = if node.is_or { 1 } else { scene.moves.len() };
                    assert_eq!(unfolded.rows.len(), expected, "{name} {path}");
                    path = after(&path, &unfolded.rows[next(&mut seed) % expected]);
                }
            }
        }
        let outside = Unfold { path: "nonsense", depth: 1, rows_max: 1 };
        assert!(proof.unfold(0, &outside).is_err());
        assert_eq!(proof.unfold(2, &EVERYTHING), Ok(None));
    }
}

#[test]
fn a_damaged_proof_is_not_shown() {
    let door = open("connect4:4x4");
    let request = Request { certificate: true, ..Request::default() };
    let solution = door.solve(&Place::default(), &request, &mut ()).expect("a right request");
    let mut certificate = solution.certificate.expect("it is solved");
    let moves = &mut certificate.parts[0].moves;
    let last = moves.len() - 1;
    moves[last] ^= 1;
    let bytes = certificate.encode();
    let file = CertificateFile::open(&bytes).expect("its checksum is right");
    let checked = door.check(&file, &mut |_| true);
    let shown = door.demonstrate(&file, &mut |_| true);
    assert_eq!(checked.err(), shown.err());
}

#[derive(Default)]
struct Values {
    last: std::collections::BTreeMap<String, MoveValue>,
    stops: bool,
}

impl FollowValues for Values {
    fn goes_on(&mut self) -> bool {
        !self.stops
    }

    fn value(&mut self, value: &MoveValue) {
        if let Some(before) = self.last.insert(value.mv.clone(), value.clone()) {
            assert!(before.lower <= value.lower && value.upper <= before.upper, "{before:?}, then {value:?}");
        }
    }
}

#[test]
fn moves_are_worth_what_searches_of_the_positions_behind_say() {
    for name in ["tictactoe", "connect4:4x4", "morris:3", "woodpush:8", "kalah:2x2"] {
        let door = open(name);
        for line in door.random_lines(6, 3, 2..=8) {
            let root = place(&line);
            let mut values = Values::default();
            assert_eq!(door.value_moves(&root, &mut values), Ok(true), "{name} {line}");
            let scene = door.scene(&root).expect("a position");
            assert_eq!(values.last.len(), scene.moves.len());
            let request = Request { algorithm: Algorithm::PnGraph, ..Request::default() };
            let whole = door.solve(&root, &request, &mut ()).expect("a right request").report.value;
            for (mv, value) in &values.last {
                let child = place(&format!("{line} {mv}"));
                let behind = door.scene(&child).expect("a position");
                let report = door.solve(&child, &request, &mut ()).expect("a right request").report;
                let truth = report.value.expect("it is small");
                let truth = if behind.to_move == scene.to_move { truth } else { -truth };
                assert_eq!((value.lower, value.upper), (truth, truth), "{name} {line} {mv}");
                assert_eq!(value.is_best, Some(truth) == whole, "{name} {line} {mv}");
                assert!(!value.text.is_empty());
            }
        }
    }
}

#[test]
fn valuing_stops_when_nobody_wants_it() {
    let door = open("connect4:7x6");
    let begun = Instant::now();
    let mut values = Values { stops: true, ..Values::default() };
    assert_eq!(door.value_moves(&Place::default(), &mut values), Ok(false));
    assert!(begun.elapsed() < Duration::from_secs(2));
    assert_eq!(values.last.len(), 7);
}

/// Rests when it has seen some nodes, for a while, and then ends everything.
struct Rester {
    begun: Option<Instant>,
    nodes: Vec<u64>,
    elapsed: Vec<Duration>,
}

const REST: Duration = Duration::from_millis(400);

impl Watch for Rester {
    fn goes_on(&mut self, snapshot: &Snapshot) -> bool {
        if snapshot.nodes > 20_000 {
            self.begun.get_or_insert_with(Instant::now);
        }
        let goes_on = self.begun.is_none_or(|begun| begun.elapsed() < REST);
        if goes_on && self.begun.is_some() {
            self.nodes.push(snapshot.nodes);
            self.elapsed.push(snapshot.elapsed);
        }
        goes_on
    }

    fn rests(&mut self) -> bool {
        self.begun.is_some()
    }
}

#[test]
fn work_that_rests_does_nothing_and_its_time_stands_still() {
    for (algorithm, threads) in
        [(Algorithm::Pn, 1), (Algorithm::PnGraph, 1), (Algorithm::Dfpn, 2), (Algorithm::PnDfpn, 2)]
    {
        let door = open("connect4:7x6");
        let request = Request {
            algorithm,
            threads: Some(threads),
            limits: Limits { memory: Some(64 << 20), ..Limits::default() },
            ..Request::default()
        };
        let mut rester = Rester { begun: None, nodes: Vec::new(), elapsed: Vec::new() };
        let report = door.solve(&Place::default(), &request, &mut rester).expect("a right request").report;
        let told = rester.nodes.len();
        assert!(told > 5, "{algorithm:?}: {told}");
        // The first one may come from before the rest.
        assert!(
            rester.nodes[1..].windows(2).all(|two| two[0] == two[1]),
            "{algorithm:?}: {:?}",
            rester.nodes
        );
        let passed = *rester.elapsed.last().expect("some") - rester.elapsed[1];
        assert!(passed < REST / 4, "{algorithm:?}: {passed:?}");
        assert!(report.seconds > 0.0);
    }
}

#[test]
fn positions_come_with_what_can_be_done_there() {
    let door = open("connect4:5x4");
    let scene = door.scene(&place("33")).expect("a position");
    let texts: Vec<&str> = scene.played.iter().map(|played| played.text.as_str()).collect();
    assert_eq!(texts, ["3", "3"]);
    let by: Vec<Player> = scene.played.iter().map(|played| played.by).collect();
    assert_eq!((by, scene.to_move), (vec![Player::First, Player::Second], Player::First));
    assert_eq!((scene.moves.len(), scene.over, scene.repeated), (5, None, false));
    assert_eq!(scene.goal, "value");
    let over = door.scene(&place("1212121")).expect("a position");
    assert_eq!((over.over, over.moves.len()), (Some(("win".to_owned(), Player::First)), 0));
    let wrong = door.scene(&place("3 9")).expect_err("there is no such column");
    assert!(wrong.to_string().contains("move 2"), "{wrong}");
    assert_eq!(door.bounds_text(-1, 0), "loss to draw");
    assert_eq!(door.bounds_text(1, 1), "win");
    let question = door.question_text(&place("3"), 0).expect("a position");
    assert_eq!(question, "Can o get at least a draw?");
}
