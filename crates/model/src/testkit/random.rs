//! Random small game graphs: the judges of every search. The same seed gives the same graph.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::Graph;
use crate::{Player, Value};

type Nodes = Vec<(Player, Vec<u32>, Value)>;

/// A random tree of up to `size` nodes with two to five different values at its leaves.
#[must_use]
pub fn random_tree(seed: u64, size: u32) -> Graph {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let values = value_range(&mut random);
    tree(random, &values, size)
}

/// A random tree of up to `size` nodes with `outcomes` different values at its leaves.
#[must_use]
pub fn random_tree_of(seed: u64, size: u32, outcomes: i32) -> Graph {
    tree(Xoshiro256PlusPlus::seed_from_u64(seed), &around_zero(outcomes), size)
}

fn tree(mut random: Xoshiro256PlusPlus, values: &[Value], size: u32) -> Graph {
    let mut nodes: Nodes = vec![(player(&mut random), vec![], Value::DRAW)];
    let count = random.random_range(2..=size);
    for number in 1..count {
        // Parents are drawn from the last few nodes as often as from all: deep and bushy trees both occur.
        let low = if random.random_bool(0.5) { number.saturating_sub(4) } else { 0 };
        let parent = random.random_range(low..number);
        nodes[parent as usize].1.push(number);
        nodes.push((player(&mut random), vec![], Value::DRAW));
    }
    finish(nodes, values, &mut random)
}

/// A random acyclic graph of up to `size` nodes.
#[must_use]
pub fn random_dag(seed: u64, size: u32) -> Graph {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let values = value_range(&mut random);
    dag(random, &values, size)
}

/// A random acyclic graph of up to `size` nodes with `outcomes` different values at its leaves.
#[must_use]
pub fn random_dag_of(seed: u64, size: u32, outcomes: i32) -> Graph {
    dag(Xoshiro256PlusPlus::seed_from_u64(seed), &around_zero(outcomes), size)
}

fn dag(mut random: Xoshiro256PlusPlus, values: &[Value], size: u32) -> Graph {
    let count = random.random_range(2..=size);
    let mut nodes: Nodes = Vec::new();
    for number in 0..count {
        let mut children = Vec::new();
        if number + 1 < count && (number == 0 || random.random_bool(0.8)) {
            for _ in 0..random.random_range(1..=3) {
                let far = (number + 5).min(count - 1);
                children.push(random.random_range(number + 1..=far));
            }
        }
        nodes.push((player(&mut random), children, Value::DRAW));
    }
    finish(nodes, values, &mut random)
}

/// A random graph of up to `size` nodes whose moves may lead back. Endless play has one value in each
/// strongly connected part, often different ones in different parts.
#[must_use]
pub fn random_cyclic(seed: u64, size: u32) -> Graph {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let values = value_range(&mut random);
    let count = random.random_range(2..=size);
    let inner = random.random_range(1..count);
    let mut nodes: Nodes = Vec::new();
    for number in 0..count {
        let mut children = Vec::new();
        if number < inner {
            for _ in 0..random.random_range(1..=3) {
                children.push(random.random_range(0..count));
            }
        }
        nodes.push((player(&mut random), children, Value::DRAW));
    }
    finish(nodes, &values, &mut random)
}

/// A random graph of up to `size` nodes with few ends and many ways back, so that searches go around in it for
/// long. Moves lead to near nodes more often than to far ones. Endless play as in [`random_cyclic`].
#[must_use]
pub fn random_maze(seed: u64, size: u32) -> Graph {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let values = value_range(&mut random);
    let count = random.random_range(8..=size.max(8));
    let ends = random.random_range(1..=2 + count / 16);
    let near = random.random_range(2..=8);
    let mut nodes: Nodes = Vec::new();
    for number in 0..count {
        let mut children = Vec::new();
        // Ends are spread over the graph.
        if number == 0 || random.random_range(0..count) >= ends {
            for _ in 0..random.random_range(2..=4) {
                let far = random.random_bool(0.1);
                let low = if far { 0 } else { number.saturating_sub(near) };
                let high = if far { count - 1 } else { (number + near).min(count - 1) };
                children.push(random.random_range(low..=high));
            }
        }
        nodes.push((player(&mut random), children, Value::DRAW));
    }
    finish(nodes, &values, &mut random)
}

fn player(random: &mut Xoshiro256PlusPlus) -> Player {
    if random.random_bool(0.5) { Player::First } else { Player::Second }
}

fn around_zero(outcomes: i32) -> Vec<Value> {
    (-outcomes / 2..outcomes - outcomes / 2).map(Value).collect()
}

fn value_range(random: &mut Xoshiro256PlusPlus) -> Vec<Value> {
    let low = random.random_range(-2..=0);
    (low..=low + random.random_range(1..=4)).map(Value).collect()
}

/// Gives every leaf a value and every strongly connected part a value of endless play.
fn finish(mut nodes: Nodes, values: &[Value], random: &mut Xoshiro256PlusPlus) -> Graph {
    let count = nodes.len();
    let mut reaches = vec![vec![false; count]; count];
    for (from, row) in reaches.iter_mut().enumerate() {
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            for child in &nodes[node].1 {
                if !std::mem::replace(&mut row[*child as usize], true) {
                    open.push(*child as usize);
                }
            }
        }
    }
    for node in 0..count {
        let together = (0..node).find(|other| reaches[node][*other] && reaches[*other][node]);
        nodes[node].2 = match together {
            Some(other) => nodes[other].2,
            None => values[random.random_range(0..values.len())],
        };
    }
    Graph::from_nodes(nodes)
}
