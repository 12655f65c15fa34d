//! Explicit game graphs, written as text.
//!
//! ```text
//! values 0 3          the range of values (else: of the leaves and of endless play)
//! endless 0           what endless play is worth wherever nothing else is said (else: 0)
//! a max: b c          First moves at a
//! b min [2]: a d      Second moves at b; going around through b is worth 2
//! c = 1               the game is over at c
//! d ?                 undecided: one move leads to each value of the range
//! ```
//! The first node is where the game begins. `#` starts a comment.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use super::truth::strong_parts;
use crate::{
    Abilities, Converts, Decide, Game, Goal, Guess, InputError, Notation, Player, Repetition, Stages, Value,
};

/// A game given by its graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    nodes: Vec<Node>,
    values: (Value, Value),
    /// The strongly connected part of each node.
    parts: Vec<u32>,
    cyclic: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    name: String,
    player: Player,
    children: Vec<u32>,
    /// The final value of a leaf, the value of endless play of an inner node.
    value: Value,
}

impl Graph {
    /// A graph from its nodes: who moves, the children, and the final value (where there are no children)
    /// or the value of endless play. Nodes are named by their numbers.
    #[must_use]
    pub fn from_nodes(nodes: Vec<(Player, Vec<u32>, Value)>) -> Self {
        let named = nodes
            .into_iter()
            .enumerate()
            .map(|(number, (player, children, value))| Node {
                name: format!("n{number}"),
                player,
                children,
                value,
            })
            .collect();
        Self::new(named, None)
    }

    fn new(nodes: Vec<Node>, values: Option<(Value, Value)>) -> Self {
        let children: Vec<Vec<usize>> =
            nodes.iter().map(|node| node.children.iter().map(|child| *child as usize).collect()).collect();
        let mut parts = vec![0; nodes.len()];
        let mut cyclic = false;
        for (number, part) in (0..).zip(strong_parts(&children)) {
            cyclic |= part.len() > 1 || children[part[0]].contains(&part[0]);
            for node in part {
                parts[node] = number;
            }
        }
        let met = nodes.iter().filter(|node| cyclic || node.children.is_empty()).map(|node| node.value);
        let met: Vec<Value> = met.collect();
        let low = met.iter().copied().min().unwrap_or(Value::DRAW);
        let high = met.iter().copied().max().unwrap_or(Value::DRAW);
        Self { nodes, values: values.unwrap_or((low, high)), parts, cyclic }
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: a graph has a start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The position of this name.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<u32> {
        (0u32..).zip(&self.nodes).find(|(_, node)| node.name == name).map(|(number, _)| number)
    }

    /// The name of a position.
    #[must_use]
    pub fn name(&self, position: u32) -> &str {
        &self.node(position).name
    }

    fn node(&self, position: u32) -> &Node {
        &self.nodes[position as usize]
    }
}

impl Game for Graph {
    type Position = u32;
    type Move = u16;

    fn start(&self) -> u32 {
        0
    }

    fn to_move(&self, position: &u32) -> Player {
        self.node(*position).player
    }

    fn outcome(&self, position: &u32) -> Option<Value> {
        let node = self.node(*position);
        node.children.is_empty().then_some(node.value)
    }

    fn moves(&self, position: &u32, moves: &mut Vec<u16>) {
        moves.extend((0u16..).zip(&self.node(*position).children).map(|(number, _)| number));
    }

    fn after(&self, position: &u32, mv: u16) -> u32 {
        self.node(*position).children[usize::from(mv)]
    }

    fn key(&self, position: &u32) -> u128 {
        u128::from(*position)
    }

    fn values(&self) -> (Value, Value) {
        self.values
    }

    fn repetition(&self) -> Repetition<Self> {
        if self.cyclic {
            Repetition::Worth(|graph, position| graph.node(*position).value)
        } else {
            Repetition::Impossible
        }
    }

    fn abilities(&self) -> Abilities<Self> {
        Abilities::none().decide().guess().stages().converts()
    }
}

/// Sees endings one move ahead.
impl Decide for Graph {
    fn decide(&self, position: &u32, goal: Goal) -> Option<bool> {
        let node = self.node(*position);
        let own = node.player == goal.claimant;
        let endings = node.children.iter().filter_map(|child| self.outcome(child));
        endings.map(|value| goal.is_reached_by(value)).any(|holds| holds == own).then_some(own)
    }
}

/// Moves that leave a strongly connected part.
impl Converts for Graph {
    fn converts(&self, position: &u32, mv: u16) -> bool {
        self.parts[*position as usize] != self.parts[self.after(position, mv) as usize]
    }
}

/// Numbers that mean nothing: a search must be right with any.
impl Guess for Graph {
    fn guess(&self, position: &u32, _: Goal) -> (u32, u32) {
        (position.wrapping_mul(0x9e37_79b9) >> 29, position.wrapping_mul(0x85eb_ca6b) >> 29)
    }
}

/// Stages and numbers that mean nothing, with gaps between stages.
impl Stages for Graph {
    fn stages(&self, position: &u32, _: Goal, moves: &[u16], stages: &mut Vec<u8>) {
        let mixed = |mv: &u16| (position ^ u32::from(*mv) << 16).wrapping_mul(0xc2b2_ae35) >> 30;
        stages.extend(moves.iter().map(|mv| 2 * mixed(mv) as u8));
    }

    fn held_back(&self, position: &u32, _: Goal, stage: u8, left: u32) -> (u32, u32) {
        (position % 5 + u32::from(stage), left)
    }
}

impl Notation for Graph {
    fn game_text(&self) -> String {
        "graph".to_owned()
    }

    fn position_text(&self, position: &u32) -> String {
        self.name(*position).to_owned()
    }

    fn parse_position(&self, text: &str) -> Result<u32, InputError> {
        self.position(text).ok_or_else(|| InputError::new("position", text, "no such node"))
    }

    /// The name of the target, and the number of the move where another leads there too.
    fn move_text(&self, position: &u32, mv: u16) -> String {
        let children = &self.node(*position).children;
        let target = children[usize::from(mv)];
        if children.iter().filter(|child| **child == target).count() == 1 {
            self.name(target).to_owned()
        } else {
            format!("{}#{mv}", self.name(target))
        }
    }
}

impl FromStr for Graph {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Self, InputError> {
        let mut reader = Reader::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                reader.line(line).map_err(|problem| {
                    InputError::new("line", line, problem).at(format!("line {}", number + 1))
                })?;
            }
        }
        reader.finish().map_err(|problem| InputError::new("graph", text, problem))
    }
}

#[derive(Default)]
struct Reader {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    lines: HashMap<u32, Line>,
    values: Option<(Value, Value)>,
    endless: i32,
}

enum Line {
    Inner { player: Player, endless: Option<i32>, children: Vec<u32> },
    Leaf(i32),
    Undecided,
}

impl Reader {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.len()).expect("a written graph is small");
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["values", low, high] => {
                self.values = Some((Value(integer(low)?), Value(integer(high)?)));
                return Ok(());
            }
            ["endless", value] => {
                self.endless = integer(value)?;
                return Ok(());
            }
            _ => {}
        }
        let name = words[0];
        let node = self.number(name);
        let parsed = match words[1..] {
            ["=", value] => Line::Leaf(integer(value)?),
            ["?"] => Line::Undecided,
            _ => {
                let (head, tail) = line.split_once(':').ok_or("expected \"name max: child ...\"")?;
                let head: Vec<&str> = head.split_whitespace().collect();
                let player = match head.get(1) {
                    Some(&"max") => Player::First,
                    Some(&"min") => Player::Second,
                    _ => return Err("a node is max or min".to_owned()),
                };
                let endless = match head.get(2) {
                    None => None,
                    Some(word) => Some(integer(word.trim_start_matches('[').trim_end_matches(']'))?),
                };
                let children: Vec<u32> = tail.split_whitespace().map(|child| self.number(child)).collect();
                if children.is_empty() {
                    return Err("an inner node has children".to_owned());
                }
                Line::Inner { player, endless, children }
            }
        };
        match self.lines.insert(node, parsed) {
            None => Ok(()),
            Some(_) => Err(format!("node {name} is there twice")),
        }
    }

    fn finish(mut self) -> Result<Graph, String> {
        let mut nodes = Vec::new();
        for (number, name) in (0u32..).zip(&self.names) {
            let line = self.lines.remove(&number).ok_or_else(|| format!("node {name} has no line"))?;
            nodes.push((name.clone(), line));
        }
        if nodes.is_empty() {
            return Err("no nodes".to_owned());
        }
        let leaves = nodes.iter().filter_map(|(_, line)| match line {
            Line::Leaf(value) => Some(*value),
            _ => None,
        });
        let leaves: Vec<i32> = leaves.collect();
        let (low, high) = self.values.map_or_else(
            || (leaves.iter().copied().min().unwrap_or(0), leaves.iter().copied().max().unwrap_or(0)),
            |(low, high)| (low.0, high.0),
        );
        let mut extra = Vec::new();
        let count = u32::try_from(nodes.len()).expect("a written graph is small");
        let mut read: Vec<Node> = nodes
            .into_iter()
            .map(|(name, line)| match line {
                Line::Leaf(value) => {
                    Node { name, player: Player::First, children: vec![], value: Value(value) }
                }
                Line::Inner { player, endless, children } => {
                    Node { name, player, children, value: Value(endless.unwrap_or(self.endless)) }
                }
                Line::Undecided => {
                    let children = (low..=high)
                        .map(|value| {
                            let number = count + u32::try_from(extra.len()).expect("small");
                            extra.push(Node {
                                name: format!("{name}={value}"),
                                player: Player::First,
                                children: vec![],
                                value: Value(value),
                            });
                            number
                        })
                        .collect();
                    Node { name, player: Player::First, children, value: Value(self.endless) }
                }
            })
            .collect();
        read.append(&mut extra);
        Ok(Graph::new(read, self.values))
    }
}

fn integer(word: &str) -> Result<i32, String> {
    word.parse().map_err(|_| format!("\"{word}\" is not a number"))
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "values {} {}", self.values.0.0, self.values.1.0)?;
        for node in &self.nodes {
            if node.children.is_empty() {
                writeln!(f, "{} = {}", node.name, node.value.0)?;
            } else {
                let player = if node.player == Player::First { "max" } else { "min" };
                write!(f, "{} {player} [{}]:", node.name, node.value.0)?;
                for child in &node.children {
                    write!(f, " {}", self.name(*child))?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let text = "values 0 3\na max [1]: b c\nb min [1]: a c\nc = 2\n";
        let graph: Graph = text.parse().unwrap();
        assert_eq!(graph.to_string(), text);
        assert!(matches!(graph.repetition(), Repetition::Worth(_)));
    }

    #[test]
    fn errors_name_the_line() {
        let error = "a max: b\nb oops".parse::<Graph>().unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        let error = "a max: b".parse::<Graph>().unwrap_err().to_string();
        assert!(error.contains("node b has no line"), "{error}");
    }

    #[test]
    fn undecided_nodes_can_become_anything() {
        let graph: Graph = "values 0 2\na max: b c\nb = 1\nc ?".parse().unwrap();
        assert_eq!(graph.mobility(&graph.position("c").unwrap()), 3);
    }
}
