// What each move of the shown position is worth, as far as the server has worked it out.

import { type Failure, failureOf, type MoveValue, type Place, startValues, type ValuesEnd } from "../api";
import { Job } from "../job";

/** Positions whose moves are all known are remembered, so that going back and forth starts nothing. */
const REMEMBERED = 200;

/** The status of a server that does too much already, and when it is asked again. */
const BUSY = 429;
const PAUSE = 3000;

type Known = Map<string, MoveValue>;

export class Values {
  known = $state.raw<Known>(new Map());
  working = $state(false);
  failure = $state.raw<Failure | null>(null);
  /** Whether the server has given up before everything was known. */
  tooHard = $state(false);
  private readonly finished = new Map<string, Known>();
  private job: Job | null = null;
  private turn = 0;

  /** Works on the moves of this place from now on; on none if it is null. */
  async look(place: Place | null): Promise<void> {
    const turn = ++this.turn;
    this.job?.discard();
    this.job = null;
    this.failure = null;
    this.tooHard = false;
    const key = JSON.stringify(place);
    const remembered = this.finished.get(key);
    this.known = remembered ?? new Map();
    this.working = place !== null && !remembered;
    if (!place || remembered) return;
    try {
      const id = await startValues(place);
      const job = new Job(
        id,
        {
          value: (value: MoveValue) => (this.known = new Map(this.known).set(value.move, value)),
          end: (end: ValuesEnd) => this.end(key, end),
          failed: (failed: { error: string }) => this.fail(failureOf(failed.error)),
        },
        (again) => !again && this.fail(failureOf("the connection to the server was lost")),
      );
      if (turn === this.turn) this.job = job;
      else job.discard();
    } catch (error) {
      if (turn !== this.turn) return;
      const failure = failureOf(error);
      this.fail(failure);
      // Others have the server's time just now.
      if (failure.status === BUSY) setTimeout(() => turn === this.turn && void this.look(place), PAUSE);
    }
  }

  private end(key: string, end: ValuesEnd): void {
    const best = new Set(end.best);
    this.known = new Map([...this.known].map(([move, value]) => [move, { ...value, best: best.has(move) }]));
    this.tooHard = end.stop === "time";
    if (end.stop === "solved") {
      if (this.finished.size >= REMEMBERED) this.finished.delete(this.finished.keys().next().value!);
      this.finished.set(key, this.known);
    }
    this.rest();
  }

  private fail(failure: Failure): void {
    this.failure = failure;
    this.rest();
  }

  private rest(): void {
    this.working = false;
    this.job?.discard();
    this.job = null;
  }
}
