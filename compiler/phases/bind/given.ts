import {
  isOfKind,
  MAX_PARAMETER_BYTES,
  type ParameterValue,
  parseParameterValue,
} from "../../../engine/lib/policy/index.ts";
import { placeOf } from "../../../lang/text/index.ts";
import type { GivenNode, Step } from "../../../lang/tree/index.ts";
import { duplicateName, parameterUnfit } from "./codes.ts";
import { type Context, resolve } from "./context.ts";
import { bindDuration, bindLiteral, convertTime } from "./literals.ts";
import type { BoundParameter, Subject } from "./model/index.ts";
import { isLost } from "./parameters.ts";

// Binds the values with which a test of the page begins a task.

type BeginNode = Extract<Step, { readonly kind: "as" }>;

/**
 * Returns the values with which a test begins a task. If the values do not fit the parameters, reports this and returns `undefined`.
 */
export function bindGiven(
  context: Context,
  who: Subject,
  { given, who: name }: BeginNode,
): ReadonlyMap<string, ParameterValue> | undefined {
  const parameters = who.kind === "task" ? who.task.parameters : [];
  const owner = who.kind === "task" ? who.task.id : who.session.id;
  const first = new Map<string, GivenNode>();
  for (const node of given) {
    const before = first.get(node.name.text);
    if (before === undefined) first.set(node.name.text, node);
    else {
      const facts = { what: "value", name: node.name.text, where: placeOf(before.span) };
      context.report(duplicateName.at(node.name.span, facts));
    }
  }
  const names = new Map(parameters.map((parameter) => [parameter.name, parameter]));
  const written = who.kind === "task" ? who.task.node.parameters : [];
  let isKnown = true;
  const values = [...first.values()].map((node) => {
    isKnown &&= names.has(node.name.text);
    if (isLost({ names, written }, node.name)) return undefined;
    const parameter = resolve(context, { names, what: `parameter of ${owner}`, name: node.name });
    const value = parameter && bindValue(context, parameter, node);
    return value === undefined ? undefined : ([node.name.text, value] as const);
  });
  const missing = parameters.filter((parameter) => !first.has(parameter.name)).map((parameter) => parameter.name);
  // A value with an unknown parameter name was already reported. Probably its name is a misspelt name of a missing
  // parameter, so missing values are not reported in this case.
  if (missing.length > 0 && isKnown && who.kind === "task" && !who.task.damaged) {
    const instead = `write \`${name.text}(${missing.map((one) => `${one}: …`).join(", ")})\``;
    context.report(parameterUnfit.at(name.span, { name: missing.join(", "), fault: "it has no value here", instead }));
  }
  const whole = values.flatMap((value) => (value === undefined ? [] : [value]));
  return whole.length < given.length || missing.length > 0 ? undefined : new Map(whole);
}

function bindValue(
  context: Context,
  parameter: BoundParameter,
  { value: node, span }: GivenNode,
): ParameterValue | undefined {
  const { kind, currency } = parameter;
  const isDuration = kind === "duration" && node.kind === "number";
  const bound = isDuration ? bindDuration(context, node) : bindLiteral(context, node);
  const literal = bound && (kind === "date" || kind === "duration" ? convertTime(kind, bound) : bound);
  if (literal === undefined) return undefined;
  const value: ParameterValue | undefined =
    literal.kind === "text" && kind === "text"
      ? { which: "text", text: literal.text }
      : literal.kind === "decimal" && UNITS[kind].includes(literal.unit === currency ? "" : (literal.unit ?? "none"))
        ? { which: "decimal", decimal: literal.decimal }
        : undefined;
  const isRead = value?.which === "text" ? parseParameterValue(parameter, value.text).ok : value !== undefined;
  if (value !== undefined && isRead && isOfKind(value, kind)) {
    return value;
  }
  const words =
    kind === "money"
      ? `an amount of ${currency}`
      : kind === "text"
        ? `a text of 1 to ${MAX_PARAMETER_BYTES} bytes`
        : `a ${kind}`;
  const facts = {
    name: parameter.name,
    fault: `this is not ${words}`,
    instead: `write \`${parameter.name}: ${EXAMPLES[kind]}\``,
  };
  context.report(parameterUnfit.at(span, facts));
  return undefined;
}

/** Valid units of literals for each kind of parameter; "" stands for the currency of a money parameter. */
const UNITS: { readonly [K in BoundParameter["kind"]]: readonly string[] } = {
  text: [],
  number: ["none"],
  money: [""],
  date: ["date"],
  duration: ["ms"],
  size: ["bytes", "none"],
};

const EXAMPLES: { readonly [K in BoundParameter["kind"]]: string } = {
  text: '"…"',
  number: "12",
  money: "100 EUR",
  date: '"2026-12-31"',
  duration: "5 min",
  size: "64 KiB",
};
