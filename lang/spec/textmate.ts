import { CONTEXTUAL, MODES, RESERVED, SHAPES, SIGNS } from "../grammar/index.ts";

// The grammar for editors, made from the words and shapes that the scanner has. An editor colours lines without parsing
// them: a word that is a name in its place may be coloured as a keyword, never the other way round.

interface Pattern {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly patterns?: readonly Pattern[];
}

interface TextMateGrammar {
  readonly name: string;
  readonly scopeName: string;
  readonly fileTypes: readonly string[];
  readonly patterns: readonly Pattern[];
}

const CONSTANTS = ["true", "false", "null"];
/** Words behind which the name of a declaration stands. */
const DECLARING = [
  ...["system", "category", "principal", "model", "backend", "service", "session", "task", "phase", "worker"],
  ...["ingress", "interface", "method"],
];

/** One of the words, and not a part of a longer name or of a reference. */
function anyOf(words: readonly string[]): string {
  return `(?<![\\w.-])(?:${[...words].sort((left, right) => right.length - left.length).join("|")})(?![\\w-])`;
}

function literal(sign: string): string {
  return sign.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** In the order in which an editor tries them. */
function textMateGrammar(): TextMateGrammar {
  const connecting = RESERVED.filter((word) => ![...MODES, ...CONSTANTS].includes(word));
  const contextual = `${anyOf(CONTEXTUAL)}(?!\\.)`;
  return {
    name: "Capability page",
    scopeName: "source.cap",
    fileTypes: ["cap"],
    patterns: [
      { name: "comment.line.documentation.cap", match: SHAPES.doc.source },
      { name: "comment.line.double-slash.cap", match: SHAPES.comment.source },
      text(),
      { name: "invalid.illegal.unclosed.cap", match: SHAPES.UnclosedString.source },
      { name: "constant.numeric.cap", match: `(?<![\\w])${SHAPES.Number.source}` },
      { name: "keyword.control.mode.cap", match: anyOf(MODES) },
      { name: "constant.language.cap", match: anyOf(CONSTANTS) },
      { name: "keyword.operator.word.cap", match: anyOf(connecting) },
      declaration(),
      { name: "keyword.other.cap", match: contextual },
      { name: "entity.name.type.cap", match: "(?<![\\w-])[A-Z]\\w*(?:-\\w+)*" },
      { name: "variable.other.cap", match: SHAPES.Name.source },
      { name: "punctuation.cap", match: SIGNS.map(literal).join("|") },
    ],
  };
}

function text(): Pattern {
  const known = { name: "constant.character.escape.cap", match: '\\\\(?:["\\\\/nrt]|u[0-9A-Fa-f]{4})' };
  const wrong = { name: "invalid.illegal.escape.cap", match: "\\\\." };
  // The whole text at once, so that a quotation mark that is missing does not colour the rest of the page.
  return {
    begin: `(?=${SHAPES.String.source})"`,
    end: '"',
    name: "string.quoted.double.cap",
    patterns: [known, wrong],
  };
}

function declaration(): Pattern {
  return {
    match: `(${anyOf(DECLARING)})\\s+(${SHAPES.Name.source})`,
    captures: { "1": { name: "storage.type.cap" }, "2": { name: "entity.name.cap" } },
  };
}

export function textMateFile(): string {
  return `${JSON.stringify(textMateGrammar(), undefined, 2)}\n`;
}
