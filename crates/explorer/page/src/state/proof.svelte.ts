// A certificate: its claims, the check, and the walk through what it proves.

import {
  askTree,
  type CheckEnd,
  type CheckProgress,
  type Claim,
  type Claims,
  type Failure,
  failureOf,
  type JobFailed,
  type Place,
  type Position,
  sendCertificate,
  startProof,
} from "../api";
import { Job } from "../job";

type Source = { file: File } | { search: string };

/** What the proof says about the shown position. */
export type Here =
  | { kind: "asking" }
  | { kind: "defence"; answers: number }
  | { kind: "answer"; move: string }
  | { kind: "over"; result: string }
  | { kind: "settled" }
  | { kind: "again" }
  | { kind: "outside" }
  | { kind: "failed"; failure: Failure };

export class Proof {
  job = $state.raw<Job | null>(null);
  name = $state("");
  sending = $state(false);
  claims = $state.raw<Claims | null>(null);
  progress = $state.raw<CheckProgress | null>(null);
  end = $state.raw<CheckEnd | null>(null);
  failure = $state.raw<Failure | null>(null);
  refused = $state(false);
  /** Which claim is gone through. */
  part = $state(0);
  walking = $state(false);
  auto = $state(true);
  here = $state.raw<Here>({ kind: "asking" });
  private source: Source | null = null;
  private turn = 0;
  private question = 0;
  /** The line to a position where nothing is left to show, and why: that holds whatever is played on. */
  private settled: { line: string; kind: "settled" | "again" } | null = null;

  get accepted(): boolean {
    return this.end?.accepted === true;
  }

  /** Whether it can be gone through. */
  get walkable(): boolean {
    return this.accepted && this.end?.shown !== false;
  }

  get checking(): boolean {
    return this.sending || (this.job !== null && !this.end && !this.failure);
  }

  get claim(): Claim | null {
    return this.claims?.claims[this.part] ?? null;
  }

  get root(): Place | null {
    return this.claims && { game: this.claims.game, position: this.claims.position, moves: null };
  }

  openFile(file: File): Promise<void> {
    return this.open({ file }, file.name);
  }

  openSearch(search: string): Promise<void> {
    return this.open({ search }, "the search's certificate");
  }

  async again(): Promise<void> {
    if (this.source) await this.open(this.source, this.name);
  }

  /** Says why a file is not even sent. */
  reject(name: string, failure: Failure): void {
    this.clear(null, name);
    this.failure = failure;
  }

  private clear(source: Source | null, name: string): number {
    this.job?.discard();
    this.job = null;
    this.claims = this.progress = this.end = this.failure = null;
    this.refused = this.walking = false;
    this.part = 0;
    this.settled = null;
    this.source = source;
    this.name = name;
    return ++this.turn;
  }

  private async open(source: Source, name: string): Promise<void> {
    const turn = this.clear(source, name);
    this.sending = true;
    try {
      const id = "file" in source ? await sendCertificate(source.file) : await startProof(source.search);
      const job = new Job(
        id,
        {
          claims: (claims: Claims) => (this.claims = claims),
          progress: (progress: CheckProgress) => (this.progress = progress),
          end: (end: CheckEnd) => (this.end = end),
          failed: (failed: JobFailed) => {
            this.refused = failed.refused === true;
            this.failure = failureOf(failed.error);
          },
        },
        (again) => {
          if (!again && !this.failure) this.failure = failureOf("the server has forgotten this certificate");
        },
      );
      if (turn === this.turn) this.job = job;
      else job.discard();
    } catch (error) {
      if (turn === this.turn) this.failure = failureOf(error);
    } finally {
      if (turn === this.turn) this.sending = false;
    }
  }

  /** Takes up a claim. */
  choose(part: number): void {
    this.part = part;
    this.settled = null;
  }

  /** Whether a place is where the proof's game is played. */
  covers(place: Place | null): boolean {
    return place !== null && place.game === this.claims?.game && place.position === this.claims.position;
  }

  /** Asks what the proof says about a position, and says which move it answers with, if it has one. */
  async consult(shown: Position): Promise<string | null> {
    const { job, claim } = this;
    const question = ++this.question;
    if (!job || !claim) return null;
    this.here = { kind: "asking" };
    const here = await this.judge(job, claim, shown);
    if (question !== this.question) return null;
    this.here = here;
    return here.kind === "answer" ? here.move : null;
  }

  private async judge(job: Job, claim: Claim, shown: Position): Promise<Here> {
    if (this.settled && shown.line.startsWith(`${this.settled.line} `.trimStart())) return { kind: this.settled.kind };
    this.settled = null;
    try {
      const { node, rows } = await askTree(job.id, { kind: "certificate", part: this.part }, shown.line, 1, 1000);
      if (shown.over) return { kind: "over", result: `${shown.over.text} for ${shown.names[shown.over.for]}` };
      if (rows.length === 0) {
        this.settled = { line: shown.line, kind: node.state === "again" ? "again" : "settled" };
        return { kind: this.settled.kind };
      }
      if (shown.to_move !== claim.claimer) return { kind: "defence", answers: rows.length };
      return { kind: "answer", move: rows[0]!.move ?? "" };
    } catch (error) {
      const failure = failureOf(error);
      const gone = failure.status >= 400 && failure.status < 500;
      return gone ? { kind: "outside" } : { kind: "failed", failure };
    }
  }

  /** How long the line is at the defender's last decision, or null if there was none. */
  lastDecision(shown: Position): number | null {
    const index = shown.played.findLastIndex((move) => move.by !== this.claim?.claimer);
    return index < 0 ? null : index;
  }
}
