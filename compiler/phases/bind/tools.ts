import { compareCodeUnits } from "../../../lang/text/index.ts";
import { listLineage } from "./categories.ts";
import type { BoundPattern, Interface, Method, Service, Tool } from "./model/index.ts";

// Implements ruling 3: of the lines that cover a tool, the most specific ones decide. Every pattern has a key, which is
// a text. A tool has a list of the keys that cover it, the most specific first. To resolve a cell, the compiler takes
// the first key of this list for which there are lines. Equally specific lines have the same key.

export const EVERYTHING = "*";
const TOOL = "tool ";
const INSTANCE = "instance ";
export const formatToolKey = (tool: string): string => `${TOOL}${tool}`;
export const formatInstanceKey = (service: string): string => `${INSTANCE}${service}`;
export const formatMethodKey = (face: string, method: string): string => `method ${face}.${method}`;
export const formatInterfaceKey = (face: string): string => `interface ${face}`;
export const formatCategoryInKey = (category: string, face: string): string => `category ${category} in ${face}`;
export const formatCategoryKey = (category: string): string => `category ${category}`;

/**
 * Returns the keys that cover a tool, in this order: instance.method > instance.* > Interface.method > Interface.* > category in
 * Interface > own category > its parents > `*`.
 */
export function listKeys({ name, service, method }: Tool): readonly string[] {
  return [formatToolKey(name), formatInstanceKey(service.name), ...listSharedKeys(service.interface, method)];
}

/** Cache of the keys that all tools of a method have, with the interface for which the keys were computed. */
const SHARED = new WeakMap<Method, { readonly face: Interface; readonly keys: readonly string[] }>();

/** Returns the keys that all tools of one method have. */
function listSharedKeys(face: Interface, method: Method): readonly string[] {
  const known = SHARED.get(method);
  if (known?.face === face) return known.keys;
  const keys = makeSharedKeys(face, method);
  SHARED.set(method, { face, keys });
  return keys;
}

function makeSharedKeys({ name: face }: Interface, { name, category }: Method): readonly string[] {
  const lineage = listLineage(category).map(({ name: own }) => own);
  return [
    formatMethodKey(face, name),
    formatInterfaceKey(face),
    ...lineage.map((one) => formatCategoryInKey(one, face)),
    ...lineage.map(formatCategoryKey),
    EVERYTHING,
  ];
}

/** Returns whether a key names only one tool or only one service. */
export function isOfOne(key: string): boolean {
  return key.startsWith(TOOL) || key.startsWith(INSTANCE);
}

/**
 * Returns the keys that cover everything that a pattern covers, including future tools: the key of the pattern itself,
 * and the keys of wider patterns.
 */
export function listCoveringKeys({
  key,
  category,
  tools,
}: Pick<BoundPattern, "key" | "category" | "tools">): readonly string[] {
  if (category !== undefined) {
    const lineage = listLineage(category).map(({ name }) => name);
    const around = [...lineage.map(formatCategoryKey), EVERYTHING];
    if (key === formatCategoryKey(category.name)) return around;
    const face = key.slice(formatCategoryInKey(category.name, "").length);
    return [...lineage.map((one) => formatCategoryInKey(one, face)), formatInterfaceKey(face), ...around];
  }
  const [tool] = tools;
  if (tool === undefined) return [key, EVERYTHING];
  const { service, method } = tool;
  if (key === formatToolKey(tool.name)) return [...listKeys(tool)];
  if (key === formatMethodKey(service.interface.name, method.name)) return listSharedKeys(service.interface, method);
  if (key === formatInstanceKey(service.name)) return [key, formatInterfaceKey(service.interface.name), EVERYTHING];
  return [key, EVERYTHING];
}

/**
 * Returns a function that tests whether one of the keys names exactly this tool or its service. The test runs for each
 * tool and layer. For speed it creates no texts.
 */
export function createNamedTest(keys: Iterable<string>): (tool: Tool) => boolean {
  const tools = new Set<string>();
  const services = new Set<string>();
  for (const key of keys) {
    if (key.startsWith(TOOL)) tools.add(key.slice(TOOL.length));
    if (key.startsWith(INSTANCE)) services.add(key.slice(INSTANCE.length));
  }
  if (services.size === 0) return ({ name }) => tools.has(name);
  return ({ name, service }) => tools.has(name) || services.has(service.name);
}

/** Returns every classified method of every service, in code-unit order of names. */
export function collectTools(services: readonly Service[]): Tool[] {
  const methods = new Map<Interface, readonly Method[]>();
  const sortMethods = (face: Interface): readonly Method[] => {
    const known = methods.get(face) ?? sortBy([...face.methods.values()], ({ name }) => name);
    methods.set(face, known);
    return known;
  };
  // Sort services by their name with a dot, to get the order of their tools: `a-b.x` comes before `a.x`.
  return sortBy(services, ({ name }) => `${name}.`).flatMap((service) =>
    sortMethods(service.interface).map((method) => ({ name: `${service.name}.${method.name}`, service, method })),
  );
}

function sortBy<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const entries = items.map((item) => ({ item, text: textOf(item) }));
  return entries.sort((left, right) => compareCodeUnits(left.text, right.text)).map(({ item }) => item);
}

/** Returns the tools by their names. */
export function indexTools(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const byName = new Map<string, Tool>();
  tools.forEach((tool) => {
    byName.set(tool.name, tool);
  });
  return byName;
}

/** Returns the tools that a key covers, in the order of their names. */
export type Coverage = (key: string) => readonly Tool[];

/**
 * Returns a function that finds the tools of a key. `tools` must be in the order of their names, and `byName` must
 * contain the same tools. Lists for single tools and services are made on demand, because few lines name a single tool or service.
 */
export function createCoverage(tools: readonly Tool[], byName: ReadonlyMap<string, Tool>): Coverage {
  let byService: ReadonlyMap<string, readonly Tool[]> | undefined;
  const byMethod = Map.groupBy(tools, ({ method }) => method);
  const methods = groupMethodsByKey(byMethod.values());
  const made = new Map<string, readonly Tool[]>();
  const findCovered = (key: string): readonly Tool[] => {
    const [first, ...others] = methods.get(key) ?? [];
    if (first === undefined) return [];
    if (others.length === 0) return byMethod.get(first) ?? [];
    const covered = new Set([first, ...others]);
    return tools.filter(({ method }) => covered.has(method));
  };
  return (key) => {
    if (key.startsWith(TOOL)) {
      const tool = byName.get(key.slice(TOOL.length));
      return tool === undefined ? [] : [tool];
    }
    if (key.startsWith(INSTANCE)) {
      byService ??= Map.groupBy(tools, ({ service }) => service.name);
      return byService.get(key.slice(INSTANCE.length)) ?? [];
    }
    const known = made.get(key) ?? findCovered(key);
    made.set(key, known);
    return known;
  };
}

/** Groups methods by their keys. `alike` has one list for each method: all tools of this method. */
function groupMethodsByKey(alike: Iterable<readonly Tool[]>): Map<string, Method[]> {
  const methods = new Map<string, Method[]>();
  for (const [tool] of alike) {
    if (tool === undefined) continue;
    for (const key of listSharedKeys(tool.service.interface, tool.method)) {
      const before = methods.get(key);
      if (before === undefined) methods.set(key, [tool.method]);
      else before.push(tool.method);
    }
  }
  return methods;
}

/** Returns those methods of the schema that have no category, and so never run. */
export function findUnclassified(face: Interface): string[] {
  // Methods of an import that cannot be tools were already reported at the import.
  const described = face.description.methods.filter(({ callable }) => callable || face.alias === undefined);
  return described.map((method) => method.name).filter((name) => !face.methods.has(name));
}
