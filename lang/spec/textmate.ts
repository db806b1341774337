import { CONTEXTUAL, MODES, RESERVED, SHAPES, SIGNS } from "../grammar/index.ts";

// Builds the grammar for editors from the words and forms of the scanner. An editor colours lines without parsing them.
// So a word that is used as a name may have the colour of a keyword, but a keyword never has the colour of a name.

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
/** Words after which the name of a declaration follows. */
const DECLARING = [
  ...["system", "category", "principal", "model", "backend", "service", "session", "task", "phase", "worker"],
  ...["ingress", "interface", "let", "method", "redact"],
];

/** Returns a pattern that matches one of the words, but no part of a longer name or of a reference. */
function matchAnyOf(words: readonly string[]): string {
  return `(?<![\\w.-])(?:${[...words].sort((left, right) => right.length - left.length).join("|")})(?![\\w-])`;
}

function escapeLiteral(sign: string): string {
  return sign.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Returns the patterns in the order in which an editor tries them. */
function buildTextMateGrammar(): TextMateGrammar {
  const connecting = RESERVED.filter((word) => ![...MODES, ...CONSTANTS].includes(word));
  const contextual = `${matchAnyOf(CONTEXTUAL)}(?!\\.)`;
  return {
    name: "Capability page",
    scopeName: "source.cap",
    fileTypes: ["cap"],
    patterns: [
      { name: "comment.line.documentation.cap", match: SHAPES.doc.source },
      { name: "comment.line.double-slash.cap", match: SHAPES.comment.source },
      makeTextPattern(),
      { name: "invalid.illegal.unclosed.cap", match: SHAPES.UnclosedString.source },
      { name: "constant.numeric.cap", match: `(?<![\\w])${SHAPES.Number.source}` },
      { name: "keyword.control.mode.cap", match: matchAnyOf(MODES) },
      { name: "constant.language.cap", match: matchAnyOf(CONSTANTS) },
      { name: "keyword.operator.word.cap", match: matchAnyOf(connecting) },
      makeDeclarationPattern(),
      { name: "keyword.other.cap", match: contextual },
      { name: "entity.name.type.cap", match: "(?<![\\w-])[A-Z]\\w*(?:-\\w+)*" },
      { name: "variable.other.cap", match: SHAPES.Name.source },
      { name: "punctuation.cap", match: SIGNS.map(escapeLiteral).join("|") },
    ],
  };
}

function makeTextPattern(): Pattern {
  const known = { name: "constant.character.escape.cap", match: '\\\\(?:["\\\\/nrt]|u[0-9A-Fa-f]{4})' };
  const wrong = { name: "invalid.illegal.escape.cap", match: "\\\\." };
  // The pattern begins only at a text that is closed on its line. So a missing quotation mark does not
  // change the colours of the rest of the page.
  return {
    begin: `(?=${SHAPES.String.source})"`,
    end: '"',
    name: "string.quoted.double.cap",
    patterns: [known, wrong],
  };
}

function makeDeclarationPattern(): Pattern {
  return {
    match: `(${matchAnyOf(DECLARING)})\\s+(${SHAPES.Name.source})`,
    captures: { "1": { name: "storage.type.cap" }, "2": { name: "entity.name.cap" } },
  };
}

export function renderTextMateFile(): string {
  return `${JSON.stringify(buildTextMateGrammar(), undefined, 2)}\n`;
}
