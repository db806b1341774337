// Renames things in tables, so that they have the same names on both sides of a comparison. Nothing else changes:
// decisions, labels and numbers stay as they are.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { compareCodeUnits } from "../../../lang/text/index.ts";
import type { Rename } from "./rename.ts";

/** Returns the tables with the new names in place of the old names. */
export function renameInTables(tables: IndexedTables, renames: readonly Rename[]): IndexedTables {
  return renames.reduce(renameOne, tables);
}

function renameOne(tables: IndexedTables, rename: Rename): IndexedTables {
  switch (rename.kind) {
    case "level":
      return renameLevel(tables, rename);
    case "compartment":
      return renameCompartment(tables, rename);
    case "service": {
      const { from, to } = rename;
      return renameTools(tables, (name) => (name.startsWith(`${from}.`) ? `${to}${name.slice(from.length)}` : name), {
        provider: (name) => (name === from ? to : name),
      });
    }
    case "tool":
      return renameTools(tables, (name) => (name === rename.from ? rename.to : name), {});
    case "backend":
      return renameBackend(tables, rename);
    case "session":
      return renameSession(tables, rename);
    case "task":
      return renameTask(tables, rename);
  }
}

/** Renames a backend. The ids of its quota lines contain its name, and quotas are counted by these ids, so the ids change too. */
function renameBackend(tables: IndexedTables, { from, to }: Rename): IndexedTables {
  const [old, now] = [`backend ${from}/`, `backend ${to}/`];
  return {
    ...tables,
    backends: tables.backends.map((backend) => (backend.name === from ? { ...backend, name: to } : backend)),
    rules: tables.rules.map((rule) =>
      rule.id.startsWith(old) ? { ...rule, id: `${now}${rule.id.slice(old.length)}` } : rule,
    ),
  };
}

/**
 * Renames a task in all sessions. The ids of the lines of a task and of its phases contain the session's name, followed by the
 * task's name.
 */
function renameTask(tables: IndexedTables, { from, to }: Rename): IndexedTables {
  const heads = new Set(tables.rows.flatMap(({ session, task }) => (task === from ? [`${session}.`] : [])));
  const renameOwner = (owner: string): string => {
    const head = [...heads].find((one) => owner === `${one}${from}` || owner.startsWith(`${one}${from}.`));
    return head === undefined ? owner : `${head}${to}${owner.slice(head.length + from.length)}`;
  };
  const renameId = (id: string): string => {
    const [owner = ""] = id.split("/", 1);
    return `${renameOwner(owner)}${id.slice(owner.length)}`;
  };
  return {
    ...tables,
    rows: tables.rows.map((row) => (row.task === from ? { ...row, task: to } : row)),
    rules: tables.rules.map((rule) => ({ ...rule, id: renameId(rule.id) })),
  };
}

function renameLevel(tables: IndexedTables, { from, to }: Rename): IndexedTables {
  const { lattice } = tables;
  const rename = (names: readonly string[]) => names.map((name) => (name === from ? to : name));
  return {
    ...tables,
    lattice: {
      ...lattice,
      confidentiality: rename(lattice.confidentiality),
      integrity: rename(lattice.integrity),
    },
  };
}

/** Renames a compartment. Compartments are bits in the order of their names, so the compartment may get another bit. */
function renameCompartment(tables: IndexedTables, { from, to }: Rename): IndexedTables {
  const { lattice } = tables;
  const named = lattice.compartments.map((name) => (name === from ? to : name));
  const sorted = [...named].sort(compareCodeUnits);
  const bits = named.map((name) => BigInt(sorted.indexOf(name)));
  const move = (set: bigint) =>
    bits.reduce((all, bit, index) => ((set & (1n << BigInt(index))) === 0n ? all : all | (1n << bit)), 0n);
  const moveAll = (key: string, value: unknown) =>
    key === "compartments" && typeof value === "bigint" ? move(value) : value;
  return { ...mapValues(tables, moveAll), lattice: { ...lattice, compartments: sorted } };
}

function renameTools(
  tables: IndexedTables,
  name: (old: string) => string,
  { provider = (old: string) => old }: { readonly provider?: (old: string) => string },
): IndexedTables {
  const { tools: old, decisions, redactions } = tables;
  const tools = old.map((tool) => {
    const renamed = name(tool.name);
    const isMethod = renamed !== tool.name && provider(tool.provider) === tool.provider;
    const methodName = isMethod ? renamed.slice(renamed.lastIndexOf(".") + 1) : tool.methodName;
    return { ...tool, name: renamed, methodName, provider: provider(tool.provider) };
  });
  // Sources of conditions and fields of redactions also name tools, so they are renamed too.
  const rename = (key: string, value: unknown) => (key === "tool" && typeof value === "string" ? name(value) : value);
  return {
    ...tables,
    ...mapValues({ decisions, redactions }, rename),
    tools,
    toolIndex: new Map(tools.map((tool, index) => [tool.name, index])),
  };
}

/**
 * Renames a session. The ids of the session's lines contain its name, and quotas are counted by these ids, so the ids
 * change too.
 */
function renameSession(tables: IndexedTables, { from, to }: Rename): IndexedTables {
  const isOwn = (id: string) => id === from || id.startsWith(`${from}/`) || id.startsWith(`${from}.`);
  return {
    ...tables,
    rows: tables.rows.map((row) => (row.session === from ? { ...row, session: to } : row)),
    rules: tables.rules.map((rule) => (isOwn(rule.id) ? { ...rule, id: `${to}${rule.id.slice(from.length)}` } : rule)),
  };
}

/** Returns a copy of a record, or of a list, with all values replaced. Maps and sets stay the same. */
function mapValues<T>(whole: T, replace: (key: string, value: unknown) => unknown): T {
  return mapValue("", whole, replace) as T;
}

function mapValue(key: string, value: unknown, replace: (key: string, value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValue("", item, replace));
  if (value === null || typeof value !== "object" || value instanceof Map || value instanceof Set)
    return replace(key, value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapValue(name, field, replace)]));
}
