import { formatLabel } from "../../../../engine/lib/policy/index.ts";
import type { Param, Tool, Type, TypeForm } from "../../../../engine/lib/wire/generated/policy.ts";
import type { Subject } from "../subject.ts";

interface ToolView {
  readonly index: number;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  /** Method of the tool, such as `Files.write`. */
  readonly method: string;
  readonly arguments: readonly string[];
  readonly results: string;
  /** Label of the sink to which the tool's arguments go. */
  readonly sink: string;
  readonly effects: string;
}

const LONGEST = 280;
const LONGEST_ARGUMENT = 120;
const MOST_ARGUMENTS = 12;

export function buildToolViews({ tables }: Subject): readonly ToolView[] {
  const { lattice, categories } = tables;
  return tables.tools.map((tool, index) => {
    const { name, description, category, result, sink, params } = tool;
    const [low, high] = [formatLabel(lattice, result.low), formatLabel(lattice, result.high)];
    const listed = params.slice(0, MOST_ARGUMENTS).map(renderParam);
    const more = params.length - listed.length;
    return {
      index,
      name,
      description: cut(description.replace(/\s+/g, " "), LONGEST),
      category: categories[category]?.name ?? "",
      method: `${tool.interfaceName}.${tool.methodName}`,
      arguments: more === 0 ? listed : [...listed, `and ${more} more`],
      results: low === high ? low : `${low} to ${high}`,
      sink: formatLabel(lattice, sink),
      effects: describeEffects(tool),
    };
  });
}

function describeEffects({ readOnly, networked, redact, truncateBytes }: Tool): string {
  return [
    readOnly ? "reads" : "changes",
    ...(networked ? ["reaches the network"] : []),
    ...(redact.length === 0 ? [] : [`masks ${redact.join(", ")}`]),
    ...(truncateBytes === 0 ? [] : [`cut at ${truncateBytes} bytes`]),
  ].join(", ");
}

function renderParam({ name, type, required }: Param): string {
  return cut(`${name}${required ? "" : "?"}: ${typeText(type)}`, LONGEST_ARGUMENT);
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Texts for JSON arguments of which the gate checks only the outer form, if any: any JSON, an object or a list. */
const JSON_WORDS: Readonly<Record<TypeForm, string>> = {
  any: "any JSON (unchecked)",
  object: "any object (unchecked)",
  list: "any list (unchecked)",
};

function typeText(type: Type): string {
  switch (type.which) {
    case "boolean":
    case "integer":
    case "number":
    case "text":
    case "record":
      return type.which;
    case "choice":
      return type.choice.map((one) => JSON.stringify(one)).join(" | ");
    case "list":
      return `list of ${typeText(type.list)}`;
    case "json":
      return JSON_WORDS[type.json.form];
    case "either":
      return type.either.map(typeText).join(" | ");
  }
}
