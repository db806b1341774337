import { visible } from "../../diagnostics/index.ts";
import type { Json, LabelNode, Name, Quantity, Reference, Words } from "../../tree/index.ts";
import { labelText, nameText, numeralText, quoted, referenceText } from "../text.ts";

// What the text of every node is made of. Blanks do not matter here: the formatter lays all of it out.

/** Elements between braces, each on its own line. */
export function block(elements: readonly string[]): string {
  return elements.length === 0 ? "{}" : `{\n${elements.join("\n")}\n}`;
}

/** Elements between braces, on one line if they fit. */
export function row(elements: readonly string[]): string {
  return elements.length === 0 ? "{}" : `{ ${elements.join(" ")} }`;
}

/** A declaration behind its `///` lines. What no page may hold is spelt out in them: a page that is written is one that is read. */
export function documented(doc: string, text: string): string {
  if (doc === "") return text;
  const lines = doc.split(/\r\n|\r|\n/).map((line) => `/// ${line.split("\t").map(visible).join("\t")}`);
  return `${lines.join("\n")}\n${text}`;
}

/** A word and what follows it, where there is anything. */
export function optional(word: string, text: string | undefined): string {
  return text === undefined ? "" : ` ${word} ${text}`;
}

export function wordsText({ value }: Words): string {
  return quoted(value);
}

export function quantityText({ amount, unit }: Quantity): string {
  return `${numeralText(amount)} ${nameText(unit)}`;
}

export function namesText(names: readonly Name[]): string {
  return names.map(nameText).join(", ");
}

export function rangeText(low: LabelNode, high: LabelNode): string {
  return low === high || labelText(low) === labelText(high)
    ? labelText(low)
    : `${labelText(low)} .. ${labelText(high)}`;
}

export function subjectText(subject: Reference | undefined): string {
  return optional("for", subject && referenceText(subject));
}

export function jsonText(json: Json): string {
  switch (json.kind) {
    case "text":
      return wordsText(json.value);
    case "number":
      return numeralText(json.value);
    case "boolean":
      return String(json.value);
    case "null":
      return "null";
    case "list":
      return `[${json.items.map(jsonText).join(", ")}]`;
    case "record":
      return `{${json.fields.map(({ name, value }) => `${fieldText(name)}: ${jsonText(value)}`).join(", ")}}`;
  }
}

function fieldText(name: string): string {
  return nameText({ text: name });
}
