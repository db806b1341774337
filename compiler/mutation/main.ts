// `make mutation`: changes the code of the rooms that decide what a page means, in small ways, one at a time, and asks
// the tests whether they notice. Folder by folder, so that a law is held only against tests that are about it.

import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { type Mutant, mutantsIn, scoreOf } from "./report.ts";

const ROOMS = ["compiler/policy", "compiler/check"];
/** Per cent of the changes that tests have to notice, room by room. */
const WANTED = 85;
const REPORTS = "build/mutation";
const STRYKER = "build/stryker/node_modules/@stryker-mutator/core/bin/stryker.js";

/** A room, and below it the folders of its laws. */
function foldersOf(room: string): string[] {
  return [room, ...globSync(`${room}/rules/*`).sort()];
}

function hold(folder: string): readonly Mutant[] {
  const report = `${REPORTS}/${folder.replaceAll("/", ".")}.json`;
  rmSync(report, { force: true });
  const { status, stdout } = spawnSync(process.execPath, [STRYKER, "run", "compiler/mutation/stryker.config.mjs"], {
    env: { ...process.env, SCOPE: folder, REPORT: report },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`Stryker did not get through ${folder}:\n${stdout}`);
  const mutants = mutantsIn(report);
  process.stdout.write(line(folder, mutants));
  return mutants;
}

function line(name: string, mutants: readonly Mutant[]): string {
  const noticed = mutants.filter((mutant) => mutant.noticed).length;
  return `${name.padEnd(52)}${scoreOf(mutants).toFixed(1).padStart(6)} %  ${noticed} of ${mutants.length}\n`;
}

const asked = process.argv[2];
const scopes = asked === undefined ? ROOMS.map((room) => ({ room, folders: foldersOf(room) })) : [];
if (asked !== undefined) scopes.push({ room: asked, folders: [asked] });

mkdirSync(REPORTS, { recursive: true });
const held = scopes.map(({ room, folders }) => ({ room, mutants: folders.flatMap(hold) }));
const all = held.flatMap(({ mutants }) => mutants);

const unnoticed = all.filter(({ noticed }) => !noticed);
writeFileSync(`${REPORTS}/survivors.txt`, unnoticed.map(({ place, change }) => `${place}\n${change}\n`).join("\n"));

const failed = held.filter(({ mutants }) => scoreOf(mutants) < WANTED).length;
process.stdout.write(`\n${held.map(({ room, mutants }) => line(room, mutants)).join("")}${line("in all", all)}`);
process.stdout.write(`what went unnoticed: ${REPORTS}/survivors.txt; at least ${WANTED} % are asked for\n`);
process.stdout.write(`${held.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
