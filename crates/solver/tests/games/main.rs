//! Answers about every game, in one program: each file linked for itself took minutes of every test run.

mod antichess;
mod awari;
mod best_moves;
mod boards;
mod chess;
mod experiment;
mod forgetful;
mod lengths;
mod mates;
mod minimax;
mod play;
mod positions;
mod scores;
mod sketches;
mod switches;
mod threats;
mod values;

#[path = "../common/kinds.rs"]
mod kinds;
#[path = "../common/verdicts.rs"]
mod verdicts;
