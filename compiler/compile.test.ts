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

test("the first example compiles without a finding, to tables that hang together", async () => {
  // The key that it names is made on each machine: here it is one that never changes.
  const { policy, origins, diagnostics } = await compilePage(await readFile(EXAMPLE, "utf8"));
  expect(diagnostics).toEqual([]);
  expect(policy && indexTables(policy.tables).ok).toBe(true);
  expect(origins?.rules).toHaveLength(policy?.tables.rules.length ?? -1);
  expect(policy?.image.boot).toBe("operator");
});

test("the standard library alone has nothing to find fault with", async () => {
  const text = renderFactsPage({ top: "use std.categories use std.lattice use std.profiles" });
  expect((await compilePage(text)).diagnostics).toEqual([]);
});

test("a feature that the image cannot enforce stops a build, and check and test warn", async () => {
  const files = { "/system.cap": renderFactsPage({ top: "model smol { tools true }" }) };
  const severities = async (purpose: "build" | "check") => {
    const { policy, diagnostics } = await compile(createMemoryHost(files), "/system.cap", { purpose });
    return [policy !== undefined, diagnostics.map(({ code, severity }) => `${severity} ${code}`)];
  };
  expect(await severities("build")).toEqual([false, ["error not-enforced-yet"]]);
  expect(await severities("check")).toEqual([true, ["warning not-enforced-yet"]]);
});

/** Compiles a page whose operator may write after a question, with the declarations `top`. */
const asserting = (top: string, proofs: "demanded" | "told" = "demanded") =>
  compile(createMemoryHost({ "/system.cap": renderFactsPage({ top }) }), "/system.cap", { proofs });

test("assertions of a page and inherited ones are proved together", async () => {
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

test("an assertion that does not hold is an error at its line, and no policy is made of the page; who only wants to be told gets both", async () => {
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

test("a waived assertion is not proved, and has its reason", async () => {
  const { proofs, diagnostics } = await asserting('waive trifecta because "CHG-1"');
  expect(diagnostics).toEqual([]);
  expect(proofs?.results.map(({ inherited }) => inherited)).not.toContain("trifecta");
  expect(proofs?.waived).toMatchObject([{ assertion: "trifecta", reason: "CHG-1" }]);
});

test("a page with errors has no proofs", async () => {
  const { diagnostics, proofs } = await asserting("assert never call mutatingLocal  category a : nothing");
  expect(proofs).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["unknown-name"]);
});

test("an assertion from elsewhere speaks of the page's names, and its findings stand where it was asked", async () => {
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

test("the page of every construct is refused for what the image cannot enforce, once for each, and never accepted", async () => {
  const whole = new URL("../lang/spec/whole-page.cap", import.meta.url).pathname;
  const { policy, diagnostics } = await compile(createDiskHost("2026-01-01"), whole);
  expect(policy).toBeUndefined();
  const refused = diagnostics.filter(({ code }) => code === "not-enforced-yet").map(({ message }) => message);
  for (const what of ["a worker", "an ingress"]) {
    expect(refused.some((message) => message.startsWith(what))).toBe(true);
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

// Generous limits: they are there to catch what grows faster than the page.
test.each([
  ["a chain of categories", `system s {\n${lines(25_000, (n) => `category c${n} : c${n + 1}`)}\n}`, "too-many-levels"],
  [
    "a chain of sessions",
    `system s {\n${lines(15_000, (n) => `session s${n} extends s${n + 1} {}`)}\n}`,
    "too-many-levels",
  ],
  ["unknown names", renderFactsPage({ permit: lines(30_000, (n) => `auto unknown${n}`) }), "unknown-name"],
  [
    "unknown names beside thousands of known ones",
    renderFactsPage({
      top: lines(12_000, (n) => `category known${n} : readOnly`),
      permit: lines(12_000, (n) => `auto unknown${n}`),
    }),
    "unknown-name",
  ],
  ["one line again and again", renderFactsPage({ permit: lines(30_000, () => "auto readOnly") }), "rule-redundant"],
  [
    "services by the thousand",
    renderFactsPage({ services: lines(25_500, (n) => `service n${n} : Files { state 1 MiB }`) }),
    "too-large",
  ],
  [
    "services and lines for all of them",
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
    "services in a row, each of which holds the next",
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
    "tests of tasks that are not there",
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
  "%s: an answer within seconds",
  async (_, text, code) => {
    const { seconds, codes } = await timed(text);
    expect([...codes]).toContain(code);
    expect(seconds).toBeLessThan(15);
  },
  60_000,
);

/** The page that a phase takes, as the phase before it left it. */
type Taken<Phase extends (job: never, page: never) => unknown> = Parameters<Phase>[1];

/** Never runs: TypeScript refuses each of its lines, and a line that it would accept is an error. */
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

test("no phase can be left out", () => expect(skipPhases).toHaveLength(3));
