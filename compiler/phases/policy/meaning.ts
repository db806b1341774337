// The meaning of policy tables as one digest. The digest that the audit quotes is that of the bytes of the tables, which name the place of
// each line: a comment above a line moves it, and changes those bytes. This one changes only if gates, broker or models read something else.

import { createHash } from "node:crypto";
import { FIRST_DECISION } from "../../../engine/lib/policy/index.ts";
import type {
  Condition,
  Decision,
  PolicyTables,
  Quota,
  Release,
  Row,
  Tool,
} from "../../../engine/lib/wire/generated/policy.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import { serializeValue } from "./clauses.ts";
import { normalizeClauses, sortUnique } from "./normal-form.ts";

/** Begins the text that is hashed. Another definition of meaning gets another number. */
const DEFINITION = "capc-meaning-1";

/**
 * Returns the SHA-256 of the meaning of tables in hexadecimal. Left out are the words and places of lines, the numbers and order of lists
 * whose order decides nothing, and the version. Equal digests mean equal decisions; tables that decide alike by other conditions may
 * still have different digests.
 */
export function computeMeaningDigest(tables: PolicyTables): string {
  return createHash("sha256")
    .update([DEFINITION, ...listMeaning(tables)].join("\n"))
    .digest("hex");
}

/** Returns the meaning as texts: tables without what has no meaning, in one order, and with names in place of indexes. */
function listMeaning(tables: PolicyTables): readonly string[] {
  // Each table is named, so that a new one does not compile until it is decided whether it has a meaning.
  const {
    schemaVersion: _,
    version: __,
    rules,
    decisions,
    rows,
    tools,
    backends,
    principals,
    releases,
    ...rest
  } = tables;
  const { systemId, lattice, categories, ingresses, pageTexts, redactions, ...none } = rest;
  const complete: Record<string, never> = none;
  const numbers = new Map<string, number>();
  const meanings = decisions.map((list) => serializeValue(normalizeDecision(list)));
  // Lists are numbered by their first use here: tables have one for each set of lines, and several of them may mean the same.
  const numberCell = (cell: number): number => {
    const meaning = meanings[cell - FIRST_DECISION];
    if (meaning === undefined) return cell;
    const number = numbers.get(meaning) ?? FIRST_DECISION + numbers.size;
    numbers.set(meaning, number);
    return number;
  };
  const nameCategory = (index: number) => categories[index]?.name ?? "";
  const toolOrder = sortIndexes(tools.map(({ name }) => name));
  const names: Naming = { counterOf: (rule) => rules[rule]?.id ?? "", toolOrder, numberCell };
  const serializeParams = createPartSerializer();
  return [
    serializeValue({
      ...complete,
      systemId,
      lattice,
      categories: sortUnique(categories.map(({ name, parent }) => ({ name, parent: nameCategory(parent) }))),
      backends: sortUnique(backends.map((one) => ({ ...one, quotas: normalizeQuotas(one.quotas, names.counterOf) }))),
      principals: sortUnique(principals.map((one) => ({ ...one, keys: sortUnique(one.keys) }))),
      ingresses: sortUnique(ingresses.map((one) => ({ ...one, row: formatPlace(rows[one.row]) }))),
      pageTexts: sortUnique(pageTexts),
      redactions: sortUnique(
        redactions.map(({ patterns, results, arguments: args, ...of }) => {
          return { ...of, patterns: sortUnique(patterns), results: sortUnique(results), arguments: sortUnique(args) };
        }),
      ),
    }),
    ...toolOrder.flatMap((index) => {
      const tool = tools[index];
      return tool === undefined ? [] : [serializeTool(tool, nameCategory(tool.category), serializeParams)];
    }),
    ...sortIndexes(rows.map(formatPlace)).flatMap((at) => serializeRow(tables, at, names)),
    ...numbers.keys(),
  ];
}

/** Returns the text of a tool. Pages have thousands, so that numbers of 64 bits are written without a look at every value. */
function serializeTool(
  { interfaceId, params, layout, result, sink, redact, ...tool }: Tool,
  category: string,
  serialize: (part: object) => string,
): string {
  const plain = JSON.stringify({ ...tool, category, redact: [...redact].sort(compareCodeUnits) });
  const labels = [result.low, result.high, sink].map(
    ({ confidentiality, integrity, compartments }) => `${confidentiality} ${integrity} ${compartments}`,
  );
  return [plain, interfaceId, ...labels, serialize(params), serialize(layout)].join("\n");
}

/** Returns a function that serialises values that many tools share, each once. */
function createPartSerializer(): (part: object) => string {
  const known = new WeakMap<object, string>();
  return (part) => {
    const text = known.get(part) ?? serializeValue(part);
    known.set(part, text);
    return text;
  };
}

interface Naming {
  /** Returns the id of the line that counts a quota. */
  readonly counterOf: (rule: number) => string;
  /** Indexes of the tools in the order of their names. */
  readonly toolOrder: readonly number[];
  readonly numberCell: (cell: number) => number;
}

function sortIndexes(names: readonly string[]): readonly number[] {
  return [...names.keys()].sort((one, other) => compareCodeUnits(names[one] ?? "", names[other] ?? ""));
}

function formatPlace(row: Row | undefined): string {
  return JSON.stringify([row?.session, row?.task, row?.phase, row?.worker]);
}

function serializeRow(
  tables: PolicyTables,
  at: number,
  { counterOf, toolOrder, numberCell }: Naming,
): readonly string[] {
  const row = tables.rows[at];
  if (row === undefined) return [];
  const { entryRule: _, loginRule: __, taskRule: ___, cells, principals, backends, quotas, releases, ...rest } = row;
  const plain = {
    ...rest,
    principals: sortUnique(principals.map((index) => tables.principals[index]?.name)),
    // Their order decides which of them answers.
    backends: backends.map(({ backend, mode }) => [tables.backends[backend]?.name, mode]),
    quotas: normalizeQuotas(quotas, counterOf),
    releases: sortUnique(releases.flatMap((index) => normalizeRelease(tables, tables.releases[index]))),
  };
  return [serializeValue(plain), toolOrder.map((tool) => numberCell(cells[tool] ?? 0)).join()];
}

function normalizeRelease({ tools: all }: PolicyTables, release: Release | undefined): object[] {
  if (release === undefined) return [];
  const { rule: _, tools, ...rest } = release;
  return [{ ...rest, tools: sortUnique(tools.map((tool) => all[tool]?.name)) }];
}

/** Returns quotas with the line that counts each in place of its number: rows that share a line share its counter. */
function normalizeQuotas(quotas: readonly Quota[], counterOf: (rule: number) => string): readonly object[] {
  return sortUnique(quotas.map(({ rule, ...quota }) => ({ ...quota, counter: counterOf(rule) })));
}

function normalizeDecision({ clauses, floors }: Decision): object {
  return {
    clauses: normalizeClauses(
      clauses.map((clause) => ({ ...clause, conditions: clause.conditions.map(normalizeCondition) })),
    ),
    floors: sortUnique(
      floors.map(({ rule: _, conditions, ...floor }) => {
        return { ...floor, conditions: sortUnique(conditions.map(normalizeCondition)) };
      }),
    ),
  };
}

/** Returns the condition with its literals and sources in one order: one of them has to fit, whichever it is. */
function normalizeCondition({ literals, sources, ...condition }: Condition): Condition {
  return { ...condition, literals: [...sortUnique(literals)], sources: [...sortUnique(sources)] };
}
