import { renderQuota } from "../../../lang/format/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import type { QuotaEntry } from "../../../lang/tree/index.ts";
import { duplicateEntry, unknownName, wrongWord } from "./codes.ts";
import { type Context, noteUse, resolveWord } from "./context.ts";
import type { Category } from "./model/index.ts";
import { isByteUnit, listByteUnits, readWhole, scaleDecimal } from "./quantities.ts";
import { type BoundQuota, formatQuotaKey, type QuotaUnit, SCOPES } from "./quota.ts";

export const PLAIN = ["calls", "tokens", "prompts"] as const;
/** Maximum amount: the tables store it as an unsigned 64-bit integer. */
const MAX_AMOUNT = (1n << 64n) - 1n;

/** Binds the quotas of one session. Reports two quotas with the same unit and scope. */
export function bindQuotas(
  context: Context,
  categories: ReadonlyMap<string, Category>,
  entries: readonly QuotaEntry[],
): BoundQuota[] {
  const seen = new Map<string, BoundQuota>();
  for (const entry of entries) {
    const quota = bindQuota(context, categories, entry);
    if (quota === undefined) continue;
    const key = formatQuotaKey(quota);
    const before = seen.get(key);
    if (before === undefined) seen.set(key, quota);
    else context.report(duplicateEntry.at(entry.span, { what: `a quota of ${key}`, where: placeOf(before.node.span) }));
  }
  return [...seen.values()];
}

function bindQuota(
  context: Context,
  categories: ReadonlyMap<string, Category>,
  node: QuotaEntry,
): BoundQuota | undefined {
  const scope = resolveWord(context, "scope of a quota", SCOPES, node.scope);
  if (scope === undefined) return undefined;
  const counted = readUnit(context, categories, node);
  if (counted === undefined) return undefined;
  const amount = readWhole(context, node.amount, { factor: counted.factor, unit: node.unit.text }, MAX_AMOUNT);
  if (amount === undefined) return undefined;
  return { amount, unit: counted.unit, name: counted.name, scope, words: renderQuota(node), node };
}

interface Counted {
  readonly unit: QuotaUnit;
  readonly name: string;
  readonly factor: bigint;
}

/**
 * Returns the unit of a quota: `calls`, `KiB`, `USD`, or a category, which may have the word `calls` after it. Returns
 * `undefined` if the unit is unknown.
 */
function readUnit(
  context: Context,
  categories: ReadonlyMap<string, Category>,
  { unit, noun }: QuotaEntry,
): Counted | undefined {
  const category = categories.get(unit.text);
  if (noun !== undefined && !(noun.text === "calls" && category !== undefined)) {
    context.report(wrongWord.at(noun.span, { word: noun.text, what: "second word of a quota", known: ["calls"] }));
    return undefined;
  }
  const plain = PLAIN.find((known) => known === unit.text);
  if (plain !== undefined) return { unit: plain, name: "", factor: 1n };
  if (isByteUnit(unit.text)) return { unit: "bytes", name: "", factor: countBytes(unit.text) };
  if (category !== undefined) {
    noteUse(context, "category", category.name, unit.span);
    return { unit: "category", name: category.name, factor: 1n };
  }
  if (/^[A-Z]{3}$/.test(unit.text)) return { unit: "money", name: unit.text, factor: SMALLEST_OF_MONEY };
  if (context.lost.has(unit.text)) return undefined;
  const near = context.suggest(unit.text, [...PLAIN, ...listByteUnits(), ...categories.keys()]);
  const fix = near === undefined ? undefined : { span: unit.span, replacement: near, guess: "name" as const };
  context.report(unknownName.at(unit.span, { what: "unit or category", name: unit.text, near }, { fix }));
  return undefined;
}

/** Money is counted in millionths, because providers charge fractions of a cent for a call. */
const SMALLEST_OF_MONEY = 1_000_000n;

function countBytes(unit: string): bigint {
  return scaleDecimal("1", 1n << BigInt(10 * listByteUnits().indexOf(unit))) ?? 1n;
}
