import fc from "fast-check";
import { expect, test } from "vitest";
import { bindModel, compilePolicyWithoutLaws, renderFactsPage } from "../../dev/fixtures/facts.ts";
import { prove } from "./prove.ts";
import { anyPage } from "./testing/any-page.ts";
import { letsRun } from "./testing/arguments.ts";
import { runsOf } from "./testing/calls.ts";
import { type CompiledPage, meaningOf } from "./testing/compiled.ts";
import { pageText } from "./testing/pages.ts";
import { reach } from "./testing/reach.ts";
import { systemOf } from "./testing/system.ts";

/** Returns the session, tool and reason of each dead cell, which is a permission that no conversation can use. */
async function deadOn(text: string): Promise<readonly string[]> {
  const policy = await compilePolicyWithoutLaws(text);
  const { tools, rows } = policy.tables;
  return prove(policy, await bindModel(text)).dead.map(
    ({ row, tool, why }) => `${rows[row]?.session} ${tools[tool]?.name}: ${why.kind}`,
  );
}

const session = (permit: string, more = "") =>
  `session operator { kind operator  ${more}  models { auto canned }  permit { ${permit} } }`;
const SECRET = "service notes : Files { state 1 MiB label secret/reviewed }";

test("a permission is not dead if a conversation can make the call, and a forbidden tool does not count as a dead permission", async () => {
  expect(await deadOn(renderFactsPage({ sessions: session("auto *  forbidden destructive") }))).toEqual([]);
});

test("a conversation whose label begins above the sink cannot send to the sink", async () => {
  const above = renderFactsPage({ sessions: session("auto *", "clearance secret  starts secret/reviewed") });
  expect(await deadOn(above)).toEqual(["operator notes.delete: flow", "operator notes.write: flow"]);
  const released = `${session("auto *", "clearance secret  starts secret/reviewed")}
    declassify notes.write from internal to public/untrusted by consent for operator because "it is published"`;
  expect(await deadOn(renderFactsPage({ sessions: released }))).toEqual([
    "operator notes.delete: flow",
    "operator notes.write: release",
  ]);
  expect(await deadOn(renderFactsPage({ sessions: released.replace("from internal", "from secret") }))).toEqual([
    "operator notes.delete: flow",
  ]);
});

test("a permission for a tool that changes data is dead if the tool's result is above the session's clearance", async () => {
  const parts = { services: SECRET, sessions: session("auto *  forbidden destructive", "clearance internal") };
  expect(await deadOn(renderFactsPage(parts))).toEqual(["operator notes.write: result"]);
});

test("a floor that always applies forbids what the rule allows", async () => {
  const when = "when confidentiality >= public { atLeast forbidden destructive }";
  expect(await deadOn(renderFactsPage({ sessions: session("auto *", when) }))).toEqual([
    "operator notes.delete: floor",
  ]);
});

test("a tool without valid arguments is dead if a rule lets it run", async () => {
  const line = "auto readOnly  auto notes.write where size(content) <= 131072 B else forbidden";
  expect(await deadOn(renderFactsPage({ sessions: session(line) }))).toEqual([]);
  const dead = "auto readOnly  auto notes.write where size(content) > 131072 B else forbidden";
  expect(await deadOn(renderFactsPage({ sessions: session(dead) }))).toEqual(["operator notes.write: arguments"]);
});

/** Returns the row and tool of every call that some conversation can make, according to the naive evaluator. */
function alive({ policy, model }: CompiledPage): Set<string> {
  const system = systemOf(policy, model);
  const { states } = reach(system, { matchers: [], withoutReleases: false });
  const found = new Set<string>();
  for (const { row, label } of states.values())
    for (const tool of policy.tables.tools.keys())
      if (runsOf(system, row, tool, label).length > 0) found.add(`${row} ${tool}`);
  return found;
}

test("property: a permission is dead if and only if no conversation can use it", async () => {
  let dead = 0;
  await fc.assert(
    fc.asyncProperty(anyPage, async (any) => {
      const compiled = await meaningOf(pageText(any));
      const { tools, rows, decisions } = compiled.policy.tables;
      const called = alive(compiled);
      const said = prove(compiled.policy, compiled.model).dead;
      dead += said.length;
      const keys = new Set(said.map(({ row, tool }) => `${row} ${tool}`));
      for (const [row, { cells }] of rows.entries())
        for (const tool of tools.keys()) {
          const list = decisions[(cells[tool] ?? 0) - 2];
          const runs = list !== undefined && letsRun(list);
          expect([row, tool, keys.has(`${row} ${tool}`)]).toEqual([row, tool, runs && !called.has(`${row} ${tool}`)]);
        }
    }),
    { numRuns: 100, seed: 6 },
  );
  expect(dead).toBeGreaterThan(50);
});
