//! What a job has to tell: the last of each kind, so that who comes late understands the rest, and who is slow misses only what is
//! outdated.

use serde_json::Value;
use tokio::sync::watch;

/// Something that was told.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) data: Value,
}

struct Told {
    key: String,
    number: u64,
    event: Event,
}

/// What was told so far.
pub(crate) struct Events {
    told: std::sync::Mutex<Vec<Told>>,
    last: watch::Sender<u64>,
}

impl Events {
    pub(crate) fn new() -> Self {
        Self { told: std::sync::Mutex::default(), last: watch::Sender::new(0) }
    }

    /// Tells something. It takes the place of what was told under the same key.
    pub(crate) fn tell(&self, name: &'static str, key: &str, data: Value) {
        let mut told = super::locked(&self.told);
        told.retain(|told| told.key != key);
        let number = *self.last.borrow() + 1;
        told.push(Told { key: key.to_owned(), number, event: Event { name, data } });
        self.last.send_replace(number);
    }

    /// What was told after number `after`, and the number of the last of that.
    pub(crate) fn since(&self, after: u64) -> (Vec<Event>, u64) {
        let told = super::locked(&self.told);
        let new = told.iter().filter(|told| told.number > after);
        let last = told.last().map_or(after, |told| told.number.max(after));
        (new.map(|told| told.event.clone()).collect(), last)
    }

    /// Wakes whoever waits when something is told.
    pub(crate) fn subscribe(&self) -> watch::Receiver<u64> {
        self.last.subscribe()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn who_comes_late_hears_the_last_of_each_kind_in_order() {
        let events = Events::new();
        events.tell("value", "a", json!(1));
        events.tell("value", "b", json!(2));
        let (first, number) = events.since(0);
        assert_eq!(first.len(), 2);
        events.tell("value", "a", json!(3));
        events.tell("end", "end", json!({}));
        let data = |events: Vec<Event>| events.into_iter().map(|event| event.data).collect::<Vec<_>>();
        assert_eq!(data(events.since(0).0), [json!(2), json!(3), json!({})]);
        let (new, last) = events.since(number);
        assert_eq!((data(new), last), (vec![json!(3), json!({})], 4));
        assert!(events.since(last).0.is_empty());
    }
}
