// Converts YAML text to values. For safety it accepts only one document, without aliases, tags or repeated names, and with a
// depth that fits the stack. JSON uses the same reader, because every JSON text is YAML.

import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  Lexer,
  Parser,
  type Scalar,
  stringify,
  visit,
  type YAMLMap,
} from "yaml";
import type { Diagnostic } from "../../../lang/diagnostics/index.ts";
import { makeSpan, type SourceText, type Span } from "../../../lang/text/index.ts";
import { notYaml } from "./codes.ts";
import type { Path, Value } from "./shape.ts";

/**
 * Maximum depth. The deepest parts of a page are the arguments of a call in a test. They have up to 64 nested brackets,
 * and each bracket takes a few levels in YAML.
 */
const MAX_DEPTH = 1000;

/**
 * Maximum number of tokens. A page of a mebibyte has fewer tokens, but a list of empty items can have more, and reading
 * it would take seconds.
 */
const MAX_LEXEMES = 400_000;

/** The value with a function for the positions of its parts, or one diagnostic. */
type YamlRead =
  | { readonly ok: true; readonly value: Value; readonly placeOf: (path: Path) => Span }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] };

/** Reads YAML or JSON. The caller has bounded the size of `source`. */
export function readYaml(source: SourceText): YamlRead {
  const refuse = (start: number, end: number, reason: string): YamlRead => ({
    ok: false,
    diagnostics: [notYaml.at(makeSpan(source, start, end), { reason })],
  });
  const tokens = tokenize(source.text);
  if (!Array.isArray(tokens)) return refuse(tokens.at, tokens.at, tokens.reason);
  // The library would compare every name with every other name, so its check is off. The code below finds repeated
  // names.
  const composer = new Composer({ schema: "core", version: "1.2", logLevel: "silent", uniqueKeys: false });
  const [document, second] = [...composer.compose(tokens, true)];
  if (document === undefined) return refuse(0, 0, "it is empty");
  if (second !== undefined) return refuse(second.range[0], second.range[0], "it holds more than one document");
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) return refuse(fault.pos[0], fault.pos[1], extractFirstLine(fault.message));
  const strange = findForbiddenNode(document);
  if (strange !== undefined) return refuse(strange.at, strange.at, strange.reason);
  return { ok: true, value: document.toJS() as Value, placeOf: (path) => placeIn(document, path, source) };
}

interface Refusal {
  readonly at: number;
  readonly reason: string;
}

/**
 * Splits the text into tokens, or refuses it. The library's parser keeps open levels on a stack, but its composer
 * recurses, so text that is too deep must not reach the composer.
 */
function tokenize(text: string): CST.Token[] | Refusal {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    lexemes += 1;
    if (parser.stack.length > MAX_DEPTH) return { at: parser.offset, reason: `it is nested deeper than ${MAX_DEPTH}` };
    if (lexemes > MAX_LEXEMES) return { at: parser.offset, reason: `it has more than ${MAX_LEXEMES} parts` };
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Returns a refusal for the first node that a page cannot contain, or `undefined`. */
function findForbiddenNode(document: Document.Parsed): Refusal | undefined {
  let found: Refusal | undefined;
  const stop = (at: number | undefined, reason: string): symbol => {
    found = { at: at ?? 0, reason };
    return visit.BREAK;
  };
  visit(document, {
    Alias: (_, { range }) => stop(range?.[0], "an alias stands here"),
    Node: (_, node) => {
      if (isAlias(node)) return undefined;
      if (node.anchor !== undefined) return stop(node.range?.[0], "an anchor stands here");
      if (node.tag !== undefined && isScalar(node)) return stop(node.range?.[0], "a tag stands here");
      const twice = isMap(node) ? nameSaidTwice(node) : undefined;
      return twice && stop(twice.range?.[0], `the name ${JSON.stringify(twice.value)} is said twice`);
    },
    Pair: (_, { key }) =>
      isScalar(key) && typeof key.value === "string"
        ? undefined
        : stop(isNode(key) ? key.range?.[0] : 0, "a name that is no text stands here"),
  });
  return found;
}

function nameSaidTwice({ items }: YAMLMap): Scalar | undefined {
  const said = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (said.has(key.value)) return key;
    said.add(key.value);
  }
  return undefined;
}

function placeIn(document: Document.Parsed, path: Path, source: SourceText): Span {
  let node: unknown = document.contents;
  let place: readonly number[] = [0, 0];
  for (const step of [undefined, ...path]) {
    if (step !== undefined) {
      if (!isCollection(node)) break;
      const named: unknown =
        typeof step === "string"
          ? node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === step)
          : undefined;
      node = isPair(named) ? (isNode(named.value) ? named.value : named.key) : node.get(step, true);
    }
    if (isNode(node)) place = node.range ?? place;
  }
  const [start = 0, end = start] = place;
  // The finding underlines only the beginning of a collection, because an underline of the whole collection would not
  // show where the fault is.
  return isCollection(node) ? makeSpan(source, start, start + 1) : makeSpan(source, start, end);
}

function extractFirstLine(text: string): string {
  return (text.split("\n", 1)[0] ?? text).replace(/ at line \d+, column \d+:?$/, "");
}

/** Renders YAML. Quotes every text that a reader could take for a value of another type, such as a number. */
export function renderYaml(value: Value): string {
  return stringify(value, {
    version: "1.2",
    schema: "core",
    compat: "yaml-1.1",
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
}
