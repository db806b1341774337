// Renders a tool as one line that a small model can read: its name with the types of its arguments, and its description. The
// line is made from the tool's schema, like the grammar; the schema itself is three times as long.

import { isList, isRecord, type Json, type JsonRecord, readJson } from "../../../lib/policy/index.ts";
import type { ToolDescriptor } from "../../../lib/wire/generated/capos.ts";

/**
 * Bounds of an integer are shown only if both are smaller than this. Larger bounds, such as 65535, only reflect how the
 * number is stored.
 */
const TELLING = 2 ** 15;

/** Returns a signature like `notes.read(path: text, from?: int): Read a text file.` A schema with unknown keywords is shown unchanged. */
export function renderSignature({ name, description, paramSchema }: ToolDescriptor): string {
  const schema = readJson(paramSchema);
  const members = schema.ok && isRecord(schema.value) ? renderMembers(schema.value) : undefined;
  return `${name}(${members ?? paramSchema}): ${joinLines(description)}`;
}

function renderMembers({ properties, required }: JsonRecord): string | undefined {
  if (properties === undefined || !isRecord(properties)) return undefined;
  const isRequired = (name: string): boolean => required !== undefined && isList(required) && required.includes(name);
  const members = Object.entries(properties);
  // The parameters are in the order of the grammar.
  return [true, false]
    .flatMap((is) => members.filter(([name]) => isRequired(name) === is))
    .map(([name, member]) => `${name}${isRequired(name) ? "" : "?"}: ${renderMember(member)}`)
    .join(", ");
}

function renderMember(schema: Json): string {
  if (!isRecord(schema)) return "any";
  const { description } = schema;
  return typeof description === "string" ? `${typeOf(schema)} (${joinLines(description)})` : typeOf(schema);
}

function typeOf(schema: JsonRecord): string {
  const { type, enum: options, items, anyOf } = schema;
  if (anyOf !== undefined && isList(anyOf)) return anyOf.map(renderMember).join(" or ");
  if (options !== undefined && isList(options)) return options.map((option) => `${option}`).join("|");
  switch (type) {
    case "string":
      return "text";
    case "integer":
      return `int${renderBounds(schema)}`;
    case "boolean":
      return "bool";
    case "array":
      return `[${items === undefined ? "any" : renderMember(items)}]`;
    case "object":
      return `{${renderMembers(schema) ?? (schema["additionalProperties"] === false ? "" : "any")}}`;
    default:
      return `${type ?? "any"}`;
  }
}

function renderBounds({ minimum, maximum }: JsonRecord): string {
  if (typeof minimum !== "number" || typeof maximum !== "number") return "";
  return Math.max(Math.abs(minimum), maximum) < TELLING ? ` ${minimum}..${maximum}` : "";
}

function joinLines(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
