//! Which nodes are expanded, and in which order: SSS-2 beside SSS* and alpha-beta (section 6). Leaves are not known until they are
//! expanded, as the paper has it.

use std::cell::RefCell;
use std::collections::HashSet;

use quod_model::Relative;

use super::plain::{Plain, Rules};
use crate::limits::{Budget, Progress, Search};
use crate::many::Interval;
use crate::minimax::{Keep, Sss2, SssStar, WindowMethod, WindowOptions, WindowSearch};

fn expanded<S: Search>(log: &RefCell<Vec<u32>>, mut search: S) -> Vec<u32> {
    assert!(matches!(search.advance(Budget::UNLIMITED), Progress::Done(_)));
    log.take()
}

#[test]
fn sss_2_is_sss_star_and_surpasses_alpha_beta() {
    let mut saved = 0;
    for seed in 0..10_000 {
        let outcomes = [2, 3, 5, 20][(seed % 4) as usize];
        let tree = if seed % 5 == 4 {
            Plain::uniform(seed, 3, 4, outcomes)
        } else {
            Plain::random(seed, 60, outcomes, Rules::Range)
        };
        let asked = Interval { lower: Relative(tree.range.0), upper: Relative(tree.range.1) };
        let log = RefCell::new(Vec::new());
        let cursor = || tree.recorded(&log);
        let options = WindowOptions { keep: Keep::Everything, ..WindowOptions::new(WindowMethod::AlphaBeta) };
        let sss_2 = expanded(&log, Sss2::new(cursor(), asked, 1 << 18));
        let sss_star = expanded(&log, SssStar::new(cursor(), asked, 1 << 18));
        let alpha_beta = expanded(&log, WindowSearch::new(cursor(), asked, options, 1 << 18));
        assert_eq!(sss_2, sss_star, "seed {seed}");
        let alpha_beta: HashSet<u32> = alpha_beta.into_iter().collect();
        assert!(sss_2.iter().all(|node| alpha_beta.contains(node)), "seed {seed}");
        saved += alpha_beta.len() - sss_2.len();
    }
    assert!(saved > 10_000, "{saved}");
}
