// Counts the lines that tests run, for each room, and for each part of the repository with a promised share.

import { dirname, relative } from "node:path";
import { findRoom } from "../structure/rooms.ts";
import { getField } from "./report.ts";
import type { Result } from "./stage.ts";

/** Counts of the lines on which a statement begins. */
interface Lines {
  /** Room such as `lang/grammar`; the folder of the file if it belongs to no room. */
  readonly room: string;
  readonly run: number;
  readonly all: number;
}

/**
 * Parts of the repository, and the minimum percentage of their lines that tests run. Some lines of the engine run only on
 * booted machines.
 */
const LEAST: ReadonlyMap<string, number> = new Map([
  ["lang", 95],
  ["compiler", 95],
  ["engine", 90],
]);
/** Parts to judge. If `PART` names a part, only the tests of this part run, so only this part is judged. */
const PARTS = process.env["PART"] ? [process.env["PART"]] : [...LEAST.keys()];

/**
 * Returns the counts of each room, by name. `summary` is Istanbul's report: counts by file path. The paths begin with
 * `checkout`.
 */
export function countRoomLines(summary: unknown, checkout: string): readonly Lines[] {
  const files = summary !== null && typeof summary === "object" ? Object.entries(summary) : [];
  const counted = files
    .filter(([path]) => path !== "total")
    .map(([path, file]) => countFileLines(relative(checkout, path), file));
  return [...Map.groupBy(counted, ({ room }) => room)]
    .map(([room, lines]) => sum(room, lines))
    .sort((a, b) => (a.room < b.room ? -1 : 1));
}

function countFileLines(path: string, file: unknown): Lines {
  const lines = getField(file, "lines");
  const count = (name: string): number => Number(getField(lines, name) ?? 0);
  return { room: findRoom(dirname(path)), run: count("covered"), all: count("total") };
}

function sum(room: string, lines: readonly Lines[]): Lines {
  const computeTotal = (count: (each: Lines) => number): number =>
    lines.reduce((before, each) => before + count(each), 0);
  return { room, run: computeTotal(({ run }) => run), all: computeTotal(({ all }) => all) };
}

function sumParts(rooms: readonly Lines[]): readonly Lines[] {
  return PARTS.map((part) =>
    sum(
      part,
      rooms.filter(({ room }) => room.split("/")[0] === part),
    ),
  );
}

/** Returns a row for each room with lines, and one for each part. */
export function drawLines(rooms: readonly Lines[]): string {
  const rows = [
    ...rooms.filter(({ all }) => all > 0),
    ...sumParts(rooms).map((part) => ({ ...part, room: `all ${part.room}` })),
  ];
  return rows.map((lines) => `${lines.room.padEnd(24)}${formatLines(lines)}\n`).join("");
}

function formatLines(lines: Lines): string {
  return `${computeShare(lines).toFixed(1).padStart(6)} %  ${lines.run} of ${lines.all} lines`;
}

/** Returns the percentage of run lines. A part without counted lines was not measured, and has the share 0. */
function computeShare({ run, all }: Lines): number {
  return all === 0 ? 0 : (100 * run) / all;
}

/** Checks for each part whether tests run the promised percentage of its lines. */
export function checkClaims(rooms: readonly Lines[]): Result {
  const getLeast = ({ room }: Lines): number => LEAST.get(room) ?? 100;
  const short = sumParts(rooms).filter((lines) => computeShare(lines) < getLeast(lines));
  return {
    passed: PARTS.length - short.length,
    failed: short.length,
    failures: short.map((lines) => ({
      name: `lines of ${lines.room}`,
      words: `${formatLines(lines)}, ${getLeast(lines)} % are promised`,
    })),
  };
}
