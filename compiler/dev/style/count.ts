import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readDocComments } from "./comments.ts";
import { findLongSentences, findOddNegations, isHeadless } from "./rules.ts";

/** Names of the counts. None of them may grow. */
export const RULES = ["headless", "negations", "long"] as const;

/** Places that break a rule: `FILE:LINE: words`. */
type StyleCount = Readonly<Record<(typeof RULES)[number], readonly string[]>>;

const SOURCES = "{compiler,engine,lang,stdlib,targets}/**/*.{ts,mjs,rs}";
const PAGES = "{*.md,{compiler,engine,examples,lang,stdlib,targets}/**/*.md}";
/** Written by a program, or somebody else's words. */
const LEFT_OUT = /(?:^|\/)(?:node_modules|generated|target|build)\//;

/** Returns what breaks each rule in the sources and pages of the checkout. */
export function countStyle(checkout: string): StyleCount {
  const list = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: checkout })
      .filter((path) => !LEFT_OUT.test(path))
      .sort();
  const comments = list(SOURCES).flatMap((path) =>
    readDocComments(path, readFileSync(join(checkout, path), "utf8")).map((one) => ({ path, ...one })),
  );
  const pages = list(PAGES).map((path) => ({ path, text: readFileSync(join(checkout, path), "utf8") }));
  return {
    headless: comments.filter(({ text }) => isHeadless(text)).map(({ path, line, text }) => `${path}:${line}: ${text}`),
    negations: [
      ...comments.flatMap(({ path, line, text }) => findOddNegations(text).map((found) => `${path}:${line}: ${found}`)),
      ...pages.flatMap(({ path, text }) => findOddNegations(text).map((found) => `${path}: ${found}`)),
    ],
    long: pages
      .filter(({ path }) => path.endsWith("README.md"))
      .flatMap(({ path, text }) => findLongSentences(text).map((found) => `${path}: ${found}`)),
  };
}
