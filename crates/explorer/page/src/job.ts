// The events of jobs, all in one stream: browsers open few connections to a server, and there may be several pages. The server keeps a
// job as long as somebody listens to it.

import { eventsAddress, forget } from "./api";

export type Handlers = Record<string, (data: never) => void>;

interface Told {
  job: string;
  number: number;
  data: unknown;
}

/** Names of events of all kinds of jobs. */
const NAMES = ["value", "claims", "progress", "end", "failed"];

const jobs = new Map<string, Job>();
let source: EventSource | null = null;
let planned = false;

/** Opens the stream anew when the jobs are other ones. What happens in between is not lost: events are numbered. */
function reopen(): void {
  planned = false;
  source?.close();
  source = null;
  if (jobs.size === 0) return;
  const stream = new EventSource(eventsAddress([...jobs.values()].map((job) => `${job.id}:${job.heard}`)));
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
    for (const job of jobs.values()) job.lost(stream.readyState !== EventSource.CLOSED);
  };
}

function plan(): void {
  if (planned) return;
  planned = true;
  queueMicrotask(reopen);
}

export class Job {
  heard = 0;

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
    this.handlers[name]?.(data as never);
  }

  /** Stops listening and has the job forgotten. */
  discard(): void {
    jobs.delete(this.id);
    plan();
    void forget(this.id);
  }
}
