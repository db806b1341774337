import { FIRST_DECISION, SUPPRESSED } from "../../../engine/lib/policy/index.ts";
import type { Row } from "../../../engine/lib/wire/generated/policy.ts";
import { bug } from "../../../lang/diagnostics/index.ts";
import { getText, joinSpans, placeOf, type Span } from "../../../lang/text/index.ts";
import type { BoundPattern, Narrowings, Tool } from "../../phases/bind/index.ts";
import { enumeratePlaces, listBases, type Place } from "../../phases/policy/index.ts";
import { type Line, type Mutant, type Original, replaceLists } from "./mutant.ts";

/**
 * Returns mutants in which absent tools exist, with the mode `auto`. In each row, one mutant changes all tools of one
 * category that the same line hides, or that no line covers. The tables do not contain the line that hides a tool, so
 * this line is found on the page.
 */
export function createAbsenceMutants(original: Original): readonly Mutant[] {
  const { tables, model } = original;
  const places = enumeratePlaces(model);
  return tables.rows.flatMap((row, index) => {
    if (row.requiresTask) return [];
    const place = places[index] ?? bug(`no place for row ${index}`);
    return [...findAbsent(original, row, place).values()].map((absent): Mutant => {
      const [first] = absent;
      const { line, cell } = first ?? bug("a class without a tool");
      const tools = absent.map(({ tool }) => tool);
      const change = `auto instead of ${cell === SUPPRESSED ? "suppressed" : "covered by no line"}`;
      const changed = replaceLists(tables, index, tools, () => ({ clauses: [AUTO], floors: [] }));
      return { kind: "absence", change, line, rows: [index], tools, reach: "calls", tables: changed };
    });
  });
}

/**
 * Decision about a tool that was absent. It must name a rule although no line covers the tool, so it names the first
 * rule. Each page has a rule, because a page whose sessions have no line does not compile.
 */
const AUTO = { conditions: [], met: "auto", otherwise: "auto", rule: 0, group: 0 } as const;

interface Absent {
  readonly tool: number;
  readonly cell: number;
  readonly line: Line;
}

function findAbsent({ tables, model }: Original, row: Row, place: Place): ReadonlyMap<string, readonly Absent[]> {
  const absent = [...tables.tools.keys()].filter((tool) => (row.cells[tool] ?? 0) < FIRST_DECISION);
  const found = absent.map((tool): Absent => {
    const cell = row.cells[tool] ?? 0;
    const bound = model.tools[tool] ?? bug(`no tool ${tool}`);
    return {
      tool,
      cell,
      line: (cell === SUPPRESSED ? findHidingLine(place, bound) : undefined) ?? makeHeadLine(place),
    };
  });
  return Map.groupBy(found, ({ tool, line }) => `${placeOf(line.span)} ${tables.tools[tool]?.category}`);
}

/** Returns the line that hides the tool: a `suppress` that covers the tool, or an `only` that does not cover it. */
function findHidingLine({ session, layers }: Place, tool: Tool): Line | undefined {
  const said: readonly Narrowings[] = [...listBases(session), ...layers.map((layer) => layer.said)];
  const isCovering = ({ tools }: BoundPattern) => tools.includes(tool);
  for (const { suppress, only } of said) {
    const pattern = suppress.find(isCovering);
    if (pattern !== undefined) return makeLine("suppress", [pattern]);
    const list = only.find((patterns) => !patterns.some(isCovering));
    if (list !== undefined) return makeLine("only", list);
  }
  return undefined;
}

function makeLine(word: string, patterns: readonly BoundPattern[]): Line {
  const [first] = patterns;
  const last = patterns.at(-1);
  if (first === undefined || last === undefined) return bug(`${word} without a pattern`);
  const span = joinSpans(first.span, last.span);
  return { words: `${word} ${getText(span)}`, span };
}

/** Returns the line that declares the session, task, phase or worker of the row. */
function makeHeadLine({ session, task, phase, worker }: Place): Line {
  if (worker !== undefined) return makeNamedLine("worker", worker.node.name.span);
  if (phase !== undefined) return makeNamedLine("phase", phase.node.name.span);
  return task === undefined
    ? makeNamedLine("session", session.node.name.span)
    : makeNamedLine("task", task.node.name.span);
}

function makeNamedLine(word: string, span: Span): Line {
  return { words: `${word} ${getText(span)}`, span };
}
