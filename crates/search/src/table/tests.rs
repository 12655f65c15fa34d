use super::*;

fn open(pn: u64) -> Open {
    Open { pn, dn: 1, depth: 0, work: 1 }
}

fn store(table: &Table, key: Key, question: u16, open: Open) {
    table.count(table.store_open(key, question, open));
}

fn answer(table: &Table, key: Key, question: u16, holds: bool, rank: u16, work: u64) {
    table.count(table.store_answer(key, question, holds, rank, work));
}

#[test]
fn what_is_stored_is_found_also_after_growing() {
    let mut table = Table::new(64 << 20);
    let keys: Vec<Key> = (0..200_000u128).map(|key| Key::new((key << 90) | (key * 3))).collect();
    let mut grown = 0;
    for (number, key) in keys.iter().enumerate() {
        store(&table, *key, 1, open(number as u64 % 500 + 1));
        if table.wants_to_grow() {
            table.grow();
            grown += 1;
        }
    }
    assert!(grown >= 3, "{grown}");
    let found = keys.iter().filter(|key| table.probe(**key, 1) != Seen::Nothing).count();
    // Few buckets have overflowed on the way.
    assert!(found > keys.len() * 9 / 10, "{found}");
    let (filled, _) = table.fill();
    assert!(filled as usize >= found && filled as usize <= keys.len(), "{filled} {found}");
    assert!(keys.iter().all(|key| table.probe(*key, 2) == Seen::Nothing));
}

#[test]
fn facts_answer_weaker_questions_and_stay() {
    let table = Table::new(64);
    let key = Key::new(5);
    answer(&table, key, 3, true, 2, 1);
    answer(&table, key, 6, false, 7, 1);
    for (question, seen) in [
        (1, Seen::Answer(true, 7)),
        (3, Seen::Answer(true, 7)),
        (4, Seen::Nothing),
        (6, Seen::Answer(false, 7)),
        (9, Seen::Answer(false, 7)),
    ] {
        assert_eq!(table.probe(key, question), seen);
    }
    store(&table, key, 4, open(7));
    assert_eq!(table.probe(key, 4), Seen::Open(open(7)));
    assert_eq!(table.fact(key), Some(Fact { proven: 3, refuted: 6, rank: 7 }));
    answer(&table, key, 4, false, 1, 1);
    assert_eq!(table.fact(key), Some(Fact { proven: 3, refuted: 4, rank: 7 }));
    // What another thread finds later and is weaker changes nothing.
    answer(&table, key, 5, false, 9, 1);
    answer(&table, key, 2, true, 9, 1);
    assert_eq!(table.fact(key), Some(Fact { proven: 3, refuted: 4, rank: 7 }));
    assert_eq!(table.fill().0, 1);
}

#[test]
fn the_entry_with_the_least_work_makes_room() {
    let table = Table::new(64);
    for (key, work) in [(1, 100), (2, 5), (3, 1), (4, 70), (5, 2)] {
        store(&table, Key::new(key), 1, Open { work, ..open(1) });
    }
    let kept: Vec<u128> = (1..=5).filter(|key| table.probe(Key::new(*key), 1) != Seen::Nothing).collect();
    assert_eq!(kept, [1, 2, 4, 5]);
}

#[test]
fn words_of_two_entries_fit_no_key() {
    let table = Table::new(64);
    let (one, other) = (Key::new(1), Key::new(2));
    answer(&table, one, 1, true, 0, 1);
    let torn = Entry::Fact(Fact { proven: 0, refuted: 1, rank: 0 }).packed(other, 1);
    table.buckets[0].0[0][1].store(torn, Relaxed);
    assert_eq!((table.fact(one), table.fact(other)), (None, None));
}

#[test]
fn a_sweep_removes_what_took_little_work() {
    let table = Table::new(1 << 20);
    let keys: Vec<Key> = (0..200_000).map(Key::new).collect();
    for (work, key) in keys.iter().enumerate() {
        store(&table, *key, 1, Open { work: work as u64, ..open(1) });
    }
    assert!(table.wants_to_sweep());
    let (before, _) = table.fill();
    table.begin_sweep();
    assert!(!table.wants_to_sweep());
    for _ in 0..table.len() {
        table.sweep_some();
    }
    let (after, _) = table.fill();
    assert!(after < before * 3 / 4 && after > before / 4, "{before} {after}");
    let kept = |range: std::ops::Range<usize>| {
        keys[range].iter().filter(|key| table.probe(**key, 1) != Seen::Nothing).count()
    };
    assert!(kept(0..1_000) == 0 && kept(199_000..200_000) > 900);
}

#[test]
fn a_stronger_answer_keeps_its_rank() {
    let table = Table::new(64);
    let key = Key::new(5);
    for (question, rank, kept) in [(2, 6, 6), (1, 3, 6), (2, 5, 5), (3, 8, 8)] {
        answer(&table, key, question, true, rank, 1);
        assert_eq!(table.fact(key).map(|fact| fact.rank), Some(kept));
    }
}

#[test]
fn more_memory_than_there_is_gives_a_smaller_table() {
    let table = Table::new(1000 << 40);
    store(&table, Key::new(1), 1, open(1));
    assert_eq!(table.probe(Key::new(1), 1), Seen::Open(open(1)));
    assert!(table.first << table.doublings_max <= table.buckets.len());
}
