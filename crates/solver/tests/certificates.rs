//! What the checker must refuse: damaged files always, altered strategies unless a naive checker that works by
//! another method accepts them too.

use std::collections::HashMap;

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag, random_tree};
use quod_model::{Game, Notation, Player, Repetition, Value};
use quod_proof::{Certificate, CertificateFile, CheckError, Part, Relation, check_bytes};
use quod_solver::{Request, games, solve};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn certificate_of<G: Notation>(game: &G) -> Option<Certificate> {
    let request = Request { certificate: true, ..Request::default() };
    solve(game, &game.start(), &request, &mut ()).expect("the request is right").certificate
}

/// The naive checker: reads the strategy recursively, makes a game of it in which the claimer has no choice, and
/// works out that game's value.
fn naive_check(graph: &Graph, certificate: &Certificate) -> bool {
    let Ok(root) = graph.parse_position(&certificate.root) else { return false };
    let sides: Vec<bool> =
        certificate.parts.iter().map(|part| part.claim.relation == Relation::AtLeast).collect();
    let whole = certificate.game == graph.game_text()
        && certificate.rules_version == graph.rules_version()
        && !certificate.joined
        && matches!(sides[..], [_] | [true, false]);
    whole && certificate.parts.iter().all(|part| naive_part(graph, root, part).is_some())
}

struct Naive<'n> {
    graph: &'n Graph,
    mover: Player,
    part: &'n Part,
    next: usize,
    /// For each position that was reached, the positions that can follow.
    follow: HashMap<u32, Vec<u32>>,
}

fn naive_part(graph: &Graph, root: u32, part: &Part) -> Option<()> {
    let mover = graph.to_move(&root);
    if let Some(holds) = part.claim.settled_by(graph.values(), mover) {
        return (holds && part.positions == 0 && part.moves.is_empty()).then_some(());
    }
    let mut naive = Naive { graph, mover, part, next: 0, follow: HashMap::new() };
    naive.visit(root)?;
    if naive.next != part.moves.len() || naive.follow.len() as u64 != part.positions {
        return None;
    }
    // The game of the strategy: endings keep their values, everything else the moves that are left.
    let Repetition::Worth(endless) = graph.repetition() else {
        return naive.judge(root, &|_: &u32| Value(0));
    };
    naive.judge(root, &|position| endless(graph, position))
}

impl Naive<'_> {
    fn visit(&mut self, position: u32) -> Option<()> {
        if self.graph.outcome(&position).is_some() || self.follow.contains_key(&position) {
            return Some(());
        }
        self.follow.insert(position, Vec::new());
        let mut children = Vec::new();
        self.graph.moves(&position, &mut children);
        let mut children: Vec<u32> = children.iter().map(|mv| self.graph.after(&position, *mv)).collect();
        if self.graph.to_move(&position) == self.part.claim.claimer(self.mover) {
            let wins = |child: &&u32| {
                self.graph.outcome(child).is_some_and(|value| self.part.claim.is_kept_by(value, self.mover))
            };
            let choice = match children.iter().find(wins) {
                Some(child) => *child,
                None => {
                    let place = *self.part.moves.get(self.next)?;
                    self.next += 1;
                    *children.get(place as usize)?
                }
            };
            children = vec![choice];
        }
        for child in &children {
            self.visit(*child)?;
        }
        self.follow.insert(position, children);
        Some(())
    }

    fn judge(&self, root: u32, endless: &dyn Fn(&u32) -> Value) -> Option<()> {
        let mut nodes: Vec<(Player, Vec<u32>, Value)> = Vec::new();
        for position in 0..u32::try_from(self.graph.len()).expect("a small graph") {
            let ending = self.graph.outcome(&position);
            let children = self.follow.get(&position).cloned().unwrap_or_default();
            let value = ending.unwrap_or_else(|| endless(&position));
            nodes.push((self.graph.to_move(&position), children, value));
        }
        let restricted = Graph::from_nodes(nodes);
        let value = Truth::new(&restricted, &root).value(&root);
        self.part.claim.is_kept_by(value, self.mover).then_some(())
    }
}

/// One random change of the decoded form.
fn mutate(certificate: &mut Certificate, graph: &Graph, random: &mut Xoshiro256PlusPlus) {
    let number = random.random_range(0..certificate.parts.len());
    let part = &mut certificate.parts[number];
    let place = (!part.moves.is_empty()).then(|| random.random_range(0..part.moves.len()));
    match (random.random_range(0..8), place) {
        (0 | 1, Some(place)) => part.moves[place] = random.random_range(0..4),
        (2, Some(place)) => drop(part.moves.remove(place)),
        (3, _) => part.moves.insert(place.unwrap_or(0), random.random_range(0..3)),
        (4, _) => part.claim.value.0 += random.random_range(-2..=2),
        (5, _) => {
            part.claim.relation = match part.claim.relation {
                Relation::AtLeast => Relation::AtMost,
                Relation::AtMost => Relation::AtLeast,
            }
        }
        (6, _) => {
            let root = random.random_range(0..graph.len());
            certificate.root = graph.name(u32::try_from(root).expect("a small graph")).to_owned();
        }
        (7, _) => drop(certificate.parts.remove(number)),
        _ => part.positions = part.positions.wrapping_add(random.random_range(0..3)),
    }
}

#[test]
fn altered_strategies_are_judged_as_the_naive_checker_does() {
    println!("6000 graphs, seeds 0 to 5999, ten alterations each");
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..6_000 {
        let graph = match seed % 3 {
            0 => random_tree(seed, 40),
            1 => random_dag(seed, 16),
            _ => random_cyclic(seed, 12),
        };
        let certificate = certificate_of(&graph).expect("a certificate");
        assert!(naive_check(&graph, &certificate), "the naive checker refuses seed {seed}");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..10 {
            let mut altered = certificate.clone();
            mutate(&mut altered, &graph, &mut random);
            let expected = naive_check(&graph, &altered);
            let found = check_bytes(&graph, &altered.encode());
            assert_eq!(found.is_ok(), expected, "seed {seed}\n{graph}{altered:?}\n{found:?}");
            *(if expected { &mut accepted } else { &mut refused }) += 1;
        }
    }
    println!("{accepted} altered certificates are right too, {refused} are refused");
    assert!(accepted > 1_000 && refused > 10_000, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_damaged_byte_and_every_cut_is_noticed() {
    let game = quod_games::ConnectFour::<u64>::new(4, 4, 4).expect("the board fits");
    let file = certificate_of(&game).expect("a proof").encode();
    assert!(check_bytes(&game, &file).is_ok());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for at in 0..file.len() {
        for change in [1 << (at % 8), random.random_range(1..=255)] {
            let mut damaged = file.clone();
            damaged[at] ^= change;
            assert!(check_bytes(&game, &damaged).is_err(), "byte {at} changed by {change}");
        }
        assert!(check_bytes(&game, &file[..at]).is_err(), "cut to {at} bytes");
    }
    let mut longer = file.clone();
    longer.push(0);
    assert!(check_bytes(&game, &longer).is_err());
}

/// A file with a right checksum around nonsense must be refused as calmly as any other.
#[test]
fn nonsense_with_a_right_checksum_does_no_harm() {
    let game = quod_games::TicTacToe;
    let file = certificate_of(&game).expect("a proof").encode();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut content = file[..file.len() - 32].to_vec();
        for _ in 0..random.random_range(1..4) {
            match random.random_range(0..3) {
                0 => {
                    let at = random.random_range(0..content.len());
                    content[at] = random.random();
                }
                1 => content.truncate(random.random_range(8..=content.len())),
                _ => content.push(random.random()),
            }
        }
        let checksum = blake3::hash(&content);
        content.extend_from_slice(checksum.as_bytes());
        if check_bytes(&game, &content).is_ok() {
            accepted += 1;
        }
    }
    // Some changes have no effect: the same byte again, or another strategy that is right too.
    assert!(accepted < 1_000, "{accepted} accepted");
}

#[test]
fn a_certificate_is_for_one_game_only() {
    let file = certificate_of(&quod_games::TicTacToe).expect("a proof").encode();
    let certificate = CertificateFile::open(&file).expect("a good file");
    let other = games().open("connect4:4x4").expect("a game");
    let error = other.check(&certificate, &mut |_| true).unwrap_err();
    assert_eq!(error.to_string(), "unreadable: it is about tictactoe, not about connect4:4x4");
}

/// A certificate that was not checked to the end is neither accepted nor refused.
#[test]
fn a_stopped_check_says_nothing() {
    let game = quod_games::ConnectFour::<u64>::new(5, 4, 4).expect("the board fits");
    let file = certificate_of(&game).expect("a proof").encode();
    let file = CertificateFile::open(&file).expect("a good file");
    let error = quod_proof::check(&game, &file, &mut |_| false).unwrap_err();
    assert!(error == CheckError::Interrupted && !error.is_refusal(), "{error}");
}
