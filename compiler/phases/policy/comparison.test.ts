import { expect, test } from "vitest";
import { bindModel, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { canRun, isAtLeastAsStrict, isCovered } from "./comparison.ts";
import { type Answer, resolveSessions } from "./resolve.ts";

const WITHIN = (folder: string, modes: string) =>
  modes.replace(" else ", ` notes.write where path under "${folder}" else `);
const FLOOR = (floor: string) => `when ${floor.replace(": ", " { atLeast ")} notes.write }`;
const SESSION = (name: string, permit: string, rest = "") =>
  `session ${name} { kind operator  principals alice  clearance internal:{hr}  models { auto canned }
     permit { auto readOnly  ${permit} } ${rest} }`;

/**
 * Returns each session's decision about notes.write. Each argument describes one session: a permission rule, or a
 * rule and the text that follows `permit { … }`.
 */
async function answersTo(...written: readonly (string | readonly [string, string])[]): Promise<Answer[]> {
  const sessions = written.map((said, index) => {
    const [permit, rest] = typeof said === "string" ? [said, ""] : said;
    return SESSION(`s${index}`, permit, rest);
  });
  const text = renderFactsPage({
    top: 'compartments { hr, pay }  principal alice { ssh "keys/alice.pub" }',
    backends: "backend canned { stub  clearance internal:{hr, pay} }",
    sessions: sessions.join("\n"),
    rest: 'storage { disk "capos-data" }  image { target linux  machine vm  boot s0 }',
  });
  const model = await bindModel(text);
  const resolution = resolveSessions(model);
  const tool = model.tools.findIndex(({ name }) => name === "notes.write");
  return model.sessions.flatMap((session) => (session.own ? (resolution.get(session)?.[tool] ?? []) : []));
}

test("a tool can run if it exists, a rule covers it, and some arguments pass that rule", async () => {
  const answers = await answersTo(
    "auto notes.write",
    WITHIN("/a", "auto else forbidden"),
    "stepUp notes.write",
    "forbidden notes.write",
    "forbidden destructive",
    ["auto mutatingLocal", "suppress notes.*"],
  );
  expect(answers.map(canRun)).toEqual([true, true, true, false, false, false]);
});

type Said = string | readonly [string, string];

test.each<[boolean, string, Said, Said]>([
  [true, "a tool that never runs, than an uncovered one", "forbidden notes.write", "forbidden destructive"],
  [true, "an uncovered tool, than one that runs unasked", "forbidden destructive", "auto notes.write"],
  [false, "a tool that may run, than one that never does", "stepUp notes.write", "forbidden notes.write"],
  [false, "a tool that may run, than an uncovered one", "stepUp notes.write", "forbidden destructive"],
  [true, "a gate, than no gate", "consent notes.write", "auto notes.write"],
  [
    false,
    "a condition that allows an absent argument, than one that does not",
    'auto notes.write where path == "a" or absent else consent',
    'auto notes.write where path == "a" else consent',
  ],
  [
    true,
    "a floor, than the same floor for the same arguments",
    ["auto notes.write", 'when unattended { atLeast consent notes.write where path == "a" }'],
    ["auto notes.write", 'when unattended { atLeast consent notes.write where path == "a" }'],
  ],
  [
    false,
    "a floor for some arguments, than one for others",
    ["auto notes.write", 'when unattended { atLeast consent notes.write where path == "b" }'],
    ["auto notes.write", 'when unattended { atLeast consent notes.write where path == "a" }'],
  ],
  [
    false,
    "a floor for some arguments, than one for all",
    ["auto notes.write", 'when unattended { atLeast consent notes.write where path == "b" }'],
    ["auto notes.write", "when unattended { atLeast consent notes.write }"],
  ],
  [false, "no gate, than a gate", "auto notes.write", "consent notes.write"],
  [true, "a gate, than the same gate", "consent notes.write", "consent mutatingLocal"],
  [
    true,
    "a gate, than a condition whose strictest mode is that gate",
    "consent notes.write",
    WITHIN("/a", "auto else consent"),
  ],
  [
    true,
    "a condition, than the same condition",
    WITHIN("/a", "auto else forbidden"),
    WITHIN("/a", "auto else forbidden"),
  ],
  [false, "a condition, than another one", WITHIN("/a", "auto else consent"), WITHIN("/b", "auto else consent")],
  [
    false,
    "a condition, than one with a stricter else",
    WITHIN("/a", "auto else consent"),
    WITHIN("/a", "auto else stepUp"),
  ],
  [
    false,
    "two conditions on one pattern, than one of them",
    `${WITHIN("/a", "auto else consent")}  ${WITHIN("/b", "auto else consent")}`,
    WITHIN("/b", "auto else consent"),
  ],
  [
    false,
    "one condition, than the same and another one",
    WITHIN("/b", "auto else consent"),
    `${WITHIN("/a", "auto else consent")}  ${WITHIN("/b", "auto else consent")}`,
  ],
  [
    true,
    "a line with a floor, than the same",
    ["auto notes.write", FLOOR("integrity <= untrusted: consent")],
    ["auto notes.write", FLOOR("integrity <= untrusted: consent")],
  ],
  [
    false,
    "a line without a floor, than the same with one",
    "auto notes.write",
    ["auto notes.write", FLOOR("integrity <= untrusted: consent")],
  ],
  [
    true,
    "a gate, than a line with a floor of that gate",
    "consent notes.write",
    ["auto notes.write", FLOOR("integrity <= untrusted: consent")],
  ],
  [
    false,
    "a line with one floor, than the same with a second one",
    ["auto notes.write", FLOOR("integrity <= untrusted: consent")],
    ["auto notes.write", `${FLOOR("integrity <= untrusted: consent")} ${FLOOR("unattended: stepUp")}`],
  ],
  [
    false,
    "a line with a floor, than one with a floor for another label",
    ["auto notes.write", FLOOR("compartment hr: consent")],
    ["auto notes.write", FLOOR("integrity <= untrusted: consent")],
  ],
  [
    false,
    "a looser line, than a stricter one with the same floor",
    ["auto notes.write", FLOOR("integrity <= untrusted: stepUp")],
    ["consent notes.write", FLOOR("integrity <= untrusted: stepUp")],
  ],
])("it is %s that the first decision is at least as strict as the second: %s", async (expected, _, first, second) => {
  const [one, two] = await answersTo(first, second);
  if (one === undefined || two === undefined) throw new Error("two sessions answer");
  expect(isAtLeastAsStrict(one, two)).toBe(expected);
});

test("a tool without a decision is not covered and cannot run", () => {
  expect([isCovered(undefined), canRun(undefined)]).toEqual([false, false]);
});
