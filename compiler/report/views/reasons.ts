// Why each cell is as it is, in the words of `capc why`: asked of the very piece that answers there. A report holds each
// sentence once; what stands in the page is numbers.

import { beginIn } from "../../../engine/policy/index.ts";
import { type CheckMade, trace } from "../../explain/index.ts";
import { rowPath, textOf } from "../../policy/index.ts";
import type { Subject } from "../subject.ts";

/** For the script of the page. */
export interface ReasonsView {
  readonly texts: readonly string[];
  /** Each: the answer, the reason, the arguments, the rule or -1, then the checks in their order. */
  readonly reasons: readonly (readonly [number, number, number, number, ...CheckNumbers[]])[];
  /** For each tool and each place a number of a reason, in the order of the matrix. */
  readonly cells: readonly (readonly number[])[];
  /** As `capc why` asks about places; null for those that it cannot be asked about. */
  readonly places: readonly (string | null)[];
}

/** Name and verdict, then words. */
type CheckNumbers = readonly number[];

export function reasonsView({ tables }: Subject): ReasonsView {
  const texts = numbering<string>((text) => text);
  const reasons = numbering<ReasonsView["reasons"][number]>(textOf);
  const cells = tables.tools.map(({ name }) =>
    tables.rows.map((row, index) => {
      const {
        decision,
        checks,
        arguments: asked,
      } = trace(tables, beginIn(row, index), {
        session: row.session,
        tool: name,
      });
      const answer = decision.kind === "gated" ? decision.gate : decision.outcome;
      const words = [answer, decision.reason, asked].map(texts.number);
      const [first = 0, second = 0, third = 0] = words;
      const made = checks.map((check) => checkNumbers(check, texts.number));
      return reasons.number([first, second, third, decision.rule ?? -1, ...made]);
    }),
  );
  const places = tables.rows.map((row) => (row.worker === "" ? rowPath(row) : null));
  return { texts: texts.items, reasons: reasons.items, cells, places };
}

const VERDICTS = { passes: "passes", decides: "decides", notAsked: "not asked" } as const;

function checkNumbers({ name, verdict, words }: CheckMade, number: (text: string) => number): CheckNumbers {
  return [number(name), number(VERDICTS[verdict]), ...words.map(number)];
}

interface Numbering<T> {
  readonly items: readonly T[];
  readonly number: (item: T) => number;
}

function numbering<T>(keyOf: (item: T) => string): Numbering<T> {
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
