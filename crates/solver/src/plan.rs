//! Which search answers a request, with which switches: what was asked for, or what suits the game.

use quod_model::{Evaluation, InputError, Joining};
use quod_search::{
    Deletion, DfpnOptions, GpnMethod, GpnOptions, GraphMethod, GraphOptions, GraphUpdates, Many, Order,
    PnOptions, QUESTION_MOST, QUESTIONS_MAX, SecondLevel, TableOptions, Thresholds, Updates, WindowMethod,
    WindowOptions,
};

use crate::bounds::check_outcomes;
use crate::depth_first::DepthFirstMethod;
use crate::request::{Aim, Algorithm, Compat, Evaluate, Init, Request, Switches, Update};

/// What a game is like, as far as it decides which search suits it.
#[derive(Clone, Copy)]
pub(crate) struct Nature {
    /// It has leaf numbers of its own.
    pub(crate) guesses: bool,
    /// It knows which moves to look at first.
    pub(crate) stages: bool,
    /// It knows lines of threats.
    pub(crate) threats: bool,
    /// Positions can come again.
    pub(crate) repeats: bool,
    /// It knows which moves convert.
    pub(crate) converts: bool,
    /// How its judge is used best, if it has one.
    pub(crate) judge: Option<Evaluate>,
    /// It foresees bounds and moves that matter.
    pub(crate) foresees: bool,
    /// How many values it can have.
    pub(crate) outcomes: i64,
    /// It knows how a published experiment saw it.
    pub(crate) experiment: Option<&'static str>,
}

/// A search with its switches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Method {
    Tree(PnOptions),
    TwoLevel(PnOptions, SecondLevel),
    Graph {
        options: GraphOptions,
        joining: Joining,
        symmetric: bool,
        /// Moves come in stages.
        staged: bool,
    },
    Value(ValueMethod),
    Minimax(MinimaxMethod),
    /// Null windows on a table of bounds.
    Bounds {
        symmetric: bool,
    },
    DepthFirst(DepthFirstMethod),
}

/// A search for a value that goes by windows or merits, with its switches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinimaxMethod {
    pub(crate) kind: MinimaxKind,
    pub(crate) symmetric: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum MinimaxKind {
    Windows(WindowOptions),
    Sss2,
    SssStar,
}

impl MinimaxMethod {
    fn joins(self) -> bool {
        matches!(self.kind, MinimaxKind::Windows(WindowOptions { table: Some(_), .. }))
    }
}

/// A search for a value, with its switches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueMethod {
    pub(crate) options: GpnOptions,
    pub(crate) second_level: Option<SecondLevel>,
    pub(crate) symmetric: bool,
}

impl Method {
    /// Whether parts of a solution may be missing.
    pub(crate) fn deletes(self) -> bool {
        match self {
            Self::Tree(options) => options.deletes(),
            Self::TwoLevel(..) => true,
            Self::Graph { options, .. } => options.deletes(),
            Self::Value(method) => method.options.prune || method.second_level.is_some(),
            Self::Minimax(_) | Self::Bounds { .. } | Self::DepthFirst(_) => true,
        }
    }

    /// Whether symmetric positions are one.
    pub(crate) fn symmetric(self) -> bool {
        match self {
            Self::Tree(_) | Self::TwoLevel(..) => false,
            Self::Graph { symmetric, .. } | Self::Bounds { symmetric } => symmetric,
            Self::Value(method) => method.symmetric,
            Self::Minimax(method) => method.symmetric,
            Self::DepthFirst(method) => method.symmetric,
        }
    }

    /// Whether it is a search for a value that knows equal positions again.
    pub(crate) fn joins_values(self) -> bool {
        match self {
            Self::Value(method) => method.options.joined,
            Self::Minimax(method) => method.joins(),
            Self::Tree(_)
            | Self::TwoLevel(..)
            | Self::Graph { .. }
            | Self::Bounds { .. }
            | Self::DepthFirst(_) => false,
        }
    }

    /// Whether moves come in the stages of the game.
    pub(crate) fn staged(self) -> bool {
        matches!(self, Self::Graph { staged: true, .. })
    }

    /// Whether it can be written into checkpoints.
    pub(crate) fn can_be_kept(self) -> bool {
        !matches!(self, Self::Minimax(_) | Self::Bounds { .. })
    }

    /// What tells it from others, whatever the machine.
    pub(crate) fn identity(self) -> String {
        match self {
            Self::DepthFirst(method) => {
                // The number of threads changes nothing that is kept.
                format!("{:?}", Self::DepthFirst(DepthFirstMethod { threads: 1, ..method }))
            }
            _ => format!("{self:?}"),
        }
    }

    pub(crate) fn evaluation(self) -> Evaluation {
        match self {
            Self::Tree(options) | Self::TwoLevel(options, _) => options.evaluation,
            Self::Graph { options, .. } => options.evaluation,
            Self::Value(_) | Self::Minimax(_) => Evaluation::Immediate,
            Self::Bounds { .. } => Evaluation::Judged,
            Self::DepthFirst(method) => method.options.evaluation,
        }
    }

    pub(crate) fn looks_for_threats(self) -> bool {
        matches!(self, Self::DepthFirst(DepthFirstMethod { threats: true, .. }))
    }
}

/// A request with everything decided.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) why: Option<&'static str>,
    pub(crate) init: Init,
    pub(crate) method: Method,
    pub(crate) many: Many,
    /// Whether the problem is the one of a published experiment.
    pub(crate) published: bool,
}

impl Request {
    /// Decides what is left open.
    pub(crate) fn plan(&self, nature: Nature) -> Result<Plan, InputError> {
        let switches = self.switches;
        if self.algorithm == Algorithm::Auto {
            if switches != Switches::default() {
                return Err(InputError::new("algorithm", "auto", "it chooses its switches itself")
                    .hint("name the algorithm that the switches are for, as in --algorithm pn"));
            }
            return Ok(automatic(self.aim, nature, self.threads()));
        }
        self.check_switches()?;
        let experiment =
            switches.compat.filter(|compat| matches!(compat, Compat::Allis1994 | Compat::Breuker1994));
        if let Some(compat) = experiment {
            let error = |problem| InputError::new("switch", format!("--compat {}", compat.name()), problem);
            if nature.experiment != Some(compat.name()) {
                let game = if compat == Compat::Allis1994 { "awari" } else { "chess" };
                return Err(
                    error("the experiment was not about this game").hint(format!("{game} is the game"))
                );
            }
            if compat == Compat::Breuker1994 && self.aim == Aim::Value {
                return Err(error("the experiment asked for a mate").hint("--goal win"));
            }
            if self.certificate {
                let problem = "what an experiment finds by rules of its own cannot be certified";
                return Err(error(problem).hint("without --compat, everything can"));
            }
        }
        if self.algorithm.is_for_values() && self.aim == Aim::Value && nature.outcomes > OUTCOMES_MAX {
            let problem =
                format!("the game has {} outcomes, and it can have {OUTCOMES_MAX}", nature.outcomes);
            return Err(InputError::new("algorithm", self.algorithm.name(), problem)
                .hint("pn-graph asks one question after the other"));
        }
        if self.algorithm.is_acyclic() && nature.repeats && !nature.converts {
            let problem = "positions of this game can come again, and it does not say which moves convert";
            return Err(InputError::new("algorithm", self.algorithm.name(), problem)
                .hint("pn-graph joins equal positions of every game"));
        }
        if switches.stages && !nature.stages {
            let problem = "the game does not say which moves to look at first";
            return Err(InputError::new("switch", "--stages", problem).hint("chess does"));
        }
        if switches.threats && !nature.threats {
            let problem = "the game knows no lines of threats";
            return Err(InputError::new("switch", "--threats", problem).hint("qubic and gomoku do"));
        }
        if self.algorithm == Algorithm::Mtdf {
            if nature.repeats {
                let problem = "positions of this game can come again";
                return Err(InputError::new("algorithm", "mtdf", problem)
                    .hint("dfpn solves every game; alphabeta, pvs and their relatives take it as a tree"));
            }
            check_outcomes(nature.outcomes)?;
        }
        let method = match self.algorithm {
            Algorithm::Auto | Algorithm::Pn => Method::Tree(self.tree()),
            Algorithm::Pn2 => Method::TwoLevel(self.tree(), switches.second_level.unwrap_or_default()),
            Algorithm::PnDag => self.graph(GraphMethod::Dag, Joining::Converted, false),
            Algorithm::PnDcg => self.graph(GraphMethod::Dcg, Joining::Everything, false),
            Algorithm::PnGraph => self.graph(GraphMethod::Sound, Joining::Everything, true),
            Algorithm::Gpn => self.value(GpnMethod::Published, false, None),
            Algorithm::GpnDag => self.value(GpnMethod::Published, true, None),
            Algorithm::Gpn2 => {
                let second_level = switches.second_level.unwrap_or_default();
                self.value(GpnMethod::Published, false, Some(second_level))
            }
            Algorithm::Mopn => self.value(GpnMethod::Focused, false, None),
            Algorithm::MopnDag => self.value(GpnMethod::Focused, true, None),
            Algorithm::Dfpn | Algorithm::PnDfpn => self.depth_first(Thresholds::Dfpn, nature),
            Algorithm::PnStar => self.depth_first(Thresholds::PnStar, nature),
            Algorithm::Pds => self.depth_first(Thresholds::Pds, nature),
            Algorithm::AlphaBeta | Algorithm::AlphaBetaTt => self.windows(WindowMethod::AlphaBeta),
            Algorithm::Brute => self.windows(WindowMethod::Brute),
            Algorithm::Mtdf => Method::Bounds { symmetric: switches.symmetry.unwrap_or(true) },
            Algorithm::NegacStar => self.windows(WindowMethod::NegacStar),
            Algorithm::Nws => self.windows(WindowMethod::Nws),
            Algorithm::Pvs => self.windows(WindowMethod::Pvs),
            Algorithm::Scout => self.windows(WindowMethod::Scout),
            Algorithm::Sss2 => minimax(MinimaxKind::Sss2),
            Algorithm::SssStar => minimax(MinimaxKind::SssStar),
        };
        // A search that deepens lives on the order of moves.
        let deepens = switches.deepen || self.algorithm == Algorithm::AlphaBetaTt;
        let guess = nature.guesses && (deepens || switches.stages);
        let init = if guess { Init::Guess } else { Init::One };
        Ok(Plan {
            name: self.algorithm.name(),
            why: None,
            init: switches.init.unwrap_or(init),
            method,
            many: switches.many.unwrap_or(match method {
                Method::DepthFirst(_) => Many::Guess,
                _ => Many::Binary,
            }),
            published: experiment.is_some(),
        })
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.unwrap_or_else(|| if self.algorithm == Algorithm::Auto { cores() } else { 1 })
    }

    fn depth_first(&self, thresholds: Thresholds, nature: Nature) -> Method {
        let switches = self.switches;
        let defaults = DfpnOptions::default();
        let options = DfpnOptions {
            thresholds,
            epsilon: switches.epsilon.unwrap_or(defaults.epsilon),
            hysteresis: switches.hysteresis,
            backup: switches.backup.unwrap_or_default(),
            evaluation: switches.evaluate.unwrap_or(Evaluate::Immediate),
            edge_cost: switches.edge_cost.unwrap_or(0),
            cyclic: nature.repeats,
        };
        let symmetric = switches.symmetry.unwrap_or(true);
        Method::DepthFirst(DepthFirstMethod {
            options,
            symmetric,
            threads: self.threads(),
            jobs: self.algorithm == Algorithm::PnDfpn,
            threats: switches.threats,
        })
    }

    fn tree(&self) -> PnOptions {
        let switches = self.switches;
        PnOptions {
            evaluation: switches.evaluate.unwrap_or(Evaluate::Immediate),
            delete_solved: switches.delete_solved.unwrap_or(match switches.compat {
                Some(Compat::Allis1994 | Compat::Breuker1994) => Deletion::AtOnce,
                _ => Deletion::Never,
            }),
            delete_least_proving: switches.delete_least_proving,
            updates: if switches.update == Some(Update::Full) { Updates::Full } else { Updates::Early },
            order: switches.order.unwrap_or(Order::Generated),
        }
    }

    fn value(&self, method: GpnMethod, joined: bool, second_level: Option<SecondLevel>) -> Method {
        let Switches { init, ends, prune, symmetry, .. } = self.switches;
        let mobility = init == Some(Init::Mobility);
        let options = GpnOptions {
            method,
            mobility,
            ends: ends.unwrap_or_default(),
            joined,
            prune: prune.unwrap_or(true),
        };
        Method::Value(ValueMethod { options, second_level, symmetric: joined && symmetry.unwrap_or(true) })
    }

    fn windows(&self, method: WindowMethod) -> Method {
        let Switches { deepen, table, entries, symmetry, .. } = self.switches;
        let has_table = self.algorithm == Algorithm::AlphaBetaTt;
        let defaults = TableOptions::default();
        let table = has_table.then(|| TableOptions {
            kind: table.unwrap_or(defaults.kind),
            entries: entries.unwrap_or(defaults.entries),
        });
        let options = WindowOptions { deepen: deepen || has_table, table, ..WindowOptions::new(method) };
        let symmetric = has_table && symmetry.unwrap_or(true);
        Method::Minimax(MinimaxMethod { kind: MinimaxKind::Windows(options), symmetric })
    }

    fn graph(&self, method: GraphMethod, joining: Joining, symmetric: bool) -> Method {
        let switches = self.switches;
        let defaults = GraphOptions::new(method);
        let options = GraphOptions {
            evaluation: switches.evaluate.unwrap_or(Evaluate::Immediate),
            backup: switches.backup.unwrap_or_default(),
            updates: switches.update.map_or(defaults.updates, |update| match update {
                Update::Early => GraphUpdates::Early,
                Update::Full => GraphUpdates::Full,
                Update::Queue => GraphUpdates::Queue,
            }),
            order: switches.order.unwrap_or(Order::Generated),
            drop_solved: switches.delete_solved == Some(Deletion::WhenFull),
            fold_back: switches.delete_least_proving,
            siblings_apart: switches.compat == Some(Compat::Schijf1993),
            ..defaults
        };
        let symmetric = switches.symmetry.unwrap_or(symmetric);
        Method::Graph { options, joining, symmetric, staged: switches.stages }
    }

    /// Refuses switches that the algorithm does not know.
    fn check_switches(&self) -> Result<(), InputError> {
        use Algorithm::{
            AlphaBeta, AlphaBetaTt, Dfpn, Gpn, Gpn2, GpnDag, Mopn, MopnDag, Mtdf, Pds, Pn, Pn2, PnDag, PnDcg,
            PnDfpn, PnGraph, PnStar,
        };
        // Every switch is named here, so that a new one is not forgotten.
        let Switches {
            init,
            evaluate,
            delete_solved,
            delete_least_proving,
            update,
            many,
            order,
            stages,
            threats,
            backup,
            symmetry,
            compat,
            second_level,
            ends,
            prune,
            epsilon,
            hysteresis,
            edge_cost,
            deepen,
            table,
            entries,
        } = self.switches;
        let best_first = &[Pn, Pn2, PnDag, PnDcg, PnGraph][..];
        let questions = &[Pn, Pn2, PnDag, PnDcg, PnGraph, Dfpn, PnDfpn, PnStar, Pds][..];
        let values = &[Gpn, GpnDag, Gpn2, Mopn, MopnDag][..];
        let with_numbers: Vec<Algorithm> =
            Algorithm::ALL.into_iter().filter(|other| !matches!(other, Algorithm::Auto | Mtdf)).collect();
        let known_by: [(bool, &str, &[Algorithm]); 29] = [
            (init.is_some(), "--init", &with_numbers),
            (evaluate.is_some(), "--evaluate", questions),
            (many == Some(Many::Guess), "--many guess", &[Dfpn, PnDfpn, PnStar, Pds]),
            (many.is_some(), "--many", questions),
            (order.is_some(), "--order", best_first),
            (stages, "--stages", &[PnGraph]),
            (threats, "--threats", &[Dfpn]),
            (delete_solved == Some(Deletion::Never), "--delete-solved=never", best_first),
            (backup.is_some(), "--backup", &[PnDag, PnDcg, PnGraph, Dfpn, PnDfpn]),
            (
                symmetry.is_some(),
                "--symmetry",
                &[PnDag, PnDcg, PnGraph, GpnDag, MopnDag, Dfpn, PnDfpn, PnStar, Pds, AlphaBetaTt, Mtdf],
            ),
            (epsilon.is_some(), "--epsilon", &[Dfpn, PnDfpn]),
            (hysteresis, "--hysteresis", &[Dfpn, PnDfpn]),
            (edge_cost.is_some(), "--edge-cost", &[Dfpn, PnDfpn]),
            (self.threads.is_some_and(|threads| threads > 1), "--threads", &[Dfpn, PnDfpn, PnStar, Pds]),
            (compat == Some(Compat::Schijf1993), "--compat schijf1993", &[PnDag]),
            (compat == Some(Compat::Allis1994), "--compat allis1994", &[Pn, AlphaBeta, AlphaBetaTt]),
            (compat == Some(Compat::Breuker1994), "--compat breuker1994", &[Pn, PnDcg]),
            (update == Some(Update::Early), "--update early", &[Pn, Pn2, PnDag, PnDcg]),
            (update == Some(Update::Full), "--update full", &[Pn, Pn2, PnDag]),
            (update == Some(Update::Queue), "--update queue", &[PnDag]),
            (delete_solved == Some(Deletion::AtOnce), "--delete-solved=always", &[Pn, Pn2]),
            (delete_solved == Some(Deletion::WhenFull), "--delete-solved=full", &[Pn, Pn2, PnDag, PnGraph]),
            (delete_least_proving, "--delete-least-proving", &[Pn, Pn2, PnDag, PnGraph]),
            (second_level.is_some(), "--second-level", &[Pn2, Gpn2]),
            (ends.is_some(), "--ends", &[Gpn, GpnDag, Gpn2]),
            (prune.is_some(), "--prune", values),
            (deepen, "--deepen", &[AlphaBeta]),
            (table.is_some(), "--table", &[AlphaBetaTt]),
            (entries.is_some(), "--entries", &[AlphaBetaTt]),
        ];
        let own = self.algorithm;
        match known_by.iter().find(|(given, _, known_by)| *given && !known_by.contains(&own)) {
            None => Ok(()),
            Some((_, switch, known_by)) => {
                let names: Vec<&str> = known_by.iter().map(|algorithm| algorithm.name()).collect();
                let verb = if names.len() == 1 { "does" } else { "do" };
                Err(InputError::new("switch", *switch, format!("{} does not know it", own.name()))
                    .hint(format!("{} {verb}", names.join(", "))))
            }
        }
    }
}

fn minimax(kind: MinimaxKind) -> Method {
    Method::Minimax(MinimaxMethod { kind, symmetric: false })
}

/// The most outcomes that one search can have.
const OUTCOMES_MAX: i64 = QUESTIONS_MAX as i64 - 2;

/// The search that suits a problem, by measurement (docs/measurements.md). Depth-first search on a table is ahead nearly everywhere,
/// solves in any memory, and uses all threads. But where no position can come again and a value is one of many, and the game
/// gives neither a judge nor leaf numbers of its own, one search for all outcomes takes so many fewer nodes that it is faster on one.
/// And where the game foresees bounds, going from bound to bound is three times as fast on one thread as depth-first search.
fn automatic(aim: Aim, nature: Nature, threads: usize) -> Plan {
    if nature.foresees && !nature.repeats && (4..=i64::from(QUESTION_MOST)).contains(&nature.outcomes) {
        return Plan {
            name: Algorithm::Mtdf.name(),
            why: Some(
                "more than three outcomes, and a game that foresees bounds and good moves: null windows on a table of bounds, on one thread",
            ),
            init: Init::One,
            method: Method::Bounds { symmetric: true },
            many: Many::Guess,
            published: false,
        };
    }
    if nature.stages && nature.guesses {
        let options =
            GraphOptions { drop_solved: true, fold_back: true, ..GraphOptions::new(GraphMethod::Sound) };
        return Plan {
            name: Algorithm::PnGraph.name(),
            why: Some(
                "the game's own leaf numbers, its moves in stages: best first on a graph of positions, on one thread",
            ),
            init: Init::Guess,
            method: Method::Graph { options, joining: Joining::Everything, symmetric: true, staged: true },
            many: Many::Binary,
            published: false,
        };
    }
    let knows = nature.guesses || nature.judge.is_some();
    if aim == Aim::Value && !nature.repeats && !knows && (4..=OUTCOMES_MAX).contains(&nature.outcomes) {
        let options = GpnOptions {
            method: GpnMethod::Focused,
            mobility: true,
            joined: true,
            prune: true,
            ..GpnOptions::default()
        };
        return Plan {
            name: Algorithm::MopnDag.name(),
            why: Some(
                "more than three outcomes and no leaf numbers of the game's own: all outcomes in one search, on one thread",
            ),
            init: Init::Mobility,
            method: Method::Value(ValueMethod { options, second_level: None, symmetric: true }),
            many: Many::Binary,
            published: false,
        };
    }
    let init = if nature.guesses { Init::Guess } else { Init::Mobility };
    // What a judge says of a position does not fit into the paths of a certificate where positions can come again.
    let judge = nature.judge.filter(|_| !nature.repeats);
    let why = match (nature.repeats, judge.is_some(), nature.guesses) {
        _ if nature.threats => "depth first in fixed memory on all threads; lines of threats at the leaves",
        (true, _, true) => {
            "depth first in fixed memory on all threads, repetitions told from facts; the game's own leaf numbers"
        }
        (true, _, false) => {
            "depth first in fixed memory on all threads, repetitions told from facts; mobility as leaf numbers"
        }
        (false, true, true) => {
            "depth first in fixed memory on all threads; the game's own judge and leaf numbers"
        }
        (false, true, false) => {
            "depth first in fixed memory on all threads; the game's own judge, mobility as leaf numbers"
        }
        (false, false, true) => "depth first in fixed memory on all threads; the game's own leaf numbers",
        (false, false, false) => "depth first in fixed memory on all threads; mobility as leaf numbers",
    };
    let options = DfpnOptions {
        evaluation: judge.unwrap_or(Evaluate::Immediate),
        cyclic: nature.repeats,
        ..DfpnOptions::default()
    };
    let method = DepthFirstMethod { options, symmetric: true, threads, jobs: false, threats: nature.threats };
    Plan {
        name: Algorithm::Dfpn.name(),
        why: Some(why),
        init,
        method: Method::DepthFirst(method),
        many: Many::Guess,
        published: false,
    }
}
