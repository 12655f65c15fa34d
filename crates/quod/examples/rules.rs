//! A problem that is no game: what follows from rules?
//!
//! A fact is proven if some rule for it has only proven conditions. Facts are OR nodes, rules are AND nodes,
//! and the same search that solves games finds the proof. A fact that is needed for its own proof on the way
//! down proves nothing, so it fails there.

use quod::search::{Budget, Pn, PnOptions, Progress, Search};
use quod::{AndOr, Basis, Child, Evaluation, Numbers, Settled, Verdict};

/// Rules "fact if condition and condition"; a rule without conditions states a fact.
pub struct Rules(Vec<(&'static str, Vec<&'static str>)>);

enum Place {
    Fact(&'static str),
    Rule(usize),
}

/// Walks through the rules from the fact to be proven.
pub struct Walk<'r> {
    rules: &'r Rules,
    path: Vec<Place>,
}

impl<'r> Walk<'r> {
    /// Starts at the fact to be proven.
    #[must_use]
    pub fn new(rules: &'r Rules, fact: &'static str) -> Self {
        Self { rules, path: vec![Place::Fact(fact)] }
    }

    /// What is known at once of a place that the path leads to.
    fn settle(&self, place: &Place) -> Option<Settled> {
        let settled = |holds, basis| Some(Settled { holds, basis });
        match place {
            Place::Rule(rule) if self.rules.0[*rule].1.is_empty() => settled(true, Basis::Rules),
            Place::Rule(_) => None,
            Place::Fact(fact) => {
                if self.path.iter().any(|place| matches!(place, Place::Fact(other) if other == fact)) {
                    settled(false, Basis::Path)
                } else if self.rules.0.iter().all(|rule| rule.0 != *fact) {
                    settled(false, Basis::Rules)
                } else {
                    None
                }
            }
        }
    }

    fn below(&self, code: u32) -> Place {
        match self.path.last().expect("the path holds the root") {
            Place::Fact(_) => Place::Rule(code as usize),
            Place::Rule(rule) => Place::Fact(self.rules.0[*rule].1[code as usize]),
        }
    }
}

impl AndOr for Walk<'_> {
    fn is_or(&self) -> bool {
        matches!(self.path.last(), Some(Place::Fact(_)))
    }

    fn down(&mut self, codes: &[u32]) {
        for code in codes {
            let place = self.below(*code);
            self.path.push(place);
        }
    }

    fn up(&mut self, steps: usize) {
        self.path.truncate(self.path.len() - steps);
    }

    fn evaluate(&mut self, _: Evaluation) -> Option<Settled> {
        let place = self.path.pop()?;
        let settled = self.settle(&place);
        self.path.push(place);
        settled
    }

    fn expand(&mut self, evaluation: Evaluation, children: &mut Vec<Child>) {
        let codes: Vec<usize> = match self.path.last().expect("the path holds the root") {
            Place::Fact(fact) => {
                (0..self.rules.0.len()).filter(|rule| self.rules.0[*rule].0 == *fact).collect()
            }
            Place::Rule(rule) => (0..self.rules.0[*rule].1.len()).collect(),
        };
        for code in codes {
            let code = u32::try_from(code).expect("few rules");
            let place = self.below(code);
            let settled = self.settle(&place).filter(|_| evaluation == Evaluation::Immediate);
            let numbers = settled.map_or(Numbers::ONE, |settled| Numbers::solved(settled.holds));
            children.push(Child { code, is_or: matches!(place, Place::Fact(_)), numbers });
        }
    }
}

/// Some rules about a picnic.
#[must_use]
pub fn picnic() -> Rules {
    Rules(vec![
        ("picnic", vec!["dry", "food"]),
        ("dry", vec!["sunny"]),
        ("dry", vec!["roof", "no wind"]),
        ("food", vec!["shop open", "money"]),
        ("food", vec!["picnic"]),
        ("shop open", vec![]),
        ("money", vec![]),
        ("roof", vec![]),
        ("no wind", vec![]),
    ])
}

/// Whether a fact follows.
#[must_use]
pub fn follows(rules: &Rules, fact: &'static str) -> bool {
    let mut search = Pn::new(Walk::new(rules, fact), PnOptions::default(), 1 << 20);
    match search.advance(Budget::UNLIMITED) {
        Progress::Done(Verdict::Proven) => true,
        Progress::Done(Verdict::Disproven) => false,
        other => panic!("the rules are few: {other:?}"),
    }
}

fn main() {
    let rules = picnic();
    for fact in ["picnic", "food", "sunny"] {
        println!("{fact}: {}", if follows(&rules, fact) { "follows" } else { "does not follow" });
    }
}
