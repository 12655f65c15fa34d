// Numbers, counts and places as people read them.

import type { Place } from "./api";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const shortest = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export const count = (value: number): string => whole.format(value);

/** For places with little room: 1.23M. */
export const brief = (value: number): string => (value < 10_000 ? whole.format(value) : short.format(value));

/** For places with next to no room: 1.2M. */
export const tiny = (value: number | null): string => (value === null ? "∞" : value < 1000 ? whole.format(value) : shortest.format(value));

export const counted = (value: number, one: string, many: string): string => `${count(value)} ${value === 1 ? one : many}`;

/** A proof or disproof number; the contract writes infinity as null. */
export const proofNumber = (value: number | null): string => (value === null ? "∞" : brief(value));

export function bytes(value: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? whole.format(value) : value.toPrecision(3)} ${units[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 120 ? `${minutes} min ${Math.floor(seconds % 60)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1GiB`, `500 MB`, `2k`, `1e6`, `0.5`: null where nothing is said, NaN where it is not understood. */
export function readAmount(text: string): number | null {
  const trimmed = text.trim().replaceAll(",", "");
  if (trimmed === "") return null;
  const match = /^([0-9.]+(?:e[0-9]+)?)\s*([kmgt]?)(i?)b?$/i.exec(trimmed);
  if (!match) return Number.NaN;
  const base = match[3] ? 1024 : 1000;
  return Number(match[1]) * base ** ["", "k", "m", "g", "t"].indexOf(match[2]!.toLowerCase());
}

/** The same of things that are counted. */
export function readCount(text: string): number | null {
  const amount = readAmount(text);
  return amount === null ? null : Math.round(amount);
}

/** What a game is called, from its summary: `Connect Four: drop stones ...`. */
export const titleOf = (summary: string): string => summary.charAt(0).toUpperCase() + summary.split(":")[0]!.slice(1);

export const joined = (...lines: (string | null)[]): string => lines.filter((line) => line).join(" ");

/** A place as people read it. */
export function placeText({ game, position, moves }: Place): string {
  return [game, position, moves && `after ${moves}`].filter(Boolean).join(", ");
}
