//! A server on a port of its own, and a client that says exactly what it is told to.

#![allow(dead_code)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use quod_explorer::{Options, serve};
use quod_solver::{Place, games};
use serde_json::Value;

/// Nothing here takes as long as this.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A server that ends with the test.
pub struct Running {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub fn new(jobs_max: usize) -> Self {
        let options = Options {
            address: Ipv4Addr::LOCALHOST.into(),
            names: vec!["solver.example".to_owned()],
            port: Some(0),
            game: "tictactoe".to_owned(),
            place: Place::default(),
            databases: None,
            jobs_max,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        let (told, address) = channel();
        let thread = std::thread::spawn(move || {
            let ready = |address| told.send(address).expect("somebody waits");
            serve(games(), options, ready, || stops.load(Ordering::SeqCst)).expect("a free port");
        });
        let address = address.recv_timeout(PATIENCE).expect("the server begins");
        Self { address, stop, thread: Some(thread) }
    }

    /// Sends a request with these lines of its head; a body is told by its length.
    pub fn raw(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        let length =
            if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        stream
            .write_all(format!("{head}\r\n{length}Connection: close\r\n\r\n").as_bytes())
            .expect("it listens");
        // Who refuses a body may close before it has come.
        let _ = stream.write_all(body);
        Answer::read(stream)
    }

    /// Sends a request whose head says how long its body is, or that it comes in pieces.
    pub fn chunked(&self, head: &str, body: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(format!("{head}\r\nConnection: close\r\n\r\n").as_bytes()).expect("it listens");
        let _ = stream.write_all(body);
        Answer::read(stream)
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        stream
    }

    pub fn get(&self, path: &str) -> Answer {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.address), b"")
    }

    pub fn post(&self, path: &str, body: &[u8]) -> Answer {
        let kind = "Content-Type: application/json";
        self.raw(&format!("POST {path} HTTP/1.1\r\nHost: {}\r\n{kind}", self.address), body)
    }

    pub fn delete(&self, path: &str) -> Answer {
        self.raw(&format!("DELETE {path} HTTP/1.1\r\nHost: {}", self.address), b"")
    }

    /// Begins a job and returns its name.
    pub fn begin(&self, fields: &Value) -> String {
        let answer = self.post("/api/jobs", fields.to_string().as_bytes());
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["id"].as_str().expect("a name").to_owned()
    }

    /// Listens to a job.
    pub fn listen(&self, id: &str) -> Listening {
        self.stream(&format!("GET /api/events?jobs={id} HTTP/1.1\r\nHost: {}", self.address))
    }

    /// Sends a request that is answered by events.
    pub fn stream(&self, head: &str) -> Listening {
        let mut stream = self.connect();
        stream.write_all(format!("{head}\r\n\r\n").as_bytes()).expect("it listens");
        let mut lines = BufReader::new(stream);
        let mut status = String::new();
        lines.read_line(&mut status).expect("an answer");
        assert!(status.contains("200"), "{status}");
        Listening { lines }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends");
        }
    }
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    fn read(mut stream: TcpStream) -> Self {
        let mut bytes = Vec::new();
        // A connection that is reset after the answer has still answered.
        let _ = stream.read_to_end(&mut bytes);
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        Self { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// The events of a job.
pub struct Listening {
    lines: BufReader<TcpStream>,
}

impl Listening {
    /// What the next event tells.
    pub fn next(&mut self) -> (String, Value) {
        let (name, mut told) = self.told();
        (name, told["data"].take())
    }

    /// The next event.
    pub fn told(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("an event in time");
            assert!(read > 0, "the stream has ended");
            if let Some(event) = line.strip_prefix("event: ") {
                event.trim().clone_into(&mut name);
            } else if let Some(data) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(data.trim()).expect("JSON"));
            }
        }
    }

    /// The first event that is wanted.
    pub fn find(&mut self, wanted: impl Fn(&str, &Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let (name, data) = self.next();
            if wanted(&name, &data) {
                return data;
            }
            assert!(begun.elapsed() < PATIENCE, "it did not come; last {name} {data}");
        }
    }

    pub fn end(&mut self) -> Value {
        self.find(|name, _| name == "end" || name == "failed")
    }
}
