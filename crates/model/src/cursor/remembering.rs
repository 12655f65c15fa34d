//! A problem whose expansions are dear: those made lately are kept.

use rustc_hash::FxHashMap;

use super::{AndOr, Child, Evaluation, Identity, Settled};

/// Children that a generation of expansions has at the most: some two megabytes.
const CHILDREN_MAX: usize = 1 << 15;

/// The same problem, in which a place that is expanded again soon costs nothing. Depth-first searches come back to the places of
/// their path again and again, and where lines of threats are looked for, expanding is nearly all that they do.
pub struct RememberingCursor<C> {
    inner: C,
    /// Expansions by the keys of their places: those of the present generation, and of the one before.
    young: FxHashMap<u128, Expansion>,
    old: FxHashMap<u128, Expansion>,
    /// The children of the present generation.
    kept: usize,
}

type Expansion = Box<[(Child, Option<Identity>)]>;

impl<C: AndOr> RememberingCursor<C> {
    /// The problem of a cursor that evaluates its places in one way alone.
    pub fn new(inner: C) -> Self {
        Self { inner, young: FxHashMap::default(), old: FxHashMap::default(), kept: 0 }
    }

    fn keep(&mut self, key: u128, expansion: Expansion) {
        self.kept += expansion.len();
        self.young.insert(key, expansion);
        if self.kept > CHILDREN_MAX {
            self.old = std::mem::take(&mut self.young);
            self.kept = 0;
        }
    }
}

impl<C: AndOr> AndOr for RememberingCursor<C> {
    fn is_or(&self) -> bool {
        self.inner.is_or()
    }

    fn down(&mut self, codes: &[u32]) {
        self.inner.down(codes);
    }

    fn up(&mut self, steps: usize) {
        self.inner.up(steps);
    }

    fn evaluate(&mut self, evaluation: Evaluation) -> Option<Settled> {
        self.inner.evaluate(evaluation)
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        self.inner.expand(evaluation, children);
    }

    fn expand_joined(
        &mut self,
        evaluation: Evaluation,
        children: &mut Vec<Child>,
        identities: &mut Vec<Option<Identity>>,
    ) {
        let Some(Identity { key, .. }) = self.inner.identity() else {
            return self.inner.expand_joined(evaluation, children, identities);
        };
        if let Some(expansion) = self.young.get(&key).or_else(|| self.old.get(&key)) {
            children.extend(expansion.iter().map(|(child, _)| *child));
            identities.extend(expansion.iter().map(|(_, identity)| *identity));
            return;
        }
        let begin = children.len();
        self.inner.expand_joined(evaluation, children, identities);
        let made = children[begin..].iter().copied().zip(identities[begin..].iter().copied());
        self.keep(key, made.collect());
    }

    fn identity(&self) -> Option<Identity> {
        self.inner.identity()
    }

    fn looked(&mut self) -> u64 {
        self.inner.looked()
    }
}
