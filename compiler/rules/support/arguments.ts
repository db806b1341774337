import type { Meaning, Param, Tool, Type } from "../../phases/bind/index.ts";

/** An argument, or a field inside one, as conditions see it. */
export interface Argument {
  readonly type: Type;
  /** Facts are about whole arguments; a field inside one has none. */
  readonly meaning: Meaning | undefined;
}

/** What a path names, through records; nothing where there is no such thing. */
export function findArgument(tool: Tool, path: readonly string[]): Argument | undefined {
  let params: readonly Param[] = tool.method.description.params;
  let found: Param | undefined;
  for (const name of path) {
    found = params.find((param) => param.name === name);
    params = found?.type.which === "record" ? found.type.record : [];
  }
  const [first] = path;
  const meaning = path.length === 1 && first !== undefined ? tool.method.meanings.get(first) : undefined;
  return found && { type: found.type, meaning };
}

/** All that a path may name, for suggestions. */
export function listArguments(tool: Tool): string[] {
  const listWithin = (prefix: string, params: readonly Param[]): string[] =>
    params.flatMap(({ name, type }) => {
      const path = `${prefix}${name}`;
      return type.which === "record" ? [path, ...listWithin(`${path}.`, type.record)] : [path];
    });
  return listWithin("", tool.method.description.params);
}
