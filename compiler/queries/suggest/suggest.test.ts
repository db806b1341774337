import fc from "fast-check";
import { expect, test } from "vitest";
import { computeDifference } from "../diff/index.ts";
import { SampleLog, WITHHELD } from "../replay/testing/log.ts";
import type { SuggestionResult } from "./index.ts";
import { PAGES, pageOf, replayedOn, suggestedFor, textOf } from "./testing/pages.ts";

const CONSENTED = { decision: "consented" } as const;
const write = (log: SampleLog, path: string, content = "x", tool = "notes.write") =>
  log.ran(tool, { content, path }, CONSENTED);
const lines = ({ suggestions }: SuggestionResult) => suggestions.map(({ session, line }) => `${session}: ${line}`);
const reasons = ({ left }: SuggestionResult) => left.map(({ tool, because }) => `${tool}: ${because}`);

function drafts(): SampleLog {
  const log = write(write(new SampleLog().boot(), "drafts/a.txt", "one"), "drafts/b.txt", "two");
  return log.denied("notes.write", { content: "three", path: "etc/c.txt" });
}

test("a suggestion is the narrowest rule, with its records and the cells that it makes wider", async () => {
  const found = await suggestedFor(PAGES.category, drafts());
  expect(lines(found)).toEqual([
    'operator: auto notes.write where path under "/drafts" and content in ["one", "two"] else consent',
  ]);
  const [one] = found.suggestions;
  expect(one?.records.map(({ sequence }) => sequence)).toEqual([4n, 6n]);
  expect(one?.opens).toMatchObject([
    { direction: "widened", at: [{ place: { session: "operator" }, tools: ["notes.write"] }, {}, {}] },
  ]);
  expect(reasons(found)).toEqual([]);
});

test("suggestions by bounds use folders and sizes, and need a minimum number of calls", async () => {
  expect(lines(await suggestedFor(PAGES.category, drafts(), "bounds"))).toEqual([
    'operator: auto notes.write where path under "/drafts" and size(content) <= 3 else consent',
  ]);
  const few = await suggestedFor(PAGES.category, drafts(), "bounds", 3);
  expect([lines(few), reasons(few)]).toEqual([[], ["notes.write: 2 such calls were approved, and 3 are asked for"]]);
});

test.each<[keyof typeof PAGES, readonly string[]]>([
  ["a rule about only this tool", ["  auto notes.write where"]],
  ["one rule about several tools", ["  consent desk.write ", "auto notes.write where"]],
  ["a forbidden folder", ['forbidden notes.write where path under "/locked" else consent']],
  [
    "a signature for calls outside of a folder",
    [
      'consent notes.write where path under "/drafts" else stepUp',
      'auto notes.write where path under "/drafts" and content in ["one", "two"] else stepUp',
    ],
  ],
  [
    "a method of only one service",
    ['{ auto readOnly     forbidden notes.write where path under "/locked" else consent', "  auto notes.write where"],
  ],
])("a suggestion keeps the meaning of existing rules: %s", async (name, wanted) => {
  const found = await suggestedFor(PAGES[name], drafts());
  expect(reasons(found)).toEqual([]);
  const text = await textOf(found);
  for (const line of wanted) expect(text).toContain(line);
});

test("an approved call with withheld arguments gets no rule, and the result says why", async () => {
  const alone = await suggestedFor(PAGES.category, new SampleLog().boot().withheld("notes.write", CONSENTED));
  const because = "notes.write: their arguments are withheld: the log has only digests";
  expect([lines(alone), reasons(alone)]).toEqual([[], [because]]);
  const beside = await suggestedFor(
    PAGES.category,
    write(new SampleLog().boot(), "a").withheld("notes.write", CONSENTED),
  );
  expect([lines(beside).length, reasons(beside)]).toEqual([1, [because]]);
});

test("a suggestion for a session that inherits widens only that session", async () => {
  const log = new SampleLog()
    .boot()
    .ran("notes.write", { content: "x", path: "a" }, { ...CONSENTED, session: "night" });
  const found = await suggestedFor(PAGES.inherited, log);
  expect(await textOf(found)).toContain(
    'widen { auto notes.write where path under "/a" and content == "x" else consent } because "say why"',
  );
  expect(found.suggestions[0]?.opens).toMatchObject([{ at: Array(3).fill({ place: { session: "night" } }) }]);
});

test("a suggestion for a call in a phase has several edits, with which the call needs no prompt", async () => {
  const log = new SampleLog().boot().event("task", "triage in phase look: auto");
  const found = await suggestedFor(PAGES.phases, write(log, "a"));
  expect(reasons(found)).toEqual([]);
  expect(found.suggestions[0]?.edits.length).toBeGreaterThan(1);
  expect(replayedOn(found.page, log).prompts.days).toMatchObject([{ before: 1, after: 0 }]);
});

test("if a rule of a library profile causes the prompt, there is one suggestion", async () => {
  const found = await suggestedFor(PAGES.profile, drafts());
  expect([lines(found).length, reasons(found)]).toEqual([1, []]);
});

test("a rule that allows other calls of the tool does not prevent a suggestion", async () => {
  const found = await suggestedFor(PAGES["a folder that goes"], drafts());
  expect([lines(found), reasons(found)]).toEqual([
    ['operator: auto notes.write where path under "/drafts" and content in ["one", "two"] else consent'],
    [],
  ]);
});

test("a call that shares no folder with most calls is listed, and the other calls get a rule", async () => {
  const log = write(write(write(new SampleLog().boot(), "drafts/a"), "drafts/b"), "other/c");
  const found = await suggestedFor(PAGES.category, log);
  expect(lines(found)).toEqual([
    'operator: auto notes.write where path under "/drafts" and content == "x" else consent',
  ]);
  expect(reasons(found)).toEqual(["notes.write: one line cannot say this beside the others"]);
});

test.each([
  [
    "the same call",
    (log: SampleLog) => log.denied("notes.write", { content: "x", path: "a" }),
    "the same call was refused as well",
  ],
  [
    "a call that the rule would allow",
    (log: SampleLog) => write(log, "c").denied("notes.write", { content: "x", path: "a/b" }),
    "no line does it: it would let go what a person refused",
  ],
  [
    "a call in a task that the page no longer has",
    (log: SampleLog) =>
      log.event("task", "gone in phase first: auto").denied("notes.write", { content: "x", path: "a/b" }),
    "no line does it: it would let go what a person refused",
  ],
  [
    "a call with truncated arguments in the log",
    (log: SampleLog) =>
      log.ended("notes.write", "x".repeat(5000), { decision: "denied", outcome: "deniedByUser", error: "no" }),
    "a call was refused of which only a part is on record",
  ],
  [
    "a call with withheld arguments",
    (log: SampleLog) =>
      log.ended("notes.write", "", { decision: "denied", outcome: "deniedByUser", error: "no", ...WITHHELD }),
    "a call was refused whose arguments are withheld",
  ],
])("a suggestion does not allow a call that a person refused: %s", async (_, refuse, because) => {
  const found = await suggestedFor(PAGES.category, refuse(write(new SampleLog().boot(), "a")));
  expect(lines(found)).toEqual([]);
  expect(reasons(found)).toContain(`notes.write: ${because}`);
});

test("a suggestion does not allow a call that a person refused in another session", async () => {
  const inOperator = () => write(new SampleLog().boot(), "a");
  const night = { decision: "denied", outcome: "deniedByUser", error: "no", session: "night" } as const;
  const wider = await suggestedFor(PAGES.inherited, inOperator());
  expect(wider.suggestions[0]?.opens.flatMap(({ at }) => at.map(({ place }) => place.session))).toContain("night");
  const same = inOperator().ended("notes.write", '{"content":"x","path":"a"}', night);
  const part = inOperator().ended("notes.write", "x".repeat(5000), night);
  for (const log of [same, part]) {
    const found = await suggestedFor(PAGES.inherited, log);
    expect(
      found.suggestions.flatMap(({ opens }) => opens.flatMap(({ at }) => at.map(({ place }) => place.session))),
    ).not.toContain("night");
  }
  const other = inOperator().ended("notes.write", '{"content":"x","path":"b"}', night);
  expect(lines(await suggestedFor(PAGES.inherited, other))).toHaveLength(1);
});

test("calls behind a signature or a floor get no suggestion", async () => {
  const stepUp = { decision: "stepUpSucceeded", principal: "alice" } as const;
  const log = write(new SampleLog().boot(), "a", "x", "desk.write").ran(
    "desk.write",
    { content: "x", path: "a" },
    stepUp,
  );
  const found = await suggestedFor(PAGES.category, log);
  // The result of the first call made the conversation untrusted, so the `when` line requires a signature only for the
  // second call.
  expect(found.suggestions.map(({ records }) => records.map(({ sequence }) => sequence))).toEqual([[4n]]);
  const floor = PAGES.category
    .replace("consent mutatingLocal }", "consent mutatingLocal  auto desk.write }")
    .replace("atLeast stepUp", "atLeast consent");
  const inside = new SampleLog().boot().ran("desk.read", { path: "a" });
  expect(reasons(await suggestedFor(floor, write(inside, "a", "x", "desk.write")))).toEqual([
    "desk.write: a `when` of the page asks, which no line loosens",
  ]);
});

const anyPath = fc.constantFrom("drafts/a", "drafts/b/c", "locked/a", "free/a", "other", "../a", "drafts/x y");
const anyContent = fc.oneof(
  fc.constantFrom("x", 'a "quoted" word', "ß", "\n", "y".repeat(70)),
  fc.string({ maxLength: 5 }),
);
const anyStep = fc.record({
  tool: fc.constantFrom("notes.write", "desk.write"),
  path: anyPath,
  content: anyContent,
  what: fc.constantFrom("approved", "approved", "approved", "denied", "task", "phase"),
});

/** Returns a log of a person's answers to the prompts of the page, as its gate would record them. */
function logOf(steps: readonly { tool: string; path: string; content: string; what: string }[]): SampleLog {
  const log = new SampleLog().boot();
  let place: "" | "task" | "phase" = "";
  for (const { tool, path, content, what } of steps) {
    if (what === "approved") write(log, path, content, tool);
    if (what === "denied") log.denied(tool, { content, path });
    if (what === "task" && place === "") log.event("task", "triage in phase look: auto");
    if (what === "phase" && place === "task") log.event("phase", "mend of task triage: consented");
    if (what === "task" && place === "") place = "task";
    else if (what === "phase" && place === "task") place = "phase";
  }
  return log;
}

test("property: all suggestions together allow the covered calls and no refused call, and widen only the listed cells", async () => {
  let suggested = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.values(PAGES)),
      fc.array(anyStep, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("values" as const, "bounds" as const),
      async (text, steps, way) => {
        const log = logOf(steps);
        const found = await suggestedFor(text, log, way);
        const made = await pageOf(await textOf(found));
        suggested += found.suggestions.length;
        const before = await pageOf(text);
        const needed = new Set(found.suggestions.flatMap(({ records }) => records.map(({ sequence }) => sequence)));
        const now = replayedOn(made, log);
        const widened = now.otherwise.filter(({ direction }) => direction === "widened");
        // The calls in `widened` are decided more loosely with the suggestions than in the log. They must be exactly
        // the calls that the suggestions cover, and those that the page without suggestions already decides more
        // loosely.
        expect(new Set(widened.map(({ at }) => at.sequence))).toEqual(
          new Set([...needed, ...widenedAlready(before, log)]),
        );
        const listed = new Set(found.suggestions.flatMap(({ opens }) => opens.flatMap(cellsOf)));
        const side = ({ tables }: typeof made) => ({ tables, machine: undefined, flows: undefined });
        const { cells, facts } = computeDifference(side(before), side(made));
        const changed = cells.filter(({ direction }) => direction !== "alike");
        expect(facts).toEqual([]);
        expect(changed.every(({ direction }) => direction === "widened")).toBe(true);
        expect(new Set(changed.flatMap(cellsOf))).toEqual(listed);
        const refusals = now.otherwise.filter(({ recorded }) => recorded.decision === "denied");
        expect(refusals.filter(({ direction }) => direction === "widened").map(({ at }) => at.sequence)).toEqual(
          refusals.filter(({ at }) => widenedAlready(before, log).has(at.sequence)).map(({ at }) => at.sequence),
        );
      },
    ),
    { numRuns: 40 },
  );
  expect(suggested).toBeGreaterThan(10);
});

function widenedAlready(page: Parameters<typeof replayedOn>[0], log: SampleLog): ReadonlySet<bigint> {
  const { otherwise } = replayedOn(page, log);
  return new Set(otherwise.filter(({ direction }) => direction === "widened").map(({ at }) => at.sequence));
}

function cellsOf({ at }: SuggestionResult["suggestions"][number]["opens"][number]): readonly string[] {
  return at.flatMap(({ place, tools }) => tools.map((tool) => JSON.stringify([place, tool])));
}
