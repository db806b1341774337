import fc from "fast-check";
import { expect, test } from "vitest";
import { getText as spanText } from "../../../lang/text/index.ts";
import { compile } from "../../compile.ts";
import { ALICE } from "../../dev/fixtures/facts.ts";
import { testSurroundings } from "../../dev/fixtures/surroundings.ts";
import { indexPolicyTables, serializeValue } from "../../phases/policy/index.ts";
import { createMemoryHost } from "../../phases/source/index.ts";
import { findFailure } from "../page-tests/index.ts";
import { createMutants, type MutantVerdict, surveyMutants } from "./index.ts";

const PAGE = (operator: string, rest = "") => `system sample {
  use std.tools
  principal alice { ssh "alice.pub" }
  backend canned { stub  clearance internal }
  service notes : Files { state 1 MiB  label internal/reviewed }
  service drafts : Files { state 1 MiB  label public/reviewed }
  session operator {
    kind operator  principals alice  clearance internal  models { auto canned }
    ${operator}
  }
  storage { disk "capos-data" }
  image { target linux  machine vm  boot operator }
  ${rest}
}`;

async function compiled(text: string) {
  const host = createMemoryHost({ "/system.cap": text, "/alice.pub": ALICE });
  const { policy, origins, model, diagnostics } = await compile(host, "/system.cap", {
    ...testSurroundings,
    purpose: "check",
  });
  if (policy === undefined || origins === undefined || model === undefined)
    throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return { policy, origins, model };
}

async function surveyed(text: string, golden = false): Promise<readonly MutantVerdict[]> {
  const { policy, origins, model } = await compiled(text);
  return surveyMutants(policy, origins, model, { golden });
}

const said = ({ mutant: { line, change }, tests, proofs, golden }: MutantVerdict) =>
  `${spanText(line.span)} -> ${change}: ${[...tests, ...proofs, ...(golden ? ["golden"] : [])].join(", ") || "nobody"}`;

const READ = 'call notes.read { path: "a" }';
const WRITE = (path: string) => `call drafts.write { path: "${path}", content: "x" }`;

test("a mutant is listed with its line of the page, and with the tests of the page that detect it", async () => {
  const page = PAGE(
    "permit { auto readOnly  consent mutatingLocal }  suppress destructive",
    `test "reads" { as operator ${READ} expect auto }  test "writes" { as operator ${WRITE("a")} expect consent }`,
  );
  expect((await surveyed(page)).map(said)).toEqual([
    "auto canned -> consent instead of auto: nobody",
    "auto readOnly -> consent instead of auto: reads",
    "consent mutatingLocal -> auto instead of consent: writes",
    "consent mutatingLocal -> stepUp instead of consent: writes",
    "destructive -> auto instead of suppressed: nobody",
  ]);
});

test("conditions, floors, quotas and releases also have mutants", async () => {
  const page = PAGE(
    `permit { auto readOnly  auto drafts.write where path under "/a" else forbidden }  suppress notes.write, destructive
     when unattended { atLeast forbidden readOnly }  quota { 1 calls per turn }`,
    `declassify drafts.write from internal to public by consent because "it is published"
     test "inside" { as operator ${WRITE("/a/b")} expect auto }
     test "outside" { as operator ${WRITE("/b")} expect forbidden }
     test "nobody there" { as operator unattended ${READ} expect forbidden }
     test "once" { as operator ${READ} expect auto ${READ} expect refusedByPolicy }`,
  );
  const found = (await surveyed(page)).filter(({ mutant }) => mutant.kind !== "gate" && mutant.kind !== "absence");
  const line = 'auto drafts.write where path under "/a" else forbidden';
  expect(found.map(said).sort()).toEqual(
    [
      "auto readOnly -> consent instead of auto: once",
      `${line} -> as if its condition always held: outside`,
      `${line} -> with its two outcomes swapped: inside, outside`,
      `${line} -> consent instead of auto where its condition holds: inside`,
      `${line} -> stepUp instead of forbidden where it fails: outside`,
      "atLeast forbidden readOnly -> dropped: nobody there",
      "1 calls per turn -> 0 instead of 1: inside, once",
      "1 calls per turn -> 2 instead of 1: once",
      'declassify drafts.write from internal to public by consent because "it is published" -> dropped: nobody',
      'declassify drafts.write from internal to public by consent because "it is published" -> stepUp instead of consent: nobody',
    ].sort(),
  );
});

test("each gate of a phase has mutants, and each `only` has one mutant for the excluded tools of a category", async () => {
  const page = PAGE(
    "permit { auto readOnly  consent mutatingLocal }  suppress destructive",
    `task triage in operator { phase look { only readOnly }  phase mend after consent { only notes.* } }
     test "steps" { as operator.triage enter mend answer yes expect ok ${WRITE("a")} expect unknownTool }
     test "asks" { as operator.triage enter mend expect consent }`,
  );
  const found = (await surveyed(page)).filter(({ mutant: { line } }) =>
    ["phase", "only"].includes(line.words.split(" ")[0] ?? ""),
  );
  expect(found.map(said)).toEqual([
    "readOnly -> auto instead of suppressed: nobody",
    "mend -> auto instead of consent: asks",
    "mend -> stepUp instead of consent: asks",
    "notes.* -> auto instead of suppressed: nobody",
    "notes.* -> auto instead of suppressed: steps",
  ]);
});

test("tests of calls outside of tasks detect that a session no longer requires a task", async () => {
  const page = (rest: string) =>
    PAGE(
      "requires task  permit { auto readOnly  consent mutatingLocal }  suppress destructive",
      `task look in operator { only notes.read }  ${rest}`,
    );
  const survey = async (rest: string) =>
    (await surveyed(page(rest))).filter(({ mutant }) => mutant.kind === "task").map(said);
  expect(await survey(`test "inside" { as operator.look ${READ} expect auto }`)).toEqual([
    "requires task -> dropped: nobody",
  ]);
  expect(
    await survey(`test "outside" { as operator ${READ} expect forbidden }
      test "no write" { as operator ${WRITE("a")} expect forbidden }
      test "no such tool" { as operator call drafts.delete { path: "a" } expect unknownTool }
      test "nothing is said" { as operator infer canned expect refusedByPolicy }`),
  ).toEqual(["requires task -> dropped: outside, no write, nothing is said"]);
});

test("a floor with several conditions has a mutant for each condition", async () => {
  const page = PAGE(
    `permit { auto readOnly  consent mutatingLocal }  suppress destructive
     when integrity <= reviewed { atLeast forbidden drafts.write where path under "/a" and size(content) <= 1 }`,
    `test "long" { as operator call drafts.write { path: "/a/b", content: "xyz" } expect consent }
     test "elsewhere" { as operator ${WRITE("/b")} expect consent }
     test "floor" { as operator ${WRITE("/a/b")} expect forbidden }`,
  );
  const found = (await surveyed(page)).filter(({ mutant }) => mutant.kind === "floor");
  const line = 'atLeast forbidden drafts.write where path under "/a" and size(content) <= 1';
  expect(found.map(said)).toEqual([
    `${line} -> dropped: floor`,
    `${line} -> as if its condition always held: long, elsewhere`,
    `${line} -> without its condition path under "/a": elsewhere`,
    `${line} -> without its condition size(content) <= 1: long`,
  ]);
});

test("the accepted baseline detects changed modes and conditions, but no changed floors and quotas", async () => {
  const page = PAGE(`permit { auto readOnly  auto drafts.write where path under "/a" else forbidden }
    suppress notes.write, destructive  when unattended { atLeast forbidden readOnly }  quota { 3 calls per turn }`);
  const kinds = Map.groupBy(await surveyed(page, true), ({ mutant }) => mutant.kind);
  const noticed = [...kinds].map(([kind, judged]) => [kind, judged.every(({ golden }) => golden)]);
  expect(Object.fromEntries(noticed)).toEqual({
    mode: true,
    condition: true,
    absence: true,
    floor: false,
    quota: false,
    gate: false,
  });
});

test("a release has no mutant with a weaker gate if its tool's own gate is as strict as the gate of the release", async () => {
  const permit = (mode: string) =>
    PAGE(
      `permit { auto readOnly  consent notes.write  ${mode} drafts.write }  suppress destructive`,
      'declassify drafts.write from internal to public by stepUp because "it is published"',
    );
  const releases = async (mode: string) =>
    (await surveyed(permit(mode))).filter(({ mutant }) => mutant.kind === "release").map(({ mutant }) => mutant.change);
  expect(await releases("consent")).toEqual(["dropped", "consent instead of stepUp"]);
  expect(await releases("stepUp")).toEqual(["dropped"]);
});

test("assertions detect a mutant for which their proofs fail", async () => {
  const page = PAGE(
    "permit { auto readOnly  consent mutatingLocal }  suppress destructive",
    "assert always consent mutatingLocal  assert never call destructive",
  );
  const found = (await surveyed(page)).filter(({ mutant }) => mutant.kind !== "gate");
  expect(found.map(said)).toEqual([
    "auto readOnly -> consent instead of auto: nobody",
    expect.stringMatching(/^consent mutatingLocal -> auto instead of consent: .*always consent mutatingLocal/),
    "consent mutatingLocal -> stepUp instead of consent: nobody",
    expect.stringMatching(/^destructive -> auto instead of suppressed: .*never call destructive/),
  ]);
});

test("a rule gives the same number of mutants, however many tools it covers", async () => {
  const many = Array.from({ length: 40 }, (_, index) => `service s${index} : Files { state 1 MiB }`).join("\n");
  const permit = "permit { auto readOnly  consent mutatingLocal  forbidden destructive }";
  const count = async (text: string) => (await surveyed(text)).length;
  expect(await count(PAGE(permit, many))).toBe(await count(PAGE(permit)));
});

const anyPermit = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom("readOnly", "mutatingLocal", "destructive", "Files.write", "notes.*", "notes.read"),
      fc.constantFrom("auto", "consent", "stepUp", "forbidden"),
      fc.constantFrom("auto", "consent", "forbidden"),
      fc.boolean(),
    ),
    { selector: ([pattern]) => pattern, minLength: 1 },
  )
  .map((lines) =>
    lines
      .map(([pattern, mode, otherwise, isWhere]) => {
        const where = isWhere && pattern === "Files.write" ? ` where path under "/a" else ${otherwise}` : "";
        return `${mode} ${pattern}${where}`;
      })
      .join("\n"),
  );
const anyOperator = fc
  .tuple(
    anyPermit,
    fc.constantFrom("", "suppress notes.list", "only Files.read, Files.write"),
    fc.constantFrom("", "when integrity <= reviewed { atLeast consent mutatingLocal }"),
    fc.constantFrom("", "quota { 2 calls per turn }"),
  )
  .map(([permit, ...more]) => `permit {\n${permit}\n} ${more.join(" ")}`);

test("mutants differ from the original and from each other", async () => {
  await fc.assert(
    fc.asyncProperty(anyOperator, async (operator) => {
      const page = await compiled(PAGE(operator)).catch(() => undefined);
      fc.pre(page !== undefined);
      const original = { ...page, tables: indexPolicyTables(page.policy) };
      const texts = createMutants(original).map(({ tables }) =>
        serializeValue({ ...tables, toolIndex: 0, lineage: 0 }),
      );
      expect(texts).not.toContain(serializeValue({ ...original.tables, toolIndex: 0, lineage: 0 }));
      expect(new Set(texts).size).toBe(texts.length);
    }),
    { numRuns: 60 },
  );
});

test("running every test on every mutant gives the same result as running only the selected tests", async () => {
  const tests = [
    `test "reads" { as operator ${READ} expect auto }`,
    `test "writes" { as operator ${WRITE("/a")} expect consent ${WRITE("/b")} expect forbidden }`,
    'test "lists" { as operator call notes.list { path: "" } expect unknownTool }',
  ];
  const page = PAGE(
    `permit { auto readOnly  consent drafts.write where path under "/a" else forbidden }  suppress notes.list
     when integrity <= untrusted { atLeast consent readOnly }  quota { 2 calls per turn }`,
    tests.join("\n"),
  );
  const { model } = await compiled(page);
  for (const { mutant, tests: noticing } of await surveyed(page)) {
    const failing = model.tests.filter((each) =>
      findFailure(mutant.tables, each, { called: () => {}, decided: () => {} }),
    );
    expect(failing.map(({ title }) => title)).toEqual(noticing);
  }
});
