// A tree as the flat list of its unfolded rows. Rows are plain objects: a hundred thousand of them must not be watched one by one.

import { Failure, type TreeAnswer, type TreeNode } from "../api";
import { joined } from "../format";

export interface Row extends TreeNode {
  parent: Row | null;
  /** Whether its children are listed below it. */
  unfolded: boolean;
}

export type Ask = (path: string, depth: number, rows: number) => Promise<TreeAnswer>;

/** How many nodes the most-proving path is followed down. */
const LONGEST_PATH = 400;

export class TreeModel {
  rows: Row[] = [];
  question: string | null = null;
  nodes: number | null = null;
  private readonly ask: Ask;
  private readonly most: number;
  private readonly changed: () => void;

  /** `most` is how many rows one answer may have; `changed` is called whenever there is something new to see. */
  constructor(ask: Ask, most: number, changed: () => void) {
    this.ask = ask;
    this.most = most;
    this.changed = changed;
  }

  get root(): Row | null {
    return this.rows[0] ?? null;
  }

  async load(): Promise<void> {
    const answer = await this.ask("", 1, this.most);
    const root: Row = { ...answer.node, depth: 0, parent: null, unfolded: false };
    this.rows = [root];
    await this.graft(root, answer);
  }

  pathOf(row: Row): string {
    const moves: string[] = [];
    for (let at: Row | null = row; at?.parent; at = at.parent) moves.push(at.move ?? "");
    return joined(...moves.reverse());
  }

  onMostProvingPath(row: Row): boolean {
    for (let at: Row | null = row; at?.parent; at = at.parent) if (!at.best) return false;
    return row.parent !== null;
  }

  /** The place in the list after the last row below this one. */
  private endOf(index: number): number {
    const depth = this.rows[index]!.depth;
    let end = index + 1;
    while (end < this.rows.length && this.rows[end]!.depth > depth) end += 1;
    return end;
  }

  async unfold(row: Row, depth = 1): Promise<void> {
    if (row.children === 0) return;
    await this.graft(row, await this.ask(this.pathOf(row), depth, this.most));
  }

  fold(row: Row): void {
    const index = this.rows.indexOf(row);
    if (index < 0) return;
    row.unfolded = false;
    this.replace(index + 1, this.endOf(index), []);
    this.changed();
  }

  /** Goes down the most-proving path, unfolding what is folded, and says where it ends. */
  async follow(): Promise<Row | null> {
    let row = this.root;
    for (let steps = 0; row && steps < LONGEST_PATH; steps += 1) {
      if (!row.unfolded) await this.unfold(row);
      const next: Row | undefined = this.childrenOf(row).find((child) => child.best);
      if (!next) break;
      row = next;
    }
    return row;
  }

  /** Asks again what stands directly below these rows. What is gone is folded. */
  async refresh(parents: Row[]): Promise<void> {
    for (const parent of parents) {
      if (!parent.unfolded || !this.rows.includes(parent)) continue;
      try {
        await this.renew(parent);
      } catch (error) {
        if (!(error instanceof Failure) || error.status !== 410) throw error;
        this.fold(parent);
      }
    }
    this.changed();
  }

  /** All rows whose children are listed, those above first. */
  unfoldedRows(most: number): Row[] {
    const unfolded: Row[] = [];
    for (const row of this.rows) {
      if (row.unfolded && unfolded.push(row) >= most) break;
    }
    return unfolded;
  }

  childrenOf(row: Row): Row[] {
    const index = this.rows.indexOf(row);
    if (index < 0) return [];
    return this.rows.slice(index + 1, this.endOf(index)).filter((below) => below.parent === row);
  }

  /** Puts an answer in the place of all that is listed below a row. */
  private async graft(row: Row, answer: TreeAnswer): Promise<void> {
    const index = this.rows.indexOf(row);
    if (index < 0) return;
    this.learn(row, answer);
    const listed = new Map<Row, number>();
    const path: Row[] = [row];
    const below = answer.rows.map((node): Row => {
      path.length = node.depth;
      const parent = path.at(-1)!;
      parent.unfolded = true;
      listed.set(parent, (listed.get(parent) ?? 0) + 1);
      const made = { ...node, depth: row.depth + node.depth, parent, unfolded: false };
      path.push(made);
      return made;
    });
    row.unfolded = below.length > 0;
    this.replace(index + 1, this.endOf(index), below);
    this.changed();
    // An answer that was cut short lists some children of a few rows and not the others.
    if (answer.cut) for (const [parent, count] of listed) if (count < parent.children) await this.renew(parent);
  }

  /** Brings the children of a row up to date; what is unfolded below them stays. */
  private async renew(row: Row): Promise<void> {
    const answer = await this.ask(this.pathOf(row), 1, this.most);
    const index = this.rows.indexOf(row);
    if (index < 0 || !row.unfolded) return;
    this.learn(row, answer);
    const end = this.endOf(index);
    const blocks = new Map<string, Row[]>();
    for (let at = index + 1; at < end; ) {
      const next = this.endOf(at);
      blocks.set(this.rows[at]!.move ?? "", this.rows.slice(at, next));
      at = next;
    }
    const below = answer.rows.map((node) => this.renewed(row, node, blocks.get(node.move ?? "")));
    row.unfolded = below.length > 0;
    this.replace(index + 1, end, below.flat());
    this.changed();
  }

  private renewed(parent: Row, node: TreeNode, block: Row[] | undefined): Row[] {
    const depth = parent.depth + 1;
    if (!block) return [{ ...node, depth, parent, unfolded: false }];
    const row = block[0]!;
    // Numbers that are missing now must not stay from before.
    delete row.pn;
    delete row.dn;
    Object.assign(row, node, { depth });
    if (node.children > 0) return block;
    row.unfolded = false;
    return [row];
  }

  private learn(row: Row, { node, question, nodes }: TreeAnswer): void {
    const { move, depth, best } = row;
    delete row.pn;
    delete row.dn;
    Object.assign(row, node, { move, depth, best });
    this.question = question;
    this.nodes = nodes;
  }

  private replace(from: number, to: number, rows: Row[]): void {
    // Not splice: its arguments would not fit on the stack.
    if (rows.length > 0 || to > from) this.rows = this.rows.slice(0, from).concat(rows, this.rows.slice(to));
  }
}
