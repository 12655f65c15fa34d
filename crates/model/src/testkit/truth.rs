//! The truth about a small game, by exhaustive fixed point.
//!
//! The reachable positions are split into strongly connected parts, which are valued from the ends
//! backwards. Inside a part every position starts at the part's value of endless play and is then raised
//! and lowered by its best move until nothing changes. For every threshold above that value the rising is
//! the least fixed point (going around does not reach it), for every threshold up to it the falling is the
//! greatest one (going around keeps it).

use rustc_hash::FxHashMap;

use crate::{Game, Player, Repetition, Value};

/// The values of all positions that can be reached from a root.
pub struct Truth<G: Game> {
    numbers: FxHashMap<G::Position, usize>,
    values: Vec<Value>,
}

struct Reached<G: Game> {
    positions: Vec<G::Position>,
    numbers: FxHashMap<G::Position, usize>,
    children: Vec<Vec<usize>>,
}

impl<G: Game> Truth<G> {
    /// Works out everything that can be reached from `root`.
    ///
    /// # Panics
    /// If the game breaks the law that endless play is worth the same all along a cycle, or repeats
    /// positions although it says that it cannot.
    #[must_use]
    pub fn new(game: &G, root: &G::Position) -> Self {
        let reached = reach(game, root);
        let mut values = vec![Value::DRAW; reached.positions.len()];
        for part in strong_parts(&reached.children) {
            let around = part.len() > 1 || reached.children[part[0]].contains(&part[0]);
            if around {
                let Repetition::Worth(worth) = game.repetition() else {
                    panic!("{:?} can come again", reached.positions[part[0]]);
                };
                let endless = worth(game, &reached.positions[part[0]]);
                for node in &part {
                    let here = worth(game, &reached.positions[*node]);
                    assert_eq!(here, endless, "endless play differs along a cycle");
                    values[*node] = endless;
                }
            }
            loop {
                let mut changed = false;
                for node in &part {
                    let value = one_step(game, &reached, *node, &values);
                    changed |= std::mem::replace(&mut values[*node], value) != value;
                }
                if !changed || !around {
                    break;
                }
            }
        }
        Self { numbers: reached.numbers, values }
    }

    /// The value of a position that was reached.
    ///
    /// # Panics
    /// If it was not.
    #[must_use]
    pub fn value(&self, position: &G::Position) -> Value {
        self.values[self.numbers[position]]
    }

    /// The value of a position, if it was reached.
    #[must_use]
    pub fn find(&self, position: &G::Position) -> Option<Value> {
        self.numbers.get(position).map(|number| self.values[*number])
    }

    /// How many positions were reached.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Never: the root is reached.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// All positions with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Value)> {
        self.numbers.iter().map(|(position, number)| (position, self.values[*number]))
    }
}

fn one_step<G: Game>(game: &G, reached: &Reached<G>, node: usize, values: &[Value]) -> Value {
    let position = &reached.positions[node];
    if let Some(value) = game.outcome(position) {
        return value;
    }
    let children = reached.children[node].iter().map(|child| values[*child]);
    match game.to_move(position) {
        Player::First => children.max(),
        Player::Second => children.min(),
    }
    .expect("a position that is not over has a move")
}

fn reach<G: Game>(game: &G, root: &G::Position) -> Reached<G> {
    let mut reached: Reached<G> = Reached {
        positions: vec![root.clone()],
        numbers: FxHashMap::from_iter([(root.clone(), 0)]),
        children: Vec::new(),
    };
    let mut moves = Vec::new();
    while reached.children.len() < reached.positions.len() {
        let position = reached.positions[reached.children.len()].clone();
        moves.clear();
        if game.outcome(&position).is_none() {
            game.moves(&position, &mut moves);
        }
        let mut children = Vec::new();
        for mv in &moves {
            let child = game.after(&position, *mv);
            let next = reached.positions.len();
            let number = *reached.numbers.entry(child.clone()).or_insert(next);
            if number == next {
                reached.positions.push(child);
            }
            children.push(number);
        }
        reached.children.push(children);
    }
    reached
}

/// Strongly connected parts, each after all parts that it leads to (Tarjan's algorithm with its own stack).
pub(super) fn strong_parts(children: &[Vec<usize>]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let count = children.len();
    let (mut order, mut low, mut on_stack) = (vec![NEW; count], vec![0; count], vec![false; count]);
    let (mut next, mut stack, mut parts) = (0, Vec::new(), Vec::new());
    for start in 0..count {
        if order[start] != NEW {
            continue;
        }
        let mut calls = vec![(start, 0)];
        while let Some((node, at)) = calls.pop() {
            if at == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(child) = children[node].get(at) {
                calls.push((node, at + 1));
                if order[*child] == NEW {
                    calls.push((*child, 0));
                } else if on_stack[*child] {
                    low[node] = low[node].min(order[*child]);
                }
                continue;
            }
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = stack.iter().rposition(|member| *member == node).expect("it was pushed");
                let part = stack.split_off(from);
                for member in &part {
                    on_stack[*member] = false;
                }
                parts.push(part);
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Graph;

    fn value(text: &str) -> i32 {
        let graph: Graph = text.parse().unwrap();
        Truth::new(&graph, &graph.start()).value(&graph.start()).0
    }

    #[test]
    fn going_around_is_chosen_only_where_it_is_best() {
        // First may leave for 1 or go around for what endless play is worth.
        assert_eq!(value("endless 0\na max: b c\nb min: a\nc = 1"), 1);
        assert_eq!(value("endless 2\na max: b c\nb min: a\nc = 1"), 2);
        // Second leaves the cycle when that is better for Second.
        assert_eq!(value("endless 2\na max: b c\nb min: a d\nc = 0\nd = 1"), 1);
        // Neither wants to leave.
        assert_eq!(value("endless 0\na max: b c\nb min: a d\nc = -1\nd = 1"), 0);
    }

    #[test]
    fn parts_with_different_endless_values() {
        // From a, First enters one of two cycles, which are worth -1 and 1.
        let text = "a max [0]: b c\nb max [-1]: b e\nc min [1]: d e\nd min [1]: c\ne = 0";
        assert_eq!(value(text), 0);
    }
}
