// Where an arrow key leads among things that lie on a plane.

import type { Spot } from "../api";

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const isArrow = (key: string): boolean => key in DIRECTIONS;

const middle = (spot: Spot): [number, number] => [spot.x + spot.width / 2, spot.y + spot.height / 2];

/** The nearest of `among` in the direction of the key; what lies aside counts double. */
export function neighbour(spots: Spot[], from: number, among: Iterable<number>, key: string): number | null {
  const [dx, dy] = DIRECTIONS[key]!;
  const [x, y] = middle(spots[from]!);
  let best: number | null = null;
  let least = Infinity;
  for (const candidate of among) {
    const [cx, cy] = middle(spots[candidate]!);
    const along = (cx - x) * dx + (cy - y) * dy;
    const aside = Math.abs((cx - x) * dy) + Math.abs((cy - y) * dx);
    const distance = along + 2 * aside;
    // Less than 45 degrees off, or the key would lead to places that nobody expects.
    if (candidate !== from && along > 0 && aside <= along * 1.5 && distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}
