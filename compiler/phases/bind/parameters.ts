import { MAX_PARAMETER_NAME_BYTES, MAX_PARAMETERS } from "../../../engine/lib/policy/index.ts";
import type { Name, ParameterNode, TaskNode, TaskParameterNode } from "../../../lang/tree/index.ts";
import { parameterOutside, parameterUnfit } from "./codes.ts";
import { type Context, declare, resolve, resolveWord } from "./context.ts";
import type { BoundParameter } from "./model/parameters.ts";

export const PARAMETER_KINDS = ["text", "number", "money", "date", "duration", "size"] as const;

/** Parameters that conditions of a task may name; absent outside of tasks. */
export interface ParameterWords {
  readonly parameters?: {
    readonly task: string;
    readonly names: ReadonlyMap<string, BoundParameter>;
    /** All parameters of the declaration, also those with an invalid type, which was already reported. */
    readonly written: readonly TaskParameterNode[];
  };
}

/** Returns the parameters of a task in the order of the page. Invalid parameters are left out, because they were reported. */
export function bindParameters(context: Context, task: string, { parameters }: TaskNode): BoundParameter[] {
  const first = new Map<string, TaskParameterNode>();
  for (const node of parameters)
    declare(context, { names: first, what: "parameter", name: node.name, declared: node, owner: task });
  const [excess] = [...first.values()].slice(MAX_PARAMETERS);
  if (excess !== undefined) {
    const facts = { fault: `a task has at most ${MAX_PARAMETERS} parameters`, instead: "leave it out" };
    context.report(parameterUnfit.at(excess.span, { name: excess.name.text, ...facts }));
  }
  return [...first.values()].flatMap((node) => bindParameter(context, node) ?? []);
}

function bindParameter(context: Context, node: TaskParameterNode): BoundParameter | undefined {
  const { name, type, currency } = node;
  const kind = resolveWord(context, "type of a parameter", PARAMETER_KINDS, type);
  if (kind === undefined) return undefined;
  const fault = findFault(node, kind);
  if (fault !== undefined) {
    context.report(parameterUnfit.at(node.span, { name: name.text, ...fault }));
    return undefined;
  }
  return { name: name.text, kind, currency: currency?.text ?? "", node };
}

function findFault(
  { name, currency }: TaskParameterNode,
  kind: BoundParameter["kind"],
): { readonly fault: string; readonly instead: string } | undefined {
  if (Buffer.byteLength(name.text) > MAX_PARAMETER_NAME_BYTES)
    return { fault: `its name has more than ${MAX_PARAMETER_NAME_BYTES} bytes`, instead: "write a shorter one" };
  if (kind !== "money") {
    const fault = `\`${kind}\` has no currency`;
    return currency === undefined ? undefined : { fault, instead: `write \`${name.text}: ${kind}\`` };
  }
  if (currency !== undefined) return undefined;
  return { fault: "an amount of money has a currency", instead: `write \`${name.text}: money EUR\`` };
}

/**
 * Returns the parameter that a condition names, or reports it and returns `undefined` if its task has no such
 * parameter.
 */
export function resolveParameter(
  context: Context,
  { parameters }: ParameterWords,
  { name, span }: ParameterNode,
): BoundParameter | undefined {
  if (parameters === undefined) {
    context.report(parameterOutside.at(span, { name: name.text }));
    return undefined;
  }
  const { task, names, written } = parameters;
  if (isLost({ names, written }, name)) return undefined;
  return resolve(context, {
    names,
    what: `parameter of ${task}`,
    name,
    hint: `write it behind the task: \`(${name.text}: text)\``,
  });
}

/** Returns whether the page declares a parameter of this name, but with an invalid type, which was reported. */
export function isLost(
  { names, written }: Pick<NonNullable<ParameterWords["parameters"]>, "names" | "written">,
  { text }: Name,
): boolean {
  return !names.has(text) && written.some(({ name }) => name.text === text);
}
