import { byCodeUnits } from "../../lang/text/index.ts";
import { lineageOf } from "./categories.ts";
import type { Category, Interface, Service, Tool } from "./model/index.ts";

// Ruling 3 as text: every pattern has a key, and a tool knows the keys that cover it, most specific first. Resolving a
// cell is then a walk down that list, and lines that are equally specific are lines of one key.

export const EVERYTHING = "*";
export const ofTool = (tool: string): string => `tool ${tool}`;
export const ofInstance = (service: string): string => `instance ${service}`;
export const ofMethod = (face: string, method: string): string => `method ${face}.${method}`;
export const ofInterface = (face: string): string => `interface ${face}`;
export const ofCategoryIn = (category: string, face: string): string => `category ${category} in ${face}`;
export const ofCategory = (category: string): string => `category ${category}`;

/** instance.method > instance.* > Interface.method > Interface.* > category in Interface > own category > its parents > `*`. */
export function keysOf(tool: Tool): readonly string[] {
  const known = keys.get(tool);
  if (known !== undefined) return known;
  const made = makeKeys(tool);
  keys.set(tool, made);
  return made;
}

/** How many of a tool's keys speak of it or of its service alone: these stand first. Tools of one method share the rest. */
export const OWN_KEYS = 2;

/** Asked for each tool by every layer and many laws: making them again took a third of a check of ten thousand tools. */
const keys = new WeakMap<Tool, readonly string[]>();

function makeKeys({ name, service, method }: Tool): string[] {
  const face = service.interface.name;
  const lineage = lineageOf(method.category).map((category: Category) => category.name);
  return [
    ofTool(name),
    ofInstance(service.name),
    ofMethod(face, method.name),
    ofInterface(face),
    ...lineage.map((category) => ofCategoryIn(category, face)),
    ...lineage.map(ofCategory),
    EVERYTHING,
  ];
}

/** Every classified method of every service, in code-unit order of names. */
export function toolsOf(services: readonly Service[]): Tool[] {
  const tools = services.flatMap((service) =>
    [...service.interface.methods.values()].map((method) => ({
      name: `${service.name}.${method.name}`,
      service,
      method,
    })),
  );
  return tools.sort(byName);
}

function byName(left: Tool, right: Tool): number {
  return byCodeUnits(left.name, right.name);
}

/** The tools that each key covers, in the order of their names. */
export function toolsByKey(tools: readonly Tool[]): Map<string, readonly Tool[]> {
  const groups = new Map<string, (readonly Tool[])[]>();
  const add = (key: string, group: readonly Tool[]) => {
    const before = groups.get(key);
    if (before === undefined) groups.set(key, [group]);
    else before.push(group);
  };
  for (const tool of tools) for (const key of keysOf(tool).slice(0, OWN_KEYS)) add(key, [tool]);
  // The other keys cover all tools of a method or none: they are looked at once for each method.
  for (const alike of Map.groupBy(tools, ({ method }) => method).values()) {
    for (const key of alike.slice(0, 1).flatMap((tool) => keysOf(tool).slice(OWN_KEYS))) add(key, alike);
  }
  return new Map(
    [...groups].map(([key, covered]) => [key, covered.length === 1 ? (covered[0] ?? []) : covered.flat().sort(byName)]),
  );
}

/** Methods that the schema has and that nobody has classified: they never run. */
export function unclassifiedOf(face: Interface): string[] {
  // What an import cannot offer at all was said where it is imported.
  const described = face.description.methods.filter(({ callable }) => callable || face.alias === undefined);
  return described.map((method) => method.name).filter((name) => !face.methods.has(name));
}
