// One boot that shows two things: what processes find that try, from inside their jails, what their roles must not be able to
// do; and that the example beside which they do so keeps every claim of its script. jail-machine.ts has the machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { playMachine } from "./jail-machine.ts";
import { directoryOf, PROBERS as PROCESSES } from "./jail-probers.ts";

const folder = mkdtempSync(join(tmpdir(), "capos-jail-"));
// Before the tests are named: each claim of the script is one of them.
const { lines: said, verdicts } = await playMachine(folder).finally(() => rmSync(folder, { recursive: true }));

test.each(verdicts)("triage.chat:$line: $words", ({ passed, words }) => {
  expect(passed, words).toBe(true);
});

test("the script has claims, and there are some that every run makes", () => {
  expect(verdicts.filter(({ line }) => line > 0).length).toBeGreaterThan(60);
  expect(verdicts.some(({ line }) => line === 0)).toBe(true);
});

/** What each process found out about one thing. */
function found(fact: string): string[] {
  return PROCESSES.map(({ name }) => {
    const mark = `capos: ${name} said: ${fact}: `;
    return said.find((line) => line.startsWith(mark))?.slice(mark.length) ?? "nothing";
  });
}

const byAll = (answer: string): string[] => PROCESSES.map(() => answer);
const byDirectory = (answer: (directory: string) => string, otherwise: string): string[] =>
  PROCESSES.map(({ name }) => {
    const directory = directoryOf(name);
    return directory === undefined ? otherwise : answer(directory);
  });

test("the machine came up, saw each of them die, and went on", () => {
  const at = said.indexOf("capos: log_triage 0.1.0");
  expect(at).toBeGreaterThanOrEqual(0);
  for (const { name } of PROCESSES) expect(said.indexOf(`capos: ${name} stopped (exit 7)`), name).toBeGreaterThan(at);
});

test("each is its own user, the first of its own processes, and cannot become root or go before others", () => {
  expect(found("user")).toEqual(PROCESSES.map(({ uid }) => `${uid} ${uid} ${uid} 1 0`));
  expect(found("becomeRoot")).toEqual(byAll("EPERM EPERM EACCES"));
});

test("each sees the verified root and three devices, and nothing of init's", () => {
  expect(found("top")).toEqual(byAll("capos data dev lib lib64 tmp usr"));
  expect(found("devices")).toEqual(byAll("null urandom zero"));
  expect(found("ofInit")).toEqual(byAll("ENOENT ENOENT ENOENT ENOENT"));
});

test("nobody can write outside of a directory of its own", () => {
  expect(found("write")).toEqual(byAll("EROFS EROFS EROFS EROFS EROFS"));
});

test("a directory holds what is its owner's alone: written, but not run, given away, or linked to from elsewhere", () => {
  const own = (directory: string) => `allowed ["of-${directory}"] allowed undefined EACCES EPERM EXDEV`;
  expect(found("data")).toEqual(byDirectory(own, "allowed [] EROFS ENOENT ENOENT EROFS"));
});

test("there is no network, nothing to connect to, and no port that takes a privilege", () => {
  expect(found("interfaces")).toEqual(byAll("0"));
  expect(found("dial")).toEqual(byAll("ENETUNREACH ECONNREFUSED EACCES"));
});

test("no other process can be seen, and there is no shell", () => {
  expect(found("others")).toEqual(byAll("ESRCH"));
  expect(found("shell")).toEqual(byAll("ENOENT ENOENT"));
});

test("the environment is init's, the one descriptor that is a file is the artefact, and their number is limited", () => {
  // Node takes the words of its channel out itself.
  for (const environment of found("environment")) expect(environment).toMatch(/^CAPOS_\w+( CAPOS_\w+)*$/);
  expect(found("places")).toEqual(byAll("1"));
  expect(found("open")).toEqual(byAll("EMFILE"));
});
