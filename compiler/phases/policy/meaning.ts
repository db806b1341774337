// Computes a digest of the meaning of policy tables. The audit quotes the digest of the tables' bytes. These bytes
// contain the position of each line, so a comment above a line changes the digest. The digest of meaning changes only
// if gates, broker or models get other data.

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

/**
 * First line of the text whose hash is the digest. The number in this line must change if the definition of meaning
 * changes.
 */
const DEFINITION = "capc-meaning-1";

/**
 * Returns the SHA-256 of the meaning of tables in hexadecimal. The meaning excludes the texts and positions of lines, the version, and
 * indexes and orders that decide nothing. Tables with equal digests make the same decisions. Tables that decide alike by different
 * conditions may have different digests.
 */
export function computeMeaningDigest(tables: PolicyTables): string {
  return createHash("sha256")
    .update([DEFINITION, ...listMeaning(tables)].join("\n"))
    .digest("hex");
}

/**
 * Returns the meaning as texts: the parts of the tables that have a meaning, in a fixed order, with names in place of
 * indexes.
 */
function listMeaning(tables: PolicyTables): readonly string[] {
  // All tables are listed by name, so that a new table causes a type error until somebody decides whether it has a
  // meaning.
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
  const { systemId, lattice, categories, ingresses, pageTexts, redactions, audit, ...none } = rest;
  const complete: Record<string, never> = none;
  const numbers = new Map<string, number>();
  const meanings = decisions.map((list) => serializeValue(normalizeDecision(list)));
  // Decision lists are numbered in the order of their first use. Lists with the same meaning have the same number.
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
      // If the audit has no limit, the limit is omitted, so that the digest is the same as in versions of capc that had
      // no such limits.
      ...(audit.hasLimit ? { audit: audit.above } : {}),
      ...(audit.keep === "always" ? {} : { keep: audit.keep }),
    }),
    ...toolOrder.flatMap((index) => {
      const tool = tools[index];
      return tool === undefined ? [] : [serializeTool(tool, nameCategory(tool.category), serializeParams)];
    }),
    ...sortIndexes(rows.map(formatPlace)).flatMap((at) => serializeRow(tables, at, names)),
    ...numbers.keys(),
  ];
}

/**
 * Returns the meaning of a tool as a text. The fields with 64-bit numbers are converted one by one, because a search
 * for such numbers in all fields of thousands of tools is slow.
 */
function serializeTool(
  { interfaceId, params, layout, result, sink, redact, servers, methodDenied, ...tool }: Tool,
  category: string,
  serialize: (part: object) => string,
): string {
  // A tool without servers is hashed without the fields `servers` and `methodDenied`, so that its digest is the same as
  // before these fields existed.
  const reach = servers.length === 0 && !methodDenied ? {} : { servers: sortUnique(servers), methodDenied };
  const plain = JSON.stringify({ ...tool, category, redact: [...redact].sort(compareCodeUnits), ...reach });
  const labels = [result.low, result.high, sink].map(
    ({ confidentiality, integrity, compartments }) => `${confidentiality} ${integrity} ${compartments}`,
  );
  return [plain, interfaceId, ...labels, serialize(params), serialize(layout)].join("\n");
}

/** Returns a function that serialises a value only once, because many tools share the same values. */
function createPartSerializer(): (part: object) => string {
  const known = new WeakMap<object, string>();
  return (part) => {
    const text = known.get(part) ?? serializeValue(part);
    known.set(part, text);
    return text;
  };
}

interface Naming {
  /** Returns the id of the line that states a quota: rows with this line share one counter. */
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
    // The order of backends is kept, because it decides which backend answers.
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

/** Returns quotas with the id of their line instead of its index, because rows with the same line share a counter. */
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

/** Returns the condition with sorted literals and sources, because a match with any of them is enough. */
function normalizeCondition({ literals, sources, ...condition }: Condition): Condition {
  return { ...condition, literals: [...sortUnique(literals)], sources: [...sortUnique(sources)] };
}
