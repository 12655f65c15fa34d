//! What a job has to tell: the last of each kind, so that who comes late understands the rest, and who is slow misses only what is
//! outdated.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::sync::watch;

/// Something that was told.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) name: &'static str,
    pub(crate) number: u64,
    pub(crate) data: Value,
}

struct Told {
    key: String,
    event: Event,
}

/// Wakes whoever listens to any job.
pub(crate) type News = Arc<watch::Sender<()>>;

/// What was told so far.
pub(crate) struct Events {
    told: Mutex<Vec<Told>>,
    news: News,
}

impl Events {
    pub(crate) fn new(news: News) -> Self {
        Self { told: Mutex::default(), news }
    }

    /// Tells something. It takes the place of what was told under the same key.
    pub(crate) fn tell(&self, name: &'static str, key: &str, data: Value) {
        let mut told = super::locked(&self.told);
        // Numbers never come again: the last one that was told is always kept.
        let number = told.last().map_or(0, |told| told.event.number) + 1;
        told.retain(|told| told.key != key);
        told.push(Told { key: key.to_owned(), event: Event { name, number, data } });
        drop(told);
        self.news.send_replace(());
    }

    /// What was told after number `after`.
    pub(crate) fn since(&self, after: u64) -> Vec<Event> {
        let told = super::locked(&self.told);
        told.iter().filter(|told| told.event.number > after).map(|told| told.event.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn who_comes_late_hears_the_last_of_each_kind_in_order() {
        let events = Events::new(News::default());
        events.tell("value", "a", json!(1));
        events.tell("value", "b", json!(2));
        let first = events.since(0);
        assert_eq!((first.len(), first[1].number), (2, 2));
        events.tell("value", "a", json!(3));
        events.tell("end", "end", json!({}));
        let data = |events: Vec<Event>| events.into_iter().map(|event| event.data).collect::<Vec<_>>();
        assert_eq!(data(events.since(0)), [json!(2), json!(3), json!({})]);
        assert_eq!(data(events.since(2)), [json!(3), json!({})]);
        assert!(events.since(4).is_empty());
    }
}
