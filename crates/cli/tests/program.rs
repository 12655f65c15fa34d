//! `quod` as a program: answers, exit statuses, messages, files, limits and signals.

mod common;

use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use common::{assert_refused, interrupted, json, text};

fn quod(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quod")).args(arguments).output().expect("quod runs")
}

#[test]
fn a_report_has_the_names_that_are_documented() {
    let output = quod(&["solve", "connect4:4x4", "--goal", "win", "--algorithm", "pn", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    let names: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    let mut expected = vec![
        "game",
        "position",
        "to_move",
        "goal",
        "verdict",
        "value",
        "lower",
        "upper",
        "best_move",
        "line",
        "algorithm",
        "why",
        "nodes",
        "expansions",
        "updates",
        "peak_nodes",
        "memory_bytes",
        "seconds",
        "stop",
        "certificate",
    ];
    // Where the system says it.
    expected.extend(cfg!(target_os = "linux").then_some("resident_bytes"));
    expected.sort_unstable();
    let mut names = names;
    names.sort_unstable();
    assert_eq!(names, expected);
    assert_eq!(report["expansions"], 79_602);
    assert_eq!((&report["verdict"], &report["stop"]), (&"disproven".into(), &"solved".into()));
    let output = quod(&["solve", "connect4:4x4", "--goal", "draw", "--algorithm", "pn", "--json"]);
    assert_eq!(json(&output)["expansions"], 33_394);
}

#[test]
fn a_solved_game_comes_with_a_certificate_that_checks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c4.quod");
    let file = file.to_str().unwrap();
    let output = quod(&["solve", "connect4:4x4", "--certificate", file]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let answer = text(&output.stdout);
    assert!(answer.contains("draw for x: the exact value, proven"), "{answer}");
    assert!(!answer.contains('\u{1b}') && output.stderr.is_empty(), "control codes or noise in a pipe");
    let narrow = |line: &str| line.contains(file) || line.chars().count() <= 80;
    assert!(answer.lines().all(narrow), "{answer}");
    let output = quod(&["check", file]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("so the value is exactly 0 (draw)"));
    assert_eq!(json(&quod(&["check", file, "--json"]))["value"], 0);

    let mut bytes = std::fs::read(file).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(file, bytes).unwrap();
    let output = quod(&["check", file]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("damaged"), "{}", text(&output.stderr));
}

#[test]
fn bad_input_has_status_2_and_a_message_to_act_on() {
    for (arguments, parts) in [
        (
            &["solve", "conect4"][..],
            &["conect4", "did you mean \"connect4\"", "games: tictactoe, connect4"][..],
        ),
        (&["solve", "connect4:0x7"], &["connect4:0x7", "at least 1x1"]),
        (&["solve", "connect4:300x300"], &["300x300", "128 at the most"]),
        (&["solve", "connect4:4294967295x4294967295"], &["is not possible"]),
        (&["solve", "connect4:7"], &["\"7\" is not a board size", "connect4:7x6"]),
        (&["solve", "connect4:7x6,rows=4"], &["unknown parameter \"rows=4\"", "row=N"]),
        (&["solve", "connect4:7x6,row=0"], &["row=0", "from 1 to 64"]),
        (&["solve", "tictactoe:3"], &["takes no parameters"]),
        (&["solve", "connect4:4x4", "--moves", "11115"], &["move 5 of \"11115\"", "legal moves: 2 3 4"]),
        (&["solve", "connect4:4x4", "--moves", "1 é"], &["move 2", "é"]),
        (
            &["solve", "connect4:4x4", "--position", "xx../..../..../...."],
            &["number of stones is wrong: x has 2"],
        ),
        (&["solve", "connect4:4x4", "--position", "...."], &["it has 1 rows, the board has 4"]),
        (&["solve", "tictactoe", "--goal", "mate"], &["mate", "value, win, draw"]),
        (&["solve", "tictactoe", "--memory", "10KiB"], &["64KiB is the least"]),
        (&["solve", "tictactoe", "--memory", "much"], &["64MiB"]),
        (&["solve", "tictactoe", "--time", "soon"], &["90s"]),
        (&["solve", "tictactoe", "--init", "guess"], &["--algorithm pn"]),
        (&["solve", "tictactoe", "--init", "guess", "--algorithm", "pn"], &["tictactoe has no guess"]),
        (&["solve", "tictactoe", "--order", "random"], &["random:SEED"]),
        (
            &["solve", "tictactoe", "--algorithm", "pn2", "--second-level", "huge"],
            &["huge", "allis, breuker"],
        ),
        (
            &["solve", "tictactoe", "--algorithm", "pn2", "--second-level", "breuker:0,5"],
            &["breuker:1800000,240000"],
        ),
        (
            &["solve", "tictactoe", "--algorithm", "gpn", "--many", "up"],
            &["--many", "gpn does not know it", "pn, pn2, pn-dag"],
        ),
        (&["solve", "tictactoe", "--algorithm", "pn", "--ends", "unknown"], &["gpn, gpn-dag, gpn2 do"]),
        (&["solve", "tictactoe", "--algorithm", "magic"], &["magic", "auto, pn"]),
        (&["solve", "tictactoe", "--certificate", "/no/such/folder/c.quod"], &["/no/such/folder/c.quod"]),
        (&["check", "/no/such/file"], &["/no/such/file"]),
        (&["reproduce", "allis2050"], &["allis2050", "saffidine2011-1"]),
        (&["reproduce", "schijf1993-B", "--data", "no/such/folder"], &["data \"no/such/folder\""]),
        (
            &["solve", "awari", "--algorithm", "pn", "--compat", "breuker1994"],
            &["breuker1994", "chess is the game"],
        ),
        (
            &["solve", "chess", "--goal", "value", "--algorithm", "pn", "--compat", "breuker1994"],
            &["breuker1994", "--goal win"],
        ),
        (&["nonsense"], &["nonsense"]),
    ] {
        let output = quod(arguments);
        assert_refused(&output, arguments, parts);
    }
}

/// In chess, mate is what is asked if nothing is said.
#[test]
fn chess_is_about_mate() {
    let ladder = ["solve", "chess", "--position", "7k/8/8/8/R7/1R6/8/7K w - -"];
    let with = |more: &[&'static str]| quod(&[&ladder[..], more].concat());
    for goal in [&[][..], &["--goal", "mate"], &["--goal", "win"]] {
        let answer = text(&with(goal).stdout);
        assert!(answer.contains("Answer       yes: White mates in 2 (proven)"), "{answer}");
    }
    assert_eq!(json(&with(&["--json"]))["goal"], "mate");
    assert!(text(&with(&["--goal", "value"]).stdout).contains("win for White: the exact value, proven"));
    let bare = quod(&["solve", "chess", "--position", "7k/8/8/8/8/8/8/K7 w - -"]);
    assert!(text(&bare.stdout).contains("no: White cannot force mate (proven)"));
    let wrong = with(&["--goal", "check"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("mate, value, win, draw"), "{}", text(&wrong.stderr));
}

#[test]
fn limits_end_with_status_3_and_a_report() {
    for (limit, value, stop, algorithm) in [
        ("--nodes", "5000", "nodes", "auto"),
        ("--time", "200ms", "time", "auto"),
        // Depth-first search has always enough.
        ("--memory", "64KiB", "memory", "pn"),
    ] {
        let begun = Instant::now();
        let output = quod(&["solve", "connect4:7x6", limit, value, "--json", "--algorithm", algorithm]);
        assert_eq!(output.status.code(), Some(3), "{limit}: {}", text(&output.stderr));
        let report = json(&output);
        assert_eq!((&report["stop"], &report["verdict"]), (&stop.into(), &"unknown".into()));
        assert!(begun.elapsed() < Duration::from_secs(5), "{limit}");
    }
    let output = quod(&["solve", "connect4:7x6", "--nodes", "5000"]);
    assert!(text(&output.stdout).contains("unknown: the limit of nodes is reached"));
}

/// The most memory that was resident while a process ran, by asking every few milliseconds.
#[cfg(target_os = "linux")]
fn peak_resident_bytes(child: &mut std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("it can be waited for").is_none() {
        if let Ok(text) = std::fs::read_to_string(&status)
            && let Some(line) = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))
        {
            let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse().expect("a number");
            peak = peak.max(kibibytes * 1024);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}

/// A limit of search memory is one of the whole program but for a constant. The board is one that no search finishes in the time it gets, however fast the machine.
#[cfg(target_os = "linux")]
#[test]
fn memory_of_the_whole_program_stays_within_the_limit_and_a_constant() {
    const CONSTANT: u64 = 16 << 20;
    for switches in [
        &["pn", "--delete-least-proving"][..],
        &["pn", "--delete-least-proving", "--delete-solved"],
        &["pn"],
        &["pn2", "--second-level", "breuker:100000,20000"],
        &["gpn"],
        &["gpn2"],
        &["mopn-dag"],
        &["pn-graph", "--delete-least-proving", "--delete-solved=full"],
        &["dfpn", "--threads", "2"],
        &["pn-dfpn", "--threads", "2"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quod"))
            .args(["solve", "connect4:7x6", "--memory", "64MiB", "--time", "2s", "--json", "--algorithm"])
            .args(switches)
            .stdout(Stdio::piped())
            .spawn()
            .expect("quod runs");
        let seen = peak_resident_bytes(&mut child);
        let output = child.wait_with_output().expect("it ends");
        let report = json(&output);
        // What grew since somebody looked last is in the report alone.
        let reported = report["resident_bytes"].as_u64().expect("a number");
        assert!(seen <= reported + (1 << 20), "{switches:?}: {seen} bytes resident, {reported} reported");
        let peak = seen.max(reported);
        println!("{switches:?}: {} MiB resident, {}", peak >> 20, report["memory_bytes"]);
        assert_eq!(output.status.code(), Some(3), "{switches:?}: {report}");
        assert!(peak < (64 << 20) * 11 / 10 + CONSTANT, "{switches:?}: {peak} bytes resident");
        assert!(report["memory_bytes"].as_u64().unwrap() <= (64 << 20) * 11 / 10);
        if switches[0] == "pn" {
            let filled = report["stop"] == "memory" || report["nodes"].as_u64().unwrap() > 4_000_000;
            assert!(filled, "{switches:?} needs more than fits: {report}");
        }
    }
}

/// So does what comes after the search: the strategy, its certificate and its compression, where they fit and where they do not.
#[cfg(target_os = "linux")]
#[test]
fn certificates_stay_within_the_limit_too() {
    const CONSTANT: u64 = 16 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let certificate = folder.path().join("proof.quod");
    for (game, algorithm, mebibytes) in [
        ("connect4:6x5", "auto", 48),
        ("connect4:6x5", "auto", 100),
        ("connect4:5x5", "mopn-dag", 90),
        ("connect4:5x5", "pn-graph", 64),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quod"))
            .args([
                "solve",
                game,
                "--algorithm",
                algorithm,
                "--memory",
                &format!("{mebibytes}MiB"),
                "--certificate",
            ])
            .arg(&certificate)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("quod runs");
        let peak = peak_resident_bytes(&mut child);
        println!("{game} {algorithm} in {mebibytes} MiB: {} MiB resident", peak >> 20);
        assert!(peak < (mebibytes << 20) * 11 / 10 + CONSTANT, "{game} {algorithm}: {peak} bytes");
    }
}

/// A system that gives less memory than the limit allows is no abort: what is there is all.
#[cfg(target_os = "linux")]
#[test]
fn a_system_that_gives_less_memory_is_no_abort() {
    for algorithm in ["pn", "pn2", "pn-graph", "pn-dag", "gpn", "mopn-dag", "dfpn", "pn-dfpn", "sss2"] {
        let output = Command::new("bash")
            .args(["-c", "ulimit -v 300000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quod")])
            .args([
                "solve",
                "connect4:7x6",
                "--memory",
                "1GiB",
                "--time",
                "4s",
                "--json",
                "--algorithm",
                algorithm,
            ])
            .output()
            .expect("it runs");
        assert_eq!(output.status.code(), Some(3), "{algorithm}: {}", text(&output.stderr));
        let stop = json(&output)["stop"].as_str().map(str::to_owned);
        println!("{algorithm}: {stop:?}, {}", json(&output)["memory_bytes"]);
    }
}

/// A reader that goes away, a full disk, and places where no certificate may go.
#[cfg(unix)]
#[test]
fn outputs_that_cannot_be_written_are_no_panic() {
    let quod = env!("CARGO_BIN_EXE_quod");
    for command in ["games", "solve tictactoe", "solve tictactoe --json", "reproduce", "completions bash"] {
        let shell = |redirected: &str| {
            let output = Command::new("sh").args(["-c", &format!("{quod} {command} {redirected}")]).output();
            output.expect("sh runs")
        };
        let closed = shell("| true");
        assert!(closed.stderr.is_empty(), "{command}: {}", text(&closed.stderr));
        let full = shell("> /dev/full");
        assert_eq!(full.status.code(), Some(1), "{command}: {}", text(&full.stderr));
        assert!(text(&full.stderr).contains("cannot write to standard output"), "{}", text(&full.stderr));
    }
}

#[cfg(unix)]
#[test]
fn a_certificate_replaces_ordinary_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let solve = |file: &str| quod(&["solve", "tictactoe", "--certificate", file]);
    std::fs::write(path("old"), "old").unwrap();
    std::os::unix::fs::symlink(path("old"), path("link")).unwrap();
    assert_eq!(solve(&path("link")).status.code(), Some(0));
    assert!(std::fs::symlink_metadata(path("link")).unwrap().is_symlink());
    assert_eq!(quod(&["check", &path("old")]).status.code(), Some(0));

    use std::os::unix::fs::PermissionsExt as _;
    let mode = |name: &str| std::fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    let script =
        format!("umask 027; {} solve tictactoe --certificate {}", env!("CARGO_BIN_EXE_quod"), path("new"));
    assert!(Command::new("sh").args(["-c", &script]).output().unwrap().status.success());
    assert_eq!(mode("new"), 0o640, "a new file is as the umask wants it");
    std::fs::set_permissions(path("new"), std::fs::Permissions::from_mode(0o604)).unwrap();
    assert_eq!(solve(&path("new")).status.code(), Some(0));
    assert_eq!(mode("new"), 0o604, "a replaced file keeps its mode");

    let made = Command::new("mkfifo").arg(path("pipe")).status().unwrap();
    assert!(made.success());
    let mut permissions = std::fs::metadata(path("old")).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(path("old"), permissions).unwrap();
    for (name, reason) in
        [("pipe", "no ordinary file"), ("", "no ordinary file"), ("old", "read-only"), ("a/b", "no folder")]
    {
        let output = solve(&path(name));
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(reason), "{name}: {}", text(&output.stderr));
    }
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// Solved, and no node left for the certificate: that is neither success nor unsolved.
#[test]
fn a_missing_certificate_has_status_1() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("c.quod");
    let output = quod(&[
        "solve",
        "connect4:4x4",
        "--goal",
        "win",
        "--algorithm",
        "pn",
        "--delete-solved",
        "--nodes",
        "233152",
        "--certificate",
        file.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no certificate: the limit of nodes"), "{}", text(&output.stderr));
    assert!(!file.exists());
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_with_a_report() {
    let child = Command::new(env!("CARGO_BIN_EXE_quod"))
        .args(["solve", "connect4:7x6", "--memory", "2GiB", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("quod runs");
    let output = interrupted(child, Duration::from_millis(700));
    assert_eq!(json(&output)["stop"], "interrupted");
}

#[test]
fn lists_help_completions_and_man_pages_are_there() {
    let games = json(&quod(&["games", "--json"]));
    assert_eq!(games.as_array().unwrap().len(), 10);
    for game in games.as_array().unwrap() {
        // Every example that is shown works, as a shell would split it.
        let example = game["example"].as_str().unwrap();
        let output = Command::new("sh")
            .args(["-c", &example.replace("quod ", &format!("{} ", env!("CARGO_BIN_EXE_quod")))])
            .output()
            .expect("sh runs");
        assert_eq!(output.status.code(), Some(0), "{example}: {}", text(&output.stderr));
    }
    for command in [
        "",
        "solve",
        "compare",
        "analyze",
        "play",
        "check",
        "games",
        "reproduce",
        "uci",
        "completions",
        "man",
    ] {
        let words = [command, "--help"];
        let help = text(&quod(&words[usize::from(command.is_empty())..]).stdout);
        assert!(help.contains("Example"), "{command:?}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{command:?}: {help}");
    }
    assert!(text(&quod(&["completions", "bash"]).stdout).contains("complete -F"));
    let folder = tempfile::tempdir().unwrap();
    assert!(quod(&["man", folder.path().to_str().unwrap()]).status.success());
    assert!(folder.path().join("quod-solve.1").exists());
    assert!(text(&quod(&["games"]).stdout).lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn published_tables_come_as_json() {
    let output = quod(&["reproduce", "schijf1993-4.1", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    let cells = json(&output);
    assert_eq!(cells[0]["published"], 17_086);
    assert_eq!(cells[1]["column"], "dag");
    let measured = cells[1]["measured"].as_u64().expect("a number");
    assert!(measured.abs_diff(3_265) < 50, "{measured}");
}
