import type { Literal as LiteralNode } from "../../../lang/tree/index.ts";
import type { Context } from "./context.ts";
import { convertToByteDecimal, isByteUnit } from "./quantities.ts";

export type BoundLiteral = { readonly node: LiteralNode | undefined } & (
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "boolean"; readonly boolean: boolean }
  /** `unit`: bytes are multiplied out; a currency stays beside its amount. */
  | { readonly kind: "decimal"; readonly decimal: string; readonly unit: "bytes" | string | undefined }
);

/** Returns a literal with its unit multiplied out; nothing where the unit is unknown, which was reported. */
export function bindLiteral(context: Context, node: LiteralNode): BoundLiteral | undefined {
  switch (node.kind) {
    case "text":
      return { kind: "text", text: node.value, node };
    case "boolean":
      return { kind: "boolean", boolean: node.value, node };
    case "number": {
      const { amount, unit } = node;
      if (unit === undefined) return { kind: "decimal", decimal: amount.decimal, unit: undefined, node };
      // Three capital letters are a currency, as ISO 4217 has them; whether it fits is a question to each tool.
      if (/^[A-Z]{3}$/.test(unit.text) && !isByteUnit(unit.text)) {
        return { kind: "decimal", decimal: amount.decimal, unit: unit.text, node };
      }
      const decimal = convertToByteDecimal(context, amount, unit);
      return decimal === undefined ? undefined : { kind: "decimal", decimal, unit: "bytes", node };
    }
  }
}
