import type { BoundTerm, Meaning, Param, Tool, Type } from "../../phases/bind/index.ts";

/** An argument or a field inside it, as conditions name it. */
export interface Argument {
  /** Type of the value. With a quantifier, it is the type of the elements. */
  readonly type: Type;
  /** Meaning of the whole argument; a field inside it has none. */
  readonly meaning: Meaning | undefined;
  /** Whether the path leads through a list, so that a quantifier is needed. */
  readonly isElement: boolean;
  /** Whether a call may omit the value or a record that contains it. */
  readonly isOptional: boolean;
}

/**
 * Returns the argument at a path. The path leads through records, and with a quantifier also through lists. Returns `undefined` if there is
 * no such argument.
 */
export function findArgument(tool: Tool, { path, each }: Pick<BoundTerm, "path" | "each">): Argument | undefined {
  let params: readonly Param[] = tool.method.description.params;
  let found: Param | undefined;
  let isElement = false;
  let isOptional = false;
  for (const name of path) {
    found = params.find((param) => param.name === name);
    const type = found && (each === "single" ? found.type : getElementType(found.type));
    isElement ||= type !== found?.type;
    isOptional ||= found?.required !== true;
    params = type?.which === "record" ? type.record : [];
  }
  const [first] = path;
  const meaning = path.length === 1 && first !== undefined ? tool.method.meanings.get(first) : undefined;
  return found && { type: each === "single" ? found.type : getElementType(found.type), meaning, isElement, isOptional };
}

/** Returns the element type of a list, even through lists of lists. Returns any other type unchanged. */
export function getElementType(type: Type): Type {
  let inner = type;
  while (inner.which === "list") inner = inner.list;
  return inner;
}

/** Returns all valid paths of a tool's arguments, for suggestions. */
export function listArguments(tool: Tool): string[] {
  const listWithin = (prefix: string, params: readonly Param[]): string[] =>
    params.flatMap(({ name, type }) => {
      const path = `${prefix}${name}`;
      const inner = getElementType(type);
      return inner.which === "record" ? [path, ...listWithin(`${path}.`, inner.record)] : [path];
    });
  return listWithin("", tool.method.description.params);
}
