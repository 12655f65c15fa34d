// One stream of events for one job. The server keeps a job as long as somebody listens.

import { eventsAddress, forget } from "./api";

export type Handlers = Record<string, (data: never) => void>;

export class Job {
  readonly id: string;
  private readonly source: EventSource;

  /** `lost` is told `true` when the connection breaks and is tried again, `false` when the job is gone for good. */
  constructor(id: string, handlers: Handlers, lost: (again: boolean) => void) {
    this.id = id;
    this.source = new EventSource(eventsAddress(id));
    for (const [name, handle] of Object.entries(handlers)) {
      this.source.addEventListener(name, (event) => handle(JSON.parse((event as MessageEvent<string>).data) as never));
    }
    this.source.onerror = () => lost(this.source.readyState !== EventSource.CLOSED);
  }

  /** Stops listening and has the job forgotten. */
  discard(): void {
    this.source.close();
    void forget(this.id);
  }
}
