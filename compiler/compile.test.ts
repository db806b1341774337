import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { indexTables } from "../engine/lib/policy/index.ts";
import { drawDiagnostics } from "../lang/diagnostics/index.ts";
import { parse } from "../lang/grammar/index.ts";
import { createSourceText, getText } from "../lang/text/index.ts";
import { type bindPages, type checkPage, compile, type lowerPage, type provePage } from "./compile.ts";
import { compilePage, renderFactsPage } from "./dev/fixtures/facts.ts";
import { createDiskHost, createMemoryHost } from "./phases/source/index.ts";

const EXAMPLE = new URL("../examples/first-agent/system.cap", import.meta.url).pathname;

test("the first example compiles without a finding, to consistent tables", async () => {
  // The example names a key that is generated on each machine; the test uses a constant key instead.
  const { policy, origins, diagnostics } = await compilePage(await readFile(EXAMPLE, "utf8"));
  expect(diagnostics).toEqual([]);
  expect(policy && indexTables(policy.tables).ok).toBe(true);
  expect(origins?.rules).toHaveLength(policy?.tables.rules.length ?? -1);
  expect(policy?.image.boot).toBe("operator");
});

test("the modules of the standard library compile without a finding", async () => {
  const text = renderFactsPage({ top: "use std.categories use std.lattice use std.profiles" });
  expect((await compilePage(text)).diagnostics).toEqual([]);
});

test("a construct that the image cannot enforce is an error in a build, and a warning in a check", async () => {
  const files = { "/system.cap": renderFactsPage({ top: "model smol { tools true }" }) };
  const severities = async (purpose: "build" | "check") => {
    const { policy, diagnostics } = await compile(createMemoryHost(files), "/system.cap", { purpose });
    return [policy !== undefined, diagnostics.map(({ code, severity }) => `${severity} ${code}`)];
  };
  expect(await severities("build")).toEqual([false, ["error not-enforced-yet"]]);
  expect(await severities("check")).toEqual([true, ["warning not-enforced-yet"]]);
});

/** Compiles a page with the declarations `top`; its session `operator` may write after consent. */
const asserting = (top: string, proofs: "demanded" | "told" = "demanded") =>
  compile(createMemoryHost({ "/system.cap": renderFactsPage({ top }) }), "/system.cap", { proofs });

test("the assertions of a page are proved together with the inherited ones", async () => {
  const { diagnostics, proofs, policy } = await asserting("assert never call mutatingLocal ungated for operator");
  expect([diagnostics, policy === undefined]).toEqual([[], false]);
  const verdicts = proofs?.results.map(({ inherited, verdict }) => `${inherited ?? "page"} ${verdict.kind}`);
  expect(verdicts).toEqual([
    "page proved",
    "trifecta proved",
    "remote-clearance proved",
    "anonymous-asks proved",
    "guest-local proved",
  ]);
});

test("a refuted assertion is an error and prevents a policy, or is a warning if proofs are only reported", async () => {
  const wrong = "assert never call mutatingLocal";
  const demanded = await asserting(wrong);
  expect([demanded.policy, demanded.diagnostics.map(({ code, severity }) => `${severity} ${code}`)]).toEqual([
    undefined,
    ["error assertion-refuted"],
  ]);
  expect(demanded.diagnostics.map(({ span }) => getText(span))).toEqual([wrong]);
  expect(demanded.proofs?.results[0]?.verdict.kind).toBe("refuted");
  const told = await asserting(wrong, "told");
  expect(told.policy).toBeDefined();
  expect(told.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning assertion-refuted"]);
});

test("a waived assertion is not proved, and is listed with its reason", async () => {
  const { proofs, diagnostics } = await asserting('waive trifecta because "CHG-1"');
  expect(diagnostics).toEqual([]);
  expect(proofs?.results.map(({ inherited }) => inherited)).not.toContain("trifecta");
  expect(proofs?.waived).toMatchObject([{ assertion: "trifecta", reason: "CHG-1" }]);
});

test("a page with errors is not proved", async () => {
  const { diagnostics, proofs } = await asserting("assert never call mutatingLocal  category a : nothing");
  expect(proofs).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-name"]);
});

test("an assertion from outside the page refers to names of the page, and its findings point into its own text", async () => {
  const asked = async (text: string) => {
    const { tree } = await parse(createSourceText("asked", text));
    return compile(createMemoryHost({ "/system.cap": renderFactsPage({}) }), "/system.cap", {
      asked: tree,
      proofs: "told",
    });
  };
  const { proofs, policy } = await asked("assert never call notes.write");
  const [first] = proofs?.results ?? [];
  expect([first?.span?.source.path, first?.verdict.kind, policy !== undefined]).toEqual(["asked", "refuted", true]);
  const unknown = await asked("assert never call notes.wrte");
  expect(unknown.diagnostics.map(({ code, span }) => `${code} in ${span.source.path}`)).toEqual([
    "rule-never-matches in asked",
  ]);
});

test("a build of the page with every construct is refused for the constructs that the image cannot enforce", async () => {
  const whole = new URL("../lang/spec/whole-page.cap", import.meta.url).pathname;
  const { policy, diagnostics } = await compile(createDiskHost("2026-01-01"), whole);
  expect(policy).toBeUndefined();
  const refused = diagnostics.filter(({ code }) => code === "not-enforced-yet").map(({ message }) => message);
  for (const what of ["a worker", "an ingress"]) {
    expect(refused.some((message) => message.includes(what))).toBe(true);
  }
});

/** Returns the CPU seconds of one compilation, and the codes of its findings. */
async function timed(text: string): Promise<{ seconds: number; codes: Set<string> }> {
  const before = process.cpuUsage();
  const { diagnostics, advice } = await compile(createMemoryHost({ "/system.cap": text }), "/system.cap");
  const found = [...diagnostics, ...advice];
  drawDiagnostics(found, { colour: false });
  const { user, system } = process.cpuUsage(before);
  return { seconds: (user + system) / 1e6, codes: new Set(found.map(({ code }) => code)) };
}

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

// The limits are generous: they only detect work that grows faster than the page.
test.each([
  ["a chain of categories", `system s {\n${lines(25_000, (n) => `category c${n} : c${n + 1}`)}\n}`, "too-many-levels"],
  [
    "a chain of sessions",
    `system s {\n${lines(15_000, (n) => `session s${n} extends s${n + 1} {}`)}\n}`,
    "too-many-levels",
  ],
  ["unknown names", renderFactsPage({ permit: lines(30_000, (n) => `auto unknown${n}`) }), "unknown-name"],
  [
    "thousands of unknown names beside known ones",
    renderFactsPage({
      top: lines(12_000, (n) => `category known${n} : readOnly`),
      permit: lines(12_000, (n) => `auto unknown${n}`),
    }),
    "unknown-name",
  ],
  ["one rule thousands of times", renderFactsPage({ permit: lines(30_000, () => "auto readOnly") }), "rule-redundant"],
  [
    "thousands of services",
    renderFactsPage({ services: lines(25_500, (n) => `service n${n} : Files { state 1 MiB }`) }),
    "too-large",
  ],
  [
    "services and rules for all of them",
    renderFactsPage({
      services: lines(4000, (n) => `service n${n} : Files { state 1 MiB }`),
      permit: lines(20_000, () => "auto *"),
    }),
    "too-large",
  ],
  [
    "a quota for each of thousands of categories",
    renderFactsPage({
      top: lines(9_000, (n) => `category c${n} : readOnly`),
      permit: `auto readOnly } quota { ${lines(9_000, (n) => `${n + 1} c${n} per turn`)}`,
    }),
    "quota-unreachable",
  ],
  [
    "a chain of services that hold each other",
    renderFactsPage({
      services: lines(2500, (n) => `service n${n} : Files { state 1 MiB  grant n${n + 1} scope "/a" }`),
    }),
    "unknown-name",
  ],
  [
    "ten thousand tools in five sessions",
    renderFactsPage({
      services: lines(2500, (n) => `service n${n} : Files { state 1 MiB }`),
      permit: lines(200, (n) => `consent n${n}.write`),
      top: lines(4, (n) => `session s${n} extends operator { suppress n${n}.* }`),
    }),
    "prompt-above-budget",
  ],
  [
    "tasks that thousands of sessions inherit",
    renderFactsPage({
      top: `${lines(15_000, (n) => `task t${n} in operator {}`)}\n${lines(15_000, (n) => `session s${n} extends operator {}`)}`,
    }),
    "too-large",
  ],
  [
    "tests of unknown tasks",
    renderFactsPage({
      top: `${lines(8000, (n) => `task t${n} in operator {}`)}\ntest "x" { ${lines(30_000, (n) => `as u${n}`)} }`,
    }),
    "unknown-name",
  ],
  [
    "releases and sessions",
    renderFactsPage({
      top: `${lines(6000, (n) => `declassify notes.write from secret to public by consent because "${n}"`)}
        ${lines(6000, (n) => `session s${n} extends operator {}`)}`,
    }),
    "too-large",
  ],
  [
    "services and sessions",
    renderFactsPage({
      services: lines(5000, (n) => `service n${n} : Files { state 1 MiB }`),
      top: lines(5000, (n) => `session s${n} extends operator {}`),
    }),
    "too-large",
  ],
])(
  "%s: the page compiles within seconds of CPU",
  async (_, text, code) => {
    const { seconds, codes } = await timed(text);
    expect([...codes]).toContain(code);
    expect(seconds).toBeLessThan(15);
  },
  60_000,
);

/** Input type of a phase, which is the output of the previous phase. */
type Taken<Phase extends (job: never, page: never) => unknown> = Parameters<Phase>[1];

/** This function never runs. TypeScript must reject each of its lines: a line that it accepts is an error. */
function skipPhases(
  read: Taken<typeof bindPages>,
  bound: Taken<typeof checkPage>,
  checked: Taken<typeof lowerPage>,
): readonly unknown[] {
  // @ts-expect-error a page is bound before it is checked
  const unbound: Taken<typeof checkPage> = read;
  // @ts-expect-error a page is checked before it is lowered
  const unchecked: Taken<typeof lowerPage> = bound;
  // @ts-expect-error a page is lowered before it is proved
  const unlowered: Taken<typeof provePage> = checked;
  return [unbound, unchecked, unlowered];
}

test("TypeScript refuses code that skips a phase of the compiler", () => expect(skipPhases).toHaveLength(3));
