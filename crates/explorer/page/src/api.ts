// Every message between page and server, as docs/formats/explorer.md has them, and the requests that carry them.

export type Player = "first" | "second";

export interface Place {
  game: string;
  position: string | null;
  moves: string | null;
}

export interface GameInfo {
  name: string;
  summary: string;
  /** What may stand after the name and a colon; empty if nothing may. */
  parameters: string;
  moves: string;
  position: string;
  example: string;
}

export interface AlgorithmInfo {
  name: string;
  tree: boolean | null;
}

export interface About {
  version: string;
  start: Place;
  games: GameInfo[];
  algorithms: AlgorithmInfo[];
  most: { jobs: number; certificate_bytes: number; rows: number; boards: number };
  memory: number;
}

export type Ink = "board" | "light" | "dark" | "hole" | "line" | "label" | "first" | "second" | "neutral";
export type Man = "king" | "queen" | "rook" | "bishop" | "knight" | "pawn";

export type Shape =
  | { kind: "rectangle"; x: number; y: number; width: number; height: number; ink: Ink }
  | { kind: "circle"; x: number; y: number; radius: number; ink: Ink }
  | { kind: "line"; x1: number; y1: number; x2: number; y2: number; ink: Ink }
  | { kind: "text"; x: number; y: number; size: number; text: string; ink: Ink }
  | { kind: "man"; x: number; y: number; man: Man; ink: Player };

export interface Spot {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Board {
  width: number;
  height: number;
  shapes: Shape[];
  spots: Spot[];
}

export interface Move {
  text: string;
  spots: number[] | null;
  label: [number, number] | null;
}

export interface Position {
  game: string;
  position: string;
  played: { text: string; by: Player }[];
  line: string;
  to_move: Player;
  names: Record<Player, string>;
  over: { text: string; for: Player } | null;
  repeated: boolean;
  goal: string;
  board: Board;
  moves: Move[];
}

export type Rank = "win" | "draw" | "loss" | "open";

export interface MoveValue {
  move: string;
  lower: number;
  upper: number;
  text: string;
  exact: boolean;
  rank: Rank;
  wins_in: number | null;
  best: boolean;
}

export interface ValuesEnd {
  stop: "solved" | "time" | "interrupted";
  best: string[];
}

export interface SearchRequest extends Place {
  goal: string;
  algorithm: string;
  nodes: number | null;
  memory: number | null;
  seconds: number | null;
}

export interface SearchProgress {
  state: "searching" | "paused" | "certificate";
  seconds: number;
  nodes: number;
  memory: number;
  pn: number | null;
  dn: number | null;
  at_least: number;
  question: string | null;
  lower: number;
  upper: number;
  bounds: string;
  tree: number | null;
  moves: number | null;
  solved: number | null;
  positions: number;
}

/** What `quod solve --json` prints, as far as the page shows it. */
export interface Report {
  verdict: string;
  best_move: string | null;
  line: string[];
  algorithm: string;
  why: string | null;
  nodes: number;
  memory_bytes: number;
  seconds: number;
  stop: string;
}

export interface SearchEnd {
  report: Report;
  answer: string;
  sentence: string;
  tree: number | null;
  certificate: { bytes: number } | null;
  certificate_problem: string | null;
}

export interface Claim {
  claim: string;
  sentence: string;
  claimer: Player;
  positions: number;
  moves: number;
}

export interface Claims {
  game: string;
  position: string;
  to_move: Player;
  claims: Claim[];
  positions: number;
  bytes: number;
  leans_on: string | null;
}

export interface CheckProgress {
  positions: number;
  of: number;
}

export interface CheckEnd {
  accepted: boolean;
  exact: { value: number; text: string } | null;
  /** Whether it can be gone through; the largest are only checked. */
  shown?: boolean;
  seconds: number;
}

export interface JobFailed {
  error: string;
  refused?: boolean;
}

export type NodeState = "open" | "proven" | "disproven" | "end" | "again";

export interface TreeNode {
  move: string | null;
  depth: number;
  or: boolean;
  pn?: number | null;
  dn?: number | null;
  bounds: string | null;
  state: NodeState;
  children: number;
  cut: boolean;
  best: boolean;
}

export interface TreeAnswer {
  node: TreeNode;
  rows: TreeNode[];
  cut: boolean;
  /** Missing in certificates, whose claims say it. */
  question: string | null;
  nodes: number | null;
}

export type TreeKind = { kind: "search" } | { kind: "solution" } | { kind: "certificate"; part: number };

/** An answer that is not what was asked for. `status` is 0 if the server could not be reached. */
export class Failure extends Error {
  readonly status: number;
  readonly hint: string | null;

  constructor(message: string, hint: string | null, status: number) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

export function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : new Failure(String(error), null, 0);
}

async function request(path: string, options: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Failure("the server does not answer", "is `quod explore` still running?", 0);
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => null);
  if (typeof told?.error === "string") throw new Failure(told.error, told.hint ?? null, response.status);
  throw new Failure(`the server answered with status ${response.status}`, null, response.status);
}

const get = async <T>(path: string): Promise<T> => (await request(path)).json();

const post = async <T>(path: string, body: unknown): Promise<T> =>
  (
    await request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  ).json();

/** Addresses are read by people too: what need not be escaped in a query stays as it is. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2C|2F)/g, (code) => decodeURIComponent(code));

/** A place as fields of a query. */
export function fieldsOf({ game, position, moves }: Place): string {
  const fields = Object.entries({ game, position, moves }).filter(([, text]) => text);
  return fields.map(([name, text]) => `${name}=${escaped(text!)}`).join("&");
}

const jobPath = (id: string): string => `/api/jobs/${encodeURIComponent(id)}`;

export const askAbout = (): Promise<About> => get("/api/about");

export const askPosition = (place: Place): Promise<Position> => get(`/api/position?${fieldsOf(place)}`);

export async function askBoards(game: string, position: string | null, lines: string[]): Promise<(Board | null)[]> {
  return (await post<{ boards: (Board | null)[] }>("/api/boards", { game, position, lines })).boards;
}

export async function startValues(place: Place): Promise<string> {
  return (await post<{ id: string }>("/api/jobs", { kind: "values", ...place })).id;
}

export async function startSearch(search: SearchRequest): Promise<string> {
  return (await post<{ id: string }>("/api/jobs", { kind: "search", ...search })).id;
}

export async function startProof(search: string): Promise<string> {
  return (await post<{ id: string }>("/api/jobs", { kind: "proof", of: search })).id;
}

export async function sendCertificate(file: Blob): Promise<string> {
  const response = await request("/api/certificates", {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  });
  return (await response.json()).id;
}

export async function command(id: string, word: "pause" | "resume" | "stop"): Promise<void> {
  await request(`${jobPath(id)}/${word}`, { method: "POST" });
}

/** Stops and forgets a job. One that is gone already is no failure. */
export async function forget(id: string): Promise<void> {
  // Also where the page is about to go.
  await request(jobPath(id), { method: "DELETE", keepalive: true }).catch(() => undefined);
}

/** Asks the server to keep what jobs have found; those that are gone. */
export async function keep(jobs: string[]): Promise<string[]> {
  return (await post<{ gone: string[] }>("/api/keep", { jobs })).gone;
}

export const eventsAddress = (jobs: string[]): string => `/api/events?jobs=${jobs.map(encodeURIComponent).join(",")}`;

export const certificateAddress = (id: string): string => `${jobPath(id)}/certificate`;

export function askTree(id: string, kind: TreeKind, path: string, depth: number, rows: number): Promise<TreeAnswer> {
  const fields = new URLSearchParams({ kind: kind.kind, path, depth: String(depth), rows: String(rows) });
  if (kind.kind === "certificate") fields.set("part", String(kind.part));
  return get(`${jobPath(id)}/tree?${fields}`);
}
