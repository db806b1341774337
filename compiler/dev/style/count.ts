import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocComments } from "./comments.ts";
import { findLongSentences, findOddNegations, hasOddSubject, isHeadless, isLongerThan } from "./rules.ts";
import { collectSentences, listWritten, PAGES, SOURCES } from "./sentences.ts";

/** Names of the style rules. The number of places that break a rule is counted, and must not grow. */
export const RULES = ["headless", "negations", "long", "help", "messages", "changes"] as const;

/** Places that break a rule: `FILE:LINE: words`. */
type StyleCount = Readonly<Record<(typeof RULES)[number], readonly string[]>>;

/** Maximum words in a sentence of help or of a message, and in an entry of CHANGES. */
const MOST = { help: 30, change: 25 } as const;

/** Returns the places in the sources and pages of the checkout that break each rule. */
export async function countStyle(checkout: string): Promise<StyleCount> {
  const read = (path: string): string => readFileSync(join(checkout, path), "utf8");
  const comments = listWritten(checkout, SOURCES).flatMap((path) =>
    readDocComments(path, read(path)).map((one) => ({ path, ...one })),
  );
  const pages = listWritten(checkout, PAGES).map((path) => ({ path, text: read(path) }));
  const sentences = await collectSentences(checkout);
  const listFaults = (kind: "help" | "message"): readonly string[] =>
    sentences
      .filter((one) => one.kind === kind && (hasOddSubject(one.text) || isLongerThan(one.text, MOST.help)))
      .map(({ place, text }) => `${place}: ${text}`);
  const entries = read("CHANGES.md")
    .split("\n")
    .map((text, index) => ({ text, place: `CHANGES.md:${index + 1}` }));
  return {
    headless: comments.filter(({ text }) => isHeadless(text)).map(({ path, line, text }) => `${path}:${line}: ${text}`),
    negations: [
      ...comments.flatMap(({ path, line, text }) => findOddNegations(text).map((found) => `${path}:${line}: ${found}`)),
      ...pages.flatMap(({ path, text }) => findOddNegations(text).map((found) => `${path}: ${found}`)),
    ],
    long: pages
      .filter(({ path }) => path.endsWith("README.md"))
      .flatMap(({ path, text }) => findLongSentences(text).map((found) => `${path}: ${found}`)),
    help: listFaults("help"),
    messages: listFaults("message"),
    changes: entries
      .filter(({ text }) => /^(?:- | {2})/.test(text) && isLongerThan(text, MOST.change))
      .map(({ place, text }) => `${place}: ${text}`),
  };
}
