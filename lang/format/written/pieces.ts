import { escapeInvisible } from "../../diagnostics/index.ts";
import type { Json, LabelNode, Name, Quantity, Reference, Words } from "../../tree/index.ts";
import { quoteText, renderLabel, renderName, renderNumeral, renderReference } from "../text.ts";

// Renders parts of text that several kinds of nodes share. Blanks do not matter here, because the formatter lays out
// the result.

/** Returns elements between braces, each on its own line. */
export function renderBlock(elements: readonly string[]): string {
  return elements.length === 0 ? "{}" : `{\n${elements.join("\n")}\n}`;
}

/** Returns elements between braces, on one line if they fit. */
export function renderRow(elements: readonly string[]): string {
  return elements.length === 0 ? "{}" : `{ ${elements.join(" ")} }`;
}

/**
 * Returns the `///` lines of a declaration, and the declaration below them. Characters that a page must not contain are escaped,
 * so that the written page can be parsed.
 */
export function renderDocumented(doc: string, text: string): string {
  if (doc === "") return text;
  const lines = doc.split(/\r\n|\r|\n/).map((line) => `/// ${line.split("\t").map(escapeInvisible).join("\t")}`);
  return `${lines.join("\n")}\n${text}`;
}

/** Returns a blank, the word, a blank and the text; an empty text if `text` is `undefined`. */
export function renderOptional(word: string, text: string | undefined): string {
  return text === undefined ? "" : ` ${word} ${text}`;
}

export function renderWords({ value }: Words): string {
  return quoteText(value);
}

export function renderQuantity({ amount, unit }: Quantity): string {
  return `${renderNumeral(amount)} ${renderName(unit)}`;
}

export function renderNames(names: readonly Name[]): string {
  return names.map(renderName).join(", ");
}

export function renderRange(low: LabelNode, high: LabelNode): string {
  return low === high || renderLabel(low) === renderLabel(high)
    ? renderLabel(low)
    : `${renderLabel(low)} .. ${renderLabel(high)}`;
}

export function renderSubject(subject: Reference | undefined): string {
  return renderOptional("for", subject && renderReference(subject));
}

export function renderJson(json: Json): string {
  switch (json.kind) {
    case "text":
      return renderWords(json.value);
    case "number":
      return renderNumeral(json.value);
    case "boolean":
      return String(json.value);
    case "null":
      return "null";
    case "list":
      return `[${json.items.map(renderJson).join(", ")}]`;
    case "record":
      return `{${json.fields.map(({ name, value }) => `${renderField(name)}: ${renderJson(value)}`).join(", ")}}`;
  }
}

function renderField(name: string): string {
  return renderName({ text: name });
}
