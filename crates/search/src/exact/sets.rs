//! Complete proof and disproof sets in graphs without cycles (Schijf 1993, section 3.2 and figure 3.2).
//!
//! A proof set of a node is a set of open terminals that prove it when all of them are won. The complete
//! proof set is the set of all minimal ones, the proof number the size of a smallest one. Disproof likewise.

use quod_model::Numbers;

use super::{Effort, ExactError, SearchGraph, State};

/// Sets of open terminals, none of which contains another, the smallest first. Bit i of a set is the i-th of
/// [`SearchGraph::open`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family(Vec<u64>);

impl Family {
    /// No set at all: it cannot be done.
    #[must_use]
    pub fn impossible() -> Self {
        Self(vec![])
    }

    /// The empty set: nothing is left to do.
    #[must_use]
    pub fn done() -> Self {
        Self(vec![0])
    }

    /// The minimal ones of some sets. The thesis says minimal in its definitions and leaves this step out of
    /// its formulas: unions alone can make a set that contains another.
    ///
    /// # Errors
    /// If there are too many.
    pub fn minimal(mut sets: Vec<u64>, effort: &mut Effort) -> Result<Self, ExactError> {
        effort.check_sets(sets.len())?;
        sets.sort_unstable_by_key(|set| (set.count_ones(), *set));
        let mut minimal: Vec<u64> = Vec::new();
        for set in sets {
            effort.spend(minimal.len() + 1)?;
            if minimal.iter().all(|smaller| smaller & set != *smaller) {
                minimal.push(set);
            }
        }
        Ok(Self(minimal))
    }

    /// The sets.
    #[must_use]
    pub fn sets(&self) -> &[u64] {
        &self.0
    }

    /// Either of two things is to be done.
    ///
    /// # Errors
    /// If there are too many sets.
    pub fn union(&self, other: &Self, effort: &mut Effort) -> Result<Self, ExactError> {
        Self::minimal([self.sets(), other.sets()].concat(), effort)
    }

    /// Both of two things are to be done: the unions of any set here and any set there.
    ///
    /// # Errors
    /// If there are too many sets.
    pub fn tensor_union(&self, other: &Self, effort: &mut Effort) -> Result<Self, ExactError> {
        effort.check_sets(self.0.len().saturating_mul(other.0.len()))?;
        let unions = self.0.iter().flat_map(|here| other.0.iter().map(move |there| here | there));
        Self::minimal(unions.collect(), effort)
    }

    /// The sets of the least size.
    pub fn smallest(&self) -> impl Iterator<Item = u64> {
        let least = self.least();
        self.0.iter().copied().take_while(move |set| set.count_ones() == least)
    }

    /// The size of a smallest set, infinite if there is none.
    #[must_use]
    pub fn least(&self) -> u32 {
        self.0.first().map_or(Numbers::INFINITE, |set| set.count_ones())
    }
}

/// The complete proof set and the complete disproof set of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompleteSets {
    /// All minimal proof sets.
    pub proof: Family,
    /// All minimal disproof sets.
    pub disproof: Family,
}

impl CompleteSets {
    /// The sets of a node that is known to hold or to fail.
    #[must_use]
    pub fn solved(holds: bool) -> Self {
        if holds {
            Self { proof: Family::done(), disproof: Family::impossible() }
        } else {
            Self { proof: Family::impossible(), disproof: Family::done() }
        }
    }

    /// The sets of a node from those of its children.
    ///
    /// # Errors
    /// If there are too many sets.
    pub fn derived<'a>(
        is_or: bool,
        children: impl IntoIterator<Item = &'a Self>,
        effort: &mut Effort,
    ) -> Result<Self, ExactError> {
        let mut sets = Self::solved(!is_or);
        for child in children {
            sets.add_child(is_or, child, effort)?;
        }
        Ok(sets)
    }

    /// Takes in one more child. Without any, an OR node fails and an AND node holds.
    pub(super) fn add_child(
        &mut self,
        is_or: bool,
        child: &Self,
        effort: &mut Effort,
    ) -> Result<(), ExactError> {
        if is_or {
            self.proof = self.proof.union(&child.proof, effort)?;
            self.disproof = self.disproof.tensor_union(&child.disproof, effort)?;
        } else {
            self.proof = self.proof.tensor_union(&child.proof, effort)?;
            self.disproof = self.disproof.union(&child.disproof, effort)?;
        }
        Ok(())
    }

    /// The sets of a terminal, or of a node whose children's sets are known.
    pub(super) fn of_node(
        graph: &SearchGraph,
        node: usize,
        known: &[Option<Self>],
        effort: &mut Effort,
    ) -> Result<Self, ExactError> {
        if let Some(sets) = Self::of_terminal(graph, node)? {
            return Ok(sets);
        }
        let children = graph.children(node).iter().filter_map(|child| known[*child].as_ref());
        Self::derived(graph.nodes[node].is_or, children, effort)
    }

    /// The sets of a terminal, nothing for an inner node.
    pub(super) fn of_terminal(graph: &SearchGraph, node: usize) -> Result<Option<Self>, ExactError> {
        Ok(match graph.nodes[node].state {
            State::Inner(_) => None,
            State::Won => Some(Self::solved(true)),
            State::Lost => Some(Self::solved(false)),
            State::Open => {
                let bit = graph.open.partition_point(|terminal| *terminal < node);
                if bit >= 64 {
                    return Err(ExactError::Terminals);
                }
                Some(Self { proof: Family(vec![1 << bit]), disproof: Family(vec![1 << bit]) })
            }
        })
    }

    /// The true proof number and disproof number.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        Numbers { pn: self.proof.least(), dn: self.disproof.least() }
    }

    /// The terminals that some smallest proof set and some smallest disproof set have in common. By theorem 1
    /// any two such sets have one, so there is none only if the node is solved.
    #[must_use]
    pub fn most_proving(&self) -> u64 {
        let in_some = |family: &Family| family.smallest().fold(0, |all, set| all | set);
        in_some(&self.proof) & in_some(&self.disproof)
    }
}

/// The complete sets of every node that the root leads to.
///
/// # Errors
/// If there is a cycle, or it is too much.
pub fn of_all(graph: &SearchGraph, effort: &mut Effort) -> Result<Vec<Option<CompleteSets>>, ExactError> {
    let mut all: Vec<Option<CompleteSets>> = vec![None; graph.nodes.len()];
    for node in graph.children_first(|node| graph.children(node))? {
        all[node] = Some(CompleteSets::of_node(graph, node, &all, effort)?);
    }
    Ok(all)
}

/// The complete sets of the root.
///
/// # Errors
/// If there is a cycle, or it is too much.
pub fn complete(graph: &SearchGraph, effort: &mut Effort) -> Result<CompleteSets, ExactError> {
    Ok(of_all(graph, effort)?.swap_remove(0).expect("the root is reached"))
}

/// The true numbers of the root.
///
/// # Errors
/// If there is a cycle, or it is too much.
pub fn numbers(graph: &SearchGraph, effort: &mut Effort) -> Result<Numbers, ExactError> {
    Ok(complete(graph, effort)?.numbers())
}

/// The most-proving nodes, none if the root is solved.
///
/// # Errors
/// If there is a cycle, or it is too much.
pub fn most_proving(graph: &SearchGraph, effort: &mut Effort) -> Result<Vec<usize>, ExactError> {
    Ok(graph.terminals(complete(graph, effort)?.most_proving()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of section 3.2. It lists {a, b, c} too, which is not minimal beside {b, c}.
    #[test]
    fn tensor_union_of_the_thesis() {
        let effort = &mut Effort::default();
        let [a, b, c, d] = [1, 2, 4, 8];
        let left = Family::minimal(vec![a | b, c], effort).unwrap();
        let right = Family::minimal(vec![b | c, d], effort).unwrap();
        let both = left.tensor_union(&right, effort).unwrap();
        assert_eq!(both, Family::minimal(vec![a | b | d, b | c, c | d], effort).unwrap());
        assert_eq!(both.sets(), [b | c, c | d, a | b | d]);
        assert_eq!(left.tensor_union(&Family::impossible(), effort), Ok(Family::impossible()));
        assert_eq!(left.tensor_union(&Family::done(), effort), Ok(left));
    }
}
