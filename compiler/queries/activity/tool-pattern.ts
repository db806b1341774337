// Matches patterns of tools, as a page writes them, with the tools of records. A record names a tool, the id of its
// interface and its category. The name of the interface and the parents of the category come from the standard library
// or from a policy.

import type { IndexedTables } from "../../../engine/lib/policy/index.ts";
import { type Result, refuse } from "../../../engine/lib/result/result.ts";
import type { ToolDescriptor } from "../../../engine/lib/wire/generated/capos.ts";
import * as tools from "../../../engine/lib/wire/generated/tools.ts";
import type { InterfaceLayout } from "../../../engine/lib/wire/index.ts";

/**
 * Tools by category: one category or all (`*`), everywhere or only in a service or an interface (`readOnly in Files`). Or
 * tools by method: one method or all (`*`) of a service or an interface (`notes.write`).
 */
export type ToolPattern =
  | { readonly kind: "category"; readonly category: string; readonly within: string | undefined }
  | { readonly kind: "method"; readonly of: string; readonly method: string };

const NAME = "[A-Za-z_][\\w-]*";
const METHOD = new RegExp(`^(${NAME})\\.(${NAME}|\\*)$`);
const CATEGORY = new RegExp(`^(${NAME}|\\*)(?: +in +(${NAME}))?$`);

/** Parses `notes.write`, `notes.*`, `Files.write`, `readOnly`, `readOnly in Files` or `*`. */
export function parseToolPattern(text: string): Result<ToolPattern> {
  const [, of, method] = METHOD.exec(text.trim()) ?? [];
  if (of !== undefined && method !== undefined) return { ok: true, value: { kind: "method", of, method } };
  const [, category, within] = CATEGORY.exec(text.trim()) ?? [];
  if (category !== undefined) return { ok: true, value: { kind: "category", category, within } };
  return refuse(
    `'${text}' is not a pattern of tools such as notes.write, notes.*, Files.write, readOnly in Files or *`,
  );
}

/** Names that describe a recorded tool, but are not in the record. */
interface ToolNames {
  readonly service: string;
  readonly method: string;
  readonly interfaceName: string | undefined;
  /** The category and its ancestors. */
  readonly categories: readonly string[];
}

const isInterface = (value: unknown): value is InterfaceLayout =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "interfaceLayout";

const STANDARD: ReadonlyMap<bigint, string> = new Map(
  Object.values(tools)
    .filter(isInterface)
    .map(({ id, name }) => [id, name]),
);

/** Finds the service, the method, the interface and the categories of a recorded tool. */
export class ToolIndex {
  readonly #tables: IndexedTables | undefined;

  constructor(tables: IndexedTables | undefined) {
    this.#tables = tables;
  }

  find({ name, interfaceId, category }: ToolDescriptor): ToolNames {
    const [service = "", method = ""] = name.split(".", 2);
    const known = this.#tables?.tools.find((tool) => tool.name === name);
    const interfaceName = known?.interfaceName ?? STANDARD.get(interfaceId);
    return { service, method, interfaceName, categories: this.#listCategories(known?.category, category) };
  }

  /** Returns names of services, interfaces, tools and categories of the policy. */
  listNames(): readonly string[] {
    const { tools = [], categories = [] } = this.#tables ?? {};
    const ofTools = tools.flatMap(({ name, interfaceName, methodName }) => [name, `${interfaceName}.${methodName}`]);
    return [...ofTools, ...categories.map(({ name }) => name)];
  }

  #listCategories(index: number | undefined, recorded: string): readonly string[] {
    const { categories = [] } = this.#tables ?? {};
    const found = index === undefined ? categories.findIndex(({ name }) => name === recorded) : index;
    const names: string[] = [];
    for (let at = categories[found]; at !== undefined; at = categories[at.parent]) names.push(at.name);
    return names.length === 0 ? [recorded] : names;
  }
}

export function matchesPattern(
  pattern: ToolPattern,
  { service, method, interfaceName, categories }: ToolNames,
): boolean {
  if (pattern.kind === "method")
    return (pattern.of === service || pattern.of === interfaceName) && ["*", method].includes(pattern.method);
  const { category, within } = pattern;
  const isWithin = within === undefined || within === service || within === interfaceName;
  return isWithin && (category === "*" || categories.includes(category));
}
