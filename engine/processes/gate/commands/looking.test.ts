// Tests the commands that show a person the policy tables, such as `/inspect` and `/policy`.
import { expect, test } from "vitest";
import { always, row, tool } from "../../../lib/policy/testing/sample.ts";
import type { PolicyTables } from "../../../lib/wire/generated/policy.ts";
import { never } from "../testing/calls.ts";
import { Stage } from "../testing/stage.ts";
import { answerCommand } from "./index.ts";

function asked(tables: Partial<PolicyTables>) {
  const { gate, audit } = new Stage({ tables });
  const parts = { gate, held: new Map(), supervisor: audit };
  return (name: string, argument = "") => answerCommand(parts, name, argument, never);
}

test("/why of a call that ran names no reason for a refusal", async () => {
  const say = asked({});
  await say("tool", 'notes.write {"path":"a"}');
  expect((await say("why")).slice(0, 4)).toEqual([
    'notes.write {"path":"a"}',
    'decided: auto, because: auto by "the first line"',
    "rule: the first line (a.cap:1:1)",
    "outcome: ok",
  ]);
});

test("/inspect shows everything that the tables contain about a tool", async () => {
  const say = asked({ decisions: [{ clauses: [always("consent"), always("auto", 1)], floors: [] }] });
  expect(await say("inspect", "notes.write")).toEqual([
    "notes.write: notes.write for tests",
    "Sample.write, answered by notes, category mutatingLocal",
    "mode consent, by:",
    "  the first line (a.cap:1:1)",
    "also covered by:",
    "  the second line (a.cap:2:1)",
    "arguments {}",
    "result public/reviewed to public/reviewed, arguments flow to secret:{finance, hr}/untrusted",
  ]);
});

test("/policy lists the rules behind the session's decisions, in the page's order", async () => {
  const say = asked({
    tools: [tool("notes.read"), tool("notes.write")],
    decisions: [
      { clauses: [always("auto", 1)], floors: [] },
      { clauses: [always("auto")], floors: [] },
    ],
    rows: [row("operator", [2, 3]), row("visitor", [2, 2], { task: "tour", phase: "look" })],
  });
  const [system, , ...lines] = await say("policy");
  expect([system, ...lines]).toEqual([
    "system sample 1.0.0, session operator",
    "the first line (a.cap:1:1)",
    "the second line (a.cap:2:1)",
  ]);
});

test("/policy decisions shows at most two thousand lines, and counts the rest", async () => {
  const names = Array.from({ length: 45 }, (_, index) => String(index).padStart(2, "0"));
  const cells = names.map(() => 2);
  const say = asked({
    tools: names.map((name) => tool(`notes.n${name}`)),
    rows: ["operator", ...names.slice(1)].map((name) => row(name, cells)),
  });
  const lines = await say("policy", "decisions");
  expect([lines.length, lines.at(-1)]).toEqual([2001, "26 more lines are not shown"]);
});
