//! Where the horizon is behind the end of the game, opinions are the truth.

use quod_model::testkit::{Graph, Truth, random_cyclic, random_dag_of, random_maze, random_tree_of};
use quod_model::{Citation, Game, Notation, Oracle, Player, Value};

use super::*;

fn searched<G: Game>(game: &G, root: &G::Position, budget: Budget) -> (Proposal<G::Move>, Thinking, u64) {
    let mut candidates = Vec::new();
    game.moves(root, &mut candidates);
    let mut search = PlaySearch::new(game, root.clone(), &[], candidates, None, PlayTable::new(1 << 16));
    let thinking = search.advance(budget);
    (search.proposal(), thinking, search.nodes())
}

#[test]
fn without_a_horizon_the_best_move_is_found() {
    let mut checked = 0;
    for seed in 0..300 {
        for game in [random_tree_of(seed, 30, 7), random_dag_of(seed, 20, 5)] {
            let truth = Truth::new(&game, &game.start());
            for (position, value) in truth.iter().filter(|(position, _)| game.outcome(position).is_none()) {
                let (proposal, thinking, _) = searched(&game, position, Budget::UNLIMITED);
                assert_eq!(thinking, Thinking::Finished);
                assert_eq!(truth.value(&game.after(position, proposal.mv)), value, "{seed}");
                // Less than one of value tells sooner from later; where there is no choice, nothing is searched.
                let off = proposal.score - f64::from(value.seen_by(game.to_move(position)).0);
                assert!(off.abs() < 0.1 || game.mobility(position) == 1, "{seed}: {proposal:?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 3_000, "{checked}");
}

/// With cycles its opinions may be wrong, but it comes to an end, and every move is legal.
#[test]
fn cycles_and_small_budgets_do_no_harm() {
    let mut right = 0;
    for seed in 0..200 {
        for game in [random_cyclic(seed, 12), random_maze(seed, 12)] {
            let truth = Truth::new(&game, &game.start());
            for (position, value) in truth.iter().filter(|(position, _)| game.outcome(position).is_none()) {
                for steps_max in [0, 1, 7, 3_000] {
                    let budget = Budget { steps_max, ..Budget::UNLIMITED };
                    let (proposal, ..) = searched(&game, position, budget);
                    assert!(game.play(position, proposal.mv).is_ok(), "{seed}");
                    let keeps = truth.value(&game.after(position, proposal.mv)) == value;
                    right += i64::from(steps_max == 3_000) * if keeps { 1 } else { -20 };
                }
            }
        }
    }
    assert!(right > 0, "hardly one in twenty is wrong: {right}");
}

#[test]
fn nodes_are_limited_and_slices_change_nothing() {
    let game = random_tree_of(1, 4_000, 9);
    let nodes = |slice: u64, nodes_max: u64| {
        let mut candidates = Vec::new();
        game.moves(&game.start(), &mut candidates);
        let mut search = PlaySearch::new(&game, game.start(), &[], candidates, None, PlayTable::new(1 << 16));
        while search.advance(Budget { nodes_max, steps_max: slice }) == Thinking::Running {}
        (search.nodes(), search.proposal())
    };
    let whole = nodes(u64::MAX, u64::MAX);
    assert!(whole.0 > 500, "{whole:?}");
    assert_eq!(whole, nodes(1, u64::MAX));
    assert_eq!((nodes(u64::MAX, 100).0, nodes(13, 100)), (100, nodes(5, 100)));
}

/// Who wins gets on with it: the shorter way is taken, and the longer defence.
#[test]
fn sooner_is_better_for_who_wins() {
    let game: Graph =
        "a max: b c\n b max: d\n d max: e\n e max: f\n f = 1\n c max: g\n g = 1".parse().unwrap();
    let best = |game: &Graph| game.move_text(&0, searched(game, &0, Budget::UNLIMITED).0.mv);
    assert_eq!(best(&game), "c");
    let game: Graph = "a min: c b\n b max: d\n d max: f\n f = 1\n c max: g\n g = 1".parse().unwrap();
    assert_eq!(best(&game), "b");
}

struct Wins(u32);

impl Oracle<Graph> for Wins {
    fn value(&self, _: &Graph, position: &u32) -> Option<Value> {
        (*position == self.0).then_some(Value(1))
    }

    fn cite(&self) -> Citation {
        unreachable!("opinions are not certified")
    }
}

#[test]
fn what_was_there_before_is_endless_play_and_what_is_known_counts() {
    let game: Graph =
        "a max: b c\n b min: d\n d max: e\n e = -1\n c min: f\n f max: g\n g = -1".parse().unwrap();
    let oracle = Wins(game.position("f").unwrap());
    let mut candidates = Vec::new();
    game.moves(&0, &mut candidates);
    let table = || PlayTable::new(1 << 12);
    let mut knowing = PlaySearch::new(&game, 0, &[], candidates.clone(), Some(&oracle), table());
    knowing.advance(Budget::UNLIMITED);
    assert_eq!(game.move_text(&0, knowing.proposal().mv), "c");

    let game: Graph = "a max: b c\n b min: a d\n d = 1\n c min: e\n e = -1\n endless 0".parse().unwrap();
    let earlier = [game.position("c").unwrap()];
    let mut search = PlaySearch::new(&game, 0, &earlier, candidates, None, table());
    search.advance(Budget::UNLIMITED);
    assert_eq!(search.proposal().score, 0.0);
    assert_eq!(game.to_move(&0), Player::First);
}
