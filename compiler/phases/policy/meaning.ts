// The meaning of policy tables as one digest. The digest that the audit quotes is that of the bytes of the tables, which name the place of
// each line: a comment above a line moves it, and changes those bytes. This one changes only if gates, broker or models read something else.

import { createHash } from "node:crypto";
import type {
  Condition,
  Decision,
  PolicyTables,
  Quota,
  Release,
  Row,
} from "../../../engine/lib/wire/generated/policy.ts";
import { serializeValue } from "./clauses.ts";
import { normalizeClauses, sortUnique } from "./normal-form.ts";

/** Begins the text that is hashed. Another definition of meaning gets another number. */
const DEFINITION = "capc-meaning-1";

/** Values of cells below this one are not decisions. */
const FIRST_DECISION = 2;

/**
 * Returns the SHA-256 of the meaning of tables in hexadecimal. Left out are the words and places of lines, the numbers and order of lists
 * whose order decides nothing, and the version. Equal digests mean equal decisions; tables that decide alike by other conditions may
 * still have different digests.
 */
export function computeMeaningDigest(tables: PolicyTables): string {
  return createHash("sha256")
    .update(`${DEFINITION}\n`)
    .update(serializeValue(extractMeaning(tables)))
    .digest("hex");
}

/** Returns the tables without what has no meaning, in one order. */
function extractMeaning(tables: PolicyTables): object {
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
  const ownerOf = createOwnerReader(rules);
  return {
    ...complete,
    systemId,
    lattice,
    categories,
    tools: tools.map((tool) => ({ ...tool, redact: sortUnique(tool.redact) })),
    rows: rows.map((row) => normalizeRow(row, releases, { numberCell, ownerOf })),
    decisions: [...numbers.keys()],
    backends: backends.map((backend) => ({ ...backend, quotas: normalizeQuotas(backend.quotas, ownerOf) })),
    principals: principals.map((principal) => ({ ...principal, keys: sortUnique(principal.keys) })),
    ingresses,
    pageTexts,
    redactions: redactions.map(({ patterns, results, arguments: args, ...of }) => {
      return { ...of, patterns: sortUnique(patterns), results: sortUnique(results), arguments: sortUnique(args) };
    }),
  };
}

interface RowReaders {
  readonly numberCell: (cell: number) => number;
  readonly ownerOf: (rule: number) => string;
}

function normalizeRow(row: Row, releases: readonly Release[], { numberCell, ownerOf }: RowReaders): object {
  const { entryRule: _, loginRule: __, taskRule: ___, cells, principals, quotas, releases: held, ...rest } = row;
  return {
    ...rest,
    principals: [...new Set(principals)].sort((one, other) => one - other),
    cells: cells.map(numberCell),
    quotas: normalizeQuotas(quotas, ownerOf),
    releases: sortUnique(held.flatMap((at) => normalizeRelease(releases[at]))),
  };
}

function normalizeRelease(release: Release | undefined): object[] {
  if (release === undefined) return [];
  const { rule: _, tools, ...rest } = release;
  return [{ ...rest, tools: [...new Set(tools)].sort((one, other) => one - other) }];
}

/** Returns quotas with the line that counts each in place of its number: rows that share a line share its counter. */
function normalizeQuotas(quotas: readonly Quota[], ownerOf: (rule: number) => string): readonly object[] {
  return sortUnique(quotas.map(({ rule, ...quota }) => ({ ...quota, counter: ownerOf(rule) })));
}

function createOwnerReader(rules: PolicyTables["rules"]): (rule: number) => string {
  return (rule) => rules[rule]?.id ?? "";
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
