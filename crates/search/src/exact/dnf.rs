//! True numbers in graphs without cycles by disjunctive normal forms (Schijf 1993, section 4.3).
//!
//! A transposition is a node with more than one parent. Instead of all sets of terminals, a node keeps
//! clauses: some transpositions below it that are to be solved, and how many terminals besides. Between two
//! transpositions the graph is a tree, so those terminals are all different and their number is enough.
//! What a transposition needs stays open until it is known which others are to be solved with it.

use quod_model::Numbers;

use super::{Effort, ExactError, SearchGraph, State};

/// One way to solve a node: these transpositions and so many terminals besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Clause {
    /// Bit i is the i-th of [`Dag::transpositions`].
    pub transpositions: u64,
    /// How many terminals besides; may be infinite.
    pub terminals: u32,
}

impl Clause {
    /// Both together. A transposition that is in both counts once.
    fn and(self, other: Self) -> Self {
        Self {
            transpositions: self.transpositions | other.transpositions,
            terminals: self.terminals.saturating_add(other.terminals),
        }
    }

    /// Whether the other is superfluous beside this one.
    fn covers(self, other: Self) -> bool {
        self.transpositions & other.transpositions == self.transpositions && self.terminals <= other.terminals
    }
}

/// Which of the two forms of a node is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// To prove the node.
    Proof,
    /// To disprove it.
    Disproof,
}

/// What one child is enough for, and what takes all of them.
fn sides(is_or: bool) -> (Side, Side) {
    if is_or { (Side::Proof, Side::Disproof) } else { (Side::Disproof, Side::Proof) }
}

/// The forms of a node. The first clause is always without transpositions and holds the true number.
#[derive(Clone, Debug, Default)]
struct Forms {
    proof: Vec<Clause>,
    disproof: Vec<Clause>,
    /// More than that of every transposition below, if the node is one itself.
    dependency: usize,
    /// The transpositions that made the number of the side that takes all children.
    used: u64,
}

impl Forms {
    fn side(&self, side: Side) -> &[Clause] {
        match side {
            Side::Proof => &self.proof,
            Side::Disproof => &self.disproof,
        }
    }

    fn number(&self, side: Side) -> u32 {
        self.side(side)[0].terminals
    }
}

/// A graph without cycles and the forms of its nodes.
#[derive(Debug)]
pub struct Dag<'g> {
    graph: &'g SearchGraph,
    transpositions: Vec<usize>,
    /// The forms of a node that the root does not lead to are empty.
    forms: Vec<Forms>,
}

impl<'g> Dag<'g> {
    /// Works out the forms of all nodes, from the terminals upwards: what updateDNF (figure 4.7) comes to
    /// when every change has reached the root.
    ///
    /// # Errors
    /// If there is a cycle, or it is too much.
    pub fn new(graph: &'g SearchGraph, effort: &mut Effort) -> Result<Self, ExactError> {
        let parents = graph.parents();
        let transpositions: Vec<usize> = (0..parents.len()).filter(|node| parents[*node].len() > 1).collect();
        if transpositions.len() > 64 {
            return Err(ExactError::Transpositions);
        }
        let mut dag = Self { graph, transpositions, forms: vec![Forms::default(); graph.nodes().len()] };
        for node in graph.children_first(|node| graph.children(node))? {
            dag.forms[node] = dag.forms_of(node, effort)?;
        }
        Ok(dag)
    }

    fn forms_of(&self, node: usize, effort: &mut Effort) -> Result<Forms, ExactError> {
        let terminal = |numbers: Numbers| Forms {
            proof: vec![Clause { transpositions: 0, terminals: numbers.pn }],
            disproof: vec![Clause { transpositions: 0, terminals: numbers.dn }],
            ..Forms::default()
        };
        let children = match &self.graph.nodes()[node].state {
            State::Inner(children) => children,
            State::Open => return Ok(terminal(Numbers::ONE)),
            State::Won => return Ok(terminal(Numbers::PROVEN)),
            State::Lost => return Ok(terminal(Numbers::DISPROVEN)),
        };
        let is_or = self.graph.nodes()[node].is_or;
        let (any, all) = sides(is_or);

        let mut either = Vec::new();
        for child in children {
            either.extend(self.seen_from_above(*child, any));
            effort.check_sets(either.len())?;
        }
        let least = children.iter().map(|child| self.forms[*child].number(any)).min();
        let either = normalized(either, least.unwrap_or(Numbers::INFINITE), effort)?;

        let mut every = vec![Clause { transpositions: 0, terminals: 0 }];
        for child in children {
            let child = self.seen_from_above(*child, all);
            effort.check_sets(every.len().saturating_mul(child.len()))?;
            let pairs = every.iter().flat_map(|left| child.iter().map(|right| left.and(*right)));
            every = simplified(pairs.collect(), effort)?;
        }
        let (number, used) = self.minimum(all, &every, effort)?;
        let every = normalized(every, number, effort)?;

        let below = children.iter().map(|child| self.forms[*child].dependency).max().unwrap_or(0);
        let dependency = below + usize::from(self.bit(node) != 0);
        let (proof, disproof) = if is_or { (either, every) } else { (every, either) };
        Ok(Forms { proof, disproof, dependency, used })
    }

    /// What a parent takes in: of a transposition only its name.
    fn seen_from_above(&self, child: usize, side: Side) -> Vec<Clause> {
        match self.bit(child) {
            0 => self.forms[child].side(side).to_vec(),
            transposition => vec![Clause { transpositions: transposition, terminals: 0 }],
        }
    }

    /// The set of one transposition, empty for any other node.
    fn bit(&self, node: usize) -> u64 {
        self.transpositions.binary_search(&node).map_or(0, |bit| 1 << bit)
    }

    /// The least number of terminals that a form needs, and the transpositions that it is reached with
    /// (figure 4.6). The transposition with the highest dependency number is replaced first: nothing that
    /// comes in later can bring it back.
    ///
    /// The recursion is a stack here. The figure keeps the transpositions of an earlier clause when one
    /// without any turns out to be less; here they are forgotten with that clause. It makes no difference as
    /// long as the clause without any comes first, as it does in every form.
    ///
    /// # Errors
    /// If it is too much.
    pub fn minimum(
        &self,
        side: Side,
        form: &[Clause],
        effort: &mut Effort,
    ) -> Result<(u32, u64), ExactError> {
        let mut least = (Numbers::INFINITE, 0);
        let mut ahead: Vec<(Clause, u64)> = form.iter().rev().map(|clause| (*clause, 0)).collect();
        while let Some((clause, used)) = ahead.pop() {
            effort.spend(1)?;
            // Replacing only adds terminals.
            if clause.terminals >= least.0 {
                continue;
            }
            let in_clause = self
                .transpositions
                .iter()
                .copied()
                .filter(|node| clause.transpositions & self.bit(*node) != 0);
            let Some(first) = in_clause.max_by_key(|node| self.forms[*node].dependency) else {
                least = (clause.terminals, used);
                continue;
            };
            let bit = self.bit(first);
            let rest = Clause { transpositions: clause.transpositions & !bit, ..clause };
            let replaced = self.forms[first].side(side).iter().map(|with| rest.and(*with));
            let replaced = simplified(replaced.collect(), effort)?;
            ahead.extend(replaced.into_iter().rev().map(|clause| (clause, used | bit)));
        }
        Ok(least)
    }

    /// The nodes with more than one parent in ascending order.
    #[must_use]
    pub fn transpositions(&self) -> &[usize] {
        &self.transpositions
    }

    /// A form of a node, empty if the root does not lead there.
    #[must_use]
    pub fn form(&self, node: usize, side: Side) -> &[Clause] {
        self.forms[node].side(side)
    }

    /// The dependency number of a node.
    #[must_use]
    pub fn dependency(&self, node: usize) -> usize {
        self.forms[node].dependency
    }

    /// The true numbers of a node that the root leads to.
    #[must_use]
    pub fn numbers(&self, node: usize) -> Option<Numbers> {
        let forms = &self.forms[node];
        Some(Numbers { pn: forms.proof.first()?.terminals, dn: forms.disproof.first()?.terminals })
    }

    /// The terminal that `DetermineMpnInDags` (figure 4.9) comes to, nothing if the root is solved.
    ///
    /// The thesis says that this is a most-proving node. Nearly always it is. But the true number in the
    /// first clause hides which transpositions it came from, a transposition that was used above is kept in
    /// mind after it is passed, and a child is followed for any way to it, even one that is not smallest or
    /// into what is solved. `tests/exact.rs` has small examples; [`super::sets`] is always right.
    #[must_use]
    pub fn most_proving(&self) -> Option<usize> {
        if self.numbers(0)?.is_solved() {
            return None;
        }
        // The transpositions used further up.
        let (mut proof_used, mut disproof_used) = (0, 0);
        let mut node = 0;
        while !self.graph.children(node).is_empty() {
            let is_or = self.graph.nodes()[node].is_or;
            let (any, _) = sides(is_or);
            let (any_used, all_used) = if is_or {
                (&mut proof_used, &mut disproof_used)
            } else {
                (&mut disproof_used, &mut proof_used)
            };
            if *all_used == 0 {
                *all_used = self.forms[node].used;
            }
            let children = self.graph.children(node).iter().copied();
            let mut on_the_way = children.clone().filter(|child| {
                let mentioned =
                    self.form(*child, any).iter().fold(self.bit(*child), |all, c| all | c.transpositions);
                mentioned & *any_used != 0
            });
            node = match on_the_way.next() {
                Some(child) => child,
                None => {
                    *any_used = 0;
                    let number = self.forms[node].number(any);
                    children.clone().find(|child| self.forms[*child].number(any) == number)?
                }
            };
        }
        Some(node)
    }
}

/// Drops every clause beside which another is enough. The one without transpositions comes first.
fn simplified(mut clauses: Vec<Clause>, effort: &mut Effort) -> Result<Vec<Clause>, ExactError> {
    clauses.sort_unstable_by_key(|clause| (clause.transpositions.count_ones(), *clause));
    let mut kept: Vec<Clause> = Vec::new();
    for clause in clauses {
        effort.spend(kept.len() + 1)?;
        if !kept.iter().any(|better| better.covers(clause)) {
            kept.push(clause);
        }
    }
    Ok(kept)
}

/// The clauses with the true number as the first one.
fn normalized(mut clauses: Vec<Clause>, number: u32, effort: &mut Effort) -> Result<Vec<Clause>, ExactError> {
    clauses.push(Clause { transpositions: 0, terminals: number });
    simplified(clauses, effort)
}
