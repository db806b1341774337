// Ledgers over small tables, with a clock that tests set, and with consecutive numbers in place of random ones.
import { CATEGORY, indexed, row, tool } from "../../../../lib/policy/testing/sample.ts";
import type { Quota, Rule } from "../../../../lib/wire/generated/policy.ts";
import { Counts } from "../../disk/counts.ts";
import type { Disk } from "../../disk/disk.ts";
import type { World } from "../../world.ts";
import { type ChargeRequest, QuotaLedger } from "../quota-ledger.ts";

const read = tool("notes.read", { category: CATEGORY.readOnly, readOnly: true });
const write = tool("notes.write");
const remove = tool("notes.delete", { category: CATEGORY.destructive });
const pay = tool("bank.pay", { category: CATEGORY.payments });

/** `pay` belongs to a category below `destructive`. */
export const TOOLS = { read, write, remove, pay };

export function quota(words: string): Quota {
  const [amount = "", what = "", , scope = ""] = words.split(" ");
  const counted = what === "calls" || what === "prompts" || what === "tokens";
  return {
    amount: BigInt(amount),
    unit: counted ? what : "category",
    name: counted ? "" : what,
    scope: scope as Quota["scope"],
    rule: 0,
  };
}

export class TestWorld implements World {
  ms = 0;
  wallMs = 1_800_000_000_000;
  #tokens = 0;
  readonly now = () => this.ms;
  readonly wall = () => this.wallMs;
  readonly random = (bytes: number) => {
    this.#tokens += 1;
    const token = Buffer.alloc(bytes);
    token.writeUInt32BE(this.#tokens);
    return token;
  };
}

/** Returns the quotas, each with a separate rule, like the quotas of a page. */
export function numbered(quotas: readonly Quota[]): {
  readonly quotas: readonly Quota[];
  readonly rules: readonly Rule[];
} {
  const rules = Array.from({ length: quotas.length + 1 }, (_, index) => ({
    id: String(index),
    words: `line ${index + 1}`,
    place: `a.cap:${index + 1}:1`,
  }));
  return { quotas: quotas.map((quota, rule) => ({ ...quota, rule })), rules };
}

export function ledgerWith(given: readonly Quota[], world = new TestWorld(), disk?: Disk) {
  const tools = [pay, remove, read, write];
  const { quotas, rules } = numbered(given);
  const own = row("operator", [2, 2, 2, 2], { quotas });
  const counts = disk && Counts.open(world, disk);
  const lasting = counts?.ok === true ? { counts: counts.value } : { missing: counts?.reason ?? "no disk" };
  const ledger = new QuotaLedger(indexed({ tools, rules, rows: [own] }), world, {
    ...lasting,
    name: "operator",
    people: ["a", "b"],
  });
  const reserve = (changes: Partial<ChargeRequest> = {}) =>
    ledger.reserve({ conversation: "c", turn: 1, row: own, tool: read, prompts: 0, argumentBytes: 0, ...changes });
  const standings = (conversation: string, turn: number) => ledger.listStandings(conversation, turn, own.quotas);
  return { ledger, world, reserve, standings, row: own };
}
