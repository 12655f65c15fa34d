//! A solution with one move for every position.
//!
//! A solution within a number of moves may know several moves for one position: one for each number that is left. It may even come to a
//! position again, with fewer. Of these moves, the one that wins soonest is enough: behind it every answer of the other side leads to
//! positions that are won sooner still, so nothing is played again and nothing takes longer.

use std::collections::HashMap;

use quod_model::{Move, Notation};
use quod_proof::{NodeId, SolutionTree};
use quod_search::Solved;

/// A place of the solution that is made: whether the winner moves there, and the moves that are played.
struct Place {
    winner: bool,
    played: Vec<(u32, NodeId)>,
}

/// A solution with one move for every position.
pub(crate) struct Positional {
    places: Vec<Place>,
    /// After how many moves it is over at the latest.
    plies: Vec<u32>,
}

/// A node of the solution that is read, with its position.
struct Read<G: Notation> {
    position: G::Position,
    played: Vec<(u32, NodeId)>,
    plies: u32,
}

impl Positional {
    /// Of a solution that claims a goal for the side to move at `root`, which ends along every line.
    pub(crate) fn new<G: Notation>(game: &G, root: &G::Position, solution: &dyn Solved) -> Self {
        let nodes = read(game, root, solution);
        // For every position of the winner, the node that wins soonest.
        let mut soonest: HashMap<&G::Position, &Read<G>> = HashMap::new();
        for node in nodes.values() {
            let best = soonest.entry(&node.position).or_insert(node);
            // Two that win as soon are told apart by their moves, so that the choice is always the same.
            if (node.plies, &node.played) < (best.plies, &best.played) {
                *best = node;
            }
        }
        let claimant = game.to_move(root);
        let mut made = Self { places: Vec::new(), plies: Vec::new() };
        let mut numbers: HashMap<G::Position, NodeId> = HashMap::new();
        let mut open = vec![root.clone()];
        numbers.insert(root.clone(), 0);
        let mut at = 0;
        while at < open.len() {
            let position = open[at].clone();
            let node = soonest[&position];
            let played = node.played.iter().map(|(code, _)| {
                let after = game.after(&position, G::Move::from_code(*code));
                let next = numbers.len() as NodeId;
                let number = *numbers.entry(after.clone()).or_insert(next);
                if number == next {
                    open.push(after);
                }
                (*code, number)
            });
            let played = played.collect();
            made.places.push(Place { winner: game.to_move(&position) == claimant, played });
            made.plies.push(node.plies);
            at += 1;
        }
        made.count();
        made
    }

    /// After how many moves it is over at the latest.
    pub(crate) fn plies(&self) -> u32 {
        self.plies.first().copied().unwrap_or(0)
    }

    /// How long play really takes: positions that are won soonest come first.
    fn count(&mut self) {
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_unstable_by_key(|place| self.plies[*place]);
        for place in order {
            let behind = self.places[place].played.iter().map(|(_, child)| self.plies[*child as usize] + 1);
            self.plies[place] = behind.max().unwrap_or(0);
        }
    }
}

/// All nodes of a solution, with their positions.
fn read<G: Notation>(game: &G, root: &G::Position, solution: &dyn Solved) -> HashMap<NodeId, Read<G>> {
    let claimant = game.to_move(root);
    let mut nodes: HashMap<NodeId, Read<G>> = HashMap::new();
    let mut open = vec![(solution.root(), root.clone(), false)];
    while let Some((node, position, children_done)) = open.pop() {
        if children_done {
            let behind =
                nodes[&node].played.iter().map(|(_, child)| nodes[child].plies + 1).max().unwrap_or(0);
            if let Some(read) = nodes.get_mut(&node) {
                read.plies = behind;
            }
            continue;
        }
        if nodes.contains_key(&node) {
            continue;
        }
        let mut played = Vec::new();
        if game.to_move(&position) == claimant {
            played.extend(solution.winning_child(node));
        } else if game.outcome(&position).is_none() {
            let mut moves = Vec::new();
            game.moves(&position, &mut moves);
            let children =
                moves.iter().map(|mv| solution.child(node, mv.code()).map(|child| (mv.code(), child)));
            // A leaf has none.
            played.extend(children.flatten());
        }
        open.push((node, position.clone(), true));
        for (code, child) in &played {
            open.push((*child, game.after(&position, G::Move::from_code(*code)), false));
        }
        nodes.insert(node, Read { position, played, plies: 0 });
    }
    nodes
}

impl SolutionTree for Positional {
    fn root(&self) -> NodeId {
        0
    }

    fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
        let place = &self.places[node as usize];
        place.played.first().copied().filter(|_| place.winner)
    }

    fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
        let played = &self.places[node as usize].played;
        played.iter().find(|(other, _)| *other == code).map(|(_, child)| *child)
    }
}

impl Solved for Positional {
    fn is_or(&self, node: NodeId) -> bool {
        self.places[node as usize].winner
    }

    fn bytes(&self) -> u64 {
        let played = self.places.iter().map(|place| place.played.capacity() * size_of::<(u32, NodeId)>());
        let places = self.places.len() * (size_of::<Place>() + size_of::<u32>());
        (played.sum::<usize>() + places) as u64
    }

    fn longest_line(&self) -> Vec<u32> {
        let (mut line, mut node) = (Vec::new(), 0);
        let next = |node: NodeId| {
            let played = self.places[node as usize].played.iter();
            // The first of the longest.
            played.copied().rev().max_by_key(|(_, child)| self.plies[*child as usize])
        };
        while let Some((code, child)) = next(node) {
            line.push(code);
            node = child;
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quod_model::Game;
    use quod_model::testkit::Graph;

    /// A solution that knows two moves for the position p: a slow one behind the reply p, and the fast one behind q.
    struct TwoMoves;

    impl TwoMoves {
        const NODES: [&[(u32, NodeId)]; 10] = [
            &[(0, 1)],
            &[(0, 2), (1, 5)],
            &[(0, 3)],
            &[(0, 4)],
            &[(0, 9)],
            &[(0, 6)],
            &[(0, 7)],
            &[(1, 8)],
            &[],
            &[],
        ];
    }

    impl SolutionTree for TwoMoves {
        fn root(&self) -> NodeId {
            0
        }
        fn winning_child(&self, node: NodeId) -> Option<(u32, NodeId)> {
            Self::NODES[node as usize].first().copied()
        }
        fn child(&self, node: NodeId, code: u32) -> Option<NodeId> {
            let played = Self::NODES[node as usize].iter();
            played.copied().find(|(other, _)| *other == code).map(|(_, child)| child)
        }
    }

    impl Solved for TwoMoves {
        fn is_or(&self, _: NodeId) -> bool {
            true
        }
        fn bytes(&self) -> u64 {
            0
        }
        fn longest_line(&self) -> Vec<u32> {
            Vec::new()
        }
    }

    #[test]
    fn the_move_that_wins_soonest_is_taken() {
        let game: Graph = "s max: x\nx min: p q\np max: y w\ny min: r\nr max: w\nq max: z\nz min: p\nw = 1"
            .parse()
            .unwrap();
        let solution = Positional::new(&game, &game.start(), &TwoMoves);
        // s x q z p w, and never by way of y.
        assert_eq!((solution.plies(), solution.longest_line()), (5, vec![0, 1, 0, 0, 1]));
        let p = solution.child(solution.child(0, 0).unwrap(), 0).unwrap();
        assert_eq!(solution.winning_child(p).map(|(code, _)| code), Some(1));
    }
}
