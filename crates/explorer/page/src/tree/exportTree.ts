// The unfolded rows of a tree as files: an indented drawing, and a graph for Graphviz.

import { numbersOf, STATES } from "./wording";
import type { Row, TreeModel } from "./treeModel";

/** Larger drawings serve nobody. */
export const MOST_EXPORTED = 5000;

const INDENT = 22;
const LINE = 22;

const FILLS: Record<Row["state"], string> = {
  open: "#ffffff",
  proven: "#bfe5c8",
  disproven: "#f3c4bf",
  end: "#55524b",
  again: "#f1e7b8",
};

const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

/** What stands beside the move: numbers, and the state where it is not open. */
const details = (row: Row): string => [numbersOf(row), STATES[row.state].word].filter((part) => part).join(" · ");

export function toSvg(model: TreeModel, title: string): string {
  const rows = model.rows.slice(0, MOST_EXPORTED);
  const places = new Map(rows.map((row, index) => [row, { x: 20 + row.depth * INDENT, y: 50 + index * LINE }]));
  const parts = rows.map((row) => {
    const { x, y } = places.get(row)!;
    const above = row.parent && places.get(row.parent);
    const edge = above ? `<path d="M${above.x} ${above.y + 7}V${y}H${x - 7}" fill="none" stroke="#a09b90"/>` : "";
    const fill = `fill="${FILLS[row.state]}" stroke="#25231f"`;
    const shape = row.or
      ? `<rect x="${x - 6}" y="${y - 6}" width="12" height="12" ${fill}/>`
      : `<circle cx="${x}" cy="${y}" r="6.5" ${fill}/>`;
    const weight = model.onMostProvingPath(row) ? ' font-weight="bold"' : "";
    const text = escapeXml([row.move ?? "root", details(row)].filter((part) => part).join(" · "));
    return `${edge}${shape}<text x="${x + 14}" y="${y + 4}"${weight}>${text}</text>`;
  });
  const width = 380 + INDENT * rows.reduce((deepest, row) => Math.max(deepest, row.depth), 0);
  const height = 70 + rows.length * LINE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="14" y="24" font-weight="bold">${escapeXml(title)}</text>
${parts.join("\n")}
</svg>
`;
}

export function toDot(model: TreeModel, title: string): string {
  const rows = model.rows.slice(0, MOST_EXPORTED);
  const names = new Map(rows.map((row, index) => [row, `n${index}`]));
  const lines = rows.flatMap((row) => {
    const name = names.get(row)!;
    const shape = row.or ? "box" : "ellipse";
    // A node without words would be drawn as its name.
    const node = `  ${name} [label=${quoted(details(row) || " ")}, shape=${shape}, style=filled, fillcolor="${FILLS[row.state]}"${row.state === "end" ? ', fontcolor="#ffffff"' : ""}];`;
    if (!row.parent) return [node];
    const bold = model.onMostProvingPath(row) ? ", style=bold" : "";
    return [node, `  ${names.get(row.parent)} -> ${name} [label=${quoted(row.move ?? "")}${bold}];`];
  });
  return `digraph proof {\n  label=${quoted(title)};\n  labelloc=t;\n${lines.join("\n")}\n}\n`;
}

export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
