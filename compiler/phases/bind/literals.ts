import { parseDateText, parseDurationText } from "../../../engine/lib/policy/index.ts";
import type { Literal as LiteralNode } from "../../../lang/tree/index.ts";
import type { Context } from "./context.ts";
import type { BoundParameter } from "./model/parameters.ts";
import { convertToByteDecimal, convertToMillisecondDecimal, isByteUnit } from "./quantities.ts";

export type BoundLiteral = { readonly node: LiteralNode | undefined } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "boolean"; readonly boolean: boolean }
  /**
   * A size is converted to bytes, and a date or duration to milliseconds. A number with a currency or without a unit
   * stays as written.
   */
  | { readonly kind: "decimal"; readonly decimal: string; readonly unit: "bytes" | "date" | "ms" | string | undefined }
  /** A value that a person chooses when a task begins. */
  | { readonly kind: "parameter"; readonly parameter: BoundParameter }
);

/** Returns a literal, with a size converted to bytes. If the unit is unknown, reports it and returns `undefined`. */
export function bindLiteral(context: Context, node: LiteralNode): BoundLiteral | undefined {
  switch (node.kind) {
    case "text":
      return { kind: "text", text: node.value, node };
    case "boolean":
      return { kind: "boolean", boolean: node.value, node };
    case "number": {
      const { amount, unit } = node;
      if (unit === undefined) return { kind: "decimal", decimal: amount.decimal, unit: undefined, node };
      // Three capital letters are a currency, as in ISO 4217. Other code checks whether the currency fits.
      if (/^[A-Z]{3}$/.test(unit.text) && !isByteUnit(unit.text)) {
        return { kind: "decimal", decimal: amount.decimal, unit: unit.text, node };
      }
      const decimal = convertToByteDecimal(context, amount, unit);
      return decimal === undefined ? undefined : { kind: "decimal", decimal, unit: "bytes", node };
    }
  }
}

/** Returns a duration in milliseconds, or reports it and returns `undefined` if its unit is not a unit of time. */
export function bindDuration(context: Context, node: LiteralNode & { kind: "number" }): BoundLiteral | undefined {
  const { amount, unit } = node;
  if (unit === undefined) return { kind: "decimal", decimal: amount.decimal, unit: undefined, node };
  const decimal = convertToMillisecondDecimal(context, amount, unit);
  return decimal === undefined ? undefined : { kind: "decimal", decimal, unit: "ms", node };
}

/**
 * Converts a text to milliseconds if the condition compares it with a date or a duration (`term`). Any other literal,
 * and a text without a valid date or duration, stays unchanged.
 */
export function convertTime(term: string, literal: BoundLiteral): BoundLiteral {
  if (literal.kind !== "text" || (term !== "date" && term !== "duration")) return literal;
  const { text, node } = literal;
  const decimal = term === "date" ? parseDateText(text) : parseDurationText(text);
  return decimal === undefined ? literal : { kind: "decimal", decimal, unit: term === "date" ? "date" : "ms", node };
}
