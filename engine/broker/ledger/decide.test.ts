// `decide` counts what it is told was spent; the ledger counts what it was asked for. Both read the same quotas of the page, so
// a conversation stepped with the one and charged at the other must meet the same ends.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Conversation, decide, nextTurn, openConversation } from "../../policy/index.ts";
import { always, CATEGORY, indexed, row, tool } from "../../policy/testing/sample.ts";
import type { Quota } from "../../wire/generated/policy.ts";
import { Ledger } from "./ledger.ts";
import { quota, TestWorld } from "./testing/ledgers.ts";

const TOOLS = [
  tool("a.pay", { category: CATEGORY.payments, params: [] }),
  tool("b.read", { category: CATEGORY.readOnly, readOnly: true, params: [] }),
  tool("c.write", { params: [] }),
];
const DECISIONS = [
  { clauses: [always("stepUp")], floors: [] },
  { clauses: [always("auto")], floors: [] },
  { clauses: [always("consent")], floors: [] },
];

// Within one conversation that is never interrupted; what a person or a clock does to the counters is the ledger's alone.
const anyQuota: fc.Arbitrary<Quota> = fc
  .tuple(
    fc.nat(4),
    fc.constantFrom("calls", "prompts", "readOnly", "mutatingLocal", "destructive", "payments"),
    fc.constantFrom("call", "turn", "conversation", "task", "login"),
  )
  .map(([amount, what, scope]) => quota(`${amount} ${what} per ${scope}`));

type Step = "turn" | "a.pay" | "b.read" | "c.write";
const anyStep = fc.constantFrom<Step>("turn", "a.pay", "b.read", "c.write");

test("any conversation is refused by decide where the ledger refuses it, and nowhere else", () => {
  fc.assert(
    fc.property(fc.array(anyQuota, { maxLength: 4 }), fc.array(anyStep, { maxLength: 20 }), (quotas, steps) => {
      const tables = indexed({ tools: TOOLS, decisions: DECISIONS, rows: [row("operator", [2, 3, 4], { quotas })] });
      const ledger = new Ledger(tables, tables.rows[0] ?? row("", []), new TestWorld());
      let conversation: Conversation | undefined = openConversation(tables, "operator");
      let turn = 0;
      for (const step of steps) {
        if (conversation === undefined) throw new Error("the sample has no session operator");
        if (step === "turn") {
          turn += 1;
          conversation = nextTurn(tables, conversation);
          continue;
        }
        const decision = decide(tables, conversation, { tool: step, arguments: "{}" });
        const asked = tables.tools[tables.toolIndex.get(step) ?? -1] ?? tool("");
        const prompts = step === "b.read" ? 0 : 1;
        const reserved = ledger.reserve({ conversation: "main", turn, tool: asked, prompts });
        expect("lease" in reserved).toBe(decision.kind === "gated");
        if (decision.kind === "gated") conversation = { ...conversation, spent: decision.spent };
      }
    }),
    { numRuns: 500 },
  );
});
