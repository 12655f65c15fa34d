//! How long a win takes: wins within a number of moves, and the shortest one.
//!
//! The first proof that is found says that there is a win, and hardly ever the shortest. From there, limits fall: is there one that
//! is shorter than the last? And they rise from the other end: none in one move, none in two. What limits of nodes and time leave open
//! is told as what it is: an interval.

use std::rc::Rc;

use quod_model::{Goal, GoalCursor, Joining, LeafNumbers, LimitedCursor, Notation, Verdict};
use quod_search::{GraphMethod, GraphOptions, Interval};
use serde::Serialize;

use crate::drive::Driver;
use crate::longest::{self, Unit, Won};
use crate::plan::Method;
use crate::positional::Positional;
use crate::run::Run;
use crate::solve::{Answer, staged};

/// How long a win may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// As long as it is.
    #[default]
    Any,
    /// So many moves of both sides at the most.
    Within(u32),
    /// As short as it can be.
    Shortest,
}

/// What is proven of the shortest way to the goal, in moves of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Plies {
    /// It takes at least so many.
    pub at_least: u32,
    /// And at the most so many, if there is one.
    pub at_most: Option<u32>,
}

/// Asks about lengths.
pub(crate) struct Lengths<'a, G: Notation> {
    pub(crate) game: &'a G,
    pub(crate) root: &'a G::Position,
    pub(crate) goal: Goal,
    pub(crate) leaf: LeafNumbers<G>,
    pub(crate) memory: u64,
}

impl<G: Notation> Lengths<'_, G> {
    /// Whether the goal can be reached within so many moves, or at all; if so, how, and after how many moves at the latest.
    pub(crate) fn ask(
        &self,
        plies: Option<u32>,
        held: u64,
        driver: &mut Driver<'_>,
    ) -> (Verdict, Option<Way>) {
        let method = Method::Graph {
            options: GraphOptions::new(GraphMethod::Sound),
            joining: Joining::Everything,
            symmetric: false,
            staged: self.game.abilities().stages.is_some(),
        };
        let cursor = GoalCursor::new(self.game, self.root.clone(), self.goal, self.leaf)
            .joining(Joining::Everything, false);
        let mut cursor = staged(cursor, method);
        if let Some(plies) = plies {
            cursor = Box::new(LimitedCursor::new(cursor, plies));
        }
        let room = self.memory.saturating_sub(held);
        let mut run = Run::new(cursor, method, room);
        let verdict = driver.run(run.search(), Interval::of_question(self.goal.at_least), held);
        if verdict != Verdict::Proven {
            return (verdict, None);
        }
        let way = run.keep(false, room, driver).map(|tree| {
            let tree = Positional::new(self.game, self.root, &*tree);
            let plies = tree.plies();
            let answer = Answer { goal: self.goal, holds: true, tree: Some(Rc::new(tree)), symmetric: false };
            Way { answer, plies }
        });
        (verdict, way)
    }

    /// A way of what is left of a search, if that tells how long it takes.
    pub(crate) fn way(&self, answer: Answer) -> Option<Way> {
        let tree = answer.tree.as_ref()?;
        let won = Won { goal: self.goal, holds: true, unit: Unit::Plies };
        let plies = longest::of_tree(self.game, self.root, won, &**tree, answer.symmetric)?;
        Some(Way { answer, plies })
    }

    /// Looks for the shortest way to a goal that can be reached, from one that was found, if its length is known. Nothing if limits
    /// do not allow to find a way whose length is.
    pub(crate) fn shorten(&self, found: Option<Way>, driver: &mut Driver<'_>) -> Option<(Way, Plies)> {
        let mut way = found.or_else(|| self.ask(None, 0, driver).1)?;
        let mut at_least = 1;
        driver.with_half(|driver| {
            while at_least < way.plies {
                match self.ask(Some(way.plies - 1), way.answer.bytes(), driver) {
                    (Verdict::Proven, Some(shorter)) => way = shorter,
                    (Verdict::Disproven, _) => at_least = way.plies,
                    _ => break,
                }
            }
        });
        while at_least < way.plies {
            // The winner makes the last move: every second limit asks nothing new.
            let limit = (at_least + 1).min(way.plies - 1);
            match self.ask(Some(limit), way.answer.bytes(), driver) {
                (Verdict::Proven, Some(shorter)) => way = shorter,
                (Verdict::Disproven, _) => at_least = limit + 1,
                _ => break,
            }
        }
        let at_most = Some(way.plies);
        Some((way, Plies { at_least, at_most }))
    }
}

/// A way to a goal whose length is known.
pub(crate) struct Way {
    pub(crate) answer: Answer,
    /// It takes so many moves at the most.
    pub(crate) plies: u32,
}
