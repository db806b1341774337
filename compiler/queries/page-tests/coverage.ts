import { FIRST_DECISION, type IndexedTables } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import type { Span } from "../../../lang/text/index.ts";
import type { Origins } from "../../phases/policy/index.ts";

/** A rule of the tables, and the number of its decisions. */
export interface CoveredRule {
  readonly id: string;
  readonly words: string;
  readonly span: Span;
  readonly times: number;
}

/** A tool that can be called in some row of a session, and the number of its calls. */
interface CoveredPair {
  readonly session: string;
  readonly tool: string;
  readonly times: number;
}

/** How often tests used each rule, in the order of the tables, and each tool of a session, by session and then tool. */
export interface Coverage {
  readonly rules: readonly CoveredRule[];
  readonly pairs: readonly CoveredPair[];
}

/** Counts the calls and decisions of tests. */
export class Tally {
  readonly #rules = new Map<number, number>();
  readonly #pairs = new Map<string, number>();

  decided(rules: readonly number[]): void {
    for (const rule of rules) this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + 1);
  }

  called({ session }: Row, tool: string): void {
    const pair = `${session} ${tool}`;
    this.#pairs.set(pair, (this.#pairs.get(pair) ?? 0) + 1);
  }

  computeCoverage(tables: IndexedTables, origins: Origins): Coverage {
    const rules = tables.rules.flatMap(({ id, words }, index): CoveredRule[] => {
      const span = origins.rules[index];
      return span === undefined ? [] : [{ id, words, span, times: this.#rules.get(index) ?? 0 }];
    });
    return { rules, pairs: this.#countPairs(tables) };
  }

  #countPairs(tables: IndexedTables): CoveredPair[] {
    const sessions = [...new Set(tables.rows.map(({ session }) => session))];
    return sessions.flatMap((session) => {
      const rows = tables.rows.filter((row) => row.session === session);
      const there = tables.tools.filter((_, index) => rows.some(({ cells }) => (cells[index] ?? 0) >= FIRST_DECISION));
      return there.map(({ name }) => ({ session, tool: name, times: this.#pairs.get(`${session} ${name}`) ?? 0 }));
    });
  }
}
