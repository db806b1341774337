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
/** Line with the mode `consent` also for paths under /locked, for which LOCKED has the mode `forbidden`. */
const LOG = 'consent notes.write where path under "/" else forbidden';
const LOCKED = 'forbidden Files.write where path under "/locked" else consent';
const widened = (permit: string) =>
  `session root { kind operator  models { auto canned }  permit { auto readOnly  forbidden mutatingLocal } }
   session base extends root { widen { consent notes.write } because "CHG-1" }
   session operator from base { permit { ${permit} } }`;
/** Line that restricts only paths under /locked. */
const HELD = 'forbidden Files.write where path under "/locked" else auto';
/** Pattern and condition of a line that is more specific than LOCKED and HELD. */
const EMPTY = 'Files.write where path under "/locked" and size(content) == 0';

test.each([
  [
    "a more specific line",
    of(`auto readOnly, notes.write  ${LOCKED}`),
    [`operator: ${LOCKED} < auto readOnly, notes.write: notes.write: {"content":"","path":"locked"}: forbidden → auto`],
  ],
  [
    "a line before one of a profile that asks for a signature",
    "session operator from profiles.operator { models { auto canned }  principals alice  login key  permit { consent * } }",
    ['operator: stepUp destructive, admin < consent *: board.delete, notes.delete: {"path":""}: stepUp → consent'],
  ],
  [
    "a category that takes precedence over a line of the base",
    from(LOCKED, "auto mutatingLocal"),
    [
      `operator: ${LOCKED} < auto mutatingLocal: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
      'operator: consent mutatingLocal < auto mutatingLocal: tmp.delete, tmp.write: {"path":""}: consent → auto',
    ],
  ],
  [
    "a condition that takes precedence over one of the base",
    from(LOCKED, "auto Files.write where size(content) <= 64 KiB else consent"),
    [
      `operator: ${LOCKED} < auto Files.write where size(content) <= 64 KiB else consent: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
    ],
  ],
  [
    "a line as general as a line of the base that asks",
    from("consent Files.delete", "auto Files.delete"),
    ['operator: consent Files.delete < auto Files.delete: board.delete, notes.delete: {"path":""}: consent → auto'],
  ],
  [
    "a line more general than a line of the base that asks",
    from("consent Files.delete", "auto destructive"),
    ['operator: consent Files.delete < auto destructive: board.delete, notes.delete: {"path":""}: consent → auto'],
  ],
  [
    "a line with a conditional question, before one of the base that always asks",
    from("", 'auto mutatingLocal where path under "/tmp" else consent'),
    [
      'operator: consent mutatingLocal < auto mutatingLocal where path under "/tmp" else consent: board.write, notes.write, tmp.delete, tmp.write: {"content":"","path":"tmp"}: consent → auto',
    ],
  ],
  [
    "a specific line before one that forbids in general",
    of("auto notes.read, notes.list  forbidden *"),
    ['operator: forbidden * < auto notes.read, notes.list: notes.list, notes.read: {"path":""}: forbidden → auto'],
  ],
  [
    "a line that asks, before one that forbids",
    of(`auto readOnly  consent notes.write  forbidden mutatingLocal`),
    [
      'operator: forbidden mutatingLocal < consent notes.write: notes.write: {"content":"","path":""}: forbidden → consent',
    ],
  ],
  [
    "a more specific line, for calls for which no other line displaces the stricter one",
    of(`auto readOnly, notes.write  ${HELD}  consent ${EMPTY} else auto`),
    [`operator: ${HELD} < auto readOnly, notes.write: notes.write: {"content":"a","path":"locked"}: forbidden → auto`],
  ],
  [
    "a line that displaces two strict lines with one pattern",
    of(`auto readOnly, notes.write  ${HELD}  ${HELD.replace("locked", "locked/free")}`),
    [
      `operator: ${HELD} < auto readOnly, notes.write: notes.write: {"content":"","path":"locked"}: forbidden → auto`,
      `operator: ${HELD.replace("locked", "locked/free")} < auto readOnly, notes.write: notes.write: {"content":"","path":"locked/free"}: forbidden → auto`,
    ],
  ],
  [
    "a line that asks for a signature and displaces one that forbids",
    of(`auto readOnly, notes.write  ${HELD}  stepUp ${EMPTY} else auto`).replace("models", "principals alice  models"),
    [
      `operator: ${HELD} < auto readOnly, notes.write: notes.write: {"content":"a","path":"locked"}: forbidden → auto`,
      `operator: stepUp ${EMPTY} else auto < auto readOnly, notes.write: notes.write: {"content":"","path":"locked"}: stepUp → auto`,
    ],
  ],
  [
    "a line before one of the base that another line of the base displaces in part",
    from(`${HELD}  auto ${EMPTY} else consent`, "auto notes.write"),
    [`operator: ${HELD} < auto notes.write: notes.write: {"content":"a","path":"locked"}: forbidden → auto`],
  ],
  [
    "a line before a conditional one of the base that is displaced in part",
    from(`consent Files.write where path under "/locked" else auto  auto ${EMPTY} else auto`, "auto Files.write"),
    [
      'operator: consent Files.write where path under "/locked" else auto < auto Files.write: board.write, notes.write: {"content":"a","path":"locked"}: consent → auto',
    ],
  ],
  [
    "a line before one that forbids all calls outside of its condition",
    of('auto readOnly, notes.write  auto Files.write where path under "/free" else forbidden'),
    [
      'operator: auto Files.write where path under "/free" else forbidden < auto readOnly, notes.write: notes.write: {"content":"","path":""}: forbidden → auto',
    ],
  ],
  [
    "a line before one of the base that asks for all calls outside of its condition",
    from('auto Files.write where path under "/free" else consent', "auto Files.write"),
    [
      'operator: auto Files.write where path under "/free" else consent < auto Files.write: board.write, notes.write: {"content":"","path":""}: consent → auto',
    ],
  ],
  [
    "several lines with one pattern together",
    of(
      'auto readOnly  auto notes.write where path under "/a" else consent  auto notes.write where path under "/b" else consent  forbidden Files.write',
    ),
    [
      'operator: forbidden Files.write < auto notes.write where path under "/a" else consent; auto notes.write where path under "/b" else consent: notes.write: {"content":"","path":""}: forbidden → consent',
    ],
  ],
  [
    "a line before lines of the base and of its own base",
    `abstract session first { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  ${LOCKED} } }
     abstract session base from first { permit { consent Files.delete } }
     session operator from base { permit { auto Files.write, Files.delete } }`,
    [
      'operator: consent Files.delete < auto Files.write, Files.delete: board.delete, notes.delete: {"path":""}: consent → auto',
      `operator: ${LOCKED} < auto Files.write, Files.delete: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
    ],
  ],
  [
    "a line before one about tools that are partly suppressed",
    from("consent Files.delete", "auto Files.delete").replace(
      "permit { auto F",
      "suppress notes.delete  permit { auto F",
    ),
    ['operator: consent Files.delete < auto Files.delete: board.delete: {"path":""}: consent → auto'],
  ],
  [
    "each of two lines for different tools",
    of("auto readOnly  auto notes.write  consent board.write  forbidden mutatingLocal"),
    [
      'operator: forbidden mutatingLocal < consent board.write: board.write: {"content":"","path":""}: forbidden → consent',
      'operator: forbidden mutatingLocal < auto notes.write: notes.write: {"content":"","path":""}: forbidden → auto',
    ],
  ],
  [
    "a line before one of the base, beside a second one that asks elsewhere",
    from(`consent Files.write where path under "/locked" else auto  auto ${EMPTY} else consent`, "auto Files.write"),
    [
      'operator: consent Files.write where path under "/locked" else auto < auto Files.write: board.write, notes.write: {"content":"a","path":"locked"}: consent → auto',
      `operator: auto ${EMPTY} else consent < auto Files.write: board.write, notes.write: {"content":"","path":""}: consent → auto`,
    ],
  ],
  [
    "a line before lines of two bases that do not displace each other",
    `session root { kind operator  models { auto canned }  permit { auto readOnly  consent mutatingLocal  ${LOCKED} } }
     session base extends root { permit { forbidden ${EMPTY} else consent } }
     session operator from base { permit { auto Files.write } }`,
    [
      `operator: ${LOCKED} < auto Files.write: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
      `operator: forbidden ${EMPTY} else consent < auto Files.write: board.write, notes.write: {"content":"","path":"locked"}: forbidden → auto`,
    ],
  ],
  [
    "a line before a question that the base added by a widening",
    widened("auto notes.write"),
    [
      'operator: widen consent notes.write because "CHG-1" < auto notes.write: notes.write: {"content":"","path":""}: consent → auto',
    ],
  ],
])("%s loosens a rule, and an example call shows this", async (_, sessions, expected) => {
  expect(await loosened(sessions)).toEqual(expected);
});

test("a task loosens only its own rules, because the outer rules still apply", async () => {
  const task = (permit: string) => `task mend in operator { permit { ${permit} } } `;
  const around = of(`auto readOnly  consent mutatingLocal`);
  expect(await loosened(around, task(`consent notes.write  ${LOCKED}`))).toEqual([
    `operator.mend: ${LOCKED} < consent notes.write: notes.write: {"content":"","path":"locked"}: forbidden → consent`,
  ]);
  const strict = of(`auto readOnly  ${LOCKED}`);
  expect(await loosened(strict, task(`${LOG}  ${LOCKED}`))).toEqual([]);
});

test("a rule that a session loosens is not reported for its tasks again", async () => {
  const task = "task mend in operator { permit { auto Files.delete } } ";
  expect(await loosened(from("consent Files.delete", "auto Files.delete"), task)).toEqual([
    'operator: consent Files.delete < auto Files.delete: board.delete, notes.delete: {"path":""}: consent → auto',
  ]);
});

test("a phase loosens its own rules", async () => {
  const phase = (permit: string) => `task mend in operator { phase first { permit { ${permit} } } } `;
  expect(await loosened(of("auto readOnly  consent mutatingLocal"), phase(`consent notes.write  ${LOCKED}`))).toEqual([
    `operator.mend.first: ${LOCKED} < consent notes.write: notes.write: {"content":"","path":"locked"}: forbidden → consent`,
  ]);
});

test.each([
  [
    "a line with the pattern of a stricter line, which decides",
    of(`auto readOnly  auto Files.write where size(content) <= 1 KiB else consent  ${LOCKED}`),
  ],
  [
    "a line that forbids all that the other line does not allow",
    of(
      'auto readOnly  consent notes.write where path under "/free" else forbidden  forbidden Files.write where path under "/locked" else consent',
    ),
  ],
  ["an exception from a line that asks", of("auto readOnly, notes.write  consent mutatingLocal")],
  ["an exception from a general question of the base", from("", "auto notes.write")],
  [
    "an exception from a question that a widening of the base added",
    widened("auto notes.write").replace("consent notes.write", "consent mutatingLocal"),
  ],
  ["a line before one of the base that asks for no more", from("consent Files.delete", "consent destructive")],
  ["a stricter line", of(`auto readOnly  forbidden notes.write  ${LOCKED}`)],
  [
    "a line that forbids the same calls as the other one",
    of(`auto readOnly  forbidden notes.write where path under "/locked" else consent  ${LOCKED}`),
  ],
  [
    "a line that the parent still restricts",
    `session base { kind operator  models { auto canned }  permit { auto readOnly  ${LOCKED} } }
     session operator extends base { permit { ${LOG}  ${LOCKED} } }`,
  ],
  [
    "a widening with a reason",
    `session base { kind operator  models { auto canned }  permit { auto readOnly  ${LOCKED} } }
     session operator extends base { widen { auto notes.write } because "CHG-1" }`,
  ],
  [
    "a line for a suppressed tool",
    from(LOCKED, "auto notes.*").replace("permit { auto notes.*", "suppress notes.write  permit { auto notes.*"),
  ],
])("%s loosens nothing", async (_, sessions) => {
  expect(await loosened(sessions)).toEqual([]);
});
