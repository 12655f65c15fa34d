//! Checkpoints of a search: when they are written, what stands in them, and how work goes on from one.
//!
//! A checkpoint says what was asked, as the front end and as the solver see it, how far the whole work had come, and what the search
//! under way held. Questions that are answered come with what is left of their searches. What follows the search, above all the
//! certificate, is made again from its end.

use std::io::Result as IoResult;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use quod_checkpoint::{Failure, Folder, Found, Reader, State, Taken, Writer};
use quod_model::{Goal, InputError, Player, Relative};
use quod_search::{Counters, Graph, Interval, Restore, Search, Series, Solved, TopTree, Tree};

use crate::plan::Method;
use crate::solve::Answer;
use crate::table::FirstMove;

/// Where checkpoints go, and whether the work begins or goes on there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keeping {
    /// The folder; it is made if it is not there.
    pub folder: PathBuf,
    /// How long the work goes on between two of them.
    pub every: Duration,
    /// Whether it goes on from the newest good one. If not, there must be none.
    pub resume: bool,
    /// What the front end wants to find again: its words for what was asked.
    pub label: String,
}

/// What people should know about checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// One was written: so many bytes, and the search stood still for so long.
    Written(u64, Duration),
    /// One could not be written, and why; the work goes on, and the ones before it are as they were.
    Failed(String),
    /// Newer ones than the one that the work goes on from cannot be used, and why.
    Older(Vec<String>),
    /// The work goes on from this one, after so many nodes.
    Resumed(PathBuf, u64),
}

/// Something that several searches share, and that is written apart from them.
pub(crate) trait Shared: State {
    /// Takes back what was written. `alone` says whether a search follows that goes on; if not, nobody works at anything.
    fn restore(&self, alone: bool, from: &mut Reader<'_>) -> Result<(), Failure>;
}

/// The word at the beginning of what a search has written.
const KIND: &str = "search";

fn kind_of(reader: &mut Reader<'_>) -> Result<(), Failure> {
    match reader.text()?.as_str() {
        KIND => Ok(()),
        other => Err(Failure::damaged(format!("it is the checkpoint of a {other}"))),
    }
}

/// The words with which the search whose checkpoints a folder holds was asked for.
///
/// # Errors
/// If there is no checkpoint that can be used.
pub fn label_of(folder: &Path) -> Result<String, InputError> {
    let label = || {
        if !folder.is_dir() {
            return Err(Failure::Nothing(folder.to_owned()));
        }
        if let Some(label) = crate::opening::label_of(folder) {
            return Ok(label);
        }
        let mut found = Folder::open(folder)?.newest()?;
        kind_of(&mut found.reader)?;
        found.reader.text()
    };
    label().map_err(|failure| wrong(folder, &failure))
}

pub(crate) fn wrong(folder: &Path, failure: &Failure) -> InputError {
    InputError::new("checkpoint folder", folder.display().to_string(), failure.to_string())
}

/// Writes checkpoints.
pub(crate) struct Keeper {
    folder: Folder,
    every: Duration,
    label: String,
    /// What is searched and how: a checkpoint of something else is of no use.
    identity: String,
    memory: u64,
    /// The bytes of the table that searches share; nothing where there is none.
    pub(crate) table_bytes: u64,
    /// When the last one was written, or tried.
    last: Option<Instant>,
    /// What stands beside the search that is under way; nothing while none is.
    pub(crate) stage: Option<Stage>,
    pub(crate) notices: Vec<Notice>,
}

/// What a checkpoint says of the work as a whole.
#[derive(Clone, Copy)]
pub(crate) struct Course {
    pub(crate) elapsed: Duration,
    pub(crate) interval: Interval,
    /// What ended searches have done.
    pub(crate) done: Counters,
    /// All nodes.
    pub(crate) nodes: u64,
    /// What the search under way has done, if it is one.
    pub(crate) doing: Counters,
    /// Whether memory has stopped it: it tries no more unless it gets more.
    pub(crate) full: bool,
}

/// A checkpoint that work goes on from.
pub(crate) struct Resumption {
    pub(crate) memory: u64,
    /// The bytes of the table, if there was one.
    pub(crate) table_bytes: Option<u64>,
    pub(crate) course: Course,
    /// What the search under way held, if there was one.
    pub(crate) reader: Option<Reader<'static>>,
}

impl Keeper {
    /// Opens the folder, and the checkpoint to go on from.
    pub(crate) fn open(
        keeping: &Keeping,
        identity: String,
    ) -> Result<(Self, Option<Resumption>), InputError> {
        let folder = &keeping.folder;
        if keeping.resume && !folder.is_dir() {
            return Err(wrong(folder, &Failure::Nothing(folder.clone())));
        }
        let opened = Folder::open(folder).map_err(|failure| wrong(folder, &failure))?;
        let mut keeper = Self {
            folder: opened,
            every: keeping.every,
            label: keeping.label.clone(),
            identity,
            memory: 0,
            table_bytes: 0,
            last: None,
            stage: None,
            notices: Vec::new(),
        };
        let resumption = if keeping.resume {
            Some(keeper.resume().map_err(|failure| wrong(folder, &failure))?)
        } else if keeper.folder.is_empty().map_err(|failure| wrong(folder, &failure))? {
            None
        } else {
            return Err(InputError::new(
                "checkpoint folder",
                folder.display().to_string(),
                "there are checkpoints already",
            )
            .hint("go on from them with --resume, remove them, or name another folder"));
        };
        Ok((keeper, resumption))
    }

    fn resume(&mut self) -> Result<Resumption, Failure> {
        let Found { path, mut reader, damaged } = self.folder.newest()?;
        if !damaged.is_empty() {
            self.notices.push(Notice::Older(damaged));
        }
        kind_of(&mut reader)?;
        reader.text()?;
        let identity = reader.text()?;
        if identity != self.identity {
            let place = |identity: &str| identity.lines().take(2).collect::<Vec<_>>().join(", ");
            let (other, own) = (place(&identity), place(&self.identity));
            return Err(Failure::unfit(if other == own {
                "the switches, the databases or the rules are others than those it was written with"
                    .to_owned()
            } else {
                format!("it is of another search ({other})")
            }));
        }
        let [memory, table_bytes] = reader.item()?;
        let [milliseconds, nodes] = reader.item()?;
        let interval = read_interval(&mut reader)?;
        let elapsed = Duration::from_millis(milliseconds);
        let (done, doing): (Counters, Counters) = (reader.item()?, reader.item()?);
        let full = reader.flag()?;
        if done.nodes.checked_add(doing.nodes) != Some(nodes) {
            return Err(Failure::damaged("its nodes do not add up"));
        }
        let course = Course { elapsed, interval, done, nodes, doing, full };
        self.notices.push(Notice::Resumed(path, nodes));
        let reader = if reader.flag()? { Some(reader) } else { None };
        let table_bytes = Some(table_bytes).filter(|bytes| *bytes > 0);
        Ok(Resumption { memory, table_bytes, course, reader })
    }

    /// How much memory the search may take.
    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Says how much memory the search may take.
    pub(crate) fn with_memory(self, memory: u64) -> Self {
        Self { memory, ..self }
    }

    /// Whether it is time for the next one: at once, and then after so long.
    pub(crate) fn is_due(&self) -> bool {
        self.stage.is_some() && self.last.is_none_or(|last| last.elapsed() >= self.every)
    }

    /// Whether so much has been done since the last one that it would be a pity.
    pub(crate) fn has_much_to_lose(&self) -> bool {
        const MUCH: Duration = Duration::from_secs(1);
        self.last.is_some_and(|last| last.elapsed() >= MUCH)
    }

    /// Writes the first one, before anything is searched: whoever goes on from it begins.
    pub(crate) fn write_first(&mut self, course: &Course) {
        self.write(course, None, None);
        self.wait();
        // The search itself comes next.
        self.last = None;
    }

    /// Writes one.
    pub(crate) fn write(&mut self, course: &Course, shared: Option<&dyn Shared>, search: Option<&dyn State>) {
        let Self { folder, label, identity, memory, table_bytes, stage, .. } = self;
        let begun = Instant::now();
        let written = folder.write(|to| {
            to.text(KIND)?;
            to.text(label)?;
            to.text(identity)?;
            to.item([*memory, *table_bytes])?;
            to.item([course.elapsed.as_millis() as u64, course.nodes])?;
            to.item([course.interval.lower.0, course.interval.upper.0])?;
            to.item(course.done)?;
            to.item(course.doing)?;
            to.flag(course.full)?;
            to.flag(stage.is_some())?;
            let Some(stage) = stage else { return Ok(()) };
            stage.write(to)?;
            to.flag(search.is_some())?;
            if let Some(shared) = shared {
                shared.write(to)?;
            }
            search.map_or(Ok(()), |search| search.write(to))
        });
        match written {
            Ok(Taken::Bytes(bytes)) => self.notices.push(Notice::Written(bytes, begun.elapsed())),
            // The next one comes when this one is flushed.
            Ok(Taken::Busy) => return,
            Err(failure) => self.notices.push(Notice::Failed(failure.to_string())),
        }
        self.last = Some(Instant::now());
    }

    /// The last one of a search: what is being flushed is waited for, before and after.
    pub(crate) fn write_last(
        &mut self,
        course: &Course,
        shared: Option<&dyn Shared>,
        search: Option<&dyn State>,
    ) {
        self.wait();
        self.write(course, shared, search);
        self.wait();
    }

    fn wait(&mut self) {
        if let Err(failure) = self.folder.wait() {
            self.notices.push(Notice::Failed(failure.to_string()));
        }
    }
}

fn read_interval(from: &mut Reader<'_>) -> Result<Interval, Failure> {
    let [lower, upper] = from.item()?;
    if lower > upper {
        return Err(Failure::damaged("bounds that contradict each other"));
    }
    Ok(Interval { lower: Relative(lower), upper: Relative(upper) })
}

/// Gives a search what it goes on with, and says whether it does; if not, or if there are several, what they share is all.
pub(crate) fn restore_search(
    search: Option<&mut dyn Search>,
    shared: Option<&dyn Shared>,
    reader: &mut Reader<'_>,
) -> Result<bool, Failure> {
    let search = if reader.flag()? { search } else { None };
    if let Some(shared) = shared {
        shared.restore(search.is_some(), reader)?;
    }
    let Some(search) = search else { return Ok(false) };
    match search.restored() {
        Some(search) => search.restore(reader).map(|()| true),
        None => Err(Failure::unfit("the search keeps no checkpoints")),
    }
}

/// The questions about a root: what is searched, how the next ones are chosen, and what is left of those that are answered.
#[derive(Clone)]
pub(crate) struct Stage {
    /// The range of values that the search is about, or a single question.
    pub(crate) asked: Interval,
    pub(crate) series: Series,
    pub(crate) lower: Option<Answer>,
    pub(crate) upper: Option<Answer>,
}

impl State for Stage {
    fn write(&self, to: &mut Writer<'_>) -> IoResult<()> {
        to.item([self.asked.lower.0, self.asked.upper.0])?;
        self.series.write(to)?;
        for answer in [&self.lower, &self.upper] {
            to.flag(answer.is_some())?;
            answer.as_ref().map_or(Ok(()), |answer| write_answer(answer, to))?;
        }
        Ok(())
    }
}

/// What is left of an answered question.
const NOTHING: u8 = 0;
const WHOLE: u8 = 1;
const MOVE: u8 = 2;

fn write_answer(answer: &Answer, to: &mut Writer<'_>) -> IoResult<()> {
    to.item(answer.goal.at_least.0)?;
    to.flag(answer.holds)?;
    to.flag(answer.symmetric)?;
    match &answer.tree {
        None => to.item(NOTHING),
        Some(tree) => match tree.state() {
            Some(state) => {
                to.item(WHOLE)?;
                state.write(to)
            }
            None => {
                to.item(MOVE)?;
                to.item(tree.winning_child(tree.root()).map_or(u64::MAX, |(code, _)| u64::from(code)))
            }
        },
    }
}

impl Stage {
    /// Reads what stands beside a search of this kind.
    pub(crate) fn read(
        method: Method,
        claimant: Player,
        memory: u64,
        mut series: Series,
        from: &mut Reader<'_>,
    ) -> Result<Self, Failure> {
        let asked = read_interval(from)?;
        series.restore(from)?;
        let mut answer = || match from.flag()? {
            false => Ok(None),
            true => read_answer(method, claimant, memory, from).map(Some),
        };
        Ok(Self { asked, series, lower: answer()?, upper: answer()? })
    }
}

fn read_answer(
    method: Method,
    claimant: Player,
    memory: u64,
    from: &mut Reader<'_>,
) -> Result<Answer, Failure> {
    fn restored(
        mut tree: impl Solved + Restore + 'static,
        from: &mut Reader<'_>,
    ) -> Result<Rc<dyn Solved>, Failure> {
        tree.restore(from)?;
        Ok(Rc::new(tree))
    }
    let goal = Goal::new(claimant, Relative(from.item()?));
    let (holds, symmetric) = (from.flag()?, from.flag()?);
    let tree = match (from.item::<u8>()?, method) {
        (NOTHING, _) => None,
        (WHOLE, Method::Tree(_) | Method::TwoLevel(..)) => Some(restored(Tree::for_restoring(memory), from)?),
        (WHOLE, Method::Graph { .. }) => Some(restored(Graph::for_restoring(memory), from)?),
        (WHOLE, Method::DepthFirst(_)) => Some(restored(TopTree::new(memory, true, 1), from)?),
        (MOVE, Method::DepthFirst(_)) => match u32::try_from(from.item::<u64>()?) {
            Ok(code) => Some(Rc::new(FirstMove(code)) as Rc<dyn Solved>),
            Err(_) => return Err(Failure::damaged("a move is missing")),
        },
        _ => return Err(Failure::damaged("an answer is left of another kind of search")),
    };
    Ok(Answer { goal, holds, tree, symmetric })
}
