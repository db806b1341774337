// `make mutation`: changes the code of the rooms that decide the meaning of a page, one small change at a time. For
// each change it runs the tests, and records whether they detect the change. It measures a few laws at a time, so that
// only tests about these laws run.

import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { computeRange, computeScore, type Mutant, readMutants } from "./report.ts";
import { keepScore } from "./scores.ts";

/** Measured rooms, each with the folders whose files are mutated; `*` matches the folder of each law. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "compiler/phases/policy": ["compiler/phases/policy"],
  "compiler/rules": ["compiler/rules", "compiler/rules/support", "compiler/rules/laws/*"],
  "targets/contract": ["targets/contract"],
};
/** Minimum percentage of mutants that tests must detect, for each room. */
const WANTED = 85;
/**
 * Number of laws in one run. A start of Stryker costs as much as a hundred mutants, and each law in a run makes the
 * tests of all mutants slower.
 */
const LAWS_AT_A_TIME = 6;
const REPORTS = "build/mutation";
const STRYKER = "build/stryker/node_modules/@stryker-mutator/core/bin/stryker.js";

/** Groups the folders of a room. One run measures one group. */
function groupFolders(folders: readonly string[]): string[][] {
  return folders.flatMap((folder) => {
    if (!folder.endsWith("/*")) return [[folder]];
    const laws = globSync(`${folder}/`).sort();
    const starts = laws.map((_, index) => index).filter((index) => index % LAWS_AT_A_TIME === 0);
    return starts.map((start) => laws.slice(start, start + LAWS_AT_A_TIME));
  });
}

function hold(folders: readonly string[]): readonly Mutant[] {
  const report = `${REPORTS}/${folders[0]?.replaceAll("/", ".")}.json`;
  rmSync(report, { force: true });
  const { status, stdout } = spawnSync(process.execPath, [STRYKER, "run", "compiler/dev/stryker/stryker.config.mjs"], {
    env: { ...process.env, SCOPE: folders.join(","), REPORT: report },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`Stryker did not get through ${folders.join(", ")}:\n${stdout}`);
  const mutants = readMutants(report);
  const inFolder = Map.groupBy(mutants, ({ place }) => dirname(place));
  for (const folder of folders) process.stdout.write(formatScore(folder, inFolder.get(folder) ?? []));
  return mutants;
}

function formatScore(name: string, mutants: readonly Mutant[]): string {
  const noticed = mutants.filter((mutant) => mutant.noticed).length;
  return `${name.padEnd(52)}${computeScore(mutants).toFixed(1).padStart(6)} %  ${noticed} of ${mutants.length}\n`;
}

const asked = process.argv[2];
const scopes =
  asked === undefined
    ? Object.entries(ROOMS).map(([room, folders]) => ({ room, groups: groupFolders(folders) }))
    : [{ room: asked, groups: ROOMS[asked] === undefined ? [asked.split(",")] : groupFolders(ROOMS[asked]) }];

mkdirSync(REPORTS, { recursive: true });
const held = scopes.map(({ room, groups }) => ({ room, mutants: groups.flatMap(hold) }));
const isSample = (process.env["SAMPLE"] ?? "") !== "";
if (!isSample) for (const { room, mutants } of held) keepScore(room, mutants);
const all = held.flatMap(({ mutants }) => mutants);

const unnoticed = all.filter(({ noticed }) => !noticed);
writeFileSync(`${REPORTS}/survivors.txt`, unnoticed.map(({ place, change }) => `${place}: ${change}\n`).join(""));

const failed = held.filter(({ mutants }) => computeScore(mutants) < WANTED).length;
process.stdout.write(
  `\n${held.map(({ room, mutants }) => formatScore(room, mutants)).join("")}${formatScore("in all", all)}`,
);
const [low, high] = computeRange(all);
if (isSample) process.stdout.write(`of all changes between ${low.toFixed(1)} and ${high.toFixed(1)} % are noticed\n`);
process.stdout.write(`what went unnoticed: ${REPORTS}/survivors.txt; at least ${WANTED} % are asked for\n`);
process.stdout.write(`${held.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
