// Names the sources of arguments, for people who judge a call. Each line is made of names from the index, which have a
// maximum length and only plain characters.
import {
  FIRST_DECISION,
  type Finding,
  type IndexedTables,
  isList,
  isRecord,
  type Json,
  listLines,
  readJson,
  type Sources,
} from "../../lib/policy/index.ts";
import type { Condition, Source } from "../../lib/wire/generated/policy.ts";
import type { Asked } from "./memory.ts";
import { excerpt } from "./result.ts";

/** Maximum number of arguments that are described; further ones are only counted. */
const MOST_TOLD = 16;
/** Maximum number of values of one list that are looked up. */
const MOST_VALUES = 64;
const MAX_NAME_LENGTH = 64;
const MAX_DEPTH = 8;
const NOWHERE = "nowhere before";

/**
 * Returns the source of each argument: `amount: typed by you; recipient: body of web.get`. Empty if no rule asks for
 * sources, or if there are no arguments.
 */
export function describeArguments(sources: Sources | undefined, args: string): string {
  const read = sources === undefined ? undefined : readJson(args);
  if (sources === undefined || read?.ok !== true) return "";
  const told = listValues(read.value, [], 0).map(
    ({ path, values }) => `${renderPath(path)}: ${traceWorst(sources, values)}`,
  );
  const more = told.length > MOST_TOLD ? [`${told.length - MOST_TOLD} more`] : [];
  return excerpt([...told.slice(0, MOST_TOLD), ...more].join("; "));
}

/** Returns a line for each condition of the deciding rule that asks for the source of an argument. */
export function explainSources(tables: IndexedTables, { conversation, call, decision }: Asked): readonly string[] {
  const { sources } = conversation;
  const read = sources === undefined ? undefined : readJson(call.arguments);
  if (sources === undefined || read?.ok !== true) return [];
  const args = read.value;
  const cell = tables.rows[conversation.row]?.cells[tables.toolIndex.get(call.tool) ?? -1] ?? 0;
  const list = tables.decisions[cell - FIRST_DECISION];
  const lines = list === undefined ? [] : listLines(list);
  const deciding = lines.filter(({ rule }) => rule === decision.rule);
  return deciding
    .flatMap(({ conditions }) => conditions.filter(({ operator }) => operator === "from"))
    .slice(0, MOST_TOLD)
    .map((condition) => explainCondition(sources, args, condition));
}

function explainCondition(sources: Sources, args: Json, { path, sources: asked }: Condition): string {
  const name = renderPath(path);
  const values = listValues(findPart(args, path), [], 0).flatMap((part) => part.values);
  const worst = findWorst(sources, values, asked);
  if (worst !== undefined) return excerpt(`${name}: ${worst.words}, which the line takes`);
  return excerpt(`${name}: ${traceWorst(sources, values)}, which the line does not take`);
}

function findPart(args: Json, path: readonly string[]): Json {
  let part: Json = args;
  for (const name of path) part = isRecord(part) ? (part[name] ?? null) : null;
  return part;
}

interface Told {
  readonly path: readonly string[];
  readonly values: readonly (string | number)[];
}

/**
 * Returns the texts and numbers in the arguments, each with the names that lead to it. All values of one list form one
 * entry.
 */
function listValues(part: Json, path: readonly string[], depth: number): readonly Told[] {
  if (typeof part === "number" || (typeof part === "string" && part !== "")) return [{ path, values: [part] }];
  if (depth > MAX_DEPTH) return [];
  if (isList(part)) {
    const values = part.flatMap((one) => listValues(one, path, depth + 1).flatMap((told) => told.values));
    return values.length === 0 ? [] : [{ path, values }];
  }
  if (typeof part !== "object" || part === null || !isRecord(part)) return [];
  return Object.entries(part).flatMap(([name, one]) => listValues(one, [...path, name], depth + 1));
}

/** Returns the source of the least trusted value in a list. */
function traceWorst(sources: Sources, values: readonly (string | number)[]): string {
  return findWorst(sources, values)?.words ?? NOWHERE;
}

function findWorst(
  sources: Sources,
  values: readonly (string | number)[],
  among?: readonly Source[],
): Finding | undefined {
  // A list of more than `MOST_VALUES` values counts as a list without a source: its values are not looked up, and one
  // of them may have no source.
  if (values.length > MOST_VALUES) return undefined;
  const found = values.map((value) => sources.trace(value, among));
  if (found.includes(undefined)) return undefined;
  return found.find((finding) => finding?.standing === "weak") ?? found[0];
}

/** Renders the path of an argument. A name that is not plain is put in quotes, so that it cannot imitate a source. */
function renderPath(path: readonly string[]): string {
  const name = path.join(".");
  if (/^[\w.-]+$/.test(name) && name.length <= MAX_NAME_LENGTH) return name;
  return JSON.stringify(name.slice(0, MAX_NAME_LENGTH).toWellFormed());
}
