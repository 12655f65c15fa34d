//! What several tests share.

use quod_solver::{Deletion, Evaluate, Init, Many, Order, Switches, Update};

/// Every combination of switches; random orders have the seed 0.
pub(crate) fn combinations() -> Vec<Switches> {
    let combination = |number: u32| {
        let pick = |divisor: u32, count: u32| (number / divisor % count) as usize;
        Switches {
            init: Some([Init::One, Init::Mobility, Init::Guess][pick(1, 3)]),
            evaluate: Some([Evaluate::Immediate, Evaluate::Delayed][pick(3, 2)]),
            delete_solved: Some([Deletion::Never, Deletion::AtOnce, Deletion::WhenFull][pick(6, 3)]),
            delete_least_proving: pick(18, 2) == 1,
            update: Some([Update::Early, Update::Full][pick(36, 2)]),
            many: Some([Many::Binary, Many::Up, Many::Down][pick(72, 3)]),
            order: Some([Order::Generated, Order::Random(0)][pick(216, 2)]),
            ..Switches::default()
        }
    };
    (0..432).map(combination).collect()
}
