//! Dialogues through pipes, as an interface has them.

use std::io::{BufRead as _, BufReader, PipeWriter, Write as _, pipe};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quod_solver::Place;

use super::converse;

/// Two moves to mate.
const LADDER: &str = "position fen 7k/8/8/8/R7/1R6/8/7K w - - 0 1";
const PATIENCE: Duration = Duration::from_secs(20);

struct Client {
    engine: Option<JoinHandle<()>>,
    commands: Option<PipeWriter>,
    lines: Receiver<String>,
}

impl Client {
    fn new() -> Self {
        let (commands_end, commands) = pipe().unwrap();
        let (answers, answers_end) = pipe().unwrap();
        let engine = std::thread::spawn(move || {
            let game = quod_solver::games().open("chess").unwrap();
            converse(&*game, &mut BufReader::new(commands_end), answers_end, true);
        });
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(answers).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let mut client = Self { engine: Some(engine), commands: Some(commands), lines };
        client.send("setoption name Hash value 16");
        client
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
        self.send_bytes(b"\n");
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.commands.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// All lines up to the first that begins so.
    fn until(&mut self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no \"{begin}\" after {lines:#?}"));
            lines.push(line);
            if lines.last().unwrap().starts_with(begin) {
                return lines;
            }
        }
    }

    /// What is said up to the answer to `isready`: the engine is alive.
    fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    fn ask(&mut self, position: &str, go: &str) -> Vec<String> {
        self.send(position);
        self.send(go);
        self.until("bestmove")
    }

    /// Nothing more comes after the end.
    fn end(mut self) -> Vec<String> {
        self.commands = None;
        self.engine.take().unwrap().join().unwrap();
        self.lines.iter().collect()
    }
}

fn has(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
}

#[test]
fn the_engine_introduces_itself() {
    let mut client = Client::new();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(has(&lines, "id name Quod") && has(&lines, "id author The Quod maintainers"), "{lines:#?}");
    assert!(has(&lines, "option name Hash type spin default"), "{lines:#?}");
    assert!(has(&lines, "option name Threads type spin default 1 min 1"), "{lines:#?}");
    assert_eq!(client.ready(), ["readyok"]);
    assert!(client.end().is_empty());
}

#[test]
fn a_mate_has_its_length_its_line_and_its_proof() {
    let mut client = Client::new();
    for go in ["go mate 2", "go nodes 100000", "go movetime 5000", "go depth 4", "go wtime 300000 btime 1000"]
    {
        let lines = client.ask(LADDER, go);
        let info = lines.iter().find(|line| line.contains("score")).unwrap();
        assert!(
            info.starts_with("info depth 3 seldepth 3 nodes ") && info.contains(" score mate 2 pv "),
            "{info}"
        );
        assert!(has(&lines, "info string mate in 2: proven"), "{lines:#?}");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(["a4a7", "b3b7"].contains(&best), "{lines:#?}");
        assert!(
            info.contains(&format!(" pv {best} ")) && lines.last().unwrap().contains(" ponder h8"),
            "{lines:#?}"
        );
    }
    let moved = client.ask(&format!("{LADDER} moves a4a7 h8g8"), "go mate 1");
    assert!(has(&moved, "score mate 1 pv b3b8") && moved.last().unwrap() == "bestmove b3b8", "{moved:#?}");
    let late = client.ask(LADDER, "go mate 1");
    assert!(has(&late, "score cp 0") && has(&late, "no mate within 1: proven"), "{late:#?}");
}

/// Castling and promotion as programs write them.
#[test]
fn moves_are_told_as_programs_tell_them() {
    let mut client = Client::new();
    let game = quod_solver::games().open("chess").unwrap();
    let place = Place { position: Some("4k3/P7/8/8/8/8/8/4K2R w K - 0 1".to_owned()), moves: None };
    let line = ["O-O", "Kd7", "a8=N"].map(str::to_owned);
    assert_eq!(game.engine_line(&place, &line).unwrap(), ["e1g1", "e8d7", "a7a8n"]);
    let promotion = client.ask("position fen 7k/P7/6K1/8/8/8/8/8 w - - 0 1", "go mate 1");
    let best = promotion.last().unwrap().as_str();
    assert!(["bestmove a7a8q", "bestmove a7a8r"].contains(&best), "{promotion:#?}");
    client.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1");
    client.send("d");
    let board = client.until("Fen: ");
    assert_eq!(board.last().unwrap(), "Fen: 4k3/8/8/8/8/8/8/5RK1 b - - 0 1");
    assert_eq!(board[0], "8 . . . . k . . .");
}

#[test]
fn where_there_is_no_mate_there_is_still_a_move() {
    let mut client = Client::new();
    let bare = client.ask("position fen 7k/8/8/8/8/8/8/K7 w - - 0 1", "go nodes 1000");
    assert!(has(&bare, "score cp 0") && has(&bare, "no forced mate: proven"), "{bare:#?}");
    let best = bare.last().unwrap();
    assert!(["bestmove a1a2", "bestmove a1b1", "bestmove a1b2"].contains(&best.as_str()), "{best}");
    let limited = client.ask("position startpos", "go nodes 1000");
    assert!(
        has(&limited, "score cp 0") && has(&limited, "nothing proven: the limit of nodes"),
        "{limited:#?}"
    );
    let begun = Instant::now();
    let timed = client.ask("position startpos moves e2e4", "go movetime 200");
    assert!((200..700).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
    assert!(has(&timed, "nothing proven: the time is over") && !has(&timed, "(none)"), "{timed:#?}");
    let mated = client.ask("position fen 6Qk/5K2/8/8/8/8/8/8 b - - 0 1", "go infinite\nstop");
    assert!(has(&mated, "score mate 0") && mated.last().unwrap() == "bestmove (none)", "{mated:#?}");
    let stalemated = client.ask("position fen 7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "go nodes 5");
    assert!(
        has(&stalemated, "score cp 0") && stalemated.last().unwrap() == "bestmove (none)",
        "{stalemated:#?}"
    );
}

#[test]
fn an_endless_search_ends_at_once_when_told() {
    let mut client = Client::new();
    client.send(LADDER);
    client.send("go infinite");
    let found = client.until("info string");
    assert!(has(&found, "score mate 2"), "{found:#?}");
    client.send("wait");
    assert_eq!(client.ready(), ["info string wait: this search ends by stop or ponderhit alone", "readyok"]);
    client.send("stop");
    assert!(client.until("bestmove").len() == 1);

    client.send("position startpos");
    let mut fastest = PATIENCE;
    for _ in 0..5 {
        client.send("go infinite");
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(client.ready(), ["readyok"], "it listens while it searches");
        let begun = Instant::now();
        client.send("stop");
        let lines = client.until("bestmove");
        fastest = fastest.min(begun.elapsed());
        assert!(has(&lines, "nothing proven: stopped"), "{lines:#?}");
    }
    // The fastest of several: the machine may be busy with something else.
    assert!(fastest < Duration::from_millis(50), "{fastest:?}");
    client.send("stop");
    client.send("ponderhit");
    assert_eq!(client.ready(), ["readyok"], "nothing is there to stop");
}

#[test]
fn pondering_keeps_the_move_until_it_is_due() {
    let mut client = Client::new();
    client.send(LADDER);
    client.send("go ponder wtime 1000 btime 1000");
    client.until("info string mate in 2: proven");
    assert_eq!(client.ready(), ["readyok"]);
    client.send("ponderhit");
    assert_eq!(client.until("bestmove").len(), 1);
    // The clock begins to run when the opponent has moved.
    client.send("position startpos");
    client.send("go ponder movetime 150");
    std::thread::sleep(Duration::from_millis(400));
    assert!(!has(&client.ready(), "bestmove"));
    let begun = Instant::now();
    client.send("ponderhit");
    client.until("bestmove");
    assert!((100..650).contains(&begun.elapsed().as_millis()), "{:?}", begun.elapsed());
}

/// Whatever comes, it is named, and the next question is answered.
#[test]
fn nonsense_is_survived() {
    let mut client = Client::new();
    for (line, part) in [
        ("hello", "unknown command \"hello\""),
        ("mosquit", "unknown command \"mosquit\""),
        ("go nodes x", "go: \"x\" is not understood"),
        ("setoption name Contempt value 3", "no option \"Contempt\""),
        ("setoption name Hash value much", "\"much\" is no number"),
        ("setoption name Threads value 0", "it is 1 now"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("position fen nonsense", "nonsense"),
        ("position startpos moves e2e5", "\"e2e5\" (move 1 of"),
        ("position startpos moves e2e4 e2e4", "move 2 of"),
        ("position startpos moves 0000", "0000"),
        ("position startpos moves \u{2654}", "position"),
        ("register later", "no registration"),
        ("debug maybe", "debug"),
    ] {
        client.send(line);
        let lines = client.ready();
        assert!(has(&lines, "info string ") && has(&lines, part) && lines.len() == 2, "{line}: {lines:#?}");
    }
    let none = client.ask("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go nodes 10");
    assert!(has(&none, "no position to search") && none.last().unwrap() == "bestmove (none)", "{none:#?}");
    client.send_bytes(&[0, 255, 13, 10, 200, 10]);
    client.send(&"x".repeat(3 << 20));
    client.send(&format!("position startpos moves {}", "e2e4 ".repeat(50_000)));
    let lines = client.ready();
    assert!(
        has(&lines, "more than a megabyte") && lines.iter().all(|line| line.len() < 500),
        "{}",
        lines.len()
    );
    assert!(has(&client.ask(LADDER, "go mate 2"), "score mate 2"));
    // The end comes in the middle of a word and of a search.
    client.send("go infinite");
    client.send_bytes(b"isre");
    let last = client.end();
    assert!(last.last().unwrap().starts_with("bestmove"), "{last:#?}");
}

/// A second search begins when the first has told its move.
#[test]
fn searches_follow_each_other() {
    let mut client = Client::new();
    client.send("setoption name Threads value 2");
    client.send("debug on");
    client.send("position startpos");
    client.send("go infinite");
    let both = client.ask(LADDER, "go mate 2");
    assert!(has(&both, "nothing proven: stopped"), "{both:#?}");
    let second = client.until("bestmove");
    assert!(has(&second, "score mate 2") && has(&second, "info string searched by "), "{second:#?}");
    client.send("ucinewgame");
    client.send("go infinite");
    client.send("quit");
    client.engine.take().unwrap().join().unwrap();
}
