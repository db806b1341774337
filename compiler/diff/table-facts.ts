// What tables say of the system, its tools, backends, principals and ingresses.

import { type IndexedTables, isSameLabel, type Label, labelText } from "../../engine/policy/index.ts";
import type { Tool } from "../../engine/wire/generated/policy.ts";
import { rowPath, textOf } from "../policy/index.ts";
import { among, type Fact, type Measure } from "./facts.ts";
import { paramsText } from "./meaning.ts";

const WORD: Measure = { kind: "word" };
/** Above every limit that a page can write. */
const UNLIMITED = 1n << 64n;

export function tableFacts(tables: IndexedTables): readonly Fact[] {
  return [...systemFacts(tables), ...backendFacts(tables), ...principalFacts(tables), ...ingressFacts(tables)];
}

function systemFacts({ systemId, lattice, categories }: IndexedTables): readonly Fact[] {
  const of = { place: "", measure: WORD, without: "other" } as const;
  return [
    { ...of, what: "system", says: systemId },
    { ...of, what: "confidentiality", ...levels(lattice.confidentiality) },
    { ...of, what: "integrity", ...levels(lattice.integrity) },
    { ...of, what: "compartments", says: lattice.compartments.join(", ") },
    ...categories.map(({ name, parent }) => ({
      ...of,
      what: `category ${name}`,
      says: categories[parent]?.name ?? "a root",
    })),
  ];
}

function levels(names: readonly string[]): Pick<Fact, "says" | "measure"> {
  return { says: names.join(" < "), measure: { kind: "order", names } };
}

function backendFacts({ backends, lattice }: IndexedTables): readonly Fact[] {
  return backends.flatMap((backend): readonly Fact[] => {
    const { name, kind, clearance, local, logRequired, currency, inputMicros, outputMicros } = backend;
    const owner = { kind: "backend", name } as const;
    const of = { place: `backend ${name}`, without: "other", owner } as const;
    const price = currency === "" ? "none" : `${inputMicros} and ${outputMicros} millionths of ${currency}`;
    return [
      // Nobody is asked by it who does not list it.
      { ...of, what: "kind", says: kind, measure: WORD },
      { ...of, what: "clearance", says: labelText(lattice, clearance), measure: label(lattice, clearance, "above") },
      { ...of, what: "where", says: local ? "in the machine" : "elsewhere", measure: yes(!local) },
      { ...of, what: "log", says: logRequired ? "required" : "not required", measure: yes(!logRequired) },
      { ...of, what: "price", says: price, measure: WORD },
    ];
  });
}

function principalFacts({ principals }: IndexedTables): readonly Fact[] {
  return principals.flatMap(({ name, keys, passphrase }) => {
    const of = {
      place: `principal ${name}`,
      measure: WORD,
      without: "less",
      owner: { kind: "principal", name },
    } as const;
    const known = passphrase === "" ? [] : [{ ...of, what: `passphrase ${passphrase}`, says: "opens sessions" }];
    return [...keys.map((key) => ({ ...of, what: `key ${key}`, says: "signs" })), ...known];
  });
}

function ingressFacts({ ingresses, rows, lattice }: IndexedTables): readonly Fact[] {
  return ingresses.flatMap(({ name, source, address, row, label: begun }): readonly Fact[] => {
    const place = `ingress ${name}`;
    const into = rows[row];
    const of = { place, without: "less" } as const;
    const from = `${source} ${address}`.trim();
    const led = into === undefined ? "" : rowPath(into);
    return [
      // Other people, and another session, may do more.
      { ...of, what: "words from", says: from, measure: among([from]) },
      { ...of, what: "into", says: led, measure: among([led]) },
      { ...of, what: "label", says: labelText(lattice, begun), measure: label(lattice, begun, "below") },
    ];
  });
}

/** Of tools that stand in both tables and are not the same; and one line for each that is new or gone. */
export function toolFacts(tables: IndexedTables, other: IndexedTables): readonly Fact[] {
  const same = textOf(tables.lattice) === textOf(other.lattice);
  return tables.tools.flatMap((tool) => {
    const counterpart = other.tools[other.toolIndex.get(tool.name) ?? -1];
    if (counterpart === undefined) return [strangeTool(tables, tool)];
    return same && isPlainlySame(tables, tool, other, counterpart) ? [] : knownTool(tables, tool);
  });
}

/** Cells say what may be done with it. */
function strangeTool({ categories }: IndexedTables, { name, category, provider }: Tool): Fact {
  const says = `${categories[category]?.name}, by ${provider}`;
  const owner = { kind: "service", name: provider } as const;
  return { place: `tool ${name}`, what: "tool", says, measure: WORD, without: "other", owner };
}

/** Most tools of two pages are the same, and are not written out for it. */
function isPlainlySame(one: IndexedTables, tool: Tool, two: IndexedTables, other: Tool): boolean {
  return (
    tool.description === other.description &&
    tool.interfaceId === other.interfaceId &&
    tool.method === other.method &&
    one.categories[tool.category]?.name === two.categories[other.category]?.name &&
    tool.provider === other.provider &&
    tool.paramSchema === other.paramSchema &&
    isSameLabel(tool.result.low, other.result.low) &&
    isSameLabel(tool.result.high, other.result.high) &&
    isSameLabel(tool.sink, other.sink) &&
    tool.networked === other.networked &&
    tool.truncateBytes === other.truncateBytes &&
    tool.redact.join("\n") === other.redact.join("\n") &&
    paramsText(tool.params) === paramsText(other.params)
  );
}

function knownTool({ lattice, categories }: IndexedTables, tool: Tool): readonly Fact[] {
  const { name, provider, result, sink, networked, redact, truncateBytes } = tool;
  const of = { place: `tool ${name}`, without: "other", owner: { kind: "service", name: provider } } as const;
  const method = `${tool.interfaceName}.${tool.methodName}@${tool.method} of 0x${tool.interfaceId.toString(16)}`;
  const most = truncateBytes === 0 ? UNLIMITED : BigInt(truncateBytes);
  const cut = truncateBytes === 0 ? "not cut" : `at most ${truncateBytes} bytes`;
  return [
    { ...of, what: "category", says: categories[tool.category]?.name ?? "", measure: WORD },
    { ...of, what: "provider", says: provider, measure: WORD },
    { ...of, what: "method", says: method, measure: WORD },
    { ...of, what: "description", says: tool.description, measure: WORD },
    { ...of, what: "arguments", says: `${tool.paramSchema} ${textOf(tool.params)}`, measure: WORD },
    // The less a result is labelled, the further it may go.
    { ...of, what: "result from", says: labelText(lattice, result.low), measure: label(lattice, result.low, "below") },
    {
      ...of,
      what: "result up to",
      says: labelText(lattice, result.high),
      measure: label(lattice, result.high, "below"),
    },
    { ...of, what: "arguments flow to", says: labelText(lattice, sink), measure: label(lattice, sink, "above") },
    { ...of, what: "network", says: networked ? "reached" : "none", measure: yes(networked) },
    { ...of, what: "result", says: cut, measure: { kind: "ranked", rank: most } },
    ...redact.map(
      (field): Fact => ({ ...of, what: `masked ${field}`, says: "masked", measure: WORD, without: "more" }),
    ),
  ];
}

function label(lattice: IndexedTables["lattice"], value: Label, wider: "above" | "below"): Measure {
  return { kind: "label", label: value, lattice, wider };
}

/** Of what is wider where it is so. */
function yes(is: boolean): Measure {
  return { kind: "ranked", rank: is ? 1n : 0n };
}
