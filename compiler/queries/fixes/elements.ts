import type { Span } from "../../../lang/text/index.ts";
import type { FileTree } from "../../../lang/tree/index.ts";

/**
 * Returns the spans of all elements of lists (names, lines, attributes, declarations) that contain a position. If one
 * of them is removed, the rest may be a valid page.
 */
export function collectElementsAround(tree: FileTree, at: Span): readonly Span[] {
  const found = new Map<string, Span>();
  const visit = (value: unknown, place: "element" | "member"): void => {
    if (Array.isArray(value)) for (const each of value) visit(each, "element");
    else if (isRecord(value)) {
      const own = value["span"];
      if (isSpan(own)) {
        if (own.source !== at.source || own.start > at.start || own.end < at.end) return;
        if (place === "element") found.set(`${own.start} ${own.end}`, own);
      }
      for (const [name, inner] of Object.entries(value)) if (name !== "span") visit(inner, "member");
    }
  };
  visit(tree.items, "member");
  return [...found.values()];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isSpan(value: unknown): value is Span {
  return isRecord(value) && "source" in value && typeof value["start"] === "number";
}
