// Explains each cell with the texts and the code of `capc why`. A report stores each sentence, each check and each line
// of the matrix once, and refers to them by number.

import { beginIn } from "../../../../engine/lib/policy/index.ts";
import type { Row } from "../../../../engine/lib/wire/generated/policy.ts";
import { formatRowPath } from "../../../phases/policy/index.ts";
import { type CheckResult, trace } from "../../why/index.ts";
import type { Subject } from "../subject.ts";

/** The reasons of all decisions, as the script of the report reads them. */
interface ReasonsView {
  readonly texts: readonly string[];
  /** Checks. Each check is a list of indexes into `texts`: its name, its verdict, and then its sentences. */
  readonly checks: readonly (readonly number[])[];
  /**
   * Reasons. Each reason begins with indexes into `texts` for answer, reason and arguments. The index of the rule
   * follows, or -1 without a rule, and then the indexes of the checks in order.
   */
  readonly reasons: readonly (readonly number[])[];
  /** Lines of the matrix. Each line has the index of a reason for every place, in the order of the matrix. */
  readonly lines: readonly (readonly number[])[];
  /** Index of the line of each tool. Several tools may share a line. */
  readonly tools: readonly number[];
  /** Each place in the form for `capc why`; null for places that `capc why` does not support. */
  readonly places: readonly (string | null)[];
}

export function buildReasonsView({ tables }: Subject): ReasonsView {
  const texts = createNumbering<string>((text) => text);
  const [checks, reasons, lines] = [createListNumbering(), createListNumbering(), createListNumbering()];
  const numberReason = (tool: string, row: Row, index: number): number => {
    const traced = trace(tables, beginIn(row, index), { session: row.session, tool });
    const { decision, arguments: asked } = traced;
    const answer = decision.kind === "gated" ? decision.gate : decision.outcome;
    const made = traced.checks.map((check) => checks.number(checkTexts(check).map(texts.number)));
    return reasons.number([...[answer, decision.reason, asked].map(texts.number), decision.rule ?? -1, ...made]);
  };
  const tools = tables.tools.map(({ name }) =>
    lines.number(tables.rows.map((row, index) => numberReason(name, row, index))),
  );
  const places = tables.rows.map((row) => (row.worker === "" ? formatRowPath(row) : null));
  return {
    texts: texts.items,
    checks: checks.items,
    reasons: reasons.items,
    lines: lines.items,
    tools,
    places,
  };
}

const VERDICTS = { passes: "passes", decides: "decides", notAsked: "not asked" } as const;

function checkTexts({ name, verdict, words }: CheckResult): readonly string[] {
  return [name, VERDICTS[verdict], ...words];
}

function createListNumbering(): Numbering<readonly number[]> {
  return createNumbering((numbers) => numbers.join(" "));
}

interface Numbering<T> {
  readonly items: readonly T[];
  readonly number: (item: T) => number;
}

function createNumbering<T>(keyOf: (item: T) => string): Numbering<T> {
  const items: T[] = [];
  const known = new Map<string, number>();
  const number = (item: T): number => {
    const key = keyOf(item);
    const at = known.get(key) ?? items.length;
    if (at === items.length) {
      items.push(item);
      known.set(key, at);
    }
    return at;
  };
  return { items, number };
}
