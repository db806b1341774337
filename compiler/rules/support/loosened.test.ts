import { expect, test } from "vitest";
import { compilePage, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { resolveSessions } from "../../phases/policy/index.ts";
import { findLoosenedLines } from "./index.ts";

const TOP = 'use std.profiles  principal alice { ssh "keys/alice.pub" }';
const SERVICES =
  "service notes : Files { state 1 MiB }  service board : Files { state 1 MiB }  service tmp : Scratch { state 1 MiB }";
const END = 'storage { disk "capos-data" }  image { target linux  machine vm  boot operator }';

async function loosened(sessions: string, rest = ""): Promise<readonly string[]> {
  const { diagnostics, model } = await compilePage(
    renderFactsPage({
      top: TOP,
      services: SERVICES,
      backends: "backend canned { stub  clearance secret }",
      sessions,
      rest: rest + END,
    }),
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ code, message }) => `${code}: ${message}`)).toEqual([]);
  if (model === undefined) throw new Error("the page has no model");
  return findLoosenedLines({ model, resolution: resolveSessions(model) }).map(
    ({ place, line, by, tools, shown }) =>
      `${place}: ${line.words} < ${by.map(({ words }) => words).join("; ")}: ${tools.join(", ")}: ${shown.arguments}: ${shown.before} → ${shown.after}`,
  );
}

const of = (permit: string) => `session operator { kind operator  models { auto canned }  permit { ${permit} } }`;
const from = (base: string, permit: string) =>
  `abstract session base { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  ${base} } }
   session operator from base { permit { ${permit} } }`;
/** No looser than LOCKED by its modes, and looser below /locked. */
const LOG = 'consent notes.write where path under "/" else forbidden';
const LOCKED = 'forbidden Files.write where path under "/locked" else consent';
const widened = (permit: string) =>
  `session root { kind operator  models { auto canned }  permit { auto readOnly  forbidden mutatingLocal } }
   session base extends root { widen { consent notes.write } because "CHG-1" }
   session operator from base { permit { ${permit} } }`;
/** Holds nothing back outside of /locked. */
const HELD = 'forbidden Files.write where path under "/locked" else auto';
/** More specific than LOCKED and HELD. */
const EMPTY = 'Files.write where path under "/locked" and size(content) == 0';

test.each([
  [
    "a more specific line",
    of(`auto readOnly, notes.write  ${LOCKED}`),
    [`operator: ${LOCKED} < auto readOnly, notes.write: notes.write: {"content":"","path":"locked"}: forbidden → auto`],
  ],
  [
    "what a profile asks a signature for",
    "session operator from profiles.operator { models { auto canned }  principals alice  login key  permit { consent * } }",
    ['operator: stepUp destructive, admin < consent *: board.delete, notes.delete: {"path":""}: stepUp → consent'],
  ],
  [
    "a category that goes before a line of the base",
    from(LOCKED, "auto mutatingLocal"),
    [
      `operator: ${LOCKED} < auto mutatingLocal: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
      'operator: consent mutatingLocal < auto mutatingLocal: tmp.delete, tmp.write: {"path":""}: consent → auto',
    ],
  ],
  [
    "another condition that goes before one of the base",
    from(LOCKED, "auto Files.write where size(content) <= 64 KiB else consent"),
    [
      `operator: ${LOCKED} < auto Files.write where size(content) <= 64 KiB else consent: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
    ],
  ],
  [
    "a line as general as one of the base that asks",
    from("consent Files.delete", "auto Files.delete"),
    ['operator: consent Files.delete < auto Files.delete: board.delete, notes.delete: {"path":""}: consent → auto'],
  ],
  [
    "a line more general than one of the base that asks",
    from("consent Files.delete", "auto destructive"),
    ['operator: consent Files.delete < auto destructive: board.delete, notes.delete: {"path":""}: consent → auto'],
  ],
  [
    "a line that asks only under a condition, before one of the base that always asks",
    from("", 'auto mutatingLocal where path under "/tmp" else consent'),
    [
      'operator: consent mutatingLocal < auto mutatingLocal where path under "/tmp" else consent: board.write, notes.write, tmp.delete, tmp.write: {"content":"","path":"tmp"}: consent → auto',
    ],
  ],
  [
    "what is forbidden in general",
    of("auto notes.read, notes.list  forbidden *"),
    ['operator: forbidden * < auto notes.read, notes.list: notes.list, notes.read: {"path":""}: forbidden → auto'],
  ],
  [
    "what asks in place of what never runs",
    of(`auto readOnly  consent notes.write  forbidden mutatingLocal`),
    [
      'operator: forbidden mutatingLocal < consent notes.write: notes.write: {"content":"","path":""}: forbidden → consent',
    ],
  ],
  [
    "a more specific line, as far as another line of the key does not displace the stricter one",
    of(`auto readOnly, notes.write  ${HELD}  consent ${EMPTY} else auto`),
    [`operator: ${HELD} < auto readOnly, notes.write: notes.write: {"content":"a","path":"locked"}: forbidden → auto`],
  ],
  [
    "each of two lines of a key that are strict",
    of(`auto readOnly, notes.write  ${HELD}  ${HELD.replace("locked", "locked/free")}`),
    [
      `operator: ${HELD} < auto readOnly, notes.write: notes.write: {"content":"","path":"locked"}: forbidden → auto`,
      `operator: ${HELD.replace("locked", "locked/free")} < auto readOnly, notes.write: notes.write: {"content":"","path":"locked/free"}: forbidden → auto`,
    ],
  ],
  [
    "a line that asks for a signature where it displaces one that forbids, beside that one",
    of(`auto readOnly, notes.write  ${HELD}  stepUp ${EMPTY} else auto`).replace("models", "principals alice  models"),
    [
      `operator: ${HELD} < auto readOnly, notes.write: notes.write: {"content":"a","path":"locked"}: forbidden → auto`,
      `operator: stepUp ${EMPTY} else auto < auto readOnly, notes.write: notes.write: {"content":"","path":"locked"}: stepUp → auto`,
    ],
  ],
  [
    "a line of the base, as far as another one of the base does not displace it",
    from(`${HELD}  auto ${EMPTY} else consent`, "auto notes.write"),
    [`operator: ${HELD} < auto notes.write: notes.write: {"content":"a","path":"locked"}: forbidden → auto`],
  ],
  [
    "a line of the base that asks under a condition, as far as it is not displaced",
    from(`consent Files.write where path under "/locked" else auto  auto ${EMPTY} else auto`, "auto Files.write"),
    [
      'operator: consent Files.write where path under "/locked" else auto < auto Files.write: board.write, notes.write: {"content":"a","path":"locked"}: consent → auto',
    ],
  ],
  [
    "a line that forbids all but what its condition lets through",
    of('auto readOnly, notes.write  auto Files.write where path under "/free" else forbidden'),
    [
      'operator: auto Files.write where path under "/free" else forbidden < auto readOnly, notes.write: notes.write: {"content":"","path":""}: forbidden → auto',
    ],
  ],
  [
    "a line of the base that asks about all but what its condition lets through",
    from('auto Files.write where path under "/free" else consent', "auto Files.write"),
    [
      'operator: auto Files.write where path under "/free" else consent < auto Files.write: board.write, notes.write: {"content":"","path":""}: consent → auto',
    ],
  ],
  [
    "several lines of a key together",
    of(
      'auto readOnly  auto notes.write where path under "/a" else consent  auto notes.write where path under "/b" else consent  forbidden Files.write',
    ),
    [
      'operator: forbidden Files.write < auto notes.write where path under "/a" else consent; auto notes.write where path under "/b" else consent: notes.write: {"content":"","path":""}: forbidden → consent',
    ],
  ],
  [
    "lines of a base and of the base of that",
    `abstract session first { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  ${LOCKED} } }
     abstract session base from first { permit { consent Files.delete } }
     session operator from base { permit { auto Files.write, Files.delete } }`,
    [
      'operator: consent Files.delete < auto Files.write, Files.delete: board.delete, notes.delete: {"path":""}: consent → auto',
      `operator: ${LOCKED} < auto Files.write, Files.delete: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
    ],
  ],
  [
    "only what exists there",
    from("consent Files.delete", "auto Files.delete").replace(
      "permit { auto F",
      "suppress notes.delete  permit { auto F",
    ),
    ['operator: consent Files.delete < auto Files.delete: board.delete: {"path":""}: consent → auto'],
  ],
  [
    "each of two lines, for tools of their own",
    of("auto readOnly  auto notes.write  consent board.write  forbidden mutatingLocal"),
    [
      'operator: forbidden mutatingLocal < consent board.write: board.write: {"content":"","path":""}: forbidden → consent',
      'operator: forbidden mutatingLocal < auto notes.write: notes.write: {"content":"","path":""}: forbidden → auto',
    ],
  ],
  [
    "what a line of the base asks, beside another one that asks elsewhere",
    from(`consent Files.write where path under "/locked" else auto  auto ${EMPTY} else consent`, "auto Files.write"),
    [
      'operator: consent Files.write where path under "/locked" else auto < auto Files.write: board.write, notes.write: {"content":"a","path":"locked"}: consent → auto',
      `operator: auto ${EMPTY} else consent < auto Files.write: board.write, notes.write: {"content":"","path":""}: consent → auto`,
    ],
  ],
  [
    "lines of two bases, of which none displaces the other's",
    `session root { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  ${LOCKED} } }
     session base extends root { permit { forbidden ${EMPTY} else consent } }
     session operator from base { permit { auto Files.write } }`,
    [
      `operator: ${LOCKED} < auto Files.write: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
      `operator: forbidden ${EMPTY} else consent < auto Files.write: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
    ],
  ],
  [
    "what the base asks about by a widening",
    widened("auto notes.write"),
    [
      'operator: widen consent notes.write because "CHG-1" < auto notes.write: notes.write: {"content":"","path":""}: consent → auto',
    ],
  ],
])("%s loosens a line, and a call shows it", async (_, sessions, expected) => {
  expect(await loosened(sessions)).toEqual(expected);
});

test("a task loosens lines of its own alone, for all that is around it holds as well", async () => {
  const task = (permit: string) => `task mend in operator { permit { ${permit} } } `;
  const around = of(`auto readOnly  consent mutatingLocal`);
  expect(await loosened(around, task(`consent notes.write  ${LOCKED}`))).toEqual([
    `operator.mend: ${LOCKED} < consent notes.write: notes.write: {"content":"","path":"locked"}: forbidden → consent`,
  ]);
  const strict = of(`auto readOnly  ${LOCKED}`);
  expect(await loosened(strict, task(`${LOG}  ${LOCKED}`))).toEqual([]);
});

test("a task does not loosen again what its session loosens", async () => {
  const task = "task mend in operator { permit { auto Files.delete } } ";
  expect(await loosened(from("consent Files.delete", "auto Files.delete"), task)).toEqual([
    'operator: consent Files.delete < auto Files.delete: board.delete, notes.delete: {"path":""}: consent → auto',
  ]);
});

test("a phase loosens lines of its own", async () => {
  const phase = (permit: string) => `task mend in operator { phase first { permit { ${permit} } } } `;
  expect(await loosened(of("auto readOnly  consent mutatingLocal"), phase(`consent notes.write  ${LOCKED}`))).toEqual([
    `operator.mend.first: ${LOCKED} < consent notes.write: notes.write: {"content":"","path":"locked"}: forbidden → consent`,
  ]);
});

test.each([
  [
    "lines of one key, of which the strictest decides",
    of(`auto readOnly  auto Files.write where size(content) <= 1 KiB else consent  ${LOCKED}`),
  ],
  [
    "one that forbids all that the other does not let through",
    of(
      'auto readOnly  consent notes.write where path under "/free" else forbidden  forbidden Files.write where path under "/locked" else consent',
    ),
  ],
  ["an exception from asking", of("auto readOnly, notes.write  consent mutatingLocal")],
  ["an exception from what the base asks about in general", from("", "auto notes.write")],
  [
    "an exception from what a widening of the base asks about",
    widened("auto notes.write").replace("consent notes.write", "consent mutatingLocal"),
  ],
  ["a line of the base that asks about no more", from("consent Files.delete", "consent destructive")],
  ["a line that is stricter", of(`auto readOnly  forbidden notes.write  ${LOCKED}`)],
  [
    "one that forbids what the other does",
    of(`auto readOnly  forbidden notes.write where path under "/locked" else consent  ${LOCKED}`),
  ],
  [
    "a parent that keeps it back all the same",
    `session base { kind operator  models { auto canned }  permit { auto readOnly  ${LOCKED} } }
     session operator extends base { permit { ${LOG}  ${LOCKED} } }`,
  ],
  [
    "what is widened with a reason",
    `session base { kind operator  models { auto canned }  permit { auto readOnly  ${LOCKED} } }
     session operator extends base { widen { auto notes.write } because "CHG-1" }`,
  ],
  [
    "what does not exist there",
    from(LOCKED, "auto notes.*").replace("permit { auto notes.*", "suppress notes.write  permit { auto notes.*"),
  ],
])("%s loosens nothing", async (_, sessions) => {
  expect(await loosened(sessions)).toEqual([]);
});
