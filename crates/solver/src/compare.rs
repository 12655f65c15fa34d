//! Several searches on several positions, as plain data: who took how much, by classes of difficulty.
//!
//! The comparison is that of Allis, van der Meulen and van den Herik (1994), section 7.2 and figure 13: one search is the
//! standard, and class n holds the positions for which it needs a tree of 2^3n to 2^3(n+1) nodes. Within a class the average
//! sizes are compared. Here a run that was stopped says nothing about averages: a pair counts where both have solved it.

use serde::Serialize;

use quod_proof::{CertificateFile, Checked, Relation};

use crate::door::{Door, Place};
use crate::drive::{Phase, Snapshot, Watch};
use crate::report::{Report, Stop};
use crate::request::{Aim, Algorithm, Request};
use crate::{InputError, Limits};

/// Powers of two that a class spans, as in the paper.
const CLASS_BITS: u32 = 3;

/// How large a tree a run counts as: the nodes created; of a search that deepens, those that are new in each iteration (Allis et
/// al. 1994, section 6.4).
#[must_use]
pub fn tree_size(report: &Report) -> u64 {
    if report.deepened_nodes > 0 { report.deepened_nodes } else { report.nodes }
}

/// The class of a tree size.
#[must_use]
pub fn class_of(size: u64) -> u32 {
    // A position that is solved at a glance belongs to the easiest.
    size.max(1).ilog2() / CLASS_BITS
}

/// What became of a certificate that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certified {
    /// It was made, and accepted by the rules.
    Accepted,
    /// A limit kept it from being made or checked.
    Missing(String),
    /// It does not show what the search has said: one of the two is wrong.
    Refused(String),
}

/// One search on one position.
#[derive(Clone, Debug)]
pub struct Run {
    /// What it found and took.
    pub report: Report,
    /// The value in the game's words; empty if it was not found.
    pub value_text: String,
    /// What became of its certificate, if one was asked for.
    pub certified: Option<Certified>,
}

impl Run {
    /// Its tree size, if it came to an answer.
    #[must_use]
    pub fn solved_size(&self) -> Option<u64> {
        (self.report.stop == Stop::Solved).then(|| tree_size(&self.report))
    }
}

/// One position with its runs.
#[derive(Clone, Debug)]
pub struct Row {
    /// The position as it was given.
    pub place: Place,
    /// In the game's notation.
    pub position: String,
    /// One for each algorithm; nothing where it has not run.
    pub runs: Vec<Option<Run>>,
}

impl Row {
    /// The run that says what is known of the position.
    #[must_use]
    pub fn answer(&self) -> Option<&Run> {
        self.runs.iter().flatten().find(|run| run.report.stop == Stop::Solved)
    }

    fn solved_size(&self, algorithm: usize) -> Option<u64> {
        self.runs[algorithm].as_ref().and_then(Run::solved_size)
    }

    /// Whether two runs say what cannot both be true.
    #[must_use]
    pub fn is_contradictory(&self) -> bool {
        self.contradiction().is_some()
    }

    fn contradiction(&self) -> Option<(&Run, &Run)> {
        let runs = || self.runs.iter().flatten();
        let highest = runs().max_by_key(|run| run.report.lower)?;
        let lowest = runs().min_by_key(|run| run.report.upper)?;
        (highest.report.lower > lowest.report.upper).then_some((highest, lowest))
    }
}

/// Two searches that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The position in the game's notation.
    pub position: String,
    /// Says that the value is at least so much.
    pub at_least: (&'static str, i32),
    /// Says that the value is at most so much.
    pub at_most: (&'static str, i32),
}

/// What one algorithm did over all positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Its name.
    pub algorithm: &'static str,
    /// Positions on which it ran.
    pub positions: usize,
    /// Those that it solved.
    pub solved: usize,
    /// Nodes of all its runs, those too that were stopped.
    pub nodes: u64,
    /// Time of all its runs.
    pub seconds: f64,
    /// Positions that it and the standard solved.
    pub pairs: usize,
    /// The geometric mean over those of the standard's tree size divided by its own.
    pub reduction: Option<f64>,
}

/// What one algorithm did in a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reduction {
    /// Its name.
    pub algorithm: &'static str,
    /// Positions of the class that it solved.
    pub pairs: usize,
    /// The standard's average tree size over those.
    pub standard_mean: Option<f64>,
    /// Its own.
    pub mean: Option<f64>,
    /// The logarithm to base two of the first divided by the second.
    pub log2: Option<f64>,
}

/// Positions for which the standard's tree sizes are of one magnitude.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Class {
    /// Its number n.
    pub class: u32,
    /// The logarithm to base two of the smallest size in it, 3n.
    pub from_log2: u32,
    /// The logarithm to base two of the smallest size above it, 3(n+1).
    pub to_log2: u32,
    /// How many positions are in it.
    pub positions: usize,
    /// One for each algorithm.
    pub reductions: Vec<Reduction>,
}

/// Several searches on several positions.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// What is asked about every position.
    pub aim: Aim,
    /// Those that are compared.
    pub algorithms: Vec<Algorithm>,
    /// Which of them is the standard.
    pub standard: usize,
    /// How far each run may go.
    pub limits: Limits,
    /// Threads of each run.
    pub threads: Option<usize>,
    /// Whether what is solved must be shown by a certificate.
    pub certify: bool,
    /// The positions.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// The searches that are compared if nobody names any: those of them that suit the game.
    pub const USUAL: [Algorithm; 5] =
        [Algorithm::Pn, Algorithm::PnGraph, Algorithm::Gpn, Algorithm::Mopn, Algorithm::Dfpn];

    /// Adds a position.
    ///
    /// # Errors
    /// If it is none of the game, or the game is over there.
    pub fn add(&mut self, door: &dyn Door, place: Place) -> Result<(), InputError> {
        let located = door.locate(&place)?;
        if located.over {
            let given = place.moves.as_ref().or(place.position.as_ref()).unwrap_or(&located.position);
            return Err(InputError::new("position", given, "the game is over there")
                .hint("positions to compare searches on are those with moves left"));
        }
        let runs = vec![None; self.algorithms.len()];
        self.rows.push(Row { place, position: located.position, runs });
        Ok(())
    }

    fn request(&self, algorithm: Algorithm) -> Request {
        Request { aim: self.aim, algorithm, limits: self.limits, threads: self.threads, ..Request::default() }
    }

    /// Finds out whether an algorithm can be asked this about the game, with next to no search.
    ///
    /// # Errors
    /// Says why not.
    pub fn accepts(&self, door: &dyn Door, algorithm: Algorithm) -> Result<(), InputError> {
        let mut request = self.request(algorithm);
        request.limits.nodes = Some(1);
        door.solve(&Place::default(), &request, &mut ()).map(|_| ())
    }

    /// Lets one algorithm search one position.
    ///
    /// # Errors
    /// If it cannot be asked this about the game.
    pub fn measure(
        &mut self,
        door: &dyn Door,
        row: usize,
        algorithm: usize,
        watch: &mut dyn Watch,
    ) -> Result<(), InputError> {
        let mut request = self.request(self.algorithms[algorithm]);
        let place = &self.rows[row].place;
        let solution = door.solve(place, &request, watch)?;
        let (report, value_text) = (solution.report, solution.value_text);
        let certified = if self.certify && report.stop == Stop::Solved {
            // Once more: making a certificate takes nodes that the search alone did not.
            request.certificate = true;
            request.limits.nodes = None;
            Some(certified(door, place, &request, &report, watch)?)
        } else {
            None
        };
        self.rows[row].runs[algorithm] = Some(Run { report, value_text, certified });
        Ok(())
    }

    /// Positions about which two searches say what cannot both be true.
    pub fn contradictions(&self) -> impl Iterator<Item = Contradiction> {
        self.rows.iter().filter_map(|row| {
            let (highest, lowest) = row.contradiction()?;
            Some(Contradiction {
                position: row.position.clone(),
                at_least: (self.name_of(row, highest), highest.report.lower),
                at_most: (self.name_of(row, lowest), lowest.report.upper),
            })
        })
    }

    fn name_of(&self, row: &Row, wanted: &Run) -> &'static str {
        let is_it = |run: &Option<Run>| run.as_ref().is_some_and(|run| std::ptr::eq(run, wanted));
        let place = row.runs.iter().position(is_it).expect("it is a run of the row");
        self.algorithms[place].name()
    }

    /// The factor by which an algorithm's tree is smaller than the standard's, where both have solved the position.
    #[must_use]
    pub fn reduction(&self, row: &Row, algorithm: usize) -> Option<f64> {
        let (standard, own) = self.pair(row, algorithm)?;
        Some(standard.max(1.0) / own.max(1.0))
    }

    /// Tree sizes of the standard and of an algorithm, where both have solved the position.
    fn pair(&self, row: &Row, algorithm: usize) -> Option<(f64, f64)> {
        Some((row.solved_size(self.standard)? as f64, row.solved_size(algorithm)? as f64))
    }

    /// What every algorithm did over all positions.
    #[must_use]
    pub fn summaries(&self) -> Vec<Summary> {
        let of = |(place, algorithm): (usize, &Algorithm)| {
            let runs = || self.rows.iter().filter_map(|row| row.runs[place].as_ref());
            let logarithms: Vec<f64> =
                self.rows.iter().filter_map(|row| self.reduction(row, place)).map(f64::log2).collect();
            Summary {
                algorithm: algorithm.name(),
                positions: runs().count(),
                solved: runs().filter(|run| run.solved_size().is_some()).count(),
                nodes: runs().map(|run| run.report.nodes).sum(),
                // A sum of nothing would be minus zero.
                seconds: runs().map(|run| run.report.seconds).fold(0.0, |sum, seconds| sum + seconds),
                pairs: logarithms.len(),
                reduction: mean(&logarithms).map(f64::exp2),
            }
        };
        self.algorithms.iter().enumerate().map(of).collect()
    }

    /// The classes that have positions, easy ones first. A position that the standard has not solved is in none.
    #[must_use]
    pub fn classes(&self) -> Vec<Class> {
        let class = |row: &Row| row.solved_size(self.standard).map(class_of);
        let mut numbers: Vec<u32> = self.rows.iter().filter_map(class).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let of = |number: u32| {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| class(row) == Some(number)).collect();
            Class {
                class: number,
                from_log2: CLASS_BITS * number,
                to_log2: CLASS_BITS * (number + 1),
                positions: rows.len(),
                reductions: (0..self.algorithms.len()).map(|place| self.reduction_in(&rows, place)).collect(),
            }
        };
        numbers.into_iter().map(of).collect()
    }

    fn reduction_in(&self, rows: &[&Row], algorithm: usize) -> Reduction {
        let (standard, own): (Vec<f64>, Vec<f64>) =
            rows.iter().filter_map(|row| self.pair(row, algorithm)).unzip();
        let (standard_mean, own_mean) = (mean(&standard), mean(&own));
        Reduction {
            algorithm: self.algorithms[algorithm].name(),
            pairs: own.len(),
            standard_mean,
            mean: own_mean,
            log2: standard_mean
                .zip(own_mean)
                .map(|(standard, own)| (standard.max(1.0) / own.max(1.0)).log2()),
        }
    }
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// Has a certificate made, and judges by the rules whether it shows what the report says.
fn certified(
    door: &dyn Door,
    place: &Place,
    request: &Request,
    report: &Report,
    watch: &mut dyn Watch,
) -> Result<Certified, InputError> {
    let solution = door.solve(place, request, watch)?;
    let Some(certificate) = solution.certificate else {
        let why =
            solution.certificate_problem.unwrap_or_else(|| "the position was not solved again".to_owned());
        return Ok(Certified::Missing(why));
    };
    let bytes = certificate.encode();
    let mut progress = |positions| {
        watch.goes_on(&Snapshot {
            phase: Phase::Certificate(positions),
            at_least: report.lower,
            lower: report.lower,
            upper: report.upper,
            nodes: report.nodes,
            memory_bytes: bytes.len() as u64,
            elapsed: std::time::Duration::from_secs_f64(report.seconds),
        })
    };
    let checked = CertificateFile::open(&bytes)
        .map_err(Into::into)
        .and_then(|certificate| door.check(&certificate, &mut progress));
    Ok(match checked {
        Ok(checked) if shows(&checked, request.aim, report) => Certified::Accepted,
        Ok(checked) => Certified::Refused(format!("it shows something else: {checked}")),
        Err(quod_proof::CheckError::Interrupted) => Certified::Missing("interrupted".to_owned()),
        Err(error) => Certified::Refused(error.to_string()),
    })
}

/// Whether what was checked is what the report says.
fn shows(checked: &Checked, aim: Aim, report: &Report) -> bool {
    if checked.root != report.position {
        return false;
    }
    let claimed = |relation, bound: i32| {
        checked.claims.iter().map(|checked| checked.claim).any(|claim| {
            claim.relation == relation
                && match relation {
                    Relation::AtLeast => claim.value.0 >= bound,
                    Relation::AtMost => claim.value.0 <= bound,
                }
        })
    };
    match aim {
        Aim::Value => checked.exact.as_ref().map(|(value, _)| value.0) == report.value,
        Aim::AtLeast(bound) if report.verdict == "proven" => claimed(Relation::AtLeast, bound),
        Aim::AtLeast(bound) => claimed(Relation::AtMost, bound - 1),
    }
}

#[cfg(test)]
mod tests;
