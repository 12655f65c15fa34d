// The events of jobs, all in one stream, and only as long as there is something to hear: browsers open few connections to a server, and
// there may be many pages. The server keeps a job at work as long as somebody listens to it, and what it has found as long as
// somebody asks for it now and then.

import { eventsAddress, forget, keep } from "./api";

export type Handlers = Record<string, (data: never) => void>;

interface Told {
  job: string;
  number: number;
  data: unknown;
}

/** Names of events of all kinds of jobs. */
const NAMES = ["value", "claims", "progress", "end", "failed"];
const LAST = ["end", "failed"];
/** How often the server is asked to keep what was found. Pages out of sight are woken less often. */
const PERIOD = 30_000;

const jobs = new Map<string, Job>();
let source: EventSource | null = null;
let planned = false;
let keeper: number | null = null;

/** Opens the stream anew when the jobs are other ones. What happens in between is not lost: events are numbered. */
function reopen(): void {
  planned = false;
  source?.close();
  source = null;
  const atWork = [...jobs.values()].filter((job) => !job.ended);
  keepFound(jobs.size > atWork.length);
  if (atWork.length === 0) return;
  const stream = new EventSource(eventsAddress(atWork.map((job) => `${job.id}:${job.heard}`)));
  source = stream;
  for (const name of NAMES) {
    stream.addEventListener(name, (event) => {
      const { job, number, data } = JSON.parse((event as MessageEvent<string>).data) as Told;
      jobs.get(job)?.hear(name, number, data);
    });
  }
  stream.addEventListener("gone", (event) => {
    const { job } = JSON.parse((event as MessageEvent<string>).data) as { job: string };
    jobs.get(job)?.lost(false);
  });
  stream.onerror = () => {
    for (const job of jobs.values()) if (!job.ended) job.lost(stream.readyState !== EventSource.CLOSED);
  };
}

function plan(): void {
  if (planned) return;
  planned = true;
  queueMicrotask(reopen);
}

function keepFound(wanted: boolean): void {
  if (wanted === (keeper !== null)) return;
  if (keeper !== null) clearInterval(keeper);
  keeper = wanted ? setInterval(() => void ask(), PERIOD) : null;
}

async function ask(): Promise<void> {
  const ended = [...jobs.values()].filter((job) => job.ended).map((job) => job.id);
  // A server that does not answer now may do so the next time.
  const gone = await keep(ended).catch(() => []);
  for (const id of gone) jobs.get(id)?.lost(false);
}

// A page that goes leaves no work to others: the server would notice some seconds later.
addEventListener("pagehide", () => {
  for (const id of jobs.keys()) void forget(id);
});

export class Job {
  heard = 0;
  ended = false;

  /** `lost` is told `true` when the connection breaks and is tried again, `false` when the job is gone for good. */
  constructor(
    readonly id: string,
    private readonly handlers: Handlers,
    readonly lost: (again: boolean) => void,
  ) {
    jobs.set(id, this);
    plan();
  }

  hear(name: string, number: number, data: unknown): void {
    // A stream that was interrupted begins where it was opened.
    if (number <= this.heard) return;
    this.heard = number;
    if (LAST.includes(name)) {
      this.ended = true;
      plan();
    }
    this.handlers[name]?.(data as never);
  }

  /** Stops listening and has the job forgotten. */
  discard(): void {
    jobs.delete(this.id);
    plan();
    void forget(this.id);
  }
}
