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

/** Returns the session, tool and reason of each dead cell. */
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

test("a cell is alive if a conversation can call it, and forbidden cells are not counted", async () => {
  expect(await deadOn(renderFactsPage({ sessions: session("auto *  forbidden destructive") }))).toEqual([]);
});

test("a conversation that begins above the sink cannot send there", async () => {
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

test("a change whose result is above the clearance is never made", async () => {
  const parts = { services: SECRET, sessions: session("auto *  forbidden destructive", "clearance internal") };
  expect(await deadOn(renderFactsPage(parts))).toEqual(["operator notes.write: result"]);
});

test("a floor that always holds forbids what the line allows", async () => {
  const when = "when confidentiality >= public { atLeast forbidden destructive }";
  expect(await deadOn(renderFactsPage({ sessions: session("auto *", when) }))).toEqual([
    "operator notes.delete: floor",
  ]);
});

test("a tool that no arguments fit which a line lets run", async () => {
  const line = "auto readOnly  auto notes.write where size(content) <= 131072 B else forbidden";
  expect(await deadOn(renderFactsPage({ sessions: session(line) }))).toEqual([]);
  const dead = "auto readOnly  auto notes.write where size(content) > 131072 B else forbidden";
  expect(await deadOn(renderFactsPage({ sessions: session(dead) }))).toEqual(["operator notes.write: arguments"]);
});

/** Cells that some conversation of the naive evaluator can call, as row and tool. */
function alive({ policy, model }: CompiledPage): Set<string> {
  const system = systemOf(policy, model);
  const { states } = reach(system, { matchers: [], withoutReleases: false });
  const found = new Set<string>();
  for (const { row, label } of states.values())
    for (const tool of policy.tables.tools.keys())
      if (runsOf(system, row, tool, label).length > 0) found.add(`${row} ${tool}`);
  return found;
}

test("law: no cell is called dead that somebody can call, and every other that a line lets run is", async () => {
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
