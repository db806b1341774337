// Collects facts from tables about tools. If a name gets another meaning, this is new authority, even if its cells are
// equal.

import {
  FIRST_DECISION,
  formatLabel,
  type IndexedTables,
  isSameLabel,
  isWithoutLayout,
} from "../../../engine/lib/policy/index.ts";
import type { Tool } from "../../../engine/lib/wire/generated/policy.ts";
import { MAX_RESULT_BYTES } from "../../../engine/processes/gate/result.ts";
import { reachOfList, serializeValue } from "../../phases/policy/index.ts";
import { isAskedAnew, isRead, measureCategory } from "./categories.ts";
import { type Fact, type FactContent, type Measure, measureLabel, measureMembers, measureRank, WORD } from "./facts.ts";
import { renderParams } from "./normalize.ts";

/**
 * Returns the facts of the tools in `tables` that differ from their counterparts in `other`. A tool without a
 * counterpart gives only one fact.
 */
export function collectToolFacts(tables: IndexedTables, other: IndexedTables): readonly Fact[] {
  const same = serializeValue(tables.lattice) === serializeValue(other.lattice);
  return tables.tools.flatMap((tool, index): readonly Fact[] => {
    const at = other.toolIndex.get(tool.name) ?? -1;
    const counterpart = other.tools[at];
    const of = { place: `tool ${tool.name}`, owner: { kind: "service", name: tool.provider } } as const;
    if (counterpart === undefined) return [{ ...of, ...makeUnmatchedToolFact(tables, tool) }];
    if (same && isPlainlySame(tables, tool, other, counterpart)) return [];
    const said = collectToolAttributes(tables, tool);
    // If nobody can call the tool, a change of its properties is not a widening.
    const isIdle = !isOffered(tables, index) && !isOffered(other, at);
    return said.map((one) => ({ ...of, ...one, ...(isIdle ? { measure: WORD, without: "other" } : {}) }));
  });
}

/** Returns whether at least one call of the tool may run in some row. */
function isOffered({ rows, decisions }: IndexedTables, tool: number): boolean {
  return rows.some(({ cells }) => {
    const list = decisions[(cells[tool] ?? 0) - FIRST_DECISION];
    return list !== undefined && reachOfList(list.clauses).loosest !== "forbidden";
  });
}

/** Attributes that are reported for a new tool, because they state which data it may return, receive and send. */
const OF_NEW: ReadonlySet<string> = new Set(["result from", "result up to", "arguments flow to", "network", "result"]);

/**
 * Returns the fact of a tool that exists on only one side of the comparison. Its permissions are not part of the fact,
 * because its cells show them.
 */
function makeUnmatchedToolFact(tables: IndexedTables, tool: Tool): FactContent {
  const value = `${tables.categories[tool.category]?.name}, by ${tool.provider}`;
  const attributes = collectToolAttributes(tables, tool).filter(({ what }) => OF_NEW.has(what));
  const details = attributes.map((one) => `${one.what}: ${one.value}`);
  return { what: "tool", value, measure: WORD, without: "other", details };
}

/**
 * Returns whether two tools are obviously equal. Most tools of two pages are equal, so this check must be fast, and
 * renders no text.
 */
function isPlainlySame(one: IndexedTables, tool: Tool, two: IndexedTables, other: Tool): boolean {
  return (
    tool.description === other.description &&
    tool.interfaceId === other.interfaceId &&
    tool.interfaceName === other.interfaceName &&
    tool.method === other.method &&
    tool.methodName === other.methodName &&
    one.categories[tool.category]?.name === two.categories[other.category]?.name &&
    tool.readOnly === other.readOnly &&
    tool.provider === other.provider &&
    tool.paramSchema === other.paramSchema &&
    isSameLabel(tool.result.low, other.result.low) &&
    isSameLabel(tool.result.high, other.result.high) &&
    isSameLabel(tool.sink, other.sink) &&
    tool.networked === other.networked &&
    tool.truncateBytes === other.truncateBytes &&
    tool.pageProgram === other.pageProgram &&
    tool.redact.join("\n") === other.redact.join("\n") &&
    tool.strong.join("\n") === other.strong.join("\n") &&
    hasSameLayout(tool, other) &&
    renderParams(tool.params) === renderParams(other.params)
  );
}

function hasSameLayout(tool: Tool, other: Tool): boolean {
  if (isWithoutLayout(tool) || isWithoutLayout(other)) return isWithoutLayout(tool) === isWithoutLayout(other);
  return serializeValue(tool.layout) === serializeValue(other.layout);
}

export function collectToolAttributes(tables: IndexedTables, tool: Tool): readonly FactContent[] {
  const { lattice } = tables;
  const { provider, result, sink, networked, redact, truncateBytes, interfaceId, paramSchema, params } = tool;
  const { pageProgram, strong, layout } = tool;
  const of = { without: "other" } as const;
  const called = `${interfaceId.toString(16)}.${tool.method}`;
  const method = `${tool.interfaceName}.${tool.methodName}@${tool.method} of 0x${interfaceId.toString(16)}`;
  const cut = truncateBytes === 0 ? "not cut" : `at most ${truncateBytes} bytes`;
  return [
    {
      ...of,
      what: "category",
      value: renderCategory(tables, tool),
      measure: measureCategory(tables, tool.category, tool.readOnly),
    },
    { ...of, what: "provider", value: provider, measure: measureMembers([provider]) },
    { ...of, what: "method", value: method, measure: measureMembers([called]) },
    // A description does not limit the calls that models may request, so its change has no direction.
    { ...of, what: "description", value: tool.description, measure: WORD },
    { ...of, what: "arguments", value: `${paramSchema} ${serializeValue(params)}`, measure: { kind: "takes", params } },
    // A result with a lower label may flow to more places.
    {
      ...of,
      what: "result from",
      value: formatLabel(lattice, result.low),
      measure: measureLabel(lattice, result.low, "below"),
    },
    {
      ...of,
      what: "result up to",
      value: formatLabel(lattice, result.high),
      measure: measureLabel(lattice, result.high, "below"),
    },
    {
      ...of,
      what: "arguments flow to",
      value: formatLabel(lattice, sink),
      measure: measureLabel(lattice, sink, "above"),
    },
    { ...of, what: "network", value: networked ? "reached" : "none", measure: measureNetwork(tables, tool) },
    // A program of the page can do everything that its jail allows, and was not reviewed together with the runtime.
    {
      ...of,
      what: "program",
      value: pageProgram ? "the page's" : "the runtime's",
      measure: measureRank(pageProgram ? 1 : 0),
    },
    { ...of, what: "result", value: cut, measure: measureRank(truncateBytes || MAX_RESULT_BYTES) },
    // The layout states where each argument is in the message to the service. With another layout, the service reads
    // other arguments from the same bytes. Decisions about arguments do not change, so the change has no direction.
    ...(isWithoutLayout(tool)
      ? []
      : [{ ...of, what: "message of arguments", value: serializeValue(layout), measure: WORD }]),
    // Text from a strong field can meet conditions on sources that text from other fields cannot meet.
    ...strong.map((field) => ({ what: `strong ${field}`, value: "strong", measure: WORD, without: "less" }) as const),
    ...redact.map((field) => ({ what: `masked ${field}`, value: "masked", measure: WORD, without: "more" }) as const),
  ];
}

/**
 * Returns the name of the category. In tables of other programs, a tool may be read-only although its category is not,
 * or the reverse. The name then states this too.
 */
function renderCategory(tables: IndexedTables, { category, readOnly }: Tool): string {
  const name = tables.categories[category]?.name ?? "";
  if (isRead(tables, category) === readOnly) return name;
  return `${name}, ${readOnly ? "read only" : "not read only"}`;
}

/**
 * Returns the measure by which the network use of two versions of a tool is compared. A networked tool can reach more
 * than a tool without network. But its rules can also be stricter: the destination of each call is checked, and a
 * person is asked about each call.
 */
function measureNetwork(tables: IndexedTables, { networked, readOnly, category }: Tool): Measure {
  if (networked) return measureMembers(["the network"]);
  return measureMembers([
    ...(readOnly ? ["any words"] : []),
    ...(isAskedAnew(tables, category) ? [] : ["one consent for several"]),
  ]);
}
