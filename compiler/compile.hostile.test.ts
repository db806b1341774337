import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MAX_FILE_BYTES } from "../lang/grammar/index.ts";
import { framed } from "../lang/spec/fences.ts";
import { compile } from "./compile.ts";
import { BESIDE } from "./dev/fixtures/facts.ts";
import { testSurroundings } from "./dev/fixtures/surroundings.ts";
import { createMemoryHost } from "./phases/source/index.ts";

// Compiles valid pages of one mebibyte: the time of binding, laws and advice must be proportional to their length.

const FRAME = readFileSync(new URL("../lang/spec/frame.cap", import.meta.url), "utf8");

/**
 * Maximum seconds of processor time; the fastest of three runs counts. The documented maximum is two seconds on an idle
 * machine. The limit is twice as high, because the same work took twice as long when other programs displaced cached
 * data.
 */
const LIMIT = 4;

/** Returns a valid page that repeats a line until the page has its maximum size. */
function fullOf(
  line: (index: number) => string,
  [before, behind]: readonly [string, string] = ["", ""],
  most = Number.POSITIVE_INFINITY,
): string {
  const lines: string[] = [];
  let room = MAX_FILE_BYTES - framed(FRAME, before + behind).length;
  for (let index = 0; ; index++) {
    const next = `${line(index)}\n`;
    room -= next.length;
    if (room < 0 || index === most) return framed(FRAME, before + lines.join("") + behind);
    lines.push(next);
  }
}

async function secondsToCheck(text: string): Promise<number> {
  const host = createMemoryHost({ ...BESIDE, "/system.cap": text }, "2026-01-01");
  const before = process.cpuUsage();
  const { diagnostics } = await compile(host, "/system.cap", { ...testSurroundings, purpose: "check" });
  const { user, system } = process.cpuUsage(before);
  expect(diagnostics.some(({ code }) => code === "file-too-large" || code === "syntax")).toBe(false);
  return (user + system) / 1e6;
}

const session = (attributes: string, end = "}"): readonly [string, string] => [
  `session q { kind guest  models { auto canned }  ${attributes}\n`,
  end,
];
const LONG = "x".repeat(500_000);
const ALLOW = '// capc: allow declaration-unused because "x"';
const PERMIT = "permit { auto readOnly }";

/**
 * Returns a page in which every conversation can reach any set of compartments, so that the proofs have all these labels to explore.
 */
function labelled(compartments: number, sessions: number): string {
  const names = Array.from({ length: compartments }, (_, at) => `c${at}`);
  const all = `secret:{${names.join(", ")}}`;
  const services = names.map((name) => `service of_${name} : Files { state 1 KiB  label secret:{${name}} }`).join("\n");
  const front = `compartments { ${names.join(", ")} }\nbackend cleared { stub  clearance ${all} }\n${services}\n`;
  const attributes = `clearance ${all}  models { auto cleared }  permit { auto readOnly, mutatingLocal }`;
  return fullOf((at) => `session s${at} { kind operator  ${attributes} }`, [front, ""], sessions);
}

const IN_TASK: readonly [string, string] = ["task t in operator {\n", "}"];
/** Number of rows just below the limit, so that the compiler examines the page instead of refusing it for its size. */
const MOST = 3_900;

test.each<[string, string]>([
  ["unknown modules", fullOf((at) => `use std.x${at}`)],
  ["the maximum number of phases", fullOf((at) => `phase p${at} { permit { auto readOnly } }`, IN_TASK, MOST)],
  [
    "the maximum number of tasks",
    fullOf((at) => `task t${at} in operator { quota { 1 calls per turn } }`, ["", ""], 900),
  ],
  ["the maximum number of workers", fullOf((at) => `worker w${at} in operator { permit { auto * } }`, ["", ""], MOST)],
  [
    "the maximum number of sessions with rules",
    fullOf((at) => `session s${at} { kind guest  permit { auto * }  models { auto canned } }`, ["", ""], MOST),
  ],
  [
    "the maximum number of sessions that extend each other as a tree",
    fullOf((at) => `session s${at} extends ${at < 2 ? "operator" : `s${at >> 1}`} {}`, ["", ""], MOST),
  ],
  ["names of a hundred letters", fullOf((at) => `category ${"x".repeat(100)}${at} : ${"x".repeat(100)}y${at}`)],
  ["two names that fill the page", framed(FRAME, `category ${LONG}a : readOnly\ncategory b : ${LONG}c`)],
  ["widenings", fullOf(() => "auto readOnly", session(`${PERMIT} widen {`, '} because "x" }'))],
  ["releases", fullOf((at) => `declassify web.get from secret to public by consent because "x${at}"`)],
  ["ingresses", fullOf((at) => `ingress i${at} : cron "0 0 * * *" into operator label secret/untrusted`)],
  ["assertions", fullOf((at) => `assert limit ${at + 1} prompts per task for operator`)],
  [
    "assertions about many sessions",
    fullOf(
      (at) =>
        at < 900
          ? `session s${at} { kind guest  permit { auto readOnly }  models { auto canned } }`
          : `assert always consent notes.delete for s${at % 900}`,
      ["", ""],
      2_900,
    ),
  ],
  [
    "limits for many sessions",
    fullOf(
      (at) => (at < 2_000 ? `session s${at} extends q {}` : `assert limit ${at} calls per turn`),
      session(`${PERMIT} quota { 9 calls per turn }}`, ""),
      2_300,
    ),
  ],
  ["labels of sixteen compartments in each of forty sessions", labelled(16, 40)],
  ["labels of eight compartments in each of two thousand sessions", labelled(8, 2_000)],
  [
    "conditions for one tool",
    fullOf(
      (at) => `auto Files.write where path under "/${at}" and size(content) <= ${at} else consent`,
      session("permit {", "} }"),
      2_000,
    ),
  ],
  ["tests", fullOf((at) => `test "t${at}" { as operator  call notes.read { path: "a" } expect auto }`)],
  ["compartments", fullOf((at) => `c${at},`, ["compartments {", "c }"])],
  ["grants", fullOf((at) => `grant s${at}`, ["service s : Files { state 1 KiB }\nservice t : Files {", "}"])],
  ["a chain of categories", fullOf((at) => `category c${at} : ${at === 0 ? "readOnly" : `c${at - 1}`}`)],
  ["services", fullOf((at) => `service s${at} : Files { state 1 KiB }`)],
  [
    "the maximum number of services",
    fullOf((at) => (at < 24_990 ? `service s${at} : Files { label public }` : "// and nothing more")),
  ],
  ["a chain of sessions", fullOf((at) => `session s${at} extends ${at === 0 ? "operator" : `s${at - 1}`} {}`)],
  ["tasks", fullOf((at) => `task t${at} in operator { only readOnly }`)],
  ["phases", fullOf((at) => `phase p${at} { only readOnly }`, ["task t in operator {\n", "}"])],
  ["rules of a permission map", fullOf((at) => `auto x${at}.read`, session("permit {", "} }"))],
  [
    "conditional lines",
    fullOf((at) => `auto Files.write where path under "/${at}" else consent`, session("permit {", "} }")),
  ],
  [
    "checks of one rule",
    fullOf(
      () => 'path under "/a/b" and',
      session("permit { auto Files.write where", 'path under "/a" else consent } }'),
    ),
  ],
  [
    "checks of a number",
    fullOf(
      (at) => `size(content) <= ${at + 1} and`,
      session("permit { auto Files.write where", "size(content) >= 1 else consent } }"),
    ),
  ],
  ["patterns of one `only`", fullOf(() => "notes.read,", session(`${PERMIT} only`, "notes.read }"))],
  ["quotas", fullOf((at) => `${at + 1} calls per turn`, session(`${PERMIT} quota {`, "} }"))],
  ["floors", fullOf(() => "when unattended { atLeast consent readOnly }", session(PERMIT))],
  ["steps of a test", fullOf(() => 'call notes.read { path: "a" } expect auto', ['test "t" { as operator\n', "}"])],
  ["unknown names", fullOf((at) => `x${at},`, session(`${PERMIT} principals`, "y }"))],
  ["suppressions of reported advice", fullOf((at) => `${ALLOW}\ncategory c${at} : readOnly`)],
  ["silences", fullOf(() => '// capc: allow rule-redundant because "x"')],
])(
  "%s: a page of at most a mebibyte is checked in bounded time",
  async (_, text) => {
    let seconds = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 3 && seconds > LIMIT; time++) seconds = await secondsToCheck(text);
    expect(seconds).toBeLessThan(LIMIT);
  },
  60_000,
);
