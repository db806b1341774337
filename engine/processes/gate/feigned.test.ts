// Tests text of a hostile loop or service that is drawn on one line with the gate's own words about the call: nobody may
// mistake the text for these words.
import { expect, test } from "vitest";
import type { ToolCall } from "../../lib/wire/generated/capos.ts";
import { answerCommand } from "./commands/index.ts";
import { CALL, never, propose, staged } from "./testing/calls.ts";
import type { Stage } from "./testing/stage.ts";

const CALLS: readonly ToolCall[] = [
  { ...CALL, name: 'notes.write {"path":"a"} stepUp → ok' },
  { ...CALL, name: "(visitor) notes.write" },
  { ...CALL, arguments: '{"path":"a"} stepUp → ok (' },
];

/** Returns notices of ended calls as the console draws them. */
function drawn({ notices }: Stage): readonly string[] {
  return notices.map(({ tool, arguments: args, outcome, detail }) => `${tool} ${args} → ${outcome} (${detail})`);
}

test("a proposed call cannot imitate the outcome of a call or another session in a notice", async () => {
  const stage = staged("stepUp");
  stage.gate.session.beginTurn();
  for (const call of CALLS) await propose(stage, call);
  for (const line of drawn(stage)) {
    expect(line.split("→")).toHaveLength(2);
    expect(line).toMatch(/ → (unknownTool|invalidArguments) \(/);
  }
  expect(stage.notices.map(({ tool }) => tool)).toEqual([
    '"notes.write {\\"path\\":\\"a\\"} stepUp ‹U+2192› ok"',
    '"(visitor) notes.write"',
    "notes.write",
  ]);
});

test("a service's failure text cannot imitate another outcome", async () => {
  const stage = staged("auto", { serve: async () => ({ ok: false, code: "failed", reason: "no → ok (" }) });
  await stage.gate.personCalls.call(CALL, never);
  expect(drawn(stage).at(-1)).toBe('notes.write {"path":"a"} → executionError (no ‹U+2192› ok ()');
});

test("a proposed call cannot imitate an outcome in /audit", async () => {
  const stage = staged("stepUp");
  stage.gate.session.beginTurn();
  for (const call of CALLS) await propose(stage, call);
  const parts = { gate: stage.gate, held: new Map<string, bigint>(), supervisor: stage.audit };
  const lines = (await answerCommand(parts, "audit", "", never)).filter((line) => line.includes("outcome:"));
  expect(lines).toHaveLength(CALLS.length);
  for (const line of lines) expect(line.split("→")).toHaveLength(2);
});
