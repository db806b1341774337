// Defines how YAML and JSON represent small parts of a page, such as a label or a mode: each is a text in the form that
// the language uses.

import { Type } from "typebox";
import { renderLabel } from "../../../../lang/format/index.ts";
import { MODES, normalizeDecimal, SHAPES } from "../../../../lang/grammar/index.ts";
import type {
  KeywordValue,
  LabelNode,
  Mode,
  ModeNode,
  Name,
  Numeral,
  Quantity,
  Reference,
  Words,
} from "../../../../lang/tree/index.ts";
import { mapped, NOWHERE, oneOf, type Shape, textual, truth } from "../shape.ts";

const ID = SHAPES.Name.source;
/** Pattern of a part of a reference. A part that is not a plain name is in quotation marks, as in JSON. */
const PART = `(?:${ID}|"(?:[^"\\\\]|\\\\.)*")`;
const DECIMAL = "-?\\d+(?:\\.\\d+)?";
const LEVEL = `${ID}(?::\\{${ID}(?:, ${ID})*\\})?(?:/${ID})?`;

/** Source of a regular expression for a reference. The expression has no capturing groups. */
export const REFERENCE = `${PART}(?:\\.${PART})*`;

const makeWholePattern = (source: string): RegExp => new RegExp(`^${source}$`);
const isId = makeWholePattern(ID);

function nameOf(text: string): Name {
  return { text, span: NOWHERE };
}

export const name: Shape<Name> = textual({ pattern: isId, what: "a name" }, ({ text }) => text, nameOf);

/**
 * A name for which the language also allows quoted text, for example because it is a reserved word. If the name is
 * quoted on the page, YAML and JSON contain its quotation marks too.
 */
export const quotable: Shape<Name> = textual(
  { pattern: makeWholePattern(PART), what: "a name, or a text in quotation marks" },
  nameText,
  (image) => {
    const part = parsePart(image);
    return part === undefined ? undefined : nameOf(part);
  },
);

function nameText({ text }: Name): string {
  return isId.test(text) ? text : JSON.stringify(text);
}

export const reference: Shape<Reference> = textual(
  { pattern: makeWholePattern(REFERENCE), what: "a name, or names with dots between them" },
  renderReference,
  parseReference,
);

export function renderReference({ parts }: Reference): string {
  return parts.map(nameText).join(".");
}

export function parseReference(text: string): Reference | undefined {
  const parts = (text.match(new RegExp(PART, "g")) ?? []).map(parsePart);
  if (parts.some((part) => part === undefined)) return undefined;
  const names = parts.filter((part) => part !== undefined);
  return { parts: names.map(nameOf), text: names.join("."), span: NOWHERE };
}

function parsePart(image: string): string | undefined {
  if (!image.startsWith('"')) return image;
  try {
    return String(JSON.parse(image));
  } catch {
    return undefined;
  }
}

/** Shape of any text. An empty text is written too. */
export const text: Shape<string> = {
  schema: Type.String(),
  write: (node) => node,
  read: (value, path, report) => {
    if (typeof value === "string") return { node: value };
    report({ path, reason: "expected a text" });
    return undefined;
  },
};

/** Shape of doc comments, which become descriptions. An empty doc comment is not written. */
export const doc: Shape<string> = { ...text, blank: { is: (node) => node === "", node: "" } };

export const words: Shape<Words> = mapped(
  text,
  ({ value }) => value,
  (value) => ({ value, span: NOWHERE }),
);

export const numeral: Shape<Numeral> = textual(
  { pattern: makeWholePattern(DECIMAL), what: "an exact decimal number as text" },
  ({ decimal }) => decimal,
  parseNumeral,
);

function parseNumeral(text: string): Numeral {
  return { decimal: normalizeDecimal(text), span: NOWHERE };
}

export const quantity: Shape<Quantity> = textual(
  { pattern: makeWholePattern(`${DECIMAL} ${ID}`), what: 'a number and its unit, as in "16 MiB"' },
  ({ amount, unit }) => `${amount.decimal} ${unit.text}`,
  (text) => {
    const [amount = "", unit = ""] = text.split(" ");
    return { amount: parseNumeral(amount), unit: nameOf(unit), span: NOWHERE };
  },
);

export const label: Shape<LabelNode> = textual<LabelNode>(
  { pattern: makeWholePattern(LEVEL), what: 'a label, as in "secret:{hr, finance}/reviewed"' },
  renderLabel,
  (text) => {
    const [, level = "", sets, integrity] = /^([^:/]+)(?::\{(.*)\})?(?:\/(.+))?$/.exec(text) ?? [];
    return {
      level: nameOf(level),
      compartments: sets === undefined ? [] : sets.split(", ").map(nameOf),
      integrity: integrity === undefined ? undefined : nameOf(integrity),
      span: NOWHERE,
    };
  },
);

const modeWord = oneOf<Mode>(...MODES);

export const mode: Shape<ModeNode> = mapped(
  modeWord,
  (node) => node.mode,
  (word) => ({ mode: word, span: NOWHERE }),
);

export const markedTruth: Shape<KeywordValue<boolean>> = mapped(
  truth,
  ({ value }) => value,
  (value) => ({ value, span: NOWHERE }),
);
