import fc from "fast-check";
import { expect, test } from "vitest";
import { decide, indexTables, openConversation } from "../../../engine/lib/policy/index.ts";
import type { Policy } from "../../../targets/contract/policy.ts";
import { compilePolicyOnPaper, compilePolicyWithoutLaws } from "../../dev/fixtures/facts.ts";

const MODES = ["auto", "consent", "stepUp", "forbidden"] as const;
const PATTERNS = [
  "*",
  "readOnly",
  "mutatingLocal",
  "destructive in Files",
  "Files.*",
  "Files.write",
  "notes.*",
  "notes.read",
  "drafts.delete",
];
const STRICTNESS = ["auto", "consent", "stepUp", "refusedByPolicy", "unknownTool"];

const TOOLS = ["notes", "drafts"].flatMap((service) =>
  ["read", "list", "write", "delete"].map((name) => `${service}.${name}`),
);

/** Permission rules that do not contradict each other: at most one for each pattern. */
const anyLines = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...PATTERNS), fc.constantFrom(...MODES)), {
    selector: ([pattern]) => pattern,
    minLength: 1,
  })
  .map((lines) => lines.map(([pattern, mode]) => `${mode} ${pattern}`));

const anyPage = fc.record({
  day: anyLines,
  night: anyLines,
  relation: fc.constantFrom("extends", "from"),
  suppress: fc.constantFrom("", "suppress notes.list", "only Files.*"),
  floor: fc.constantFrom("", "when integrity <= reviewed { atLeast consent mutatingLocal }"),
});

type Parts = typeof anyPage extends fc.Arbitrary<infer T> ? T : never;

function declarations({ day, night, relation, suppress, floor }: Parts): string[] {
  return [
    'principal alice { ssh "keys/alice.pub" }',
    'principal bob { ssh "keys/bob.pub" }',
    "backend canned { stub }",
    "service notes : Files { state 1 MiB }",
    "service drafts : Files { state 1 MiB }",
    `session day { kind operator principals alice, bob models { auto canned } permit {\n${day.join("\n")}\n} ${suppress} }`,
    `session night ${relation} day { permit {\n${night.join("\n")}\n} ${floor} }`,
    'storage { disk "capos-data" }',
    "image { target linux  machine vm  boot night }",
  ];
}

function textOf(items: readonly string[]): string {
  return `system sample {\nuse std.tools\n${items.join("\n")}\n}`;
}

/**
 * Removes the positions on the page from a policy. The positions depend on the order of the text, but the rest of the policy must not
 * depend on it.
 */
function withoutPlaces({ tables, ...rest }: Policy) {
  return { ...rest, tables: { ...tables, rules: tables.rules.map(({ id, words }) => ({ id, words })) } };
}

/** Returns the strictness of each tool's decision in the session `day`, then in the session `night`. */
function answersOf({ tables }: Policy): number[] {
  const indexed = indexTables(tables);
  if (!indexed.ok) throw new Error(indexed.reason);
  return ["day", "night"].flatMap((session) =>
    TOOLS.map((tool) => {
      const conversation = openConversation(indexed.value, session);
      if (conversation === undefined) throw new Error(`no session ${session}`);
      const args = JSON.stringify({ path: "a", ...(tool.endsWith("write") ? { content: "b" } : {}) });
      const decision = decide(indexed.value, conversation, { tool, arguments: args });
      return STRICTNESS.indexOf(decision.kind === "gated" ? decision.gate : decision.outcome);
    }),
  );
}

/**
 * Compiles a page with these sessions. No image can enforce this page, because `day` has principals and no login, and
 * is not the boot session. A test of the policy's meaning needs no image.
 */
function compiled(items: readonly string[]): Promise<Policy | undefined> {
  return compilePolicyOnPaper(textOf(items));
}

test("the order of declarations and rules does not change the policy", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, fc.infiniteStream(fc.nat()), async (parts, random) => {
      const sorted = await compiled(declarations(parts));
      const shuffle = <T>(items: readonly T[]): T[] => {
        const keyed = items.map((item) => [random.next().value ?? 0, item] as const);
        return keyed.sort(([left], [right]) => left - right).map(([, item]) => item);
      };
      const again = { ...parts, day: shuffle(parts.day), night: shuffle(parts.night) };
      const shuffled = await compiled(shuffle(declarations(again)));
      expect(shuffled === undefined).toBe(sorted === undefined);
      if (sorted === undefined || shuffled === undefined) return;
      compared++;
      expect(withoutPlaces(shuffled)).toEqual(withoutPlaces(sorted));
    }),
    { numRuns: 150 },
  );
  expect(compared).toBeGreaterThan(10);
});

test("an additional rule that forbids never makes a decision looser", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      anyPage,
      fc.constantFrom(...PATTERNS),
      fc.constantFrom("day", "night"),
      async (parts, pattern, session) => {
        const before = await compiled(declarations(parts));
        const lines = session === "day" ? parts.day : parts.night;
        const others = lines.filter((line) => line.slice(line.indexOf(" ") + 1) !== pattern);
        const after = await compiled(declarations({ ...parts, [session]: [...others, `forbidden ${pattern}`] }));
        if (before === undefined || after === undefined) return;
        compared++;
        const loosened = answersOf(after).filter((answer, index) => isLooser(answer, answersOf(before)[index] ?? 0));
        expect(loosened).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
  expect(compared).toBeGreaterThan(10);
});

/** Returns whether a decision became looser. A refusal and an unknown tool count as equally strict, because neither call runs. */
function isLooser(after: number, before: number): boolean {
  const refused = STRICTNESS.indexOf("refusedByPolicy");
  return Math.min(after, refused) < Math.min(before, refused);
}

test("a session never allows more than the session that it extends", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, async (parts) => {
      const policy = await compiled(declarations({ ...parts, relation: "extends" }));
      if (policy === undefined) return;
      compared++;
      const answers = answersOf(policy);
      const day = answers.slice(0, TOOLS.length);
      expect(answers.slice(TOOLS.length).filter((answer, index) => isLooser(answer, day[index] ?? 0))).toEqual([]);
    }),
    { numRuns: 150 },
  );
  expect(compared).toBeGreaterThan(10);
});

const anyNarrowing = fc.record({
  lines: anyLines,
  more: fc.constantFrom("", "only Files.*, readOnly", "suppress notes.write", "only notes.*"),
  floor: fc.constantFrom("", "when integrity <= reviewed { atLeast stepUp destructive }"),
});

/**
 * Permission rules of a session, of a task in it, of two phases and of a worker. The rules may have errors that
 * compiler/rules would refuse, because only their meaning is tested.
 */
const anyTask = fc.record({
  page: anyPage,
  task: anyNarrowing,
  look: anyNarrowing,
  mend: anyNarrowing,
  worker: anyNarrowing,
});
type Narrowed = typeof anyNarrowing extends fc.Arbitrary<infer T> ? T : never;

function narrowing({ lines, more, floor }: Narrowed): string {
  return `permit {\n${lines.join("\n")}\n} ${more} ${floor}`;
}

/**
 * Returns, for each row, how strict the decision about each tool is. A key is the session, task, phase and worker of a
 * row, joined by `/`.
 */
function answersByRow({ tables }: Policy): Map<string, number[]> {
  const indexed = indexTables(tables);
  if (!indexed.ok) throw new Error(indexed.reason);
  const answers = tables.rows.map(({ session, task, phase, worker, starts }, row) => {
    const conversation = { row, label: starts, unattended: false, spent: [] };
    const decided = TOOLS.map((tool) => {
      const args = JSON.stringify({ path: "a", ...(tool.endsWith("write") ? { content: "b" } : {}) });
      const decision = decide(indexed.value, conversation, { tool, arguments: args });
      return STRICTNESS.indexOf(decision.kind === "gated" ? decision.gate : decision.outcome);
    });
    return [[session, task, phase, worker].join("/"), decided] as const;
  });
  return new Map(answers);
}

test("ruling 5: a task, a phase and a worker never allow more than the layers around them", async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(anyTask, async ({ page: parts, task, look, mend, worker }) => {
      const declared = [
        ...declarations(parts),
        `task t in night { ${narrowing(task)} phase look { ${narrowing(look)} } phase mend after consent { ${narrowing(mend)} } }`,
        `worker w in night { ${narrowing(worker)} }`,
      ];
      const answers = answersByRow(await compilePolicyWithoutLaws(textOf(declared)));
      const around = { "night/t/look/": "night///", "night/t/mend/": "night///", "night/t/look/w": "night/t/look/" };
      for (const [inner, outer] of Object.entries({ ...around, "night///w": "night///" })) {
        const given = answers.get(inner) ?? [];
        expect(given).toHaveLength(TOOLS.length);
        const looser = given.filter((answer, index) => isLooser(answer, answers.get(outer)?.[index] ?? 0));
        expect(looser).toEqual([]);
        for (const answer of given) seen.add(answer);
      }
    }),
    { numRuns: 150 },
  );
  expect([...seen].sort()).toEqual(STRICTNESS.map((_, index) => index));
});
