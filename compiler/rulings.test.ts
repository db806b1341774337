import { expect, test } from "vitest";
import { decide, indexTables, openConversation } from "../engine/lib/policy/index.ts";
import { formatFile, renderPage } from "../lang/format/index.ts";
import { parse } from "../lang/grammar/index.ts";
import { createSourceText } from "../lang/text/index.ts";
import { compilePage, compilePolicy, renderFactsPage } from "./dev/fixtures/facts.ts";
import type { Policy } from "./phases/policy/index.ts";
import { exportPage, importPage, renderYaml } from "./queries/exchange/index.ts";

// Tests rulings of the language that no single room implements. Each ruling is named by a test; most of these tests are
// in the room that implements the ruling.

/** Returns the outcome of one call of each tool in `operator`, with valid arguments. */
function answers({ tables }: Policy, arguments_: Record<string, unknown> = { path: "a", content: "x" }) {
  const indexed = indexTables(tables);
  const conversation = indexed.ok ? openConversation(indexed.value, "operator") : undefined;
  if (!indexed.ok || conversation === undefined) throw new Error("no tables, or no session");
  return Object.fromEntries(
    tables.tools.map(({ name, params }) => {
      const fitting = Object.fromEntries(params.map((param) => [param.name, arguments_[param.name]]));
      const decision = decide(indexed.value, conversation, { tool: name, arguments: JSON.stringify(fitting) });
      return [name, decision.kind === "gated" ? decision.gate : decision.outcome];
    }),
  );
}

const found = async (text: string) => (await compilePage(text)).diagnostics.map(({ code }) => code);
const TWO = "service notes : Files { state 1 MiB }  service drafts : Files { state 1 MiB }";

test("ruling 1: `Files.read` covers all services of an interface, `notes.read` covers one service, and a name without a dot is a category", async () => {
  const permit = "consent Files.read  auto notes.read  auto mutatingLocal  forbidden readOnly";
  expect(answers(await compilePolicy(renderFactsPage({ services: TWO, permit })))).toEqual({
    "drafts.delete": "unknownTool",
    "drafts.list": "refusedByPolicy",
    "drafts.read": "consent",
    "drafts.write": "auto",
    "notes.delete": "unknownTool",
    "notes.list": "refusedByPolicy",
    "notes.read": "auto",
    "notes.write": "auto",
  });
  expect(await found(renderFactsPage({ permit: "auto readOnly  auto notes" }))).toEqual(["unknown-name"]);
  expect(await found(renderFactsPage({ services: "service Notes : Files { state 1 MiB }" }))).toContain("wrong-case");
});

test("ruling 3: equally specific rules that disagree are refused, and so is a category looser than its parent", async () => {
  expect(await found(renderFactsPage({ permit: "auto notes.read  consent notes.read" }))).toEqual(["rule-conflict"]);
  const own = { top: "category drafts : mutatingLocal", permit: "consent mutatingLocal  auto drafts" };
  expect(await found(renderFactsPage(own))).toContain("looser-than-parent-category");
});

test("ruling 4: the types of a condition must fit the arguments, and a call gets the strictest mode if a condition cannot be evaluated", async () => {
  const permit =
    'auto readOnly  auto notes.write where path under "/a" else consent  forbidden notes.write where content == "secret" else auto';
  const policy = await compilePolicy(renderFactsPage({ permit }));
  expect(answers(policy, { path: "/a/c", content: "x" })["notes.write"]).toBe("auto");
  expect(answers(policy, { path: "/c", content: "x" })["notes.write"]).toBe("consent");
  expect(answers(policy, { path: "/a/../c", content: "x" })["notes.write"]).toBe("refusedByPolicy");
  expect(await found(renderFactsPage({ permit: "auto notes.read where path < 3 else consent" }))).toEqual([
    "where-wrong-type",
  ]);
});

test("ruling 4: among rules of one pattern, a rule with more conditions displaces one with fewer, and the strictest remaining rule decides", async () => {
  const permit = `auto readOnly
    auto notes.write where path under "/a" else consent
    consent notes.write where content == "b" else forbidden
    forbidden notes.write where path under "/a" and path under "/a/kept" else consent
    auto notes.write where content == "b" and path under "/b" else consent`;
  const policy = await compilePolicy(renderFactsPage({ permit }));
  const mode = (path: string, content: string) => answers(policy, { path, content })["notes.write"];
  expect([mode("/a/c", "x"), mode("/c", "b"), mode("/a/c", "b"), mode("/c", "x")]).toEqual([
    "auto",
    "consent",
    "consent",
    "refusedByPolicy",
  ]);
  expect([mode("/a/kept/c", "x"), mode("/b/c", "b")]).toEqual(["refusedByPolicy", "auto"]);
  const both =
    'auto notes.write where path under "/a" else consent  consent notes.write where path under "/a" else consent';
  expect(await found(renderFactsPage({ permit: both }))).toEqual(["rule-conflict"]);
  const inside = both.replace("/a", "/a/b");
  expect(await found(renderFactsPage({ permit: inside }))).toEqual(["line-never-decides"]);
});

test("ruling 5: a rule about one tool is refused if it is looser than the decision of the base session", async () => {
  const sessions = `session operator { kind operator models { auto canned } permit { consent readOnly } }
    session night extends operator { permit { auto notes.read } }`;
  expect(await found(renderFactsPage({ sessions }))).toEqual(["widens-parent"]);
});

test("ruling 6: a widening has a reason and may have an expiry date", async () => {
  const widen = (
    words: string,
  ) => `session operator { kind operator models { auto canned } permit { consent readOnly } }
    session night extends operator { widen { auto notes.read } ${words} }`;
  expect(await found(renderFactsPage({ sessions: widen("") }))).toEqual(["syntax"]);
  const lasting = { sessions: widen('because "CHG-1: nights" until "2026-02-01"') };
  expect(await found(renderFactsPage(lasting))).toEqual([]);
  expect((await compilePage(renderFactsPage(lasting), {}, "2026-02-02")).diagnostics.map(({ code }) => code)).toEqual([
    "widen-expired",
  ]);
});

test("ruling 18: rules without a tool, shadowed rules and unsatisfiable conditions are refused, and so is a waiver of an unknown assertion", async () => {
  expect(await found(renderFactsPage({ permit: "auto Files.wrte" }))).toEqual(["rule-never-matches"]);
  expect(await found(renderFactsPage({ permit: "auto readOnly  consent Files.read  auto notes.read" }))).toEqual([
    "rule-shadowed",
  ]);
  const never = "consent notes.write where size(content) < 3 B and size(content) > 4 B else auto";
  expect(await found(renderFactsPage({ permit: never }))).toEqual(["where-unsatisfiable"]);
  expect(await found(renderFactsPage({ top: 'waive trifect because "CHG-1"' }))).toEqual(["wrong-word"]);
});

test("ruling 21: all independent errors are reported in one run, with a place, a reason, and a fix if one is certain", async () => {
  const broken = renderFactsPage({
    permit: "auto readOny  auto Files.wrte  auto readOnly readOnly",
    top: "category a : admim",
  });
  const { diagnostics, policy } = await compilePage(broken);
  expect(policy).toBeUndefined();
  const said = diagnostics.map(({ code, fix, span }) => [code, broken.slice(span.start, span.end), fix?.replacement]);
  expect(said).toEqual(
    expect.arrayContaining([
      ["unknown-name", "admim", "admin"],
      ["unknown-name", "readOny", "readOnly"],
      ["rule-never-matches", "Files.wrte", "write"],
    ]),
  );
  expect(diagnostics.filter(({ because }) => because === "")).toEqual([]);
});

test("ruling 22: a page that was converted to YAML or JSON, or formatted, compiles to the same policy", async () => {
  const text = renderFactsPage({
    top: 'compartments { hr }  declassify notes.write from secret:{hr} to public by consent because "said"',
    sessions: `session operator { kind operator models { auto canned } permit { auto readOnly  consent mutatingLocal } }
      task triage in operator { phase look { only readOnly }  phase mend after consent { only notes.* } }`,
  });
  const meant = withoutPlaces(await compilePolicy(text));
  const { tree } = await parse(createSourceText("system.cap", text));
  const value = exportPage(tree);
  for (const exchanged of [renderYaml(value), JSON.stringify(value)]) {
    const back = importPage(createSourceText("page.yaml", exchanged));
    const written = back.ok ? await renderPage(back.items) : undefined;
    if (!written?.ok) throw new Error("the page was not read back");
    expect(withoutPlaces(await compilePolicy(written.value))).toEqual(meant);
  }
  const formatted = await formatFile(createSourceText("system.cap", text));
  if (!formatted.ok) throw new Error("the page was not formatted");
  expect(withoutPlaces(await compilePolicy(formatted.value))).toEqual(meant);
});

/** Returns the policy without the positions of rules, the only part that may differ between two texts of one page. */
function withoutPlaces({ tables, ...rest }: Policy) {
  return { ...rest, tables: { ...tables, rules: tables.rules.map(({ id, words }) => ({ id, words })) } };
}
