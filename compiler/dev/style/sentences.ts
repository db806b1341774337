// Collects the sentences that people read, each with its kind and its place. Samples are drawn from these sentences.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSourceText } from "../../../lang/text/index.ts";
import { loadCommands } from "../../cli/commands.ts";
import { readDocComments } from "./comments.ts";

export const KINDS = ["readme", "spec", "help", "message", "changes", "doc comment", "comment", "test name"] as const;

export type Kind = (typeof KINDS)[number];

/** A sentence, a table cell, or a text of the command line's help. */
export interface Sentence {
  readonly kind: Kind;
  /** `FILE:LINE`, or the command that prints the sentence. */
  readonly place: string;
  readonly text: string;
  /**
   * The paragraph or comment that contains the sentence, and the code below a doc comment. Empty if the sentence stands
   * alone.
   */
  readonly around: string;
}

/** A text of one or more sentences that begins at `line`. */
interface Passage {
  readonly line: number;
  readonly text: string;
  /** First line of code below the comment. */
  readonly below?: string;
}

export const SOURCES = "{compiler,engine,lang,stdlib,targets}/**/*.{ts,mjs,rs}";
export const PAGES = "{*.md,{compiler,engine,examples,lang,stdlib,targets}/**/*.md}";
/** Matches files that a program or other people have written. */
const LEFT_OUT =
  /(?:^|\/)(?:node_modules|generated|target|build|pack\/dist)\/|THIRD-PARTY\.md$|REFERENCE\.md$|COMMANDS\.md$/;
const FEWEST_WORDS = 3;
const END_OF_SENTENCE = /(?<=[.!?])\s+(?=[A-Z`"'(*[])/;
/**
 * Matches the end of a sentence in help. The next sentence may begin in lower case, for example with `seal NAME` or
 * `yaml`.
 */
const END_IN_HELP = /(?<=[.!?])\s+/;

/**
 * Returns the sorted paths of the checkout that match a pattern, without files that programs or other people have
 * written.
 */
export function listWritten(checkout: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: checkout })
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

/** Returns every sentence of the checkout, in the order of kinds, paths and lines. */
export async function collectSentences(checkout: string): Promise<readonly Sentence[]> {
  const read = (path: string): string => readFileSync(join(checkout, path), "utf8");
  const place = (kind: Kind, path: string, passages: readonly Passage[]): readonly Sentence[] =>
    passages.flatMap(({ line, text, below = "" }) =>
      splitSentences(text).map((sentence) => {
        const around = [sentence === text ? "" : text, below].filter((part) => part !== "").join(" → ");
        return { kind, place: `${path}:${line}`, text: sentence, around };
      }),
    );
  const pages = listWritten(checkout, PAGES).flatMap((path) => {
    const kind = path === "CHANGES.md" ? "changes" : path.startsWith("lang/spec/") ? "spec" : "readme";
    return place(kind, path, readPassages(read(path)));
  });
  const sources = listWritten(checkout, SOURCES).flatMap((path) => {
    const text = read(path);
    return [
      ...place("doc comment", path, addCode(text, readDocComments(path, text))),
      ...place("comment", path, readLineComments(path, text)),
      ...place("test name", path, readTestNames(path, text)),
      ...(path.endsWith("/codes.ts") ? place("message", path, readMessages(path, text)) : []),
    ];
  });
  const console = "engine/processes/gate/commands/index.ts";
  const usages = matchPassages(console, read(console), /"(\/\w+[^"]*: [^"]+)"/g);
  const all = [...pages, ...(await listHelp()), ...place("help", console, usages), ...sources];
  return KINDS.flatMap((kind) => all.filter((sentence) => sentence.kind === kind));
}

/** Returns the texts that `capc --help` and `capc COMMAND --help` print. */
async function listHelp(): Promise<readonly Sentence[]> {
  return (await loadCommands()).flatMap(({ name, does, details, options }) => {
    const place = `capc ${name}`;
    const paragraphs = (details ?? "").replace(/\n(?=[a-z]+:)/g, ". ").replaceAll("\n", " ");
    return [
      { kind: "help" as const, place, text: does, around: "" },
      ...splitSentences(paragraphs, END_IN_HELP).map((text) => ({
        kind: "help" as const,
        place,
        text,
        around: paragraphs,
      })),
      ...options.map((option) => ({
        kind: "help" as const,
        place: `${place} --${option.name}`,
        text: option.does,
        around: "",
      })),
    ];
  });
}

function addCode(source: string, comments: readonly Passage[]): readonly Passage[] {
  const rows = source.split("\n");
  return comments.map((comment) => {
    const below = rows.slice(comment.line - 1).find((row) => row.trim() !== "" && !/^\s*(?:\/\*\*|\*|\/\/)/.test(row));
    return { ...comment, below: (below ?? "").trim() };
  });
}

/**
 * Returns the paragraphs, list entries and table cells of a page, each with the heading above it; a cell also has the
 * head of its table and its row.
 * Code blocks, headings and HTML comments are skipped.
 */
export function readPassages(markdown: string): readonly Passage[] {
  const passages: { line: number; text: string; below?: string }[] = [];
  let fence = "";
  let open = false;
  /** Head of the table to which the row belongs. */
  let head: string | undefined;
  let heading = "";
  for (const [index, row] of markdown.split("\n").entries()) {
    const [, marks = ""] = /^\s*(`{3,})/.exec(row) ?? [];
    if (marks !== "") fence = fence === "" ? marks : row.trim() === fence ? "" : fence;
    if (fence !== "" || marks !== "" || /^\s*$|^#|^<!--|^ {4}/.test(row)) {
      open = open && /^ {4}/.test(row) && fence === "";
      if (fence === "" && row.startsWith("#")) heading = row;
      head = undefined;
      continue;
    }
    const line = index + 1;
    if (row.startsWith("|")) {
      const below = [heading, head === row ? "" : (head ?? ""), row].filter((part) => part !== "").join(" ");
      head ??= row;
      const cells = row.split(/(?<!\\)\|/).map((text) => ({ line, text: text.trim(), below }));
      passages.push(...cells.filter(({ text }) => !/^[-:\s]*$/.test(text)));
      open = false;
      continue;
    }
    head = undefined;
    if (open && !/^\s*(?:[-*]|\d+\.) /.test(row)) {
      const last = passages.at(-1);
      if (last !== undefined) last.text += ` ${row.trim()}`;
    } else {
      const text = row.trim().replace(/^(?:[-*]|\d+\.) /, "");
      passages.push({ line, text, ...(heading === "" ? {} : { below: heading }) });
      open = true;
    }
  }
  return passages;
}

function readLineComments(path: string, source: string): readonly Passage[] {
  const { position } = createSourceText(path, source);
  return [...source.matchAll(/(?:^[ \t]*\/\/(?![/!]).*\n?)+/gm)].map(({ 0: whole, index }) => ({
    line: position(index).line,
    text: whole
      .split("\n")
      .map((row) => row.replace(/^\s*\/\/\s?/, "").trim())
      .join(" ")
      .replace(/\bbiome-ignore [\w/]+: /g, "")
      .trim(),
  }));
}

/** Returns the names of tests, each with its line. A name ends at the quotation mark with which it began. */
export function readTestNames(path: string, source: string): readonly Passage[] {
  if (path.endsWith(".rs"))
    return matchPassages(path, source, /#\[test\]\s+fn (\w+)/g).map((passage) => ({
      ...passage,
      text: passage.text.replaceAll("_", " "),
    }));
  if (!path.endsWith(".test.ts")) return [];
  const call = /(?:^|\n)\s*(?:test(?:\.each\([\s\S]*?\n?\))?|\]\))\(\s*(?:"([^"\n]+)"|`([^`\n]+)`)/g;
  return matchPassages(path, source, call);
}

/**
 * Returns the messages, reasons and help texts in a file of codes. An inserted value is replaced by its name in
 * «marks».
 */
function readMessages(path: string, source: string): readonly Passage[] {
  const text =
    /(?:say|because|help)(?:: | = )(?:\([^)]*\) =>\s*)?\s*(?:"((?:[^"\\\n]|\\.)+)"|'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\]|\\.)+)`)/g;
  const { position } = createSourceText(path, source);
  return [...source.matchAll(text)].map(({ index, 1: double, 2: single, 3: template }) => ({
    line: position(index).line,
    text: (double ?? single ?? template ?? "").replace(/\$\{(\w+)\}/g, "«$1»").replace(/\\(.)/g, "$1"),
  }));
}

/** Returns, for each match, the text of the first group that is not empty, with its line. */
function matchPassages(path: string, source: string, pattern: RegExp): readonly Passage[] {
  const { position } = createSourceText(path, source);
  return [...source.matchAll(pattern)].map(({ index, 0: whole, 1: first, 2: second = "" }) => {
    const text = first ?? second;
    return { line: position(index + whole.length - text.length).line, text };
  });
}

/** Returns the sentences of a text, without those of fewer than three words. */
function splitSentences(text: string, end = END_OF_SENTENCE): readonly string[] {
  return text
    .replace(/\s+/g, " ")
    .split(end)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(" ").filter((word) => /[A-Za-z]/.test(word)).length >= FEWEST_WORDS);
}
