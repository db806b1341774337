// Runs the broker's own counters with tables, call by call. In the broker a person logs in with a signature; here a
// test sets the person who is logged in.

import type { IndexedTables } from "../../../../engine/lib/policy/index.ts";
import type { Row } from "../../../../engine/lib/wire/generated/policy.ts";
import { Counts } from "../../../../engine/processes/broker/disk/counts.ts";
import { MemoryDisk } from "../../../../engine/processes/broker/disk/testing/memory-disk.ts";
import { Answers, QuotaLedger } from "../../../../engine/processes/broker/quotas/index.ts";
import { TestWorld } from "../../../../engine/processes/broker/quotas/testing/quota-ledgers.ts";
import { bug } from "../../../../lang/diagnostics/index.ts";
import { type Place, placeKey } from "../places.ts";

/** An event in a test. */
export type Happening =
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "login"; readonly session: string; readonly actor: string }
  | {
      readonly kind: "spend";
      readonly place: Place;
      readonly conversation: number;
      readonly turn: number;
      readonly on: Spending;
    };

export type Spending =
  /**
   * A call, or a question to a person before a step into a phase or a similar step. The question has no `tool`, because
   * it is not about a call.
   */
  | { readonly kind: "call"; readonly tool: string | undefined; readonly prompts: number; readonly bytes: number }
  | { readonly kind: "answer"; readonly backend: string; readonly tokens: number };

/** The quota counters of a machine (ledgers), with the same parameters as in the broker. */
export class Machine {
  readonly #tables: IndexedTables;
  readonly #world = new TestWorld();
  readonly #ledgers = new Map<string, QuotaLedger>();
  readonly #backends = new Map<string, QuotaLedger>();
  readonly #actors = new Map<string, string>();

  constructor(tables: IndexedTables) {
    this.#tables = tables;
    const opened = Counts.open(this.#world, new MemoryDisk());
    const counts = opened.ok ? opened.value : bug(opened.reason);
    for (const { name } of tables.backends)
      this.#backends.set(name, new QuotaLedger(tables, this.#world, { counts, name: `backend ${name}`, people: [] }));
    for (const row of tables.rows) {
      const people = () => this.#peopleIn(row);
      const lasting = {
        ...{ counts, name: row.session, hasLogin: row.login !== "none" },
        get people() {
          return people();
        },
      };
      if (!this.#ledgers.has(row.session))
        this.#ledgers.set(row.session, new QuotaLedger(tables, this.#world, lasting));
    }
  }

  /**
   * Applies an event. For an event `spend` that is refused, returns `undefined`. For an answer of a model, returns the
   * number of tokens that it used, and for anything else 0.
   */
  take(happening: Happening): number | undefined {
    switch (happening.kind) {
      case "wait":
        this.#world.ms += happening.ms;
        return 0;
      case "login":
        this.#actors.set(happening.session, happening.actor);
        this.#ledgers.get(happening.session)?.beginLogin();
        return 0;
      case "spend": {
        const row = this.#tables.rows.find((one) => placeKey(one) === placeKey(happening.place));
        const ledger = this.#ledgers.get(happening.place.session);
        if (row === undefined || ledger === undefined || !this.#isOpen(row)) return undefined;
        return this.#spend(row, ledger, happening);
      }
    }
  }

  #isOpen(row: Row): boolean {
    return row.login === "none" || this.#namesOf(row).includes(this.#actors.get(row.session) ?? "");
  }

  #peopleIn(row: Row): readonly string[] {
    return row.login === "none" ? this.#namesOf(row) : [this.#actors.get(row.session) ?? ""];
  }

  #namesOf({ principals }: Row): readonly string[] {
    return principals.map((at) => this.#tables.principals[at]?.name ?? "");
  }

  #spend(row: Row, ledger: QuotaLedger, { place, conversation, turn, on }: Extract<Happening, { kind: "spend" }>) {
    // Conversations of different tasks have different names, because a conversation never leaves its session and task.
    const named = `${place.task} ${conversation}`;
    if (on.kind === "answer") return this.#answer(row, ledger, named, turn, on);
    const { prompts, bytes: argumentBytes } = on;
    const tool = on.tool === undefined ? undefined : this.#tables.tools[this.#tables.toolIndex.get(on.tool) ?? -1];
    return "lease" in ledger.reserve({ conversation: named, turn, row, tool, prompts, argumentBytes }) ? 0 : undefined;
  }

  #answer(row: Row, ledger: QuotaLedger, named: string, turn: number, on: Extract<Spending, { kind: "answer" }>) {
    const plan = this.#tables.backends.find(({ name }) => name === on.backend);
    const listed = row.backends.some(({ backend }) => this.#tables.backends[backend] === plan);
    const book = this.#backends.get(on.backend);
    if (plan === undefined || book === undefined || !listed) return undefined;
    const people = row.login === "none" ? undefined : this.#peopleIn(row);
    const own = ledger.openCounted(
      named,
      turn,
      row.quotas.filter(({ unit }) => unit === "tokens"),
    );
    const theirs = book.openCounted(`${row.session} ${named}`, turn, plan.quotas, people);
    if (!own.ok || !theirs.ok) return undefined;
    const answers = new Answers(this.#tables, this.#world, (counted) => ledger.keep(counted));
    const reserved = answers.reserve([...own.value, ...theirs.value]);
    if ("exhausted" in reserved) return undefined;
    const used = Math.min(on.tokens, reserved.mostTokens);
    answers.settle(reserved.lease, BigInt(used));
    return used;
  }
}
