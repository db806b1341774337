// Tests that `decide` and the broker's ledger refuse the same calls of a conversation because of quotas. `decide` gets
// the amounts that were spent so far as input, whereas the ledger counts the calls that it charged.
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Conversation,
  decide,
  enterPhase,
  type IndexedTables,
  openTask,
  startTurn,
} from "../../../lib/policy/index.ts";
import { always, CATEGORY, indexed, row, tool } from "../../../lib/policy/testing/sample.ts";
import type { Quota, Row, Tool } from "../../../lib/wire/generated/policy.ts";
import { QuotaLedger } from "./quota-ledger.ts";
import { numbered, quota, TestWorld } from "./testing/quota-ledgers.ts";

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

// The test covers one conversation without interruptions; only the ledger handles resets by a person or a clock.
const anyQuota: fc.Arbitrary<Quota> = fc
  .tuple(
    fc.nat(4),
    fc.constantFrom("calls", "prompts", "readOnly", "mutatingLocal", "destructive", "payments"),
    fc.constantFrom("call", "turn", "conversation", "task", "login"),
  )
  .map(([amount, what, scope]) => quota(`${amount} ${what} per ${scope}`));

type Step = "turn" | "mend" | "a.pay" | "b.read" | "c.write";
const anyStep = fc.constantFrom<Step>("turn", "turn", "mend", "a.pay", "b.read", "c.write", "b.read", "c.write");

/**
 * A conversation in a task of two phases; both `decide` and the ledger count its quotas. Throws if `decide` and the
 * ledger disagree.
 */
class Both {
  readonly #tables: IndexedTables;
  readonly #ledger: QuotaLedger;
  #conversation: Conversation;
  #turn = 0;

  /** The first `apart` quotas apply only in the task's second phase, all others in both phases. */
  constructor(given: readonly Quota[], apart: number) {
    const { quotas, rules } = numbered(given);
    const look = { task: "triage", phase: "look", quotas: quotas.slice(apart) };
    const mend = { ...look, phase: "mend", phaseIndex: 1, quotas, entry: "consent" } as const;
    const rows = [row("operator", [2, 3, 4]), row("operator", [2, 3, 4], look), row("operator", [2, 3, 4], mend)];
    this.#tables = indexed({ tools: TOOLS, decisions: DECISIONS, rules, rows });
    this.#ledger = new QuotaLedger(this.#tables, new TestWorld(), { name: "operator", people: [] });
    const opened = openTask(this.#tables, "operator", "triage");
    if (!opened.ok) throw new Error(opened.reason);
    this.#conversation = opened.value.conversation;
  }

  take(step: Step): void {
    if (step === "turn") this.#nextTurn();
    else if (step === "mend") this.#enter();
    else this.#call(step);
  }

  #nextTurn(): void {
    this.#turn += 1;
    this.#conversation = startTurn(this.#tables, this.#conversation);
  }

  #enter(): void {
    if (this.#rowAt(this.#conversation.row).phase === "mend") return;
    const passage = enterPhase(this.#tables, this.#conversation, "mend");
    expect(this.#isReserved(2, undefined, 1)).toBe(passage.ok);
    if (passage.ok) this.#conversation = passage.value.conversation;
  }

  #call(name: Exclude<Step, "turn" | "mend">): void {
    const decision = decide(this.#tables, this.#conversation, { tool: name, arguments: "{}" });
    const tool = this.#tables.tools[this.#tables.toolIndex.get(name) ?? -1];
    expect(this.#isReserved(this.#conversation.row, tool, name === "b.read" ? 0 : 1)).toBe(decision.kind === "gated");
    if (decision.kind === "gated") this.#conversation = { ...this.#conversation, spent: decision.spent };
  }

  #isReserved(index: number, tool: Tool | undefined, prompts: number): boolean {
    const asked = { conversation: "main", turn: this.#turn, row: this.#rowAt(index), tool, prompts, argumentBytes: 2 };
    return "lease" in this.#ledger.reserve(asked);
  }

  #rowAt(index: number): Row {
    return this.#tables.rows[index] ?? row("", []);
  }
}

test("the policy code refuses a call or a phase change because of quotas if and only if the ledger refuses it", () => {
  const quotas = fc.array(anyQuota, { maxLength: 4 });
  fc.assert(
    fc.property(quotas, fc.nat(2), fc.array(anyStep, { maxLength: 20 }), (given, apart, steps) => {
      const both = new Both(given, apart);
      for (const step of steps) both.take(step);
    }),
    { numRuns: 500 },
  );
});
