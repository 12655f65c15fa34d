//! The analysis as a table, and what it says in sentences.

use quod_solver::{Analysis, AnalysisEnd, AnalyzedMove, Judgement, Limits, Mistakes};

use crate::columns::{Column, drawn};
use crate::numbers::{bytes, grouped, wrapped};

use super::options::AnalyzeOptions;

pub(super) fn described(analysis: &Analysis, options: &AnalyzeOptions, width: usize) -> String {
    let mut text = format!("{}, {} moves\n\n", analysis.game, analysis.moves.len());
    text.push_str(&table(&analysis.moves, width));
    let mut paragraph = |label: &str, words: &str| {
        text.push('\n');
        text.push_str(&wrapped(&format!("{label:<10}"), words.split(' '), width));
    };
    paragraph("End", &last(analysis));
    for player in &analysis.mistakes {
        paragraph(player.player, &mistakes(player));
    }
    paragraph("Proven", &proven(analysis));
    paragraph("Ended", &ended(analysis, options));
    paragraph("Work", &format!("{} nodes, {:.1} s", grouped(analysis.nodes), analysis.seconds));
    text + "\n"
}

fn table(moves: &[AnalyzedMove], width: usize) -> String {
    let cells = |cell: &dyn Fn(&AnalyzedMove) -> String| moves.iter().map(cell).collect::<Vec<_>>();
    drawn(
        &[
            Column::right("no", cells(&|mv| mv.number.to_string())),
            Column::left("by", cells(&|mv| mv.mover.to_owned())),
        ],
        &[
            Column::left("move", cells(&|mv| mv.text.clone())),
            Column::left("before", cells(&|mv| mv.before.text.clone())),
            Column::left("after", cells(&|mv| mv.after.text.clone())),
            Column::left("cost", cells(&cost)),
            Column::left("best", cells(&|mv| mv.best_move.clone().unwrap_or_default())),
        ],
        width,
    )
}

fn cost(mv: &AnalyzedMove) -> String {
    match mv.judgement {
        Judgement::Best => String::new(),
        Judgement::Unknown => "?".to_owned(),
        Judgement::Mistake if mv.cost_least == mv.cost_most => mv.cost_least.to_string(),
        Judgement::Mistake => format!(">= {}", mv.cost_least),
    }
}

fn last(analysis: &Analysis) -> String {
    let last = &analysis.last;
    let over = if last.over { "the game is over" } else { "the game is not over" };
    match last.value.text.as_str() {
        "?" => format!("{over}; its value is not known"),
        value => format!("{over}: {value} for {}, whose turn it is", last.to_move),
    }
}

fn mistakes(player: &Mistakes) -> String {
    let unknown = match player.unknown {
        0 => String::new(),
        count => format!("; {} not judged", plural(count, "move")),
    };
    match player.mistakes {
        0 => format!("no mistake found{unknown}"),
        count => {
            let least = if player.unknown > 0 { "at least " } else { "" };
            format!("{}, which cost {least}{}{unknown}", plural(count, "mistake"), player.cost_least)
        }
    }
}

fn plural(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn proven(analysis: &Analysis) -> String {
    let positions = analysis.moves.len() + 1;
    let exact = format!("{} of {} have exact values", analysis.solved, plural(positions, "position"));
    match analysis.solved_from {
        Some(1) => format!("{exact}: the whole game"),
        None => format!("{exact}: not even the last one"),
        Some(ply) => match analysis.moves.get(ply - 1) {
            None => format!("{exact}: the last one"),
            Some(mv) => format!("{exact}: all from move {} of {} on", mv.number, mv.mover),
        },
    }
}

fn ended(analysis: &Analysis, options: &AnalyzeOptions) -> String {
    let each = allotted(options.limits());
    match analysis.end {
        AnalysisEnd::Start => format!("at the start of the game; {each} for each position"),
        AnalysisEnd::Unsolved => {
            let row = plural(options.unsolved, "position");
            format!("after {row} in a row that could not be solved with {each} for each (--unsolved)")
        }
        AnalysisEnd::Time => "the time for all positions is over (--total-time)".to_owned(),
        AnalysisEnd::Interrupted => "interrupted".to_owned(),
    }
}

/// What a position was given.
fn allotted(limits: Limits) -> String {
    let time = limits.time.map(|time| humantime::format_duration(time).to_string());
    let nodes = limits.nodes.map(|nodes| format!("{} nodes", grouped(nodes)));
    let memory = limits.memory.map(bytes);
    time.into_iter().chain(nodes).chain(memory).collect::<Vec<_>>().join(", ")
}
