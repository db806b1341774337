import type { BoundTerm, Meaning, Param, Tool, Type } from "../../phases/bind/index.ts";

/** An argument or a field inside an argument, with the facts that conditions need. */
export interface Argument {
  /** Type of the value; for a quantifier, the type of the elements over which it iterates. */
  readonly type: Type;
  /** Meaning of the whole argument; `undefined` for a field inside an argument. */
  readonly meaning: Meaning | undefined;
  /** Whether the path contains a list, over whose elements a quantifier iterates. */
  readonly isElement: boolean;
  /** Whether a call may omit the value or a record that contains it. */
  readonly isOptional: boolean;
}

/**
 * Returns the argument that a path names. The path may lead through records and, if the condition has a quantifier,
 * through lists. Returns `undefined` if the path names no argument.
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

/** Returns the innermost element type of a list, or the type itself if it is not a list. */
export function getElementType(type: Type): Type {
  let inner = type;
  while (inner.which === "list") inner = inner.list;
  return inner;
}

/** Returns all names that a path may have, for suggestions. */
export function listArguments(tool: Tool): string[] {
  const listWithin = (prefix: string, params: readonly Param[]): string[] =>
    params.flatMap(({ name, type }) => {
      const path = `${prefix}${name}`;
      const inner = getElementType(type);
      return inner.which === "record" ? [path, ...listWithin(`${path}.`, inner.record)] : [path];
    });
  return listWithin("", tool.method.description.params);
}
