//! What every move is worth.

use std::sync::Arc;

use quod_solver::{Door, FollowValues, MoveValue, Place};
use serde_json::json;

use super::Job;
use crate::wire;

struct Teller<'j> {
    job: &'j Job,
    best: Vec<String>,
}

impl FollowValues for Teller<'_> {
    fn goes_on(&mut self) -> bool {
        !self.job.is_stopped()
    }

    fn value(&mut self, value: &MoveValue) {
        self.best.retain(|mv| *mv != value.mv);
        if value.is_best {
            self.best.push(value.mv.clone());
        }
        self.job.events.tell("value", &format!("value {}", value.mv), wire::move_value(value));
    }
}

pub(super) fn work(job: &Job, door: &Arc<dyn Door>, place: &Place) {
    let mut teller = Teller { job, best: Vec::new() };
    match door.value_moves(place, &mut teller) {
        Ok(solved) => {
            let stop = match (solved, job.is_stopped()) {
                (true, _) => "solved",
                (false, true) => "interrupted",
                (false, false) => "time",
            };
            job.tell("end", json!({ "stop": stop, "best": teller.best }));
        }
        Err(error) => job.fail(&error.to_string(), false),
    }
}
